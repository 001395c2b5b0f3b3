//! What is known about positions, in memory of fixed size.
//!
//! All hands of one board lie in one run of entries, which begins at the board's place and ends at the first
//! free entry, so that one look compares them all. When the table fills up, the entries that cost least are
//! thrown out and the runs are closed again.

mod collect;
mod entry;

use memory::Memory;
use shogi::Hand;

use crate::finding::{Depth, Finding, NEVER, Plies};
use entry::{Entry, Gathering};
pub(crate) use entry::{Link, PositionKey};

/// The table of a solver.
pub(crate) struct Table {
    entries: Memory<Entry>,
    /// Entries of the current generation.
    used: usize,
    /// From so many used entries on, the table is full.
    full: usize,
    /// The current problem; entries of others are free.
    generation: u8,
}

/// What the table knows about a position.
pub(crate) struct Look {
    pub(crate) finding: Finding,
    /// Whether the position itself was met before.
    pub(crate) is_known: bool,
    /// Whether numbers found nearer to the root were used.
    pub(crate) is_old: bool,
    /// Whether some way to it ended in a repetition.
    pub(crate) repeats: bool,
}

/// How full the table may get, in eighths. Runs become long beyond.
const FULL_EIGHTHS: usize = 5;

/// Smaller tables could not hold one line with its neighbours.
const MIN_ENTRIES: usize = 1 << 10;

impl Table {
    /// A table of about `bytes`, or `None` if there is no such memory.
    pub(crate) fn new(bytes: usize) -> Option<Table> {
        let len = (bytes / size_of::<Entry>()).max(MIN_ENTRIES);
        Some(Table {
            entries: Memory::zeroed(len).ok()?,
            used: 0,
            full: len / 8 * FULL_EIGHTHS,
            generation: 1,
        })
    }

    /// Forgets everything, mostly without touching it.
    pub(crate) fn clear(&mut self) {
        self.used = 0;
        if self.generation == u8::MAX {
            self.entries.iter_mut().for_each(|entry| entry.generation = 0);
            self.generation = 0;
        }
        self.generation += 1;
    }

    /// Whether it is time to [`Table::collect`].
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.used >= self.full
    }

    /// How full it is, in thousandths of what it takes.
    pub(crate) fn permille(&self) -> u32 {
        (self.used as u64 * 1000 / self.full.max(1) as u64) as u32
    }

    /// What is known about a position at `depth` on the question of mate within some plies.
    #[inline]
    pub(crate) fn look(&mut self, key: PositionKey, depth: Depth, within: Plies) -> Look {
        let mut sought = Gathering {
            hand: key.hand,
            depth,
            within,
            finding: Finding::open(1, 1),
            is_known: false,
            is_old: false,
            repeats: false,
        };
        let generation = self.generation;
        let mut index = self.home(key.board);
        loop {
            let entry = &mut self.entries[index];
            if entry.generation != generation || (entry.board_key == key.board && entry.tell(&mut sought)) {
                break;
            }
            index = self.next(index);
        }
        let Gathering { finding, is_known, is_old, repeats, .. } = sought;
        Look { finding, is_known, is_old, repeats }
    }

    /// The bounds of the plies to the mate: at least, at most ([`NEVER`] if not known).
    pub(crate) fn bounds(&self, key: PositionKey) -> (Plies, Plies) {
        let (mut lower, mut upper) = (0, NEVER);
        for entry in self.run(key.board) {
            entry.narrow(key.hand, &mut lower, &mut upper);
        }
        (lower, upper)
    }

    /// The numbers of exactly this position and where it was reached from last.
    pub(crate) fn link(&self, key: PositionKey) -> Option<Link> {
        self.run(key.board).find(|entry| entry.hand == key.hand)?.link()
    }

    /// Keeps a finding about a position. A repetition only leaves a mark: what it means is kept elsewhere.
    pub(crate) fn store(&mut self, key: PositionKey, depth: Depth, finding: &Finding, parent: PositionKey) {
        let work = finding.work;
        if finding.is_mate() {
            self.entry(key.board, finding.hand).set_mate(finding.plies, work);
        } else if !finding.is_no_mate() {
            self.entry(key.board, key.hand).set_numbers(finding, depth, parent, work);
        } else if finding.depends_on == crate::finding::NO_DEPENDENCE {
            self.entry(key.board, finding.hand).set_no_mate(finding.plies, work);
        } else {
            self.entry(key.board, key.hand).set_repetition(work);
        }
    }

    /// Brings the beginning of a board's run into the cache ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, board_key: u64) {
        self.entries.prefetch(self.home(board_key));
    }

    /// The entry of a position, made if there is none.
    fn entry(&mut self, board_key: u64, hand: Hand) -> &mut Entry {
        let mut index = self.home(board_key);
        loop {
            let entry = &self.entries[index];
            if entry.generation != self.generation {
                self.used += 1;
                self.entries[index] = Entry::new(PositionKey { board: board_key, hand }, self.generation);
                break;
            }
            if entry.board_key == board_key && entry.hand == hand {
                break;
            }
            index = self.next(index);
        }
        &mut self.entries[index]
    }

    /// The entries of a board.
    fn run(&self, board_key: u64) -> impl Iterator<Item = &Entry> {
        let mut index = self.home(board_key);
        std::iter::from_fn(move || {
            let entry = &self.entries[index];
            index = self.next(index);
            (entry.generation == self.generation).then_some(entry)
        })
        .filter(move |entry| entry.board_key == board_key)
    }

    #[inline(always)]
    fn home(&self, board_key: u64) -> usize {
        ((u128::from(board_key) * self.entries.len() as u128) >> 64) as usize
    }

    #[inline(always)]
    fn next(&self, index: usize) -> usize {
        if index + 1 == self.entries.len() { 0 } else { index + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::finding::{NO_DEPENDENCE, UNBOUNDED};
    use shogi::PieceKind;

    fn hand(golds: u8, pawns: u8) -> Hand {
        Hand::EMPTY.with(PieceKind::Gold, golds).with(PieceKind::Pawn, pawns)
    }

    fn key(board: u64, hand: Hand) -> PositionKey {
        PositionKey { board, hand }
    }

    #[test]
    fn proofs_serve_greater_hands_and_disproofs_lesser_ones() {
        let mut table = Table::new(0).unwrap();
        let none = key(0, Hand::EMPTY);
        table.store(key(7, hand(2, 2)), 3, &Finding::mate(hand(1, 1), 5), none);
        table.store(key(7, hand(0, 1)), 3, &Finding::no_mate(hand(0, 3), NEVER), none);
        let mut look = |h| table.look(key(7, h), 9, UNBOUNDED).finding;
        assert!(look(hand(1, 1)).is_mate() && look(hand(4, 1)).is_mate());
        assert!(look(hand(0, 3)).is_no_mate() && look(hand(0, 0)).is_no_mate());
        assert!(!look(hand(1, 0)).is_final() && !look(hand(0, 4)).is_final());
        assert!(!table.look(key(8, hand(2, 2)), 9, UNBOUNDED).finding.is_final());
    }

    #[test]
    fn bounds_of_the_length_decide_only_outside_them() {
        let mut table = Table::new(0).unwrap();
        let k = key(7, hand(1, 0));
        table.store(k, 3, &Finding::mate(k.hand, 9), k);
        table.store(k, 3, &Finding::no_mate(k.hand, 5), k);
        assert!(table.look(k, 3, 9).finding.is_mate());
        assert!(table.look(k, 3, 4).finding.is_no_mate());
        assert!(!table.look(k, 3, 7).finding.is_final());
        assert_eq!(table.bounds(k), (5, 9));
    }

    #[test]
    fn a_repetition_is_no_disproof_of_the_position() {
        let mut table = Table::new(0).unwrap();
        let k = key(7, hand(1, 0));
        table.store(k, 3, &Finding::open(20, 30), k);
        table.store(k, 3, &Finding::repetition(k.hand, 1), k);
        let look = table.look(k, 3, UNBOUNDED);
        assert!(look.repeats && look.is_known && !look.finding.is_final());
        assert_eq!((look.finding.pn, look.finding.dn, look.finding.depends_on), (1, 1, NO_DEPENDENCE));
    }

    #[test]
    fn numbers_pass_between_hands_only_downwards() {
        let mut table = Table::new(0).unwrap();
        let (poor, rich) = (key(7, hand(0, 0)), key(7, hand(1, 0)));
        table.store(rich, 4, &Finding::open(20, 3), rich);
        // Less in hand: at least as hard to prove. Seen from above: not comparable.
        assert_eq!(table.look(poor, 4, UNBOUNDED).finding.pn, 20);
        assert_eq!(table.look(poor, 4, UNBOUNDED).finding.dn, 1);
        assert_eq!(table.look(poor, 2, UNBOUNDED).finding.pn, 1);
        assert!(table.look(rich, 6, UNBOUNDED).is_old && !table.look(rich, 4, UNBOUNDED).is_old);
    }

    #[test]
    fn a_cleared_table_knows_nothing_even_after_many_problems() {
        let mut table = Table::new(0).unwrap();
        let k = key(7, hand(1, 0));
        for _ in 0..600 {
            assert!(!table.look(k, 3, UNBOUNDED).is_known);
            table.store(k, 3, &Finding::open(2, 2), k);
            assert!(table.look(k, 3, UNBOUNDED).is_known && table.used == 1);
            table.clear();
        }
    }
}
