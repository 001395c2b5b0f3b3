//! What is known of a position: open, with a proof and a disproof number (Allis 1994), or solved, with the hand and the
//! plies for which that holds.

use shogi::Hand;

/// How many positions must still be solved for a proof or a disproof, about.
pub(crate) type Number = u32;
/// A number of plies.
pub(crate) type Plies = u16;
/// How far below the position that is searched.
pub(crate) type Depth = u16;

/// The number of what cannot be had any more.
pub(crate) const NEVER: Number = (1 << 21) - 1;
/// Longer than any mate that is looked for.
pub(crate) const UNLIMITED: Plies = (1 << 12) - 1;
/// What depends on no position of the way.
pub(crate) const NOTHING: Depth = Depth::MAX;

/// Which of the two numbers.
pub(crate) const PROOF: usize = 0;
pub(crate) const DISPROOF: usize = 1;

/// What is known of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    /// `[PROOF]` and `[DISPROOF]`; one is 0 and the other [`NEVER`] if the position is solved.
    pub(crate) numbers: [Number; 2],
    /// The least hand of the attacker that mates, or the greatest that does not.
    pub(crate) hand: Hand,
    /// The mate takes at most so many plies, or there is none within so many.
    pub(crate) plies: Plies,
    /// The highest position of the way on which a disproof depends: it holds below that position only.
    pub(crate) depends_on: Depth,
}

impl Known {
    /// Not solved yet.
    pub(crate) const fn open(proof: Number, disproof: Number) -> Known {
        Known { numbers: [proof, disproof], hand: Hand::EMPTY, plies: 0, depends_on: NOTHING }
    }

    /// Mate within `plies` for every hand that covers this one.
    pub(crate) const fn mate(hand: Hand, plies: Plies) -> Known {
        Known { numbers: [0, NEVER], hand, plies, depends_on: NOTHING }
    }

    /// No mate within `plies` for any hand that this one covers.
    pub(crate) const fn no_mate(hand: Hand, plies: Plies) -> Known {
        Known { numbers: [NEVER, 0], hand, plies, depends_on: NOTHING }
    }

    pub(crate) const fn is_mate(&self) -> bool {
        self.numbers[PROOF] == 0
    }

    pub(crate) const fn is_no_mate(&self) -> bool {
        self.numbers[DISPROOF] == 0
    }

    pub(crate) const fn is_solved(&self) -> bool {
        self.is_mate() || self.is_no_mate()
    }
}

/// The plies of a position from those of the position after a move; what is unlimited stays so.
pub(crate) const fn one_more(plies: Plies) -> Plies {
    if plies >= UNLIMITED - 1 { UNLIMITED } else { plies + 1 }
}
