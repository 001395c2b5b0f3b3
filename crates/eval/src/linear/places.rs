//! Features of single pieces seen from a king: what they are, where they stand, how near they are.
//!
//! These hang on the king's square and on one piece, so that sums over pieces can follow a game.

use shogi::{Color, Piece, PieceKind, Square};

use super::layout::{Block, KING_PLACES, PIECES};
use super::scene::{Sink, code_of, distance};

/// How the board is turned so that a side sees its king at the bottom and on the right half: left and right are the
/// same game. Where the king stands in the middle, both halves are laid upon each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Facing {
    pub(super) color: Color,
    /// The king's square as it is on the board.
    pub(super) king: Square,
    side: Side,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Right,
    Left,
    Middle,
}

const MIDDLE: u8 = 4;

impl Facing {
    #[inline(always)]
    pub(super) fn new(color: Color, king: Square) -> Facing {
        let side = match upright(color, king).file().cmp(&MIDDLE) {
            std::cmp::Ordering::Less => Side::Right,
            std::cmp::Ordering::Equal => Side::Middle,
            std::cmp::Ordering::Greater => Side::Left,
        };
        Facing { color, king, side }
    }

    /// A square of the board as it is after the turn.
    #[inline(always)]
    pub(super) fn turned(self, square: Square) -> Square {
        let square = upright(self.color, square);
        let is_turned = match self.side {
            Side::Right => false,
            Side::Left => true,
            Side::Middle => square.file() > MIDDLE,
        };
        if is_turned { square.mirrored() } else { square }
    }

    /// Whether the king is in the middle, and the halves lie upon each other.
    #[inline(always)]
    pub(super) fn is_folded(self) -> bool {
        self.side == Side::Middle
    }

    /// Whether the king is in a corner of the own camp or of the enemy's.
    #[inline(always)]
    pub(super) fn is_corner(self) -> bool {
        matches!(self.king.file(), 0 | 8) && matches!(self.king.rank(), 0 | 8)
    }

    /// The square of the board so many files and ranks from the king after the turn.
    #[inline(always)]
    pub(super) fn beside(self, files: i8, ranks: i8) -> Option<Square> {
        let up = if self.color == Color::Black { 1 } else { -1 };
        let aside = if self.side == Side::Left { -up } else { up };
        let file = self.king.file() as i8 + aside * files;
        let rank = self.king.rank() as i8 + up * ranks;
        Square::try_new(u8::try_from(file).ok()?, u8::try_from(rank).ok()?)
    }

    /// The class of the king's square.
    pub(super) fn place(self) -> usize {
        const HOME: usize = 6;
        let king = self.turned(self.king);
        let (file, rank) = (usize::from(king.file()), usize::from(king.rank()));
        let place = if rank >= HOME { (rank - HOME) * 5 + file } else { 15 + 3 * rank + file.div_ceil(2) };
        debug_assert!(place < KING_PLACES);
        place
    }

    /// The place of a square around the king, from 0 to 24 and folded if the board is.
    #[inline(always)]
    pub(super) fn around(self, square: Square) -> Option<usize> {
        let (king, square) = (self.turned(self.king), self.turned(square));
        let files = square.file() + 2;
        let ranks = square.rank() + 2;
        let (file, rank) = (files.checked_sub(king.file())?, ranks.checked_sub(king.rank())?);
        (file < 5 && rank < 5).then(|| usize::from(file * 5 + rank))
    }
}

#[inline(always)]
fn upright(color: Color, square: Square) -> Square {
    match color {
        Color::Black => square,
        Color::White => square.rotated(),
    }
}

/// The features of a piece on a square for the side whose king it is seen from.
pub(super) fn features(facing: Facing, piece: Piece, square: Square, sink: &mut impl Sink) {
    material(facing.color, piece, sink);
    let code = code_of(facing.color, piece);
    let (king, turned) = (facing.turned(facing.king), facing.turned(square));
    sink.one(Block::KingDistance.row(code * 9 + distance(facing.king, square)));
    let files = usize::from(turned.file() + 8 - king.file());
    let ranks = usize::from(turned.rank() + 8 - king.rank());
    let third = usize::from(turned.rank() / 3);
    sink.one(Block::Relative.row(((third * PIECES + code) * 17 + files) * 17 + ranks));
    sink.one(Block::Placed.row((king.index() * PIECES + code) * 81 + turned.index()));
    if let Some(place) = facing.around(square) {
        sink.one(Block::Around.row(place * PIECES + code));
    }
}

/// The features of a piece for a side without a king.
pub(super) fn material(color: Color, piece: Piece, sink: &mut impl Sink) {
    if piece.color() == color {
        debug_assert!(piece.kind().index() < PieceKind::COUNT);
        sink.one(Block::Material.row(piece.kind().index()));
    }
}
