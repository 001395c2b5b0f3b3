//! The tree itself: its root, what is thrown away, what is kept when moves are played.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard};

use super::arena::Arena;
use super::game::End;
use super::node::{Node, NodeId, Phase, Proof};

/// A tree of nodes in memory that does not grow beyond its limit. Positions that are reached by different moves are
/// different nodes: values of repetition, maximal length and declaration belong to the path, and stay exact.
pub struct Tree {
    arena: Arena,
    /// Held for reading while a thread walks the tree, for writing while subtrees are cut off.
    gate: RwLock<()>,
    /// Blocks that are no longer part of the tree.
    garbage: Mutex<Vec<(NodeId, usize)>>,
    /// Nodes that only the path closed: another root opens them again.
    closed_on_path: Mutex<Vec<NodeId>>,
    /// Held while a node is made to agree with its children; each serves many nodes.
    backups: [Mutex<()>; BACKUPS],
    expansions: AtomicU64,
    prunings: AtomicU64,
}

/// A child before it has a place.
pub struct ScoredMove {
    /// The move, as [`Game::pack`](crate::Game::pack) made it.
    pub packed: u16,
    /// For the side that chooses it.
    pub value: f32,
    /// How the game ends there, seen by the side to move there.
    pub end: Option<End>,
}

/// So many nodes can be backed up at a time, whoever does it.
const BACKUPS: usize = 64;

/// The share of the nodes that a full tree throws out.
const THROWN_OUT: f64 = 0.25;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Tree {
    /// An empty tree that may grow to so many megabytes.
    pub fn new(megabytes: usize) -> Tree {
        Tree {
            arena: Arena::new(megabytes),
            gate: RwLock::new(()),
            garbage: Mutex::default(),
            closed_on_path: Mutex::default(),
            backups: [const { Mutex::new(()) }; BACKUPS],
            expansions: AtomicU64::new(0),
            prunings: AtomicU64::new(0),
        }
    }

    /// Forgets everything: the root is a leaf.
    pub fn clear(&mut self) {
        self.arena.clear();
        lock(&self.garbage).clear();
        lock(&self.closed_on_path).clear();
        self.expansions.store(0, Relaxed);
    }

    /// Keeps subtrees from being cut off while the caller walks the tree.
    pub fn enter(&self) -> RwLockReadGuard<'_, ()> {
        self.gate.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps others from backing up this node as long as it is held. Who has changed a child backs up its parent afterwards: the last one
    /// to do so sees all that was changed before. Without it a thread could write what it had read before another one's
    /// change, and a node that others may go on from would look as if there were nothing left below it, for ever.
    pub fn backing_up(&self, id: NodeId) -> MutexGuard<'_, ()> {
        lock(&self.backups[id.0 as usize % BACKUPS])
    }

    /// A node by its place.
    #[inline(always)]
    pub fn node(&self, id: NodeId) -> &Node {
        self.arena.node(id)
    }

    /// The root.
    pub fn root(&self) -> &Node {
        self.arena.node(NodeId::ROOT)
    }

    /// The children of a node, none if it has not been expanded.
    #[inline(always)]
    pub fn children(&self, node: &Node) -> &[Node] {
        node.block().map_or(&[], |(first, count)| self.arena.block(first, count))
    }

    /// Ends a claim as the game ends there.
    pub fn end(&self, id: NodeId, end: End) {
        let node = self.node(id);
        match end {
            End::Win(plies) => node.prove(Proof::Loss(plies + 1)),
            End::Loss(plies) => node.prove(Proof::Win(plies + 1)),
            End::Value(value) => {
                node.value.set(-value as f32);
                node.close(false);
            }
            End::PathValue(value) => {
                node.value.set(-value as f32);
                self.close_on_path(id);
            }
        }
    }

    /// Closes a node as long as the root remains.
    pub fn close_on_path(&self, id: NodeId) {
        self.node(id).close(true);
        lock(&self.closed_on_path).push(id);
    }

    /// Ends a claim with children, which `init_children` may change before anybody sees them. `false` if there is no room: then nothing has changed.
    pub fn expand(&self, id: NodeId, children: &[ScoredMove], init_children: impl FnOnce(&[Node])) -> bool {
        let Some(first) = self.arena.take(children.len()) else { return false };
        let block = self.arena.block(first, children.len());
        for (index, (node, child)) in block.iter().zip(children).enumerate() {
            node.init(child.packed, child.value);
            if let Some(end) = child.end {
                self.end(first.offset(index), end);
            }
        }
        init_children(block);
        self.node(id).open(first, children.len());
        self.expansions.fetch_add(1, Relaxed);
        true
    }

    /// How many nodes have been expanded since the tree was empty.
    pub fn expansions(&self) -> u64 {
        self.expansions.load(Relaxed)
    }

    /// How often a full tree was cut back.
    #[cfg(test)]
    pub fn prunings(&self) -> u64 {
        self.prunings.load(Relaxed)
    }

    /// Nodes in memory.
    pub fn size(&self) -> usize {
        self.arena.used()
    }

    /// Nodes that there is room for.
    pub fn limit(&self) -> usize {
        self.arena.limit()
    }

    /// How full the memory is, in thousandths.
    pub fn permille(&self) -> u32 {
        (self.arena.used() as u64 * 1000 / self.arena.limit() as u64) as u32
    }

    /// Goes on from the root's child of this move and throws the rest away; `false` if nothing is known about it.
    pub fn advance(&mut self, packed: u16) -> bool {
        let root = self.root();
        let Some((first, count)) = root.block() else { return false };
        let block = self.arena.block(first, count);
        let Some(child) = block.iter().find(|child| child.packed_move() == packed) else { return false };
        if child.block().is_none() {
            return false;
        }
        root.take(child);
        lock(&self.garbage).push((first, count));
        for id in lock(&self.closed_on_path).drain(..) {
            self.arena.node(id).reopen();
        }
        true
    }

    /// Returns blocks that were thrown away, until none is left or `enough` says so. May run beside a search.
    pub fn collect(&self, enough: impl Fn() -> bool) {
        while !enough() {
            let Some((first, count)) = lock(&self.garbage).pop() else { return };
            for node in self.arena.block(first, count) {
                if let Some(block) = node.block() {
                    lock(&self.garbage).push(block);
                }
            }
            self.arena.give_back(first, count);
        }
    }

    /// Makes room in a full tree: first by what was thrown away, then by the least probable subtrees. `policy` says how
    /// probable each child is, by node and depth. Waits until no thread walks the tree. `false` if nothing can go.
    pub fn make_room(&self, policy: impl Fn(&[Node], usize, &mut Vec<f32>)) -> bool {
        let _alone = self.gate.write().unwrap_or_else(PoisonError::into_inner);
        self.collect(|| false);
        let wanted = (self.limit() as f64 * THROWN_OUT) as usize;
        if self.limit() - self.size() >= wanted {
            // Another thread has made room while this one was waiting.
            return true;
        }
        let mut expanded = self.by_improbability(policy);
        let before = self.size();
        while self.limit() - self.size() < wanted {
            let Some((_, id)) = expanded.pop() else { break };
            let node = self.node(id);
            if let Some((first, count)) = node.block() {
                node.collapse();
                self.arena.give_back(first, count);
            }
        }
        self.prunings.fetch_add(1, Relaxed);
        self.size() < before
    }

    /// Every expanded node but the root, the least probable last; descendants after their ancestors.
    fn by_improbability(&self, policy: impl Fn(&[Node], usize, &mut Vec<f32>)) -> Vec<(f32, NodeId)> {
        let mut expanded = Vec::new();
        let mut open = vec![(NodeId::ROOT, 0.0_f32, 0)];
        let mut weights = Vec::new();
        while let Some((id, bits, depth)) = open.pop() {
            let Some((first, count)) = self.node(id).block() else { continue };
            if id != NodeId::ROOT {
                expanded.push((bits, id));
            }
            let children = self.arena.block(first, count);
            policy(children, depth, &mut weights);
            for (index, (child, &probability)) in children.iter().zip(&weights).enumerate() {
                if child.block().is_some() {
                    open.push((
                        first.offset(index),
                        bits - probability.max(f32::MIN_POSITIVE).log2(),
                        depth + 1,
                    ));
                }
            }
        }
        // Stable: where a sure move has its parent's probability, it comes after its parent.
        expanded.sort_by(|a, b| a.0.total_cmp(&b.0));
        expanded
    }

    /// Claims a leaf; `false` if another thread was first or there is nothing to expand.
    pub fn claim(&self, id: NodeId) -> bool {
        let node = self.node(id);
        node.phase() == Phase::Leaf && node.claim()
    }
}
