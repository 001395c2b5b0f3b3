//! Values of positions: plain integers inside a search, [`Score`] outside.

use std::fmt;

/// A value from the side to move's point of view: hundredths of a pawn within ±[`EVAL_LIMIT`], beyond that
/// repetitions with a better hand ([`SUPERIOR`]) and mates.
pub type Value = i32;

/// How deep a line can get.
pub const MAX_PLY: usize = 128;
/// Mated at once.
pub const MATE: Value = 32_000;
/// The longest mate that a value can tell.
pub const MATE_BOUND: Value = MATE - 2 * MAX_PLY as Value;
/// The same board with a better hand than before.
pub const SUPERIOR: Value = 28_000;
/// Evaluations stay within this.
pub const EVAL_LIMIT: Value = 27_000;
/// Above every value.
pub const INFINITE: Value = 32_500;
/// No value, e.g. the static evaluation when in check.
pub const NONE: Value = 32_600;

/// The side to move mates in `ply` plies from the root.
#[inline(always)]
#[must_use]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The side to move is mated in `ply` plies from the root.
#[inline(always)]
#[must_use]
pub const fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

/// Whether the value tells a win by force (mate or rule).
#[inline(always)]
#[must_use]
pub const fn is_win(value: Value) -> bool {
    value >= MATE_BOUND && value <= MATE
}

/// Whether the value tells a loss by force.
#[inline(always)]
#[must_use]
pub const fn is_loss(value: Value) -> bool {
    value <= -MATE_BOUND && value >= -MATE
}

/// Whether the value tells a forced end.
#[inline(always)]
#[must_use]
pub const fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// A value for people and protocols, from the side to move's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In the evaluator's unit, about a hundredth of a pawn.
    Centipawns(i32),
    /// Mate after this many plies; negative if the side to move is mated. Mated at once is
    /// [`Score::Mated`].
    Mate(i32),
    /// The side to move is mated already.
    Mated,
}

impl Score {
    /// The score of a value at the root.
    #[must_use]
    pub fn of(value: Value) -> Score {
        if is_win(value) {
            Score::Mate(MATE - value)
        } else if value == -MATE {
            Score::Mated
        } else if is_loss(value) {
            Score::Mate(-(MATE + value))
        } else {
            Score::Centipawns(value)
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::Mate(plies) => write!(f, "mate {plies}"),
            Score::Mated => f.write_str("mate -0"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_become_scores() {
        assert_eq!(Score::of(35), Score::Centipawns(35));
        assert_eq!(Score::of(mate_in(3)).to_string(), "mate 3");
        assert_eq!(Score::of(mated_in(4)).to_string(), "mate -4");
        assert_eq!(Score::of(mated_in(0)).to_string(), "mate -0");
        assert_eq!(Score::of(SUPERIOR), Score::Centipawns(SUPERIOR));
    }
}
