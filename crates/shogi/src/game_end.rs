//! When a game is over without anybody's decision.

use crate::{Color, GameResult, Position, Repetition};

/// How a position ends the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum GameEnd {
    /// The side to move has no legal move and has lost, in check or not.
    NoMoves,
    /// The position occurred for the fourth time.
    Repetition(Repetition),
    /// The game has become too long: a draw.
    MaxMoves,
}

impl GameEnd {
    /// Who won, with `side` to move.
    ///
    /// ```
    /// use shogi::{Color, GameEnd, GameResult, Repetition};
    /// assert_eq!(GameEnd::NoMoves.result(Color::White), GameResult::Win(Color::Black));
    /// assert_eq!(GameEnd::Repetition(Repetition::Draw).result(Color::White), GameResult::Draw);
    /// ```
    #[must_use]
    pub const fn result(self, side: Color) -> GameResult {
        match self {
            GameEnd::Repetition(Repetition::Win) => GameResult::Win(side),
            GameEnd::NoMoves | GameEnd::Repetition(Repetition::Loss) => GameResult::Win(side.opponent()),
            GameEnd::Repetition(_) | GameEnd::MaxMoves => GameResult::Draw,
        }
    }
}

impl Position {
    /// Whether the rules end the game here. `max_moves` is the last ply that may be played, 0 for no limit. A
    /// mate or a repetition on that very ply counts as such, not as a draw by length.
    ///
    /// ```
    /// use shogi::{GameEnd, Position};
    /// let position: Position = "4k4/9/9/9/9/9/9/9/4K4 w - 257".parse().unwrap();
    /// assert_eq!(position.game_end(256), Some(GameEnd::MaxMoves));
    /// assert_eq!(position.game_end(0), None);
    /// ```
    #[must_use]
    pub fn game_end(&self, max_moves: u16) -> Option<GameEnd> {
        if !self.has_legal_move() {
            return Some(GameEnd::NoMoves);
        }
        if let Some(repetition) = self.repetition() {
            return Some(GameEnd::Repetition(repetition));
        }
        self.is_too_long(max_moves).then_some(GameEnd::MaxMoves)
    }

    /// Whether more than `max_moves` plies have been played; 0 is no limit. Mate is not looked at.
    #[inline(always)]
    #[must_use]
    pub fn is_too_long(&self, max_moves: u16) -> bool {
        max_moves > 0 && self.ply > max_moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mate_on_the_last_permitted_ply_counts_as_mate() {
        let mated: Position = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 257".parse().unwrap();
        assert_eq!(mated.game_end(256), Some(GameEnd::NoMoves));
        assert_eq!(mated.game_end(0), Some(GameEnd::NoMoves));
    }

    #[test]
    fn repetition_on_the_last_permitted_ply_counts_as_repetition() {
        let mut position = Position::start();
        for text in ["2h3h", "8b7b", "3h2h", "7b8b"].repeat(3) {
            assert_eq!(position.game_end(12), None);
            position.play(text.parse().unwrap());
        }
        assert_eq!(position.ply(), 13);
        assert_eq!(position.game_end(12), Some(GameEnd::Repetition(Repetition::Draw)));
    }

    #[test]
    fn the_last_permitted_ply_may_still_be_played() {
        let position: Position = "4k4/9/9/9/9/9/9/9/4K4 w - 256".parse().unwrap();
        assert_eq!(position.game_end(256), None);
    }
}
