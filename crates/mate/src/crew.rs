//! Several threads on one problem, over one table.
//!
//! Each searches alone from the root; what they share is the table and how many of them are below each position. A child with threads
//! below it counts as if its number had grown already, so that the others go elsewhere (virtual proof numbers, Kaneko 2010).

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use crate::known::Number;
use crate::table::PositionKey;
use crate::way::mix;

/// What the threads of one problem share besides the table.
pub(crate) struct Crew {
    /// Some thread has solved the problem, or has to give up.
    is_over: AtomicBool,
    /// Positions visited by all.
    nodes: AtomicU64,
    /// Positions visited by all threads but the first.
    helpers_nodes: AtomicU64,
    /// By position, with collisions: how many threads are below it.
    below: Box<[AtomicU32]>,
}

const SLOTS: usize = 1 << 14;

impl Crew {
    pub(crate) fn new() -> Crew {
        Crew {
            is_over: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            helpers_nodes: AtomicU64::new(0),
            below: (0..SLOTS).map(|_| AtomicU32::new(0)).collect(),
        }
    }

    pub(crate) fn end(&self) {
        self.is_over.store(true, Relaxed);
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Relaxed)
    }

    /// Counts positions and tells how many there are.
    pub(crate) fn count(&self, nodes: u64) -> u64 {
        self.nodes.fetch_add(nodes, Relaxed) + nodes
    }

    pub(crate) fn add_helpers_nodes(&self, nodes: u64) {
        self.helpers_nodes.fetch_add(nodes, Relaxed);
    }

    pub(crate) fn helpers_nodes(&self) -> u64 {
        self.helpers_nodes.load(Relaxed)
    }

    pub(crate) fn enter(&self, key: PositionKey) {
        self.slot(key).fetch_add(1, Relaxed);
    }

    pub(crate) fn leave(&self, key: PositionKey) {
        self.slot(key).fetch_sub(1, Relaxed);
    }

    /// How many threads are below a position.
    pub(crate) fn below(&self, key: PositionKey) -> u32 {
        self.slot(key).load(Relaxed)
    }

    fn slot(&self, key: PositionKey) -> &AtomicU32 {
        &self.below[mix(key.board_key ^ u64::from(key.hand.bits())) as usize % SLOTS]
    }
}

/// A number as others see it when so many threads are at work on it.
pub(crate) fn with_threads_below(number: Number, threads: u32) -> Number {
    number.saturating_add(threads.saturating_mul(number / 2 + 1))
}
