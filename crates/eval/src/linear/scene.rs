//! What all features are found in: the board, who reaches which square, and the board as one side sees it.

use shogi::{Bitboard, Color, Piece, PieceKind, Position, Square, attacks};

use super::layout::{EMPTY, OUTSIDE};
use crate::vicinity::WITHIN_TWO;

/// Who reaches which squares. By colour of the pieces.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effects {
    /// `[color][n - 1]`: squares that at least n pieces reach.
    at_least: [[Bitboard; 3]; 2],
    /// Squares reached by a step.
    pub(super) near: [Bitboard; 2],
    /// Squares reached along files and ranks.
    pub(super) straight: [Bitboard; 2],
    /// Squares reached along diagonals.
    pub(super) diagonal: [Bitboard; 2],
    /// `[color][whose king]`: effects on the squares around the king, summed up.
    pub(super) around: [[u32; 2]; 2],
}

impl Effects {
    fn of(position: &Position) -> Effects {
        let none = [Bitboard::EMPTY; 2];
        let mut effects = Effects {
            at_least: [[Bitboard::EMPTY; 3]; 2],
            near: none,
            straight: none,
            diagonal: none,
            around: [[0; 2]; 2],
        };
        let surroundings = Color::ALL.map(|color| {
            let around = |king: Square| WITHIN_TWO[king.index()].minus(Bitboard::of(king));
            position.king(color).map_or(Bitboard::EMPTY, around)
        });
        let occupied = position.occupied();
        for color in Color::ALL {
            let side = color.index();
            let [mut one, mut two, mut three] = [Bitboard::EMPTY; 3];
            for square in position.pieces(color) {
                let Some(piece) = position.piece(square) else { continue };
                let reached = effects.enter(piece, square, occupied);
                three |= two & reached;
                two |= one & reached;
                one |= reached;
                for (sum, zone) in effects.around[side].iter_mut().zip(surroundings) {
                    *sum += (reached & zone).count();
                }
            }
            effects.at_least[side] = [one, two, three];
        }
        effects
    }

    /// Enters what a piece reaches by steps and by lines; all of it together.
    #[inline(always)]
    fn enter(&mut self, piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
        let side = piece.color().index();
        let near = |line: Bitboard| attacks::king_attacks(square).minus(line);
        let (straight, diagonal, near) = match piece.kind() {
            PieceKind::Lance => {
                (attacks::lance_attacks(piece.color(), square, occupied), Bitboard::EMPTY, Bitboard::EMPTY)
            }
            PieceKind::Bishop => {
                (Bitboard::EMPTY, attacks::bishop_attacks(square, occupied), Bitboard::EMPTY)
            }
            PieceKind::Rook => (attacks::rook_attacks(square, occupied), Bitboard::EMPTY, Bitboard::EMPTY),
            PieceKind::Horse => {
                let line = attacks::bishop_attacks(square, occupied);
                (Bitboard::EMPTY, line, near(line))
            }
            PieceKind::Dragon => {
                let line = attacks::rook_attacks(square, occupied);
                (line, Bitboard::EMPTY, near(line))
            }
            _ => {
                let steps = attacks::reach(piece, square);
                self.near[side] |= steps;
                return steps;
            }
        };
        self.straight[side] |= straight;
        self.diagonal[side] |= diagonal;
        self.near[side] |= near;
        straight | diagonal | near
    }

    /// The squares that a side reaches.
    #[inline(always)]
    pub(super) fn all(&self, color: Color) -> Bitboard {
        self.at_least[color.index()][0]
    }

    /// How many pieces of a side reach a square, at most 3.
    #[inline(always)]
    pub(super) fn count(&self, color: Color, square: Square) -> usize {
        self.at_least[color.index()].iter().map(|set| usize::from(set.has(square))).sum()
    }
}

/// A position with what is found out about it once for all features.
pub(super) struct Scene<'a> {
    pub(super) position: &'a Position,
    pub(super) effects: Effects,
    pub(super) occupied: Bitboard,
}

impl<'a> Scene<'a> {
    pub(super) fn new(position: &'a Position) -> Scene<'a> {
        Scene { position, effects: Effects::of(position), occupied: position.occupied() }
    }

    /// The scene as a side sees it.
    #[inline(always)]
    pub(super) fn seen_by(&self, color: Color) -> View<'_> {
        View { scene: self, position: self.position, effects: &self.effects, color }
    }
}

/// The scene as one side sees it.
#[derive(Clone, Copy)]
pub(super) struct View<'a> {
    pub(super) scene: &'a Scene<'a>,
    pub(super) position: &'a Position,
    pub(super) effects: &'a Effects,
    pub(super) color: Color,
}

impl View<'_> {
    /// The side's own pieces of a kind.
    #[inline(always)]
    pub(super) fn own(&self, kind: PieceKind) -> Bitboard {
        self.position.kind(kind) & self.position.pieces(self.color)
    }

    /// What is on a square: a piece, or nothing.
    #[inline(always)]
    pub(super) fn code(&self, square: Square) -> usize {
        self.position.piece(square).map_or(EMPTY, |piece| code_of(self.color, piece))
    }

    /// What is on the square so many files and ranks away, ranks forward being negative.
    #[inline(always)]
    pub(super) fn code_at(&self, square: Square, files: i8, ranks: i8) -> usize {
        self.away(square, files, ranks).map_or(OUTSIDE, |square| self.code(square))
    }

    /// The square so many files and ranks away as the side sees it.
    #[inline(always)]
    pub(super) fn away(&self, square: Square, files: i8, ranks: i8) -> Option<Square> {
        let sign = if self.color == Color::Black { 1 } else { -1 };
        let file = square.file() as i8 + sign * files;
        let rank = square.rank() as i8 + sign * ranks;
        Square::try_new(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)
    }

    /// Whether the side covers a square, and whether the other one attacks it: 2 and 1.
    #[inline(always)]
    pub(super) fn covered(&self, square: Square) -> usize {
        2 * usize::from(self.effects.all(self.color).has(square))
            + usize::from(self.effects.all(!self.color).has(square))
    }
}

/// A piece as a side sees it: its own kinds first.
#[inline(always)]
pub(super) fn code_of(color: Color, piece: Piece) -> usize {
    piece.kind().index() + if piece.color() == color { 0 } else { PieceKind::COUNT }
}

/// The steps that a king needs between two squares of an empty board.
#[inline(always)]
pub(super) fn distance(a: Square, b: Square) -> usize {
    usize::from(a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())))
}

/// Takes the features that are found: rows, and how often each occurs.
pub(super) trait Sink {
    /// A feature that occurs `count` times.
    fn add(&mut self, row: usize, count: i32);

    /// A feature that occurs once.
    #[inline(always)]
    fn one(&mut self, row: usize) {
        self.add(row, 1);
    }
}
