//! Kinds of moves: what a search may treat alike, as in extension by kind of move.

use shogi::{CheckInfo, Move, PieceKind, Position};

use crate::exchange::VALUES;

/// What kind of move a move is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct MoveKind {
    /// The piece that moves or is dropped, as it was before.
    pub piece: PieceKind,
    /// The piece it takes.
    pub taken: Option<PieceKind>,
    /// Whether the piece comes from the hand.
    pub is_drop: bool,
    /// Whether it promotes.
    pub is_promotion: bool,
    /// Whether it gives check.
    pub is_check: bool,
    /// Whether the exchange on its square loses material.
    pub loses_material: bool,
}

impl MoveKind {
    /// The kind of a pseudo-legal move; `info` is that of the position. `None` if nothing stands where it comes from.
    #[must_use]
    pub fn of(position: &Position, m: Move, info: &CheckInfo) -> Option<MoveKind> {
        let piece = match m.from() {
            Some(from) => position.piece(from)?.kind(),
            None => m.dropped()?,
        };
        Some(MoveKind {
            piece,
            taken: position.piece(m.to()).map(shogi::Piece::kind),
            is_drop: m.is_drop(),
            is_promotion: m.is_promotion(),
            is_check: position.gives_check(m, info),
            loses_material: !position.exchange_gains(m, 0, &VALUES),
        })
    }

    /// Whether it takes a piece.
    #[must_use]
    pub fn is_capture(&self) -> bool {
        self.taken.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind(sfen: &str, m: &str) -> MoveKind {
        let position: Position = sfen.parse().unwrap();
        MoveKind::of(&position, m.parse().unwrap(), &position.check_info()).unwrap()
    }

    const SFEN: &str = "4k4/9/4p4/9/9/4R4/9/9/4K4 b G 1";

    #[test]
    fn every_kind_is_told_from_the_others() {
        let step = kind(SFEN, "5f4f");
        assert_eq!((step.piece, step.taken, step.is_drop), (PieceKind::Rook, None, false));
        assert!(!step.is_check && !step.loses_material && !step.is_promotion);
        let capture = kind(SFEN, "5f5c+");
        assert_eq!(capture.taken, Some(PieceKind::Pawn));
        assert!(capture.is_capture() && capture.is_promotion && capture.is_check && !capture.loses_material);
        let drop = kind(SFEN, "G*4b");
        assert_eq!(drop.piece, PieceKind::Gold);
        assert!(drop.is_drop && drop.is_check && drop.loses_material);
        assert!(kind(SFEN, "5f5d").loses_material, "the pawn takes the rook");
    }

    #[test]
    fn kinds_agree_with_the_rules_on_every_legal_move() {
        let middle = "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1";
        let position: Position = middle.parse().unwrap();
        let info = position.check_info();
        for m in position.legal_moves() {
            let kind = MoveKind::of(&position, m, &info).unwrap();
            let mut after = position.clone();
            after.play(m);
            assert_eq!(kind.is_check, after.in_check(), "{m}");
            assert_eq!(kind.is_capture(), position.piece(m.to()).is_some(), "{m}");
        }
    }
}
