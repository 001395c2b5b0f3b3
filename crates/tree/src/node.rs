//! A node: one move of a position and all that is known about it, in 32 bytes.

use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use contract::score;

/// Where a node is in the arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

impl NodeId {
    /// The root of the tree.
    pub const ROOT: NodeId = NodeId(0);

    /// The node `index` places on in the same block.
    #[inline(always)]
    pub fn offset(self, index: usize) -> NodeId {
        NodeId(self.0 + index as u32)
    }
}

/// What may happen to a node next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It may be claimed.
    Leaf = 0,
    /// A thread is expanding it; nobody else may.
    Claimed = 1,
    /// It has children, and some of them may be searched.
    Open = 2,
    /// There is nothing to search: the game ends here, or it is proven, or all children are closed.
    Closed = 3,
}

/// What is proven about a node, for the side that chooses it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// Choosing it wins; so many plies, the choice included.
    Win(u16),
    /// Choosing it loses.
    Loss(u16),
}

impl Proof {
    /// The value for the side that chooses the node.
    pub fn value(self) -> f32 {
        match self {
            Proof::Win(plies) => (score::MATE - i32::from(plies)) as f32,
            Proof::Loss(plies) => (-score::MATE + i32::from(plies)) as f32,
        }
    }
}

/// The search depth of what is proven: larger than any that was searched, so that no rule about depth rejects it.
pub(crate) const PROVEN_DEPTH: f32 = 1000.0;

/// Proofs longer than a mate score can say are cut to that.
const LONGEST_PROOF: u16 = 2 * score::MAX_PLY as u16;

/// A number that threads share without locks.
#[derive(Default)]
pub struct AtomicF32(AtomicU32);

impl AtomicF32 {
    /// The number.
    #[inline(always)]
    #[must_use]
    pub fn get(&self) -> f32 {
        f32::from_bits(self.0.load(Relaxed))
    }

    /// Replaces the number.
    #[inline(always)]
    pub fn set(&self, value: f32) {
        self.0.store(value.to_bits(), Relaxed);
    }

    /// Replaces the number by what `change` makes of it; no change by another thread is lost.
    pub fn update(&self, change: impl Fn(f32) -> f32) {
        let changed = |bits| Some(change(f32::from_bits(bits)).to_bits());
        // The closure never refuses.
        let _ = self.0.fetch_update(Relaxed, Relaxed, changed);
    }
}

/// All numbers are for the side that chooses the node. Every field is a relaxed atomic of its own: a reader may see one
/// new and the other old, which costs an update its freshness, never its sense. Only the state orders: children are
/// complete before the state says `Open`.
#[derive(Default)]
pub struct Node {
    /// The backed-up value: centipawns, or the mean result from 0 to 1.
    pub value: AtomicF32,
    /// The value when it was created; for some methods the prior probability.
    pub first_value: AtomicF32,
    /// The expectation of search depth; 0 for a leaf.
    pub depth: AtomicF32,
    /// A number that the method needs besides.
    pub extra: AtomicF32,
    visits: AtomicU32,
    /// Where the block of children begins.
    children: AtomicU32,
    /// How many children, above the move.
    link: AtomicU32,
    /// Bits 0 and 1 the phase, 2 and 3 the proof, 4 set if only the path closes it, 8 to 23 the plies of the proof.
    state: AtomicU32,
}

const PHASE: u32 = 0b11;
const WIN: u32 = 0b0100;
const LOSS: u32 = 0b1000;
const ON_PATH: u32 = 0b1_0000;

impl Node {
    /// What a node takes in memory.
    pub const BYTES: usize = size_of::<Node>();

    /// Makes the node a fresh leaf with a move and a value.
    pub fn init(&self, m: u16, value: f32) {
        self.value.set(value);
        self.first_value.set(value);
        self.depth.set(0.0);
        self.extra.set(0.0);
        self.visits.store(0, Relaxed);
        self.children.store(0, Relaxed);
        self.link.store(u32::from(m), Relaxed);
        self.state.store(0, Relaxed);
    }

    /// Takes over everything from another node, which keeps nothing of its subtree.
    pub fn take(&self, other: &Node) {
        for (mine, theirs) in [
            (&self.value, &other.value),
            (&self.first_value, &other.first_value),
            (&self.depth, &other.depth),
            (&self.extra, &other.extra),
        ] {
            mine.set(theirs.get());
        }
        for (mine, theirs) in [
            (&self.visits, &other.visits),
            (&self.children, &other.children),
            (&self.link, &other.link),
            (&self.state, &other.state),
        ] {
            mine.store(theirs.load(Relaxed), Relaxed);
        }
        other.drop_children();
    }

    /// The move that leads to it, packed.
    #[inline(always)]
    #[must_use]
    pub fn packed_move(&self) -> u16 {
        self.link.load(Relaxed) as u16
    }

    /// How often the search went there.
    #[inline(always)]
    #[must_use]
    pub fn visits(&self) -> u32 {
        self.visits.load(Relaxed)
    }

    /// One more visit; how many there were before.
    pub fn visit(&self) -> u32 {
        self.visits.fetch_add(1, Relaxed)
    }

    /// What may happen to it next.
    #[inline(always)]
    #[must_use]
    pub fn phase(&self) -> Phase {
        match self.state.load(Acquire) & PHASE {
            0 => Phase::Leaf,
            1 => Phase::Claimed,
            2 => Phase::Open,
            _ => Phase::Closed,
        }
    }

    /// What is proven about it.
    #[inline(always)]
    #[must_use]
    pub fn proof(&self) -> Option<Proof> {
        let state = self.state.load(Relaxed);
        let plies = (state >> 8) as u16;
        match state & (WIN | LOSS) {
            WIN => Some(Proof::Win(plies)),
            LOSS => Some(Proof::Loss(plies)),
            _ => None,
        }
    }

    /// Where the children are and how many; none while the node is claimed.
    #[inline(always)]
    pub fn block(&self) -> Option<(NodeId, usize)> {
        let count = (self.link.load(Acquire) >> 16) as usize;
        (count > 0).then(|| (NodeId(self.children.load(Relaxed)), count))
    }

    /// Whether this thread, and no other, may expand it now.
    pub fn claim(&self) -> bool {
        let (leaf, claimed) = (Phase::Leaf as u32, Phase::Claimed as u32);
        self.state.compare_exchange(leaf, claimed, AcqRel, Relaxed).is_ok()
    }

    /// Gives a claimed node back unchanged.
    pub fn release(&self) {
        self.state.store(Phase::Leaf as u32, Release);
    }

    /// Ends the claim with children, which are complete.
    pub fn open(&self, first: NodeId, count: usize) {
        self.children.store(first.0, Relaxed);
        self.link.store((count as u32) << 16 | u32::from(self.packed_move()), Release);
        self.state.store(Phase::Open as u32, Release);
    }

    /// Nothing is left to search. With `on_path`, only seen from the present root.
    pub fn close(&self, on_path: bool) {
        let proof = self.state.load(Relaxed) & !(PHASE | ON_PATH);
        let on_path = if on_path { ON_PATH } else { 0 };
        self.state.store(proof | Phase::Closed as u32 | on_path, Release);
    }

    /// Closes it with a proof and the value that goes with it.
    pub fn prove(&self, proof: Proof) {
        let (bit, plies) = match proof {
            Proof::Win(plies) => (WIN, plies),
            Proof::Loss(plies) => (LOSS, plies),
        };
        let plies = plies.min(LONGEST_PROOF);
        let known = if bit == WIN { Proof::Win(plies) } else { Proof::Loss(plies) };
        self.value.set(known.value());
        self.depth.set(PROVEN_DEPTH);
        self.state.store(u32::from(plies) << 8 | bit | Phase::Closed as u32, Release);
    }

    /// Opens what only the path had closed, since the root is another one now.
    pub fn reopen(&self) {
        if self.state.load(Relaxed) & ON_PATH != 0 {
            let phase = if self.block().is_some() { Phase::Open } else { Phase::Leaf };
            self.state.store(phase as u32, Release);
        }
    }

    /// Becomes a leaf again; value and proof remain.
    pub fn collapse(&self) {
        self.drop_children();
        if self.phase() == Phase::Open {
            self.depth.set(0.0);
            self.state.store(Phase::Leaf as u32, Release);
        }
    }

    fn drop_children(&self) {
        self.link.store(u32::from(self.packed_move()), Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_node_takes_32_bytes() {
        assert_eq!(Node::BYTES, 32);
    }

    #[test]
    fn a_leaf_is_claimed_once() {
        let node = Node::default();
        node.init(7, 12.0);
        assert!(node.claim() && !node.claim());
        node.release();
        assert!(node.claim());
        node.open(NodeId(40), 3);
        assert_eq!((node.phase(), node.block(), node.packed_move()), (Phase::Open, Some((NodeId(40), 3)), 7));
        assert!(!node.claim());
        node.collapse();
        assert_eq!((node.phase(), node.block()), (Phase::Leaf, None));
    }

    #[test]
    fn proofs_keep_their_length_and_paths_can_be_reopened() {
        let node = Node::default();
        node.init(1, 0.0);
        node.prove(Proof::Win(5));
        assert_eq!((node.phase(), node.proof()), (Phase::Closed, Some(Proof::Win(5))));
        assert_eq!(node.value.get(), 31_995.0);
        node.reopen();
        assert_eq!(node.phase(), Phase::Closed, "a proof holds for every root");
        node.init(1, 0.0);
        node.close(true);
        node.reopen();
        assert_eq!(node.phase(), Phase::Leaf);
    }
}
