//! What is known about a position: proof and disproof number, or the end of the matter.

use shogi::Hand;

/// A proof or disproof number that no effort reaches.
pub(crate) const INFINITE: u32 = u32::MAX / 2;

/// A number of plies to the mate.
pub(crate) type Plies = u16;

/// A budget of plies that bounds nothing.
pub(crate) const UNBOUNDED: Plies = Plies::MAX - 1;

/// As a lower bound of the plies to the mate: there is none. As an upper bound: nothing is known.
pub(crate) const NEVER: Plies = Plies::MAX;

/// A depth in the tree, 1 at the root; 0 stands for whatever was before.
pub(crate) type Depth = u16;

/// The dependence of a disproof that holds on whatever way the position is reached.
pub(crate) const NO_DEPENDENCE: Depth = Depth::MAX;

/// What is known about one position, seen from the attacker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    /// How much is left to prove; 0 if mate is proven.
    pub(crate) pn: u32,
    /// How much is left to disprove; 0 if mate is disproven (within the budget of plies).
    pub(crate) dn: u32,
    /// Of a proof: with this hand or more there is mate. Of a disproof: with this hand or less there is none.
    pub(crate) hand: Hand,
    /// Of a proof: mate within so many plies. Of a disproof: mate takes at least so many.
    pub(crate) plies: Plies,
    /// Of a disproof: the depth of the earliest position on the way here that a repetition refers to.
    pub(crate) depends_on: Depth,
    /// Positions visited to find this out.
    pub(crate) work: u32,
    /// Children whose numbers are shared with a sibling, by their index modulo 32: they count once.
    pub(crate) shared: u32,
}

impl Finding {
    pub(crate) fn open(pn: u32, dn: u32) -> Finding {
        Finding { pn, dn, hand: Hand::EMPTY, plies: 0, depends_on: NO_DEPENDENCE, work: 1, shared: 0 }
    }

    pub(crate) fn mate(hand: Hand, plies: Plies) -> Finding {
        Finding { hand, plies, ..Finding::open(0, INFINITE) }
    }

    pub(crate) fn no_mate(hand: Hand, plies: Plies) -> Finding {
        Finding { hand, plies, ..Finding::open(INFINITE, 0) }
    }

    /// A disproof that holds only below the position at depth `depends_on`.
    pub(crate) fn repetition(hand: Hand, depends_on: Depth) -> Finding {
        Finding { depends_on, ..Finding::no_mate(hand, NEVER) }
    }

    pub(crate) fn is_mate(&self) -> bool {
        self.pn == 0
    }

    pub(crate) fn is_no_mate(&self) -> bool {
        self.dn == 0
    }

    pub(crate) fn is_final(&self) -> bool {
        self.pn == 0 || self.dn == 0
    }

    /// The number that the side to move wants to bring to 0.
    #[inline(always)]
    pub(crate) fn phi(&self, attacker_moves: bool) -> u32 {
        if attacker_moves { self.pn } else { self.dn }
    }

    /// The number that the other side wants to bring to 0.
    #[inline(always)]
    pub(crate) fn delta(&self, attacker_moves: bool) -> u32 {
        if attacker_moves { self.dn } else { self.pn }
    }
}

/// The plies left after a move.
#[inline(always)]
pub(crate) fn after_move(within: Plies) -> Plies {
    if within == UNBOUNDED { UNBOUNDED } else { within.saturating_sub(1) }
}
