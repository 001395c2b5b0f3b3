//! The hash table: what searches found, by position, shared by all threads without locks.
//!
//! An entry is two words, the second the finding and the first the position's key combined with it, so that halves of two
//! entries never look like one (Hyatt and Mann, "A lockless transposition table", 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use memory::Memory;
use shogi::Move;

use crate::score::{self, Value};
use crate::{Bound, Depth};

/// Entries that share a cache line; a position may be in any of its cluster.
const ENTRIES: usize = 4;
/// Searches after which a generation comes again.
const GENERATIONS: u64 = 1 << 4;
/// Steps of a ply in which depth is kept.
const STEP: i32 = crate::depth::UNIT / 4;
/// The greatest depth that is kept.
const DEEPEST: i32 = (1 << 9) - 1;

/// The table.
pub(crate) struct Table {
    clusters: Memory<[AtomicU64; 2 * ENTRIES]>,
    generation: u64,
}

/// What is known about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) best: Option<Move>,
    /// Mates are counted from the position.
    pub(crate) value: Value,
    /// The evaluation without corrections; [`score::NONE`] if it was not asked for.
    pub(crate) static_eval: Value,
    pub(crate) depth: Depth,
    pub(crate) bound: Bound,
}

/// What findings about one position are worth, in 64ths of a ply of depth.
#[derive(Clone, Copy)]
pub(crate) struct Price {
    /// How much more the newer one is worth.
    pub(crate) news: i32,
    /// How much more an exact value is worth than a bound.
    pub(crate) exact: i32,
    /// What an entry loses with every search.
    pub(crate) age: i32,
}

impl Entry {
    /// Whether the value answers a search of this depth with this window.
    pub(crate) fn answers(&self, depth: Depth, alpha: Value, beta: Value) -> bool {
        steps(self.depth) >= steps(depth)
            && match self.bound {
                Bound::Exact => true,
                Bound::Lower => self.value >= beta,
                Bound::Upper => self.value <= alpha,
            }
    }

    /// Whether the true value, as far as it is known, is another than `value`.
    pub(crate) fn contradicts(&self, value: Value) -> bool {
        let (may_be_less, may_be_more) = (self.bound == Bound::Upper, self.bound == Bound::Lower);
        value < self.value && !may_be_less || value > self.value && !may_be_more
    }

    /// What a finding is worth beside another about the same position.
    fn worth(&self, price: Price) -> i32 {
        self.depth.in_units() + if self.bound == Bound::Exact { price.exact } else { 0 }
    }

    fn pack(&self, generation: u64) -> u64 {
        let bits = |value: Value| u64::from(value as i16 as u16);
        let depth = steps(self.depth).clamp(0, DEEPEST) as u64;
        let bound = match self.bound {
            Bound::Exact => 1,
            Bound::Lower => 2,
            Bound::Upper => 3,
        };
        u64::from(self.best.map_or(0, Move::bits))
            | bits(self.value) << 16
            | bits(self.static_eval) << 32
            | (depth | bound << 9 | generation << 12) << 48
    }

    fn unpack(word: u64) -> Option<Entry> {
        let bound = match word >> 57 & 3 {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        Some(Entry {
            best: Move::from_bits(word as u16),
            value: Value::from((word >> 16) as i16),
            static_eval: Value::from((word >> 32) as i16),
            depth: kept_depth(word),
            bound,
        })
    }
}

/// A depth in the steps in which it is kept.
fn steps(depth: Depth) -> i32 {
    depth.in_units() / STEP
}

fn kept_depth(word: u64) -> Depth {
    Depth::units((word >> 48 & DEEPEST as u64) as i32 * STEP)
}

impl Table {
    /// A table of so many megabytes; `None` if there is no such memory.
    pub(crate) fn new(megabytes: usize) -> Option<Table> {
        let clusters = (megabytes.max(1) << 20) / size_of::<[AtomicU64; 2 * ENTRIES]>();
        Some(Table { clusters: Memory::zeroed(clusters).ok()?, generation: 0 })
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.clusters.iter_mut().flatten().for_each(|word| *word.get_mut() = 0);
        self.generation = 0;
    }

    /// A new search begins: what is there from now on is older.
    pub(crate) fn age(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// The cluster of a key: its high bits as a fraction of the table (Lemire 2019).
    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }

    /// Brings the cluster of a key into the cache.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        self.clusters.prefetch(self.index(key));
    }

    /// What is known about a position.
    #[inline(always)]
    pub(crate) fn probe(&self, key: u64) -> Option<Entry> {
        self.clusters[self.index(key)].chunks_exact(2).find_map(|entry| {
            let word = entry[1].load(Relaxed);
            (entry[0].load(Relaxed) ^ word == key).then(|| Entry::unpack(word)).flatten()
        })
    }

    /// Keeps a finding: in the place of the same position unless what is known there is worth more, or else in the place of
    /// the entry that is worth least.
    #[inline(never)]
    pub(crate) fn store(&self, key: u64, mut entry: Entry, price: Price) {
        let mut place = None;
        for candidate in self.clusters[self.index(key)].chunks_exact(2) {
            let word = candidate[1].load(Relaxed);
            if candidate[0].load(Relaxed) ^ word == key
                && let Some(old) = Entry::unpack(word)
            {
                entry.best = entry.best.or(old.best);
                if entry.worth(price) + price.news < old.worth(price) - self.age_of(word) * price.age {
                    return;
                }
                place = Some((candidate, i32::MIN));
                break;
            }
            let worth = kept_depth(word).in_units() - self.age_of(word) * Depth::plies(DEEPEST).in_units();
            let worth = if word == 0 { i32::MIN + 1 } else { worth };
            if place.is_none_or(|(_, least)| worth < least) {
                place = Some((candidate, worth));
            }
        }
        if let Some((place, _)) = place {
            let word = entry.pack(self.generation);
            place[0].store(key ^ word, Relaxed);
            place[1].store(word, Relaxed);
        }
    }

    /// How many searches ago an entry was written.
    fn age_of(&self, word: u64) -> i32 {
        ((GENERATIONS + self.generation - (word >> 60)) % GENERATIONS) as i32
    }

    /// How full the table is with findings of this search, in thousandths, from a sample.
    pub(crate) fn permille(&self) -> u32 {
        const THOUSAND: usize = 1000;
        let sample = self.clusters.iter().take(THOUSAND / ENTRIES);
        let words =
            sample.flat_map(|cluster| cluster.iter().skip(1).step_by(2)).map(|word| word.load(Relaxed));
        let (mut seen, mut full) = (0, 0);
        for word in words {
            seen += 1;
            full += usize::from(word != 0 && self.age_of(word) == 0);
        }
        (full * THOUSAND / seen.max(1)) as u32
    }
}

/// A value as it is kept: mates counted from the position at `ply`.
#[inline(always)]
pub(crate) fn to_kept(value: Value, ply: usize) -> Value {
    if score::is_win(value) {
        (value + ply as Value).min(score::MATE)
    } else if score::is_loss(value) {
        (value - ply as Value).max(-score::MATE)
    } else {
        value
    }
}

/// A kept value as the search at `ply` sees it.
#[inline(always)]
pub(crate) fn from_kept(value: Value, ply: usize) -> Value {
    if score::is_win(value) {
        value - ply as Value
    } else if score::is_loss(value) {
        value + ply as Value
    } else {
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: Price = Price { news: 1000, exact: 0, age: 0 };

    fn entry(value: Value, plies: i32) -> Entry {
        let best = Some("7g7f".parse().unwrap());
        let depth = Depth::plies(plies);
        Entry { best, value, static_eval: -45, depth, bound: Bound::Lower }
    }

    #[test]
    fn what_is_stored_is_found_and_only_under_its_key() {
        let table = Table::new(1).unwrap();
        for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
            let stored = Entry { bound, depth: Depth::of(7.25), ..entry(-31_990, 7) };
            table.store(42 << 32, stored, FREE);
            assert_eq!(table.probe(42 << 32), Some(stored));
            assert_eq!(table.probe(43 << 32), None);
        }
    }

    #[test]
    fn older_entries_go_first_then_shallower_ones() {
        let mut table = Table::new(1).unwrap();
        // Keys of one cluster differ in their low bits only.
        for (key, plies) in [(1, 20), (2, 5), (3, 6)] {
            table.store(key, entry(0, plies), FREE);
        }
        table.age();
        table.store(4, entry(0, 1), FREE);
        table.store(5, entry(0, 1), FREE);
        let there: Vec<u64> = (1..=5).filter(|&key| table.probe(key).is_some()).collect();
        assert_eq!(there, [1, 3, 4, 5]);
        table.store(6, entry(0, 9), FREE);
        table.store(7, entry(0, 9), FREE);
        table.store(8, entry(0, 9), FREE);
        let there: Vec<u64> = (1..=8).filter(|&key| table.probe(key).is_some()).collect();
        assert_eq!(there.len(), ENTRIES);
        assert!(!there.contains(&1) && there.contains(&8), "{there:?}");
    }

    #[test]
    fn a_torn_entry_is_none() {
        let table = Table::new(1).unwrap();
        table.store(9, entry(100, 3), FREE);
        table.clusters[0][1].store(entry(101, 3).pack(0), Relaxed);
        assert_eq!(table.probe(9), None);
    }

    #[test]
    fn mates_are_counted_from_the_position() {
        for value in [score::mate_in(9), score::mated_in(9), 35, -35, score::SUPERIOR] {
            assert_eq!(from_kept(to_kept(value, 4), 4), value);
        }
        assert_eq!(to_kept(score::mate_in(9), 4), score::mate_in(5));
    }
}
