//! The order of moves: the higher the score, the sooner a move is tried.

use shogi::{Move, Position};

use crate::exchange::{VALUES, gain};

/// Scores moves of a position for ordering; learned ones may stand beside those by rule.
pub trait MoveScorer {
    /// The score of a pseudo-legal move.
    fn score(&self, position: &Position, m: Move) -> i32;
}

/// Captures by what they win at once, and of equal ones by the cheapest piece that takes (MVV-LVA).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MvvLva;

impl MoveScorer for MvvLva {
    #[inline(always)]
    fn score(&self, position: &Position, m: Move) -> i32 {
        let mover = m.from().and_then(|from| position.piece(from));
        16 * gain(position, m, &VALUES) - mover.map_or(0, |piece| VALUES.of(piece.kind()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_greatest_gain_comes_first_and_the_cheapest_taker_before_others() {
        let position: Position = "4k4/9/9/4r1p2/3PS4/9/9/4R1L2/4K4 b - 1".parse().unwrap();
        let score = |m: &str| MvvLva.score(&position, m.parse().unwrap());
        let (by_silver, by_lance) = (score("5e5d"), score("3h3d"));
        assert!(by_silver > by_lance, "a rook is more than a pawn");
        let twice: Position = "4k4/9/9/4p4/4P4/9/9/9/4K4 b - 1".parse().unwrap();
        assert!(
            MvvLva.score(&twice, "5e5d".parse().unwrap()) > MvvLva.score(&twice, "5i5h".parse().unwrap())
        );
    }
}
