//! A part of the tree small enough to look at.

use contract::{LogisticScale, Score};

use super::game::Game;
use super::growth::Tree;
use super::node::Phase;
use super::policy::Policy;
use super::probable::most_probable;
use super::reporting::{score_of, win_rate};

/// The most probable part of a search tree. Nodes are in the order of their realization probability; a parent comes before
/// its children.
#[derive(Clone, Debug)]
pub struct TreeView<M> {
    /// The nodes; the first is the root.
    pub nodes: Vec<ViewNode<M>>,
    /// How many nodes have been expanded.
    pub expansions: u64,
    /// How many nodes are in memory.
    pub size: usize,
    /// Bytes of memory for each of them.
    pub bytes_per_node: usize,
}

/// A node of a view. Its numbers are for the side that chooses it.
#[derive(Clone, Debug)]
pub struct ViewNode<M> {
    /// The place of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// The move; `None` for the root.
    pub played: Option<M>,
    /// Its value.
    pub score: Score,
    /// How likely it wins, from 0 to 1.
    pub win_rate: f32,
    /// How probable it is among its siblings.
    pub probability: f32,
    /// How probable the whole line from the root to it is.
    pub realization: f32,
    /// The expectation of search depth.
    pub depth: f32,
    /// How often the search went there.
    pub visits: u32,
    /// How many children it has, seen here or not.
    pub children: usize,
    /// Whether nothing is left to search there.
    pub closed: bool,
}

impl<M> TreeView<M> {
    pub(crate) fn of<G: Game<Move = M>, P: Policy>(
        tree: &Tree,
        policy: &P,
        scale: LogisticScale,
        budget: usize,
    ) -> TreeView<M> {
        let shown = most_probable(tree, policy, budget.max(1), |_| true);
        let nodes = shown.into_iter().map(|place| {
            let node = tree.node(place.id);
            ViewNode {
                parent: place.parent,
                played: place.parent.map(|_| G::unpack(node.packed_move())),
                score: score_of(policy, node),
                win_rate: win_rate(policy, scale, node),
                probability: place.probability,
                realization: place.realization,
                depth: node.depth.get(),
                visits: node.visits(),
                children: tree.children(node).len(),
                closed: node.phase() == Phase::Closed,
            }
        });
        let nodes = nodes.collect();
        let (expansions, size) = (tree.expansions(), tree.size());
        TreeView { nodes, expansions, size, bytes_per_node: super::Node::BYTES }
    }
}
