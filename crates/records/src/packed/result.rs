//! How a game ended, seen from nowhere and seen by one side.

use shogi::Color;

/// How a finished game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum GameResult {
    BlackWins,
    WhiteWins,
    Draw,
}

/// How a game ended for one side; the name of the field says for which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum Outcome {
    Win,
    Draw,
    Loss,
}

impl GameResult {
    /// The win of `color`.
    #[must_use]
    pub const fn won_by(color: Color) -> GameResult {
        match color {
            Color::Black => GameResult::BlackWins,
            Color::White => GameResult::WhiteWins,
        }
    }

    /// The result as `color` sees it.
    ///
    /// ```
    /// use records::packed::{GameResult, Outcome};
    /// assert_eq!(GameResult::BlackWins.seen_by(shogi::Color::White), Outcome::Loss);
    /// ```
    #[must_use]
    pub const fn seen_by(self, color: Color) -> Outcome {
        match (self, color) {
            (GameResult::Draw, _) => Outcome::Draw,
            (GameResult::BlackWins, Color::Black) | (GameResult::WhiteWins, Color::White) => Outcome::Win,
            _ => Outcome::Loss,
        }
    }
}

impl Outcome {
    /// The result of a game that ended so for `color`.
    #[must_use]
    pub const fn of(self, color: Color) -> GameResult {
        match self {
            Outcome::Win => GameResult::won_by(color),
            Outcome::Draw => GameResult::Draw,
            Outcome::Loss => GameResult::won_by(color.opponent()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_of_a_side_leads_back_to_the_result() {
        for result in [GameResult::BlackWins, GameResult::WhiteWins, GameResult::Draw] {
            for color in Color::ALL {
                assert_eq!(result.seen_by(color).of(color), result);
            }
        }
    }
}
