//! Who attacks a square, who gives check, who is pinned.

use crate::attacks::{between, bishop_attacks, king_attacks, line, reach, rook_attacks, step_attacks};
use crate::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// What legality and check tests of many moves in one position share. Computed once per node.
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// Pieces of the side to move that shield their king.
    pub pinned: Bitboard,
    /// Pieces of the side to move that shield the enemy king from its own sliders: moving one off the line
    /// gives check.
    pub discoverers: Bitboard,
    /// `[kind]`: where a piece of the side to move would give check.
    squares: [Bitboard; PieceKind::COUNT],
}

impl CheckInfo {
    /// Where a piece of this kind of the side to move would give check.
    #[inline(always)]
    #[must_use]
    pub fn squares(&self, kind: PieceKind) -> Bitboard {
        self.squares[kind.index()]
    }
}

impl Position {
    /// The pieces of `color` that attack `square` when `occupied` is taken for the occupied squares.
    #[inline]
    #[must_use]
    pub fn attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let them = !color;
        let steps = (step_attacks(them, PieceKind::Pawn, square) & self.kind(PieceKind::Pawn))
            | (step_attacks(them, PieceKind::Knight, square) & self.kind(PieceKind::Knight))
            | (step_attacks(them, PieceKind::Silver, square) & self.kind(PieceKind::Silver))
            | (step_attacks(them, PieceKind::Gold, square) & self.goldlike())
            | (king_attacks(square)
                & (self.kind(PieceKind::King) | self.kind(PieceKind::Horse) | self.kind(PieceKind::Dragon)));
        (steps & self.pieces(color)) | self.slider_attackers(color, square, occupied)
    }

    /// The sliding part of [`Position::attackers`].
    #[inline(always)]
    pub(crate) fn slider_attackers(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let sliders = self.aligned_sliders(color, square);
        let mut found = Bitboard::EMPTY;
        for slider in sliders {
            if (between(square, slider) & occupied).is_empty() {
                found |= Bitboard::of(slider);
            }
        }
        found
    }

    /// Whether any piece of `color` attacks `square`.
    #[inline(always)]
    #[must_use]
    pub fn is_attacked(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        self.attackers(color, square, occupied).any()
    }

    /// The sliders of `color` that would attack `square` on an empty board.
    #[inline(always)]
    fn aligned_sliders(&self, color: Color, square: Square) -> Bitboard {
        let diagonal = self.kind(PieceKind::Bishop) | self.kind(PieceKind::Horse);
        let straight = self.kind(PieceKind::Rook) | self.kind(PieceKind::Dragon);
        ((reach(Piece::new(color, PieceKind::Bishop), square) & diagonal)
            | (reach(Piece::new(color, PieceKind::Rook), square) & straight)
            | (reach(Piece::new(!color, PieceKind::Lance), square) & self.kind(PieceKind::Lance)))
            & self.pieces(color)
    }

    /// The pieces, of either side, that alone stand between `king` and a slider of `attacker`.
    #[inline(always)]
    #[must_use]
    pub fn blockers(&self, king: Square, attacker: Color) -> Bitboard {
        let occupied = self.occupied();
        let mut blockers = Bitboard::EMPTY;
        for slider in self.aligned_sliders(attacker, king) {
            let inside = between(king, slider) & occupied;
            if !inside.many() {
                blockers |= inside;
            }
        }
        blockers
    }

    /// The pieces of the side to move that shield their king.
    #[inline(always)]
    #[must_use]
    pub fn pinned(&self) -> Bitboard {
        self.king(self.side)
            .map_or(Bitboard::EMPTY, |king| self.blockers(king, !self.side) & self.pieces(self.side))
    }

    /// Pins, discoverers and check squares for the side to move.
    #[must_use]
    pub fn check_info(&self) -> CheckInfo {
        let us = self.side;
        let mut info = CheckInfo {
            pinned: self.pinned(),
            discoverers: Bitboard::EMPTY,
            squares: [Bitboard::EMPTY; PieceKind::COUNT],
        };
        let Some(king) = self.king(!us) else { return info };
        let occupied = self.occupied();
        info.discoverers = self.blockers(king, us) & self.pieces(us);
        let gold = step_attacks(!us, PieceKind::Gold, king);
        let (bishop, rook, near) =
            (bishop_attacks(king, occupied), rook_attacks(king, occupied), king_attacks(king));
        // In the order of the kinds; the king gives no check.
        info.squares = [
            step_attacks(!us, PieceKind::Pawn, king),
            rook & reach(Piece::new(!us, PieceKind::Lance), king),
            step_attacks(!us, PieceKind::Knight, king),
            step_attacks(!us, PieceKind::Silver, king),
            bishop,
            rook,
            gold,
            Bitboard::EMPTY,
            gold,
            gold,
            gold,
            gold,
            bishop | near,
            rook | near,
        ];
        info
    }

    /// Whether a pseudo-legal move gives check. `info` is this position's [`Position::check_info`].
    ///
    /// ```
    /// use shogi::Position;
    /// let position: Position = "4k4/9/9/9/9/9/9/9/4KR3 b - 1".parse().unwrap();
    /// let info = position.check_info();
    /// assert!(position.gives_check("4i4a+".parse().unwrap(), &info));
    /// assert!(!position.gives_check("4i4b".parse().unwrap(), &info));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn gives_check(&self, m: Move, info: &CheckInfo) -> bool {
        let to = m.to();
        if let Some(kind) = m.dropped() {
            return info.squares(kind).has(to);
        }
        let from = m.origin();
        let Some(piece) = self.piece(from) else { return false };
        let Some(king) = self.king(!self.side) else { return false };
        if info.discoverers.has(from) && !line(king, from).has(to) {
            return true;
        }
        // A slider cannot newly see the king through the square it left: it would have given check before.
        let kind = if m.is_promotion() { piece.turned().kind() } else { piece.kind() };
        info.squares(kind).has(to)
    }
}
