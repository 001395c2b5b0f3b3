//! What is known of positions, in memory of fixed size that several threads share.
//!
//! Two kinds of entries in one table: the numbers of an open position lie under its board and hand, what is solved under its board
//! alone, with the hand for which it holds, so that one entry answers for every hand that dominates it (Nagai 2002). An entry is two
//! words, the first of them the key xor the second (Hyatt and Mann 2002, lockless hashing): a torn entry fits no key. A full bucket
//! loses the entry below which the fewest positions were visited, as Nagai's collection of small trees does at once.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use shogi::Hand;

use crate::known::{Depth, Known, NEVER, Plies};
use crate::room::{Bucket, Room};
use crate::way::mix;

/// What is known of positions.
pub(crate) struct Table {
    buckets: Room,
    /// How many buckets are in use: a small problem stays in the CPU's cache.
    in_use: AtomicUsize,
    /// Entries written to places that were free, estimated.
    filled: Apart,
    /// How many buckets earlier problems have used.
    used_before: usize,
    /// Told apart from other problems by their number, of which entries have the lowest bits.
    problem: u64,
}

/// A number that threads change, away from what they only read: two cache lines, since they are often fetched in pairs.
#[repr(align(128))]
struct Apart(AtomicUsize);

/// Entries of a bucket, two words each.
const ENTRIES: usize = size_of::<Bucket>() / 16;
/// Buckets in use at first: a megabyte.
const FIRST_BUCKETS: usize = (1 << 20) / size_of::<Bucket>();
/// How many buckets are moved between two questions whether to go on: a fraction of a millisecond.
const MOVED_AT_ONCE: usize = 256;
/// One of so many entries is counted, for all of them: a counter that threads share is dear.
const COUNTED: u64 = 32;
/// A solved board may use so many buckets in a row: it has more hands than an open position.
const SOLVED_BUCKETS: usize = 2;

/// A position as the table sees it: the attacker's hand and the board give the defender's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PositionKey {
    pub(crate) board_key: u64,
    pub(crate) hand: Hand,
}

/// What is kept of an open position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Open {
    /// Its numbers.
    pub(crate) known: Known,
    /// How near to the root it has been visited.
    pub(crate) depth: Depth,
    /// Whether it has been disproven on some way, which is kept elsewhere.
    pub(crate) has_ways: bool,
    /// The logarithm of the positions visited below it the last time.
    pub(crate) work: u8,
}

/// The fields of the second word: `[shift, bits]`. The upper two are those of both kinds.
const FIRST_NUMBER: Field = Field { shift: 0, bits: 21 };
const SECOND_NUMBER: Field = Field { shift: 21, bits: 21 };
const HAND: Field = Field { shift: 0, bits: Hand::BITS };
const PLIES: Field = Field { shift: 27, bits: 12 };
const IS_MATE: Field = Field { shift: 39, bits: 1 };
/// Whether a disproof on some way is kept elsewhere.
const HAS_WAYS: Field = Field { shift: 42, bits: 1 };
/// How near to the root it has been visited.
const DEPTH: Field = Field { shift: 43, bits: 11 };
const WORK: Field = Field { shift: 54, bits: 5 };
const PROBLEM: Field = Field { shift: 59, bits: 5 };

/// So many problems have numbers of their own in entries.
const PROBLEMS: u64 = 1 << PROBLEM.bits;

struct Field {
    shift: u32,
    bits: u32,
}

impl Field {
    const fn of(&self, word: u64) -> u64 {
        word >> self.shift & ((1 << self.bits) - 1)
    }

    const fn put(&self, value: u64) -> u64 {
        debug_assert!(value < 1 << self.bits);
        value << self.shift
    }
}

impl Table {
    /// A table of so many bytes; `None` if there are not, or too few.
    pub(crate) fn new(bytes: usize) -> Option<Table> {
        let buckets = Some(bytes / size_of::<Bucket>()).filter(|&buckets| buckets >= SOLVED_BUCKETS)?;
        Some(Table {
            buckets: Room::new(buckets, FIRST_BUCKETS).ok()?,
            in_use: AtomicUsize::new(buckets.min(FIRST_BUCKETS)),
            filled: Apart(AtomicUsize::new(0)),
            used_before: 0,
            problem: 1,
        })
    }

    /// Forgets everything: what there is belongs to another problem. Numbers of problems come again in entries, so that what is older is
    /// wiped out before: here the few buckets in use at first, the others when they come into use.
    pub(crate) fn clear(&mut self) {
        self.problem += 1;
        self.used_before = self.used_before.max(*self.in_use.get_mut());
        let first = self.buckets.len().min(FIRST_BUCKETS);
        self.in_use = AtomicUsize::new(first);
        self.filled = Apart(AtomicUsize::new(0));
        if self.problem.is_multiple_of(PROBLEMS) {
            self.wipe(0..first);
        }
    }

    fn wipe(&self, buckets: Range<usize>) {
        self.buckets[buckets].iter().flatten().for_each(|word| word.store(0, Relaxed));
    }

    /// Whether the part in use is filling up and could be greater.
    pub(crate) fn should_grow(&self) -> bool {
        let in_use = self.in_use.load(Relaxed);
        in_use < self.buckets.len() && self.filled.0.load(Relaxed) > in_use * ENTRIES / 2
    }

    /// Uses so many times as many buckets, or all, once the system has handed them over. They are moved from the last to the first, since
    /// each goes to places behind it. Only one thread may use the table meanwhile; if it is `interrupted`, some entries may be lost.
    pub(crate) fn grow(&self, times: usize, interrupted: &mut dyn FnMut() -> bool) {
        let before = self.in_use.load(Relaxed);
        let after = self.buckets.len().min(before.saturating_mul(times));
        if !self.buckets.wait_for(after, interrupted) {
            return;
        }
        let dirty = before..after.min(self.used_before);
        for first in dirty.clone().step_by(MOVED_AT_ONCE) {
            if interrupted() {
                return;
            }
            self.wipe(first..dirty.end.min(first + MOVED_AT_ONCE));
        }
        self.in_use.store(after, Relaxed);
        for first in (0..before).rev().step_by(MOVED_AT_ONCE) {
            if interrupted() {
                return;
            }
            for bucket in (first.saturating_sub(MOVED_AT_ONCE - 1)..=first).rev() {
                self.move_bucket(bucket);
            }
        }
    }

    fn move_bucket(&self, bucket: usize) {
        let entries: [_; ENTRIES] = std::array::from_fn(|i| {
            let entry = &self.buckets[bucket].as_chunks::<2>().0[i];
            let words = [entry[0].load(Relaxed), entry[1].load(Relaxed)];
            entry[1].store(0, Relaxed);
            entry[0].store(0, Relaxed);
            words
        });
        for [first, word] in entries {
            if self.is_ours(word) {
                write(self.least(first ^ word, 1), first ^ word, word);
            }
        }
    }

    fn is_ours(&self, word: u64) -> bool {
        word != 0 && PROBLEM.of(word) == self.problem % PROBLEMS
    }

    /// Brings what is known of a position into the cache.
    #[inline]
    pub(crate) fn prefetch(&self, key: PositionKey) {
        self.buckets.prefetch(self.bucket(self.solved_key(key)));
        self.buckets.prefetch(self.bucket(self.open_key(key)));
    }

    /// Whether a position is solved with `left` plies for the mate.
    #[inline]
    pub(crate) fn find_solved(&self, key: PositionKey, left: Plies) -> Option<Known> {
        let solved = self.solved_key(key);
        for entry in self.entries(solved, SOLVED_BUCKETS) {
            let word = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ word != solved {
                continue;
            }
            let (hand, plies) = (Hand::from_bits(HAND.of(word) as u32), PLIES.of(word) as Plies);
            if IS_MATE.of(word) == 1 {
                if plies <= left && key.hand.covers(hand) {
                    return Some(Known::mate(hand, plies));
                }
            } else if plies >= left && hand.covers(key.hand) {
                return Some(Known::no_mate(hand, plies));
            }
        }
        None
    }

    /// What is kept of an open position.
    #[inline]
    pub(crate) fn find_open(&self, key: PositionKey) -> Option<Open> {
        let open = self.open_key(key);
        let words = self.entries(open, 1).map(|entry| [entry[0].load(Relaxed), entry[1].load(Relaxed)]);
        let [_, word] = words.into_iter().find(|[first, word]| first ^ word == open)?;
        let known = Known::open(FIRST_NUMBER.of(word) as u32, SECOND_NUMBER.of(word) as u32);
        let (has_ways, work) = (HAS_WAYS.of(word) == 1, WORK.of(word) as u8);
        Some(Open { known, depth: DEPTH.of(word) as Depth, has_ways, work })
    }

    /// Keeps what is known of a position at some depth, below which `work` positions were visited.
    pub(crate) fn keep(&self, key: PositionKey, known: &Known, depth: Depth, work: u64) {
        let about = WORK.put(u64::from(work.checked_ilog2().unwrap_or(0)).min(31))
            | PROBLEM.put(self.problem % PROBLEMS);
        if known.is_solved() {
            let word = HAND.put(known.hand.bits().into())
                | PLIES.put(known.plies.into())
                | IS_MATE.put(known.is_mate().into());
            self.keep_solved(self.solved_key(key), known, word | about);
        } else {
            let [proof, disproof] = known.numbers.map(|number| u64::from(number.min(NEVER)));
            let word = FIRST_NUMBER.put(proof) | SECOND_NUMBER.put(disproof) | about;
            self.keep_open(self.open_key(key), word | depth_bits(depth), |old| {
                word | DEPTH.put(DEPTH.of(old).min(DEPTH.of(depth_bits(depth)))) | old & HAS_WAYS.put(1)
            });
        }
    }

    /// Notes that a position has been disproven on some way, which is kept elsewhere.
    pub(crate) fn note_way(&self, key: PositionKey, depth: Depth) {
        let word = depth_bits(depth)
            | FIRST_NUMBER.put(1)
            | SECOND_NUMBER.put(1)
            | PROBLEM.put(self.problem % PROBLEMS)
            | HAS_WAYS.put(1);
        self.keep_open(self.open_key(key), word, |old| old | HAS_WAYS.put(1));
    }

    /// Writes `word`, or what becomes of the entry that there is.
    fn keep_open(&self, open: u64, word: u64, changed: impl Fn(u64) -> u64) {
        match self.entries(open, 1).find(|entry| entry[0].load(Relaxed) ^ entry[1].load(Relaxed) == open) {
            Some(entry) => write(entry, open, changed(entry[1].load(Relaxed))),
            None => self.replace(open, 1, word),
        }
    }

    /// Writes where the least is lost.
    fn replace(&self, key: u64, buckets: usize, word: u64) {
        let entry = self.least(key, buckets);
        if key.is_multiple_of(COUNTED) && !self.is_ours(entry[1].load(Relaxed)) {
            self.filled.0.fetch_add(COUNTED as usize, Relaxed);
        }
        write(entry, key, word);
    }

    fn keep_solved(&self, solved: u64, known: &Known, word: u64) {
        for entry in self.entries(solved, SOLVED_BUCKETS) {
            let other = entry[1].load(Relaxed);
            if entry[0].load(Relaxed) ^ other != solved || IS_MATE.of(other) != IS_MATE.of(word) {
                continue;
            }
            let (hand, plies) = (Hand::from_bits(HAND.of(other) as u32), PLIES.of(other) as Plies);
            let (better, worse) = if known.is_mate() {
                (
                    known.plies <= plies && hand.covers(known.hand),
                    known.plies >= plies && known.hand.covers(hand),
                )
            } else {
                (
                    known.plies >= plies && known.hand.covers(hand),
                    known.plies <= plies && hand.covers(known.hand),
                )
            };
            if better {
                return write(entry, solved, word);
            } else if worse {
                return;
            }
        }
        self.replace(solved, SOLVED_BUCKETS, word);
    }

    /// How full the table is, in thousandths.
    pub(crate) fn permille(&self) -> u32 {
        let entries = self.buckets.len() * ENTRIES;
        (self.filled.0.load(Relaxed).min(entries) * 1000 / entries) as u32
    }

    /// The entry of least worth: of another problem, or with the least work below it.
    fn least(&self, key: u64, buckets: usize) -> &[AtomicU64; 2] {
        let worth = |entry: &&[AtomicU64; 2]| {
            let word = entry[1].load(Relaxed);
            if self.is_ours(word) { 1 + WORK.of(word) } else { 0 }
        };
        self.entries(key, buckets).min_by_key(worth).expect("a bucket has entries")
    }

    fn entries(&self, key: u64, buckets: usize) -> impl Iterator<Item = &[AtomicU64; 2]> {
        let first = self.bucket(key).min(self.in_use.load(Relaxed) - buckets);
        self.buckets[first..first + buckets].iter().flat_map(|bucket| bucket.as_chunks::<2>().0)
    }

    fn bucket(&self, key: u64) -> usize {
        ((u128::from(key) * self.in_use.load(Relaxed) as u128) >> 64) as usize
    }

    fn solved_key(&self, key: PositionKey) -> u64 {
        mix(key.board_key ^ self.problem << 40)
    }

    fn open_key(&self, key: PositionKey) -> u64 {
        mix(key.board_key ^ self.problem << 40 ^ mix(u64::from(key.hand.bits()) + 1))
    }
}

fn depth_bits(depth: Depth) -> u64 {
    DEPTH.put(u64::from(depth).min((1 << DEPTH.bits) - 1))
}

fn write(entry: &[AtomicU64; 2], key: u64, word: u64) {
    entry[0].store(key ^ word, Relaxed);
    entry[1].store(word, Relaxed);
}

#[cfg(test)]
mod tests {
    use shogi::PieceKind;

    use super::*;
    use crate::known::UNLIMITED;

    fn key(board_key: u64, pawns: u8) -> PositionKey {
        PositionKey { board_key, hand: pawns_in_hand(pawns) }
    }

    fn find(table: &Table, key: PositionKey, left: Plies) -> Option<Known> {
        table.find_solved(key, left).or(table.find_open(key).map(|open| open.known))
    }

    fn pawns_in_hand(pawns: u8) -> Hand {
        Hand::EMPTY.with(PieceKind::Pawn, pawns)
    }

    #[test]
    fn a_proof_answers_for_greater_hands_and_longer_limits() {
        let table = Table::new(1 << 20).unwrap();
        let mate = Known::mate(pawns_in_hand(1), 5);
        table.keep(key(7, 3), &mate, 0, 10);
        assert_eq!(find(&table, key(7, 1), 5), Some(mate));
        assert_eq!(find(&table, key(7, 9), UNLIMITED), Some(mate));
        assert_eq!(find(&table, key(7, 0), UNLIMITED), None);
        assert_eq!(find(&table, key(7, 1), 3), None);
        assert_eq!(find(&table, key(8, 1), 5), None);
    }

    #[test]
    fn a_disproof_answers_for_smaller_hands_and_shorter_limits() {
        let table = Table::new(1 << 20).unwrap();
        let none = Known::no_mate(pawns_in_hand(2), 9);
        table.keep(key(7, 1), &none, 0, 10);
        assert_eq!(find(&table, key(7, 2), 9), Some(none));
        assert_eq!(find(&table, key(7, 0), 1), Some(none));
        assert_eq!(find(&table, key(7, 3), 1), None);
        assert_eq!(find(&table, key(7, 0), 11), None);
        let always = Known::no_mate(pawns_in_hand(2), UNLIMITED);
        table.keep(key(7, 1), &always, 0, 10);
        assert_eq!(find(&table, key(7, 0), 11), Some(always));
    }

    #[test]
    fn numbers_are_those_of_one_hand() {
        let mut table = Table::new(1 << 20).unwrap();
        table.keep(key(7, 1), &Known::open(3, 4), 0, 1);
        table.keep(key(7, 2), &Known::open(5, 6), 0, 1);
        assert_eq!(find(&table, key(7, 1), UNLIMITED).unwrap().numbers, [3, 4]);
        assert_eq!(find(&table, key(7, 2), UNLIMITED).unwrap().numbers, [5, 6]);
        table.clear();
        assert_eq!(find(&table, key(7, 1), UNLIMITED), None);
        assert_eq!(table.permille(), 0);
    }

    #[test]
    fn growing_keeps_what_is_known_and_asks_often_whether_to_go_on() {
        let table = Table::new(8 << 20).unwrap();
        let boards = (1..20_000u64).map(|board| board.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        boards.clone().for_each(|board| table.keep(key(board, 0), &Known::open(3, 4), 0, 1));
        let mut questions = 0;
        table.grow(8, &mut || {
            questions += 1;
            false
        });
        assert!(questions >= FIRST_BUCKETS / MOVED_AT_ONCE);
        assert_eq!(table.in_use.load(Relaxed), 8 * FIRST_BUCKETS);
        let kept = boards.filter(|&board| find(&table, key(board, 0), UNLIMITED).is_some()).count();
        assert!(kept > 19_500, "{kept} of 20,000 are left");
    }

    #[test]
    fn what_is_left_of_another_problem_is_in_nobodys_way() {
        let mut table = Table::new(8 << 20).unwrap();
        for board in 1..200_000u64 {
            let key = key(board.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0);
            table.keep(key, &Known::open(3, 4), 0, 1 << 20);
            if table.should_grow() {
                table.grow(8, &mut || false);
            }
        }
        (0..PROBLEMS).for_each(|_| table.clear());
        let is_free = |table: &Table| {
            let buckets = &table.buckets[..table.in_use.load(Relaxed)];
            buckets
                .iter()
                .flat_map(|bucket| bucket.as_chunks::<2>().0)
                .all(|entry| !table.is_ours(entry[1].load(Relaxed)))
        };
        assert!(is_free(&table));
        table.grow(8, &mut || false);
        assert!(is_free(&table));
        assert_eq!(table.in_use.load(Relaxed), 8 * FIRST_BUCKETS);
    }

    #[test]
    fn small_trees_go_first() {
        let table = Table::new(1 << 20).unwrap();
        let large = Known::open(3, 4);
        table.keep(key(1, 0), &large, 0, 1 << 20);
        for board in 2..200_000u64 {
            table.keep(key(board.wrapping_mul(0x9E37_79B9_7F4A_7C15), 0), &Known::open(1, 1), 0, board % 100);
        }
        assert_eq!(find(&table, key(1, 0), UNLIMITED), Some(large));
        assert!(table.permille() > 900);
    }
}
