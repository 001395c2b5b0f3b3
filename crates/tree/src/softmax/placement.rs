//! P-GPP: which part of the tree each thread looks after.
//!
//! With k threads, these are put on the k nodes with the highest realization probability, so that the sum of the
//! probabilities of the nodes that are worked on is as large as possible. The root is always one of them. A thread on
//! a node that has other such nodes below it works on the "others": all that is below its node and not below
//! theirs. The places follow from the tree alone and are taken anew before every step: when a move is played, the nodes outside the
//! new tree lose their threads at once, in ponder as well.

use super::Softmax;
use crate::{NodeId, Phase, Tree, most_probable};

/// One thread's place.
pub(super) struct Placement {
    /// From below the root to the node itself.
    path: Vec<NodeId>,
    /// The nodes of the other threads.
    others: Vec<NodeId>,
    /// How improbable the node is.
    bits: f32,
}

impl Placement {
    /// The whole tree.
    pub(super) fn anywhere() -> Placement {
        Placement { path: Vec::new(), others: Vec::new(), bits: 0.0 }
    }

    /// The place of one of so many threads.
    pub(super) fn of(tree: &Tree, softmax: &Softmax, index: usize, threads: usize) -> Placement {
        if threads == 1 {
            return Placement::anywhere();
        }
        let places = most_probable(tree, softmax, threads, |node| node.phase() != Phase::Closed);
        let Some(own) = places.get(index) else { return Placement::anywhere() };
        let mut path = vec![own.id];
        let mut parent = own.parent;
        while let Some(place) = parent.map(|parent| &places[parent]) {
            path.push(place.id);
            parent = place.parent;
        }
        path.pop();
        path.reverse();
        let others = places.iter().map(|place| place.id).filter(|&id| id != own.id).collect();
        Placement { path, others, bits: -own.realization.max(f32::MIN_POSITIVE).log2() }
    }

    /// How improbable the place is, in bits.
    pub(super) fn bits(&self) -> f32 {
        self.bits
    }

    /// The nodes to go through, from below the root to the place.
    pub(super) fn path(&self) -> &[NodeId] {
        &self.path
    }

    /// Whether a node is another thread's.
    pub(super) fn is_others(&self, id: NodeId) -> bool {
        self.others.contains(&id)
    }

    /// Whether there is anything beyond the place.
    pub(super) fn is_restricted(&self) -> bool {
        !self.path.is_empty() || !self.others.is_empty()
    }
}
