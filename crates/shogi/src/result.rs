//! Who won a game, seen from nowhere and seen by one side.

use crate::Color;

/// Who won a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GameResult {
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
}

/// What a result is for one side; the name of the field says for which.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum SideResult {
    Win,
    Draw,
    Loss,
}

impl GameResult {
    /// The result as `color` sees it.
    ///
    /// ```
    /// use shogi::{Color, GameResult, SideResult};
    /// assert_eq!(GameResult::Win(Color::Black).seen_by(Color::White), SideResult::Loss);
    /// ```
    #[must_use]
    pub fn seen_by(self, color: Color) -> SideResult {
        match self {
            GameResult::Draw => SideResult::Draw,
            GameResult::Win(winner) if winner == color => SideResult::Win,
            GameResult::Win(_) => SideResult::Loss,
        }
    }
}

impl SideResult {
    /// Half points: 2 for a win, 1 for a draw.
    #[must_use]
    pub const fn half_points(self) -> usize {
        match self {
            SideResult::Win => 2,
            SideResult::Draw => 1,
            SideResult::Loss => 0,
        }
    }

    /// The result of a game that ended so for `color`.
    #[must_use]
    pub const fn of(self, color: Color) -> GameResult {
        match self {
            SideResult::Win => GameResult::Win(color),
            SideResult::Draw => GameResult::Draw,
            SideResult::Loss => GameResult::Win(color.opponent()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_view_of_a_side_leads_back_to_the_result() {
        for result in [GameResult::Win(Color::Black), GameResult::Win(Color::White), GameResult::Draw] {
            for color in Color::ALL {
                assert_eq!(result.seen_by(color).of(color), result);
            }
        }
    }
}
