//! A part of the tree small enough to look at.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use shogi::Move;

use super::growth::Tree;
use super::node::{NodeId, Phase};
use super::policy::Policy;
use super::reporting::{score_of, win_rate};
use super::settings::TreeSettings;
use crate::Score;

/// The most probable part of a search tree. Nodes are in the order of their realization probability; a parent comes before
/// its children.
#[derive(Clone, Debug)]
pub struct TreeView {
    /// The nodes; the first is the root.
    pub nodes: Vec<ViewNode>,
    /// How many nodes have been expanded.
    pub expansions: u64,
    /// How many nodes are in memory.
    pub size: usize,
    /// Bytes of memory for each of them.
    pub bytes_per_node: usize,
}

/// A node of a view. Its numbers are for the side that chooses it.
#[derive(Clone, Debug)]
pub struct ViewNode {
    /// The place of its parent; `None` for the root.
    pub parent: Option<usize>,
    /// The move; `None` for the root.
    pub played: Option<Move>,
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

/// A node that may be shown next, the most probable first.
struct Candidate {
    realization: f32,
    probability: f32,
    id: NodeId,
    parent: Option<usize>,
    depth: usize,
}

impl PartialEq for Candidate {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Candidate {}

impl PartialOrd for Candidate {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Candidate {
    fn cmp(&self, other: &Self) -> Ordering {
        self.realization.total_cmp(&other.realization).then(other.id.cmp(&self.id))
    }
}

impl TreeView {
    pub(crate) fn of<P: Policy>(tree: &Tree, policy: &P, settings: &TreeSettings, budget: usize) -> TreeView {
        let mut nodes: Vec<ViewNode> = Vec::new();
        let first =
            Candidate { realization: 1.0, probability: 1.0, id: NodeId::ROOT, parent: None, depth: 0 };
        let mut open = BinaryHeap::from([first]);
        let mut shares = Vec::new();
        while nodes.len() < budget.max(1) {
            let Some(Candidate { realization, probability, id, parent, depth }) = open.pop() else { break };
            let node = tree.node(id);
            let children = tree.children(node);
            policy.shares(children, depth, &mut shares);
            let place = nodes.len();
            if let Some((first, _)) = node.block() {
                open.extend(shares.iter().enumerate().map(|(index, &share)| Candidate {
                    realization: realization * share,
                    probability: share,
                    id: first.offset(index),
                    parent: Some(place),
                    depth: depth + 1,
                }));
            }
            nodes.push(ViewNode {
                parent,
                played: parent.and_then(|_| Move::from_bits(node.packed_move())),
                score: score_of(policy, node),
                win_rate: win_rate(policy, settings, node),
                probability,
                realization,
                depth: node.depth.get(),
                visits: node.visits(),
                children: children.len(),
                closed: node.phase() == Phase::Closed,
            });
        }
        let (expansions, size) = (tree.expansions(), tree.size());
        TreeView { nodes, expansions, size, bytes_per_node: super::Node::BYTES }
    }
}
