//! Throwing out what cost least.

use super::Table;
use super::entry::Entry;

/// How many entries are looked at to find what the cheap half costs.
const SAMPLES: usize = 20_000;
/// Entries between two questions whether to go on.
const PAUSE: usize = 1 << 16;

impl Table {
    /// Throws out about half of the entries, those that cost least to find again. Asks now and then whether it
    /// is interrupted; then the table is empty, and the return value false.
    pub(crate) fn collect(&mut self, interrupted: &mut dyn FnMut() -> bool) -> bool {
        let bar = self.median_work();
        let len = self.entries.len();
        for start in (0..len).step_by(PAUSE) {
            if interrupted() {
                self.clear();
                return false;
            }
            for entry in &mut self.entries[start..(start + PAUSE).min(len)] {
                if entry.generation != self.generation {
                    continue;
                }
                if entry.work <= bar {
                    entry.generation = 0;
                    self.used -= 1;
                } else {
                    // What is not worked on any more fades.
                    entry.work -= entry.work / 4;
                }
            }
        }
        self.close_runs(interrupted)
    }

    /// What the middle one of many entries cost.
    fn median_work(&self) -> u32 {
        let step = (self.entries.len() / SAMPLES).max(1);
        let is_used = |entry: &&Entry| entry.generation == self.generation;
        let mut works: Vec<u32> = self.entries.iter().step_by(step).filter(is_used).map(|e| e.work).collect();
        if works.is_empty() {
            return u32::MAX;
        }
        let middle = works.len() / 2;
        *works.select_nth_unstable(middle).1
    }

    /// Moves every entry back to the first free place of its run. Begins behind a free entry, so that places
    /// before the current one are settled.
    fn close_runs(&mut self, interrupted: &mut dyn FnMut() -> bool) -> bool {
        let Some(first) = self.entries.iter().position(|entry| entry.generation != self.generation) else {
            return true;
        };
        let mut index = first;
        for count in 0..self.entries.len() {
            if count % PAUSE == 0 && interrupted() {
                self.clear();
                return false;
            }
            let entry = self.entries[index];
            if entry.generation == self.generation {
                self.entries[index].generation = 0;
                let mut place = self.home(entry.board_key);
                while self.entries[place].generation == self.generation {
                    place = self.next(place);
                }
                self.entries[place] = entry;
            }
            index = self.next(index);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::PositionKey;
    use super::*;
    use crate::finding::{Finding, UNBOUNDED};
    use shogi::Hand;

    fn key(n: u64) -> PositionKey {
        PositionKey { board: n.wrapping_mul(0x9E37_79B9_7F4A_7C15), hand: Hand::EMPTY }
    }

    fn filled() -> (Table, u64) {
        let mut table = Table::new(0).unwrap();
        let mut n = 0;
        while !table.is_full() {
            n += 1;
            let finding = Finding { work: n as u32, ..Finding::open(n as u32 + 5, 2) };
            table.store(key(n), 1, &finding, key(n));
        }
        (table, n)
    }

    #[test]
    fn the_cheap_half_goes_and_the_rest_is_still_found() {
        let (mut table, n) = filled();
        assert!(table.collect(&mut || false));
        assert!(table.used > 0 && table.used <= n as usize / 2 + 1, "{} of {n}", table.used);
        for i in 1..=n {
            let look = table.look(key(i), 1, UNBOUNDED);
            assert_eq!(look.is_known, i + 1 > n - table.used as u64 + 1, "{i} of {n}");
            assert!(!look.is_known || look.finding.pn == i as u32 + 5);
        }
    }

    #[test]
    fn an_interrupted_collection_leaves_an_empty_table() {
        let (mut table, n) = filled();
        assert!(!table.collect(&mut || true));
        assert_eq!(table.used, 0);
        assert!(!table.look(key(n), 1, UNBOUNDED).is_known);
    }
}
