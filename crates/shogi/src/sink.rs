//! Where generated moves go: into a list, into a count, or into the mere knowledge that there are some.

use crate::{Bitboard, Color, Move, MoveList, PieceKind, Square};

/// Takes generated moves, a set of squares at a time.
pub(crate) trait Sink {
    /// One piece on `from` may go to any of `to`.
    fn board(&mut self, from: Square, to: Bitboard, promote: bool);
    /// A pawn of `us` stands one step behind each of `to` and may go there.
    fn pawns(&mut self, us: Color, to: Bitboard, promote: bool);
    /// A piece of this kind may be dropped on any of `to`.
    fn drops(&mut self, kind: PieceKind, to: Bitboard);
    /// Whether further moves no longer matter.
    fn enough(&self) -> bool {
        false
    }
}

impl Sink for MoveList {
    #[inline(always)]
    fn board(&mut self, from: Square, to: Bitboard, promote: bool) {
        for to in to {
            self.push(Move::board(from, to, promote));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, us: Color, to: Bitboard, promote: bool) {
        for to in to {
            let from = match us {
                Color::Black => to.index() + 1,
                Color::White => to.index() - 1,
            };
            self.push(Move::board(Square::from_raw(from as u8), to, promote));
        }
    }

    #[inline(always)]
    fn drops(&mut self, kind: PieceKind, to: Bitboard) {
        for to in to {
            self.push(Move::drop(kind, to));
        }
    }
}

/// Counts moves without listing them.
pub(crate) struct Count(pub(crate) u64);

impl Sink for Count {
    #[inline(always)]
    fn board(&mut self, _: Square, to: Bitboard, _: bool) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn pawns(&mut self, _: Color, to: Bitboard, _: bool) {
        self.0 += u64::from(to.count());
    }

    #[inline(always)]
    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.0 += u64::from(to.count());
    }
}

/// Notes whether there is any move at all.
pub(crate) struct Any(pub(crate) bool);

impl Sink for Any {
    #[inline(always)]
    fn board(&mut self, _: Square, to: Bitboard, _: bool) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn pawns(&mut self, _: Color, to: Bitboard, _: bool) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn drops(&mut self, _: PieceKind, to: Bitboard) {
        self.0 |= to.any();
    }

    #[inline(always)]
    fn enough(&self) -> bool {
        self.0
    }
}
