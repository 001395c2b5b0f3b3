//! One entry of the table: all that is known about a board with one hand of the attacker.

use shogi::Hand;

use crate::finding::{Depth, Finding, NEVER, Plies};

/// Forty-eight bytes of plain numbers; all zero is a valid entry, of no generation.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Entry {
    pub(super) board_key: u64,
    pub(super) hand: Hand,
    pn: u32,
    dn: u32,
    /// Positions visited for it: what would be lost with it.
    pub(super) work: u32,
    /// Mate takes at least so many plies; `NEVER` if there is none.
    lower: Plies,
    /// Mate takes at most so many plies; `NEVER` if that is not known.
    upper: Plies,
    /// The least depth at which it was met.
    depth: Depth,
    /// The problem that it belongs to; 0 for none.
    pub(super) generation: u8,
    /// Whether a disproof on some way is among the [`Repetitions`](crate::repetitions::Repetitions).
    repeats: bool,
    /// The position that it was reached from, for finding shared numbers.
    parent_key: u64,
    parent_hand: Hand,
    shared: u32,
}

// SAFETY: numbers, a hand of nothing, and `false`.
#[allow(unsafe_code)]
unsafe impl memory::Zeroable for Entry {}

/// A position by board and attacker's hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PositionKey {
    pub(crate) board: u64,
    pub(crate) hand: Hand,
}

/// What a look at the table for one position gathers from the entries of its board.
pub(super) struct Gathering {
    pub(super) hand: Hand,
    pub(super) depth: Depth,
    pub(super) within: Plies,
    pub(super) finding: Finding,
    /// The entry of exactly this hand was there.
    pub(super) is_known: bool,
    /// Numbers of a position met nearer to the root were used.
    pub(super) is_old: bool,
    pub(super) repeats: bool,
}

impl Entry {
    pub(super) fn new(key: PositionKey, generation: u8) -> Entry {
        Entry {
            board_key: key.board,
            hand: key.hand,
            pn: 1,
            dn: 1,
            work: 1,
            lower: 0,
            upper: NEVER,
            depth: Depth::MAX,
            generation,
            repeats: false,
            parent_key: 0,
            parent_hand: Hand::EMPTY,
            shared: 0,
        }
    }

    /// Adds what this entry of the same board says; whether that decides it.
    #[inline(always)]
    pub(super) fn tell(&mut self, sought: &mut Gathering) -> bool {
        let more = sought.hand.covers(self.hand);
        let less = self.hand.covers(sought.hand);
        if more && self.upper <= sought.within {
            sought.finding = Finding { work: self.work, ..Finding::mate(self.hand, self.upper) };
            return true;
        }
        if less && self.lower > sought.within {
            sought.finding = Finding { work: self.work, ..Finding::no_mate(self.hand, self.lower) };
            return true;
        }
        if more && less {
            sought.is_known = true;
            sought.repeats = self.repeats;
            sought.is_old |= self.depth < sought.depth;
            self.depth = self.depth.min(sought.depth);
            let finding = &mut sought.finding;
            finding.pn = finding.pn.max(self.pn);
            finding.dn = finding.dn.max(self.dn);
            finding.shared = self.shared;
            finding.work = self.work;
        } else if (more || less) && self.depth <= sought.depth {
            // With less in hand it is no easier to prove, with more no easier to disprove. Only numbers from
            // above count, lest two positions wait for each other.
            let finding = &mut sought.finding;
            if less && finding.pn < self.pn {
                finding.pn = self.pn;
                sought.is_old |= self.depth < sought.depth;
            }
            if more && finding.dn < self.dn {
                finding.dn = self.dn;
                sought.is_old |= self.depth < sought.depth;
            }
        }
        false
    }

    /// Narrows the bounds of the plies to the mate by what this entry of the same board says.
    pub(super) fn narrow(&self, hand: Hand, lower: &mut Plies, upper: &mut Plies) {
        if self.hand.covers(hand) {
            *lower = (*lower).max(self.lower);
        }
        if hand.covers(self.hand) {
            *upper = (*upper).min(self.upper);
        }
    }

    /// Numbers and where they were last reached from; `None` for one that only holds bounds.
    pub(super) fn link(&self) -> Option<Link> {
        let parent = PositionKey { board: self.parent_key, hand: self.parent_hand };
        (self.parent_key != 0).then_some(Link { pn: self.pn, dn: self.dn, parent })
    }

    pub(super) fn set_mate(&mut self, plies: Plies, work: u32) {
        self.upper = self.upper.min(plies);
        self.work = self.work.saturating_add(work);
    }

    pub(super) fn set_no_mate(&mut self, plies: Plies, work: u32) {
        self.lower = self.lower.max(plies);
        self.work = self.work.saturating_add(work);
    }

    /// The numbers that led to a repetition are not to be trusted on other ways.
    pub(super) fn set_repetition(&mut self, work: u32) {
        self.repeats = true;
        (self.pn, self.dn) = (1, 1);
        self.work = self.work.saturating_add(work);
    }

    pub(super) fn set_numbers(&mut self, finding: &Finding, depth: Depth, parent: PositionKey, work: u32) {
        (self.pn, self.dn) = (finding.pn, finding.dn);
        self.shared = finding.shared;
        self.depth = self.depth.min(depth);
        (self.parent_key, self.parent_hand) = (parent.board, parent.hand);
        self.work = self.work.saturating_add(work);
    }
}

/// Where the numbers of a position come from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Link {
    pub(crate) pn: u32,
    pub(crate) dn: u32,
    pub(crate) parent: PositionKey,
}
