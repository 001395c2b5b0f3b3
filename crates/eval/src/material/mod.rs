//! Material with a modest sense of place: what one can know without learning.
//!
//! Pieces have values by kind, square and hand, which moves change by differences; what depends on the kings'
//! surroundings is counted when a value is asked for.

mod king_safety;
mod values;

use shogi::{Captured, Color, Delta, Piece, Position, Source, Square};

use crate::Evaluator;
use values::{HAND, board_value};

/// Plies for which there is room from the start.
const RESERVED_PLIES: usize = 192;

/// Half of what it is worth to be the one who moves next, so that values hardly swing with the turn.
const TEMPO: i32 = 15;

/// Evaluates by material and simple rules of place. Begins at the start of the game.
///
/// ```
/// use eval::{Evaluator, Material};
/// use shogi::Position;
/// let mut position = Position::start();
/// let mut material = Material::new();
/// for text in ["7g7f", "3c3d", "8h2b+"] {
///     material.push(&position.play(text.parse().unwrap()));
/// }
/// assert!(material.evaluate(&position) < -500);
/// ```
#[derive(Clone, Debug)]
pub struct Material {
    /// The sums of board and hands along the line, for Black; the last one counts.
    sums: Vec<i32>,
}

impl Material {
    /// An evaluator for one thread.
    #[must_use]
    pub fn new() -> Material {
        let mut material = Material { sums: Vec::with_capacity(RESERVED_PLIES) };
        material.reset(&Position::start());
        material
    }

    /// Board and hands of a position, for Black, from nothing.
    fn count(position: &Position) -> i32 {
        let board: i32 = position
            .occupied()
            .into_iter()
            .filter_map(|square| position.piece(square).map(|piece| on_board(piece, square)))
            .sum();
        let hands: i32 = Color::ALL
            .into_iter()
            .flat_map(|owner| position.hand(owner).iter().map(move |(kind, n)| (owner, kind, n)))
            .map(|(owner, kind, n)| signed(owner, i32::from(n) * HAND[kind.index()]))
            .sum();
        board + hands
    }
}

impl Default for Material {
    fn default() -> Self {
        Material::new()
    }
}

/// A value for `color` as one for Black.
#[inline(always)]
fn signed(color: Color, value: i32) -> i32 {
    match color {
        Color::Black => value,
        Color::White => -value,
    }
}

#[inline(always)]
fn on_board(piece: Piece, square: Square) -> i32 {
    signed(piece.color(), board_value(piece, square))
}

/// What a move changes, for Black.
#[inline(always)]
fn change(delta: &Delta) -> i32 {
    let mover = delta.piece.color();
    let left = match delta.source {
        Source::Board { from, before } => on_board(before, from),
        Source::Hand { .. } => signed(mover, HAND[delta.piece.kind().index()]),
    };
    let taken = delta.captured.map_or(0, |Captured { piece, .. }| {
        signed(mover, HAND[piece.kind().unpromoted().index()]) - on_board(piece, delta.to)
    });
    on_board(delta.piece, delta.to) - left + taken
}

impl Evaluator for Material {
    fn reset(&mut self, position: &Position) {
        self.sums.clear();
        self.sums.push(Self::count(position));
    }

    #[inline(always)]
    fn push(&mut self, delta: &Delta) {
        let sum = self.sums.last().copied().unwrap_or(0);
        self.sums.push(sum + change(delta));
    }

    #[inline(always)]
    fn pop(&mut self) {
        assert!(self.sums.len() > 1, "a pop for every push");
        self.sums.pop();
    }

    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        let sum = self.sums.last().copied().unwrap_or(0);
        let safety = king_safety::value(position, Color::Black) - king_safety::value(position, Color::White);
        signed(position.side(), sum + safety) + TEMPO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::walk::random_walk;

    #[test]
    fn following_moves_gives_what_counting_gives() {
        let mut material = Material::new();
        let mut visits = 0;
        random_walk(7, 1000, &mut material, |material, position| {
            assert_eq!(material.sums.last().copied(), Some(Material::count(position)), "{position}");
            visits += 1;
        });
        assert!(visits > 300);
    }

    #[test]
    fn a_rotated_position_has_the_same_value() {
        let mut material = Material::new();
        let mut turned = Material::new();
        random_walk(8, 200, &mut material, |material, position| {
            let rotated = Position::new(&position.setup().rotated()).unwrap();
            turned.reset(&rotated);
            assert_eq!(material.evaluate(position), turned.evaluate(&rotated), "{position}");
        });
    }

    #[test]
    fn a_mate_problem_without_attacking_king_has_a_value() {
        let setup: shogi::Setup = "4k4/9/4P4/9/9/9/9/9/9 b 2G 1".parse().unwrap();
        let position = Position::problem(&setup).unwrap();
        let mut material = Material::new();
        material.reset(&position);
        assert!(material.evaluate(&position) > 1000);
    }

    #[test]
    fn a_castled_king_is_worth_more_than_one_at_home() {
        let value = |sfen: &str| {
            let position: Position = sfen.parse().unwrap();
            let mut material = Material::new();
            material.reset(&position);
            material.evaluate(&position)
        };
        let home = value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1");
        let mino = value("lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B1R2SK1/LNSG1G1NL b - 1");
        assert!(mino > home + 30, "{mino} {home}");
    }
}
