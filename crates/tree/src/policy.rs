//! What makes one tree method differ from another.

use super::game::Game;
use super::growth::Tree;
use super::node::{Node, NodeId, Proof};
use super::worker::Worker;
use contract::Rng;

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The tree has changed.
    Grown,
    /// Nothing could be done now: other threads are where this one wanted to go.
    Busy,
    /// There is no room for more nodes.
    Full,
}

/// A tree method: where to grow the tree and what to make of it.
pub trait Policy: Send + Sync + 'static {
    /// A search begins; the tree may hold what an earlier one found.
    fn begin(&self) {}

    /// Whether new children are evaluated; if not, they begin with 0.
    fn evaluates(&self) -> bool {
        true
    }

    /// Puts what the method needs into fresh children, which nobody else sees yet. They have values in centipawns.
    fn init_children(&self, _children: &[Node], _shares: &mut Vec<f32>) {}

    /// Makes an expanded node agree with its children.
    fn refresh(&self, tree: &Tree, id: NodeId, depth: usize);

    /// One step by one thread: down to a leaf, expand it, back up. Ends at the root.
    fn step<G: Game>(&self, tree: &Tree, worker: &mut Worker<G>) -> Step;

    /// The root's children in the order of preference; the first is played. Without `rng`, what is left to it goes by value.
    fn rank(&self, tree: &Tree, rng: Option<&mut Rng>) -> Vec<usize>;

    /// The child that a principal variation goes on to.
    fn pv_child(&self, children: &[Node]) -> Option<usize>;

    /// A node's value in centipawns, for the side that chooses it.
    fn centipawns(&self, node: &Node) -> f32;

    /// How probable each child of a node at this depth is.
    fn child_policy(&self, children: &[Node], depth: usize, policy: &mut Vec<f32>);

    /// The temperature of the expectation that a node with these children has for a value, the best of them worth `best`; none
    /// where a value is no expectation of its children's.
    fn value_temperature(&self, _children: &[Node], _best: f32, _depth: usize) -> Option<f32> {
        None
    }

    /// How improbable a line may be to be searched, in bits.
    fn threshold(&self) -> Option<f32> {
        None
    }

    /// The share of the games of random moves that were cut off before their end, if there were any games.
    fn capped(&self) -> Option<f32> {
        None
    }
}

/// The index of the largest key; of equals the first.
pub fn best_by(children: &[Node], key: impl Fn(&Node) -> f32) -> Option<usize> {
    let mut best: Option<(usize, f32)> = None;
    for (index, child) in children.iter().enumerate() {
        let key = key(child);
        if best.is_none_or(|(_, known)| key > known) {
            best = Some((index, key));
        }
    }
    best.map(|(index, _)| index)
}

/// The indices of all children, the largest key first; of equals the earlier one.
pub fn sorted_by(children: &[Node], key: impl Fn(&Node) -> f32) -> Vec<usize> {
    let keys: Vec<f32> = children.iter().map(key).collect();
    let mut order: Vec<usize> = (0..keys.len()).collect();
    order.sort_by(|&a, &b| keys[b].total_cmp(&keys[a]));
    order
}

/// What keeps moves that are not searched deeply enough behind all others.
const SHALLOW: f32 = 100_000.0;

/// A key for moves at the root: the value, but behind all others unless the move has the share `deep` of the root's
/// search depth below it. Proven wins are deep enough; a proven loss comes last.
pub fn depth_filtered(child: &Node, root: &Node, deep: f32) -> f32 {
    match child.proof() {
        Some(Proof::Loss(_)) => child.value.get() - 2.0 * SHALLOW,
        _ if child.depth.get() >= deep * (root.depth.get() - 1.0) => child.value.get(),
        _ => child.value.get() - SHALLOW,
    }
}
