//! The nodes of a tree by their realization probability.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use super::growth::Tree;
use super::node::{Node, NodeId};
use super::policy::Policy;

/// A node and how probable it is to be reached from the root.
pub struct ProbableNode {
    /// The node.
    pub id: NodeId,
    /// The place of its parent in the list; `None` for the root.
    pub parent: Option<usize>,
    /// Plies below the root.
    pub depth: usize,
    /// How probable it is among its siblings.
    pub probability: f32,
    /// How probable the whole line to it is.
    pub realization: f32,
}

impl PartialEq for ProbableNode {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for ProbableNode {}

impl PartialOrd for ProbableNode {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ProbableNode {
    fn cmp(&self, other: &Self) -> Ordering {
        self.realization.total_cmp(&other.realization).then(other.id.cmp(&self.id))
    }
}

/// The `count` most probable nodes that are admitted together with all their ancestors, the most probable first; a parent comes before
/// its children.
pub fn most_probable<P: Policy>(
    tree: &Tree,
    policy: &P,
    count: usize,
    admitted: impl Fn(&Node) -> bool,
) -> Vec<ProbableNode> {
    let root = ProbableNode { id: NodeId::ROOT, parent: None, depth: 0, probability: 1.0, realization: 1.0 };
    let mut open = BinaryHeap::from([root]);
    let mut taken: Vec<ProbableNode> = Vec::new();
    let mut probabilities = Vec::new();
    while taken.len() < count {
        let Some(place) = open.pop() else { break };
        let node = tree.node(place.id);
        if let Some((first, _)) = node.block() {
            let children = tree.children(node);
            policy.child_policy(children, place.depth, &mut probabilities);
            let below =
                children.iter().zip(&probabilities).enumerate().filter(|(_, (child, _))| admitted(child));
            open.extend(below.map(|(index, (_, &probability))| ProbableNode {
                id: first.offset(index),
                parent: Some(taken.len()),
                depth: place.depth + 1,
                probability,
                realization: place.realization * probability,
            }));
        }
        taken.push(place);
    }
    taken
}
