//! The nodes that a search may visit, handed out to its threads in rations.
//!
//! A thread counts for itself and comes back when its ration is eaten. So no node is counted twice and none is visited
//! beyond the limit, however many threads there are, and between two rations nobody touches shared memory.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Nodes between two looks at the clock: well under a millisecond.
const RATION: u64 = 1 << 9;

/// The nodes of one search.
pub(crate) struct Budget {
    limit: u64,
    /// How many were handed out.
    given: AtomicU64,
    /// How many of these are known to be visited.
    spent: AtomicU64,
}

impl Budget {
    pub(crate) fn new(limit: Option<u64>) -> Budget {
        Budget { limit: limit.unwrap_or(u64::MAX), given: AtomicU64::new(0), spent: AtomicU64::new(0) }
    }

    /// The next ration; 0 when all is handed out.
    pub(crate) fn draw(&self) -> u64 {
        let after = |given: u64| given.saturating_add(RATION).min(self.limit);
        let given = self.given.update(Relaxed, Relaxed, after);
        after(given) - given
    }

    /// A thread has visited so many since it last said so.
    pub(crate) fn spend(&self, nodes: u64) {
        self.spent.fetch_add(nodes, Relaxed);
    }

    /// How many nodes were visited, as far as the threads have said so.
    pub(crate) fn spent(&self) -> u64 {
        self.spent.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rations_add_up_to_the_limit() {
        let limit = 5 * RATION / 2;
        let budget = Budget::new(Some(limit));
        let rations: Vec<u64> = (0..4).map(|_| budget.draw()).collect();
        assert_eq!(rations, [RATION, RATION, RATION / 2, 0]);
        budget.spend(limit);
        assert_eq!(budget.spent(), limit);
    }

    #[test]
    fn without_a_limit_there_is_always_a_ration() {
        let budget = Budget::new(None);
        assert!((0..4).all(|_| budget.draw() == RATION));
        assert_eq!(Budget::new(Some(0)).draw(), 0);
    }
}
