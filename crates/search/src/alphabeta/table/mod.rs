//! The hash table: what is known about positions, shared by all threads without locks.
//!
//! An entry is two words: the data, and the key XOR the data. A reader takes both and believes the data only
//! if they fit the key it looks for; two halves of different writes never do, so a torn entry is never used.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use memory::Memory;
use shogi::Move;

use crate::Bound;
use crate::score::{self, Value};

/// What is known about one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) best: Option<Move>,
    /// As seen from the node, mates counted from there; [`score::NONE`] if only the evaluation is known.
    pub(crate) value: Value,
    /// The static evaluation before corrections, or [`score::NONE`].
    pub(crate) eval: Value,
    pub(crate) depth: i32,
    pub(crate) bound: Option<Bound>,
    /// Whether a principal variation once went through here.
    pub(crate) was_pv: bool,
}

/// Entry depths are stored from this upwards.
const LOWEST_DEPTH: i32 = -7;
const GENERATIONS: u8 = 32;

/// Four entries, which fill a cache line.
type Bucket = [[AtomicU64; 2]; 4];

/// The table. `probe` and `store` may be called from any thread.
pub(crate) struct Table {
    buckets: Memory<Bucket>,
    generation: AtomicU8,
}

impl Table {
    /// A table of about `megabytes`, at least one bucket; `None` if there is no such memory.
    pub(crate) fn new(megabytes: usize) -> Option<Table> {
        let len = (megabytes << 20) / size_of::<Bucket>();
        let buckets = Memory::zeroed(len.max(1)).ok()?.touched();
        Some(Table { buckets, generation: AtomicU8::new(0) })
    }

    pub(crate) fn clear(&self) {
        for word in self.buckets.iter().flat_map(|bucket| bucket.iter().flatten()) {
            word.store(0, Relaxed);
        }
        self.generation.store(0, Relaxed);
    }

    /// A new search begins: what is there grows older.
    pub(crate) fn age(&self) {
        let generation = self.generation.load(Relaxed);
        self.generation.store((generation + 1) % GENERATIONS, Relaxed);
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        self.buckets.prefetch(self.index(key));
    }

    /// What is known about the position; mates are counted from `ply`, where it stands now.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        self.buckets[self.index(key)].iter().find_map(|slot| {
            let data = read(slot, key)?;
            Some(unpack(data, ply))
        })
    }

    /// Remembers an entry in place of the least useful one of its bucket. A deeper entry of the same
    /// position gives way only to an exact one or a newer search.
    pub(crate) fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let generation = self.generation.load(Relaxed);
        let bucket = &self.buckets[self.index(key)];
        let mut target = &bucket[0];
        let mut least = i32::MAX;
        for slot in bucket {
            if let Some(old) = read(slot, key) {
                let depth = depth_of(old);
                let same_search = generation_of(old) == generation;
                if entry.best.is_none() {
                    entry.best = Move::from_bits(old as u16);
                }
                if entry.bound != Some(Bound::Exact) && same_search && entry.depth + 4 < depth {
                    return;
                }
                target = slot;
                break;
            }
            let worth = worth(slot[1].load(Relaxed), generation);
            if worth < least {
                least = worth;
                target = slot;
            }
        }
        let data = pack(&entry, ply, generation);
        target[0].store(key ^ data, Relaxed);
        target[1].store(data, Relaxed);
    }

    /// How many of the first thousand entries come from this search.
    pub(crate) fn permille(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let slots = self.buckets.iter().take(250).flat_map(|bucket| bucket.iter());
        let used = slots.filter(|slot| {
            let data = slot[1].load(Relaxed);
            data != 0 && generation_of(data) == generation
        });
        (used.count() * 1000 / (self.buckets.len().min(250) * 4)) as u32
    }
}

/// The data of a slot if it belongs to the key.
#[inline(always)]
fn read(slot: &[AtomicU64; 2], key: u64) -> Option<u64> {
    let check = slot[0].load(Relaxed);
    let data = slot[1].load(Relaxed);
    (check ^ data == key && data != 0).then_some(data)
}

/// How much an entry is worth keeping: depth, less for age.
#[inline(always)]
fn worth(data: u64, generation: u8) -> i32 {
    if data == 0 {
        return i32::MIN;
    }
    let age = (GENERATIONS + generation - generation_of(data)) % GENERATIONS;
    depth_of(data) - 8 * i32::from(age)
}

fn depth_of(data: u64) -> i32 {
    (data >> 48 & 0xFF) as i32 + LOWEST_DEPTH
}

fn generation_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// Bits 0 to 15 the move, 16 to 31 the value, 32 to 47 the evaluation, 48 to 55 the depth, 56 and 57 the bound,
/// 58 the PV mark, 59 to 63 the generation.
fn pack(entry: &Entry, ply: usize, generation: u8) -> u64 {
    let value = match entry.value {
        value if value == score::NONE => value,
        value if value >= score::MATE_BOUND => value + ply as Value,
        value if value <= -score::MATE_BOUND => value - ply as Value,
        value => value,
    };
    let bound = match entry.bound {
        None => 0,
        Some(Bound::Upper) => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Exact) => 3,
    };
    let depth = (entry.depth.max(LOWEST_DEPTH) - LOWEST_DEPTH).min(255) as u64;
    u64::from(entry.best.map_or(0, Move::bits))
        | u64::from(value as i16 as u16) << 16
        | u64::from(entry.eval as i16 as u16) << 32
        | depth << 48
        | bound << 56
        | u64::from(entry.was_pv) << 58
        | u64::from(generation) << 59
}

fn unpack(data: u64, ply: usize) -> Entry {
    let value = match Value::from((data >> 16) as i16) {
        value if value == score::NONE => value,
        value if value >= score::MATE_BOUND => value - ply as Value,
        value if value <= -score::MATE_BOUND => value + ply as Value,
        value => value,
    };
    Entry {
        best: Move::from_bits(data as u16),
        value,
        eval: Value::from((data >> 32) as i16),
        depth: depth_of(data),
        bound: match data >> 56 & 3 {
            0 => None,
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            _ => Some(Bound::Exact),
        },
        was_pv: data >> 58 & 1 == 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: i32, value: Value) -> Entry {
        Entry {
            best: Some("7g7f".parse().unwrap()),
            value,
            eval: -120,
            depth,
            bound: Some(Bound::Lower),
            was_pv: true,
        }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = Table::new(1).unwrap();
        for (i, value) in [0, -35, score::NONE, score::EVAL_LIMIT].into_iter().enumerate() {
            let key = 0x1234_5678_9ABC_DEF0 ^ (i as u64) << 56;
            assert_eq!(table.probe(key, 3), None);
            table.store(key, 3, entry(i as i32 - 2, value));
            assert_eq!(table.probe(key, 3), Some(entry(i as i32 - 2, value)));
        }
    }

    #[test]
    fn mates_are_counted_from_the_node() {
        let table = Table::new(1).unwrap();
        table.store(1, 4, entry(5, score::mate_in(9)));
        assert_eq!(table.probe(1, 6).unwrap().value, score::mate_in(11));
        table.store(2 << 40, 4, entry(5, score::mated_in(9)));
        assert_eq!(table.probe(2 << 40, 0).unwrap().value, score::mated_in(5));
    }

    #[test]
    fn no_torn_entry_is_ever_used() {
        // Four threads write entries whose fields all follow from the key into one bucket; readers must
        // never see a mixture.
        let table = Table::new(0).unwrap();
        let made = |key: u64| Entry {
            best: Move::from_bits(0x4080 | (key % 81) as u16),
            value: (key % 20_000) as Value,
            eval: (key % 15_000) as Value,
            depth: (key % 100) as i32,
            bound: Some(Bound::Exact),
            was_pv: key.is_multiple_of(2),
        };
        let found = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (table, found) = (&table, &found);
                scope.spawn(move || {
                    let mut state = thread + 1;
                    for _ in 0..200_000 {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99_991);
                        let key = (state >> 33) % 16 + 1;
                        let key = key.wrapping_mul(0x9E37_79B9_7F4A_7C15);
                        table.store(key, 0, made(key));
                        let other = ((state >> 40) % 16 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
                        if let Some(entry) = table.probe(other, 0) {
                            assert_eq!(entry, made(other));
                            found.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
        });
        assert!(found.load(Relaxed) > 1000);
    }
}
