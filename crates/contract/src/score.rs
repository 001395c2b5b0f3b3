//! Values of positions: plain integers inside a search, [`Score`] outside.

use std::fmt;

/// A value from the side to move's point of view: hundredths of a pawn within ±[`EVAL_LIMIT`], beyond that
/// repetitions with a better hand ([`SUPERIOR`]) and mates.
pub type Value = i32;

/// How deep a line can get.
pub const MAX_PLY: usize = 128;
/// Mated at once.
pub const MATE: Value = 32_000;
/// The longest mate that is distinguished from longer ones where mates become numbers ([`mate_value`]).
pub const LONGEST_MATE: u32 = 999;
/// The longest mate that a search's value can express.
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

/// Whether the value means a win by force (mate or rule).
#[inline(always)]
#[must_use]
pub const fn is_win(value: Value) -> bool {
    value >= MATE_BOUND && value <= MATE
}

/// Whether the value means a loss by force.
#[inline(always)]
#[must_use]
pub const fn is_loss(value: Value) -> bool {
    value <= -MATE_BOUND && value >= -MATE
}

/// Whether the value means a forced end.
#[inline(always)]
#[must_use]
pub const fn is_decisive(value: Value) -> bool {
    is_win(value) || is_loss(value)
}

/// The value of a mate in so many plies for the side that mates, beyond all evaluations, the sooner the farther; one of
/// unknown length counts as done.
#[must_use]
pub fn mate_value(plies: Option<u32>) -> Value {
    MATE - plies.unwrap_or(0).min(LONGEST_MATE) as Value
}

/// A value for people and protocols, from the side to move's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Score {
    /// In the evaluator's unit, about a hundredth of a pawn.
    Centipawns(i32),
    /// Mates in this many plies.
    MateIn(u32),
    /// Is mated in this many plies; 0 if that is done already.
    MatedIn(u32),
    /// Mates; it is not known how soon.
    Mating,
    /// Is mated; it is not known how soon.
    Mated,
}

impl Score {
    /// The score of a value at the root.
    #[must_use]
    pub fn of(value: Value) -> Score {
        if is_win(value) {
            Score::MateIn((MATE - value) as u32)
        } else if is_loss(value) {
            Score::MatedIn((MATE + value) as u32)
        } else {
            Score::Centipawns(value)
        }
    }

    /// The score as a number, mates by [`mate_value`].
    #[must_use]
    pub fn value(self) -> Value {
        match self {
            Score::Centipawns(value) => value,
            Score::MateIn(plies) => mate_value(Some(plies)),
            Score::MatedIn(plies) => -mate_value(Some(plies)),
            Score::Mating => mate_value(None),
            Score::Mated => -mate_value(None),
        }
    }

    /// Reads the two words that [`Score`] is written in: a unit, `cp` or `mate`, and a number.
    ///
    /// ```
    /// use contract::Score;
    /// assert_eq!(Score::parse("mate", "-4"), Some(Score::MatedIn(4)));
    /// assert_eq!(Score::parse("mate", "+"), Some(Score::Mating));
    /// ```
    #[must_use]
    pub fn parse(unit: &str, number: &str) -> Option<Score> {
        match (unit, number) {
            ("cp", number) => number.parse().ok().map(Score::Centipawns),
            ("mate", "+") => Some(Score::Mating),
            ("mate", "-") => Some(Score::Mated),
            ("mate", number) => match number.strip_prefix('-') {
                Some(plies) => plies.parse().ok().map(Score::MatedIn),
                None => number.strip_prefix('+').unwrap_or(number).parse().ok().map(Score::MateIn),
            },
            _ => None,
        }
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Centipawns(value) => write!(f, "cp {value}"),
            Score::MateIn(plies) => write!(f, "mate {plies}"),
            Score::MatedIn(plies) => write!(f, "mate -{plies}"),
            Score::Mating => f.write_str("mate +"),
            Score::Mated => f.write_str("mate -"),
        }
    }
}

/// Which side of the true value a score lies on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Bound {
    /// The value itself.
    #[default]
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
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

    #[test]
    fn scores_are_written_as_they_are_read_and_lie_in_the_order_of_their_values() {
        let mut last = -INFINITE;
        for text in ["mate -0", "mate -4", "cp -27000", "cp 12", "mate 999", "mate 5"] {
            let (unit, number) = text.split_once(' ').unwrap();
            let score = Score::parse(unit, number).unwrap();
            assert_eq!(score.to_string(), text);
            assert!(score.value() > last, "{text}");
            last = score.value();
        }
        for value in [mate_in(7), mated_in(0), 0, -812] {
            assert_eq!(Score::of(value).value(), value);
        }
        assert_eq!(Score::Mating.value(), MATE);
    }
}
