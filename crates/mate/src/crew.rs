//! Several threads on one problem, over one table.
//!
//! Each searches alone from the root; what they share is the table and how many of them are below each position. A child with threads
//! below it counts as if its number had grown already, so that the others go elsewhere (virtual proof numbers, Kaneko 2010). As in
//! Pawlewicz and Hayward's scalable parallel df-pn (2013), threads hear of each other only where enough work lies between: a word that
//! one thread writes and another reads travels between their caches, and a search that did so for every position gained nothing by a second
//! thread.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::known::Number;
use crate::table::PositionKey;
use crate::way::mix;

/// What the threads of one problem share besides the table.
pub(crate) struct Crew {
    /// How many threads help the first one.
    size: usize,
    /// Some thread has solved the problem, or has to give up.
    is_over: AtomicBool,
    /// Positions visited by all.
    nodes: AtomicU64,
    /// Positions visited by all threads but the first, in searches that are over.
    helpers_nodes: AtomicU64,
    /// By position, with collisions: how many threads are below it.
    below: Box<[AtomicU32]>,
    /// The first thread wants to have the table for itself.
    is_paused: AtomicBool,
    helpers: Mutex<Helpers>,
    helpers_changed: Condvar,
}

/// All threads but the first.
struct Helpers {
    at_work: usize,
    waiting: usize,
}

/// One thread of a crew.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    pub(crate) crew: &'a Crew,
    /// The first thread hears of limits, and has the table grow; the others help until it ends.
    pub(crate) is_first: bool,
}

const SLOTS: usize = 1 << 14;
/// How long the first thread waits for the others before it asks again whether to go on.
const PATIENCE: Duration = Duration::from_millis(1);
/// The logarithm of the positions below a child from which on threads tell each other of it: what is smaller is over before another
/// thread comes by.
const SHARED_WORK: u8 = 6;

impl Crew {
    /// A first thread and so many helpers.
    pub(crate) fn new(helpers: usize) -> Crew {
        Crew {
            size: helpers,
            is_over: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
            helpers_nodes: AtomicU64::new(0),
            below: (0..SLOTS).map(|_| AtomicU32::new(0)).collect(),
            is_paused: AtomicBool::new(false),
            helpers: Mutex::new(Helpers { at_work: 0, waiting: 0 }),
            helpers_changed: Condvar::new(),
        }
    }

    /// Begins a search, after so many positions; helpers may have to be waited for from now on.
    pub(crate) fn begin(&self, nodes: u64) {
        self.is_over.store(false, Relaxed);
        self.nodes.store(nodes, Relaxed);
        self.lock().at_work = self.size;
    }

    /// How many threads help the first one.
    pub(crate) fn helpers(&self) -> usize {
        self.size
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
    pub(crate) fn below(&self, key: PositionKey) -> u8 {
        self.slot(key).load(Relaxed).min(u8::MAX.into()) as u8
    }

    fn slot(&self, key: PositionKey) -> &AtomicU32 {
        &self.below[mix(key.board_key ^ u64::from(key.hand.bits())) as usize % SLOTS]
    }

    /// Calls `alone`, for the first thread, while no helper is at work; not at all if it is `interrupted` before they have heard of it.
    pub(crate) fn pause(
        &self,
        interrupted: &mut dyn FnMut() -> bool,
        alone: impl FnOnce(&mut dyn FnMut() -> bool),
    ) {
        self.is_paused.store(true, Relaxed);
        let mut helpers = self.lock();
        let all_wait = loop {
            if helpers.waiting == helpers.at_work {
                break true;
            }
            if interrupted() {
                break false;
            }
            let waited = self.helpers_changed.wait_timeout(helpers, PATIENCE);
            helpers = waited.unwrap_or_else(PoisonError::into_inner).0;
        };
        if all_wait {
            alone(interrupted);
        }
        self.is_paused.store(false, Relaxed);
        self.helpers_changed.notify_all();
    }

    /// Blocks a helper while the first thread wants to be alone.
    pub(crate) fn wait_while_paused(&self) {
        if !self.is_paused.load(Relaxed) {
            return;
        }
        let mut helpers = self.lock();
        helpers.waiting += 1;
        self.helpers_changed.notify_all();
        while self.is_paused.load(Relaxed) {
            helpers = self.helpers_changed.wait(helpers).unwrap_or_else(PoisonError::into_inner);
        }
        helpers.waiting -= 1;
    }

    /// Does a helper's work, which answers with the positions that it visited; whatever becomes of it, nobody waits for the helper
    /// afterwards.
    pub(crate) fn help(&self, work: impl FnOnce() -> u64) {
        let _leaving = Leaving(self);
        self.helpers_nodes.fetch_add(work(), Relaxed);
    }

    fn lock(&self) -> MutexGuard<'_, Helpers> {
        self.helpers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Counts a helper out when it is dropped.
struct Leaving<'a>(&'a Crew);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        self.0.end();
        self.0.lock().at_work -= 1;
        self.0.helpers_changed.notify_all();
    }
}

/// Whether threads tell each other of a position below which so many positions were visited, as a logarithm.
pub(crate) fn is_worth_sharing(work: u8) -> bool {
    work >= SHARED_WORK
}

/// A number as others see it when so many threads are at work on it.
pub(crate) fn with_threads_below(number: Number, threads: u32) -> Number {
    number.saturating_add(threads.saturating_mul(number / 2 + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_thread_is_alone_while_helpers_wait() {
        let crew = Crew::new(3);
        crew.begin(0);
        let at_work = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for _ in 0..3 {
                scope.spawn(|| {
                    crew.help(|| {
                        while !crew.is_over() {
                            at_work.fetch_add(1, Relaxed);
                            std::thread::yield_now();
                            at_work.fetch_sub(1, Relaxed);
                            crew.wait_while_paused();
                        }
                        1
                    });
                });
            }
            for _ in 0..100 {
                let mut was_alone = false;
                crew.pause(&mut || false, |_| {
                    was_alone = true;
                    assert_eq!(at_work.load(Relaxed), 0);
                });
                assert!(was_alone);
            }
            crew.end();
        });
        // Nobody is waited for who has left.
        crew.pause(&mut || panic!("nobody is at work"), |_| {});
        assert_eq!(crew.helpers_nodes(), 3);
    }

    #[test]
    fn who_is_interrupted_does_not_wait() {
        let crew = Crew::new(1);
        crew.begin(0);
        crew.pause(&mut || true, |_| panic!("a helper is at work"));
    }
}
