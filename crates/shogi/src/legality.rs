//! Whether one move is pseudo-legal, legal, a mate by pawn drop.

use crate::attacks::{attacks, between, king_attacks, line};
use crate::generate::last_ranks;
use crate::{Bitboard, CheckInfo, Move, PieceKind, Position, Square};

impl Position {
    /// Whether a move follows the rules for the piece that makes it: it is there, it reaches the target, it
    /// may (or must) promote, a drop is no second pawn. The own king's safety and mate by a pawn drop are
    /// left to [`Position::pseudo_is_legal`].
    #[inline]
    #[must_use]
    pub fn is_pseudo_legal(&self, m: Move) -> bool {
        let (us, to) = (self.side, m.to());
        if let Some(kind) = m.dropped() {
            return self.piece(to).is_none()
                && self.hand(us).has(kind)
                && to.rank_from(us) >= kind.forbidden_ranks()
                && !(kind == PieceKind::Pawn
                    && (self.pieces_of(us, kind) & Bitboard::file(to.file())).any());
        }
        let from = m.origin();
        let Some(piece) = self.piece(from).filter(|piece| piece.color() == us) else { return false };
        let turns = if m.is_promotion() {
            piece.kind().promoted().is_some() && (from.in_zone(us) || to.in_zone(us))
        } else {
            !last_ranks(us, piece.kind().forbidden_ranks()).has(to)
        };
        turns && attacks(piece, from, self.occupied()).minus(self.pieces(us)).has(to)
    }

    /// Whether a pseudo-legal move is legal. `info` is this position's [`Position::check_info`].
    #[inline]
    #[must_use]
    pub fn pseudo_is_legal(&self, m: Move, info: &CheckInfo) -> bool {
        let us = self.side;
        let Some(king) = self.king(us) else { return !self.is_drop_mate_move(m) };
        if m.from() == Some(king) {
            return !self.is_attacked(!us, m.to(), self.occupied() ^ Bitboard::of(king));
        }
        if let Some(checker) = self.checkers().first()
            && (self.checkers().many() || !(between(king, checker) | self.checkers()).has(m.to()))
        {
            return false;
        }
        match m.from() {
            Some(from) => !info.pinned.has(from) || line(king, from).has(m.to()),
            None => !self.is_drop_mate_move(m),
        }
    }

    /// Whether any move, wherever it comes from, is legal here.
    ///
    /// ```
    /// use shogi::Position;
    /// let position = Position::start();
    /// assert!(position.is_legal("7g7f".parse().unwrap()));
    /// assert!(!position.is_legal("8h2b+".parse().unwrap()));
    /// ```
    #[must_use]
    pub fn is_legal(&self, m: Move) -> bool {
        self.is_pseudo_legal(m) && self.pseudo_is_legal(m, &self.check_info())
    }

    /// Whether the move is a pawn drop that mates.
    fn is_drop_mate_move(&self, m: Move) -> bool {
        m.dropped() == Some(PieceKind::Pawn)
            && self.king(!self.side).is_some_and(|king| {
                let pawn = crate::Piece::new(self.side, PieceKind::Pawn);
                crate::attacks::reach(pawn, m.to()).has(king) && self.is_drop_mate(king, m.to())
            })
    }

    /// Whether a pawn that the side to move drops on `square`, in front of the enemy `king`, mates: nobody
    /// can take it and the king has nowhere to go.
    pub(crate) fn is_drop_mate(&self, king: Square, square: Square) -> bool {
        let (us, them) = (self.side, !self.side);
        let occupied = self.occupied() | Bitboard::of(square);
        let takers = self.attackers(them, square, occupied).minus(Bitboard::of(king));
        if takers.any() {
            let pinned = self.blockers(king, us);
            if takers.minus(pinned).any() || takers.into_iter().any(|taker| line(king, taker).has(square)) {
                return false;
            }
        }
        let without_king = occupied ^ Bitboard::of(king);
        king_attacks(king)
            .minus(self.pieces(them))
            .into_iter()
            .all(|to| self.is_attacked(us, to, without_king))
    }
}
