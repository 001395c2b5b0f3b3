//! An evaluation in sixteen bits.

use std::fmt;

/// What the side to move thought of its position: a score, a mate or nothing.
///
/// Scores take -30999 to 30999, mates 31000 to 32000 (32000 - plies, the scale of YaneuraOu) and their
/// negatives; the smallest number stands for "none". The rest is never written.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Eval(i16);

/// An [`Eval`] taken apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum EvalKind {
    /// Nothing was evaluated: a book move, a random move.
    None,
    /// Centipawns as the side to move sees it.
    Score(i16),
    /// The side to move mates in so many plies.
    MateIn(u16),
    /// The side to move is mated in so many plies.
    MatedIn(u16),
}

const MATE: i16 = 32000;
pub(super) const LONGEST_MATE: u16 = 1000;
const SHORTEST_MATE_CODE: i16 = MATE - LONGEST_MATE as i16;

impl Eval {
    /// No evaluation.
    pub const NONE: Eval = Eval(i16::MIN);

    /// The largest score that is no mate.
    pub const MAX_SCORE: i16 = SHORTEST_MATE_CODE - 1;

    /// A score in centipawns of the side to move; what is beyond [`Eval::MAX_SCORE`] becomes that.
    ///
    /// ```
    /// use records::compact::{Eval, EvalKind};
    /// assert_eq!(Eval::score(-123).kind(), EvalKind::Score(-123));
    /// assert_eq!(Eval::mated_in(4).kind(), EvalKind::MatedIn(4));
    /// ```
    #[must_use]
    pub fn score(centipawns: i32) -> Eval {
        let limit = i32::from(Self::MAX_SCORE);
        Eval(centipawns.clamp(-limit, limit) as i16)
    }

    /// The side to move mates; more than 1000 plies become 1000.
    #[must_use]
    pub fn mate_in(plies: u16) -> Eval {
        Eval(MATE - plies.min(LONGEST_MATE) as i16)
    }

    /// The side to move is mated; more than 1000 plies become 1000.
    #[must_use]
    pub fn mated_in(plies: u16) -> Eval {
        Eval(-Self::mate_in(plies).0)
    }

    /// The parts.
    #[must_use]
    pub fn kind(self) -> EvalKind {
        match self.0 {
            i16::MIN => EvalKind::None,
            SHORTEST_MATE_CODE.. => EvalKind::MateIn((MATE - self.0) as u16),
            code if code <= -SHORTEST_MATE_CODE => EvalKind::MatedIn((MATE + self.0) as u16),
            code => EvalKind::Score(code),
        }
    }

    /// The number for files that know mates as scores near 32000; `None` if there is no evaluation.
    #[must_use]
    pub fn as_score(self) -> Option<i16> {
        (self != Self::NONE).then_some(self.0)
    }

    /// The sixteen bits in the file.
    #[must_use]
    pub const fn bits(self) -> i16 {
        self.0
    }

    /// The evaluation of sixteen bits from a file, if they are one.
    #[inline]
    #[must_use]
    pub fn from_bits(bits: i16) -> Option<Eval> {
        (bits == i16::MIN || (-MATE..=MATE).contains(&bits)).then_some(Eval(bits))
    }
}

impl fmt::Debug for Eval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.kind().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_pattern_means_one_thing_or_nothing() {
        for bits in i16::MIN..=i16::MAX {
            let Some(eval) = Eval::from_bits(bits) else {
                assert!(bits != i16::MIN && bits.unsigned_abs() > 32000);
                continue;
            };
            let again = match eval.kind() {
                EvalKind::None => Eval::NONE,
                EvalKind::Score(score) => Eval::score(i32::from(score)),
                EvalKind::MateIn(plies) => Eval::mate_in(plies),
                EvalKind::MatedIn(plies) => Eval::mated_in(plies),
            };
            assert_eq!(again, eval);
        }
    }

    #[test]
    fn what_is_too_large_is_cut() {
        assert_eq!(Eval::score(1_000_000).kind(), EvalKind::Score(30999));
        assert_eq!(Eval::score(-1_000_000).kind(), EvalKind::Score(-30999));
        assert_eq!(Eval::mate_in(u16::MAX).kind(), EvalKind::MateIn(1000));
    }
}
