//! Pieces that can be taken: those that stand so, and squares on which they would.
//!
//! What a piece is worth by place and by what it has done says nothing of what attacks it now. So a quiet move counts for more in
//! the order if its piece is attacked where it stands, and for less if it would be where it goes; the more, the more it is
//! worth.

use shogi::{Bitboard, Control, Move, PieceKind, Position};

use super::model::{Model, NAT};
use super::params::{PERCENT, Params};

/// What is attacked and not covered, for the side to move.
#[derive(Clone, Copy)]
pub(crate) struct Exposure {
    us: Control,
    them: Control,
    /// Log-odds for a piece worth a gold or more.
    leaving: i32,
    entering: i32,
}

impl Exposure {
    /// `None` if it does not count.
    pub(crate) fn of(position: &Position, p: &Params) -> Option<Exposure> {
        if p.order_leaving == 0 && p.order_entering == 0 {
            return None;
        }
        let us = position.side();
        let weight = |percent: i32| NAT * percent / PERCENT;
        let (leaving, entering) = (weight(p.order_leaving), weight(p.order_entering));
        Some(Exposure { us: position.control(us), them: position.control(!us), leaving, entering })
    }

    /// The squares where a piece of the kind can be taken for nothing or by a pawn, given what covers it.
    #[inline(always)]
    fn squares(&self, kind: PieceKind, covered: Bitboard) -> Bitboard {
        let by_pawns = if kind == PieceKind::Pawn { Bitboard::EMPTY } else { self.them.pawns };
        self.them.once.minus(covered) | by_pawns
    }

    /// Where a piece of the kind should not be dropped.
    #[inline(always)]
    pub(crate) fn of_drops(&self, kind: PieceKind) -> Bitboard {
        self.squares(kind, self.us.once)
    }

    /// What entering such a square counts.
    #[inline(always)]
    pub(crate) fn entering(&self, model: &Model, kind: PieceKind) -> i32 {
        -self.entering * worth(model, kind) / PERCENT
    }

    /// The log-odds of a quiet move of a piece of this kind.
    #[inline(always)]
    pub(crate) fn log_odds(&self, model: &Model, kind: PieceKind, m: Move) -> i32 {
        let Some(from) = m.from() else {
            return if self.of_drops(kind).has(m.to()) { self.entering(model, kind) } else { 0 };
        };
        if kind == PieceKind::King {
            return 0;
        }
        let is_leaving = self.squares(kind, self.us.once).has(from);
        // The piece itself is one of those that cover the square.
        let is_entering = self.squares(kind, self.us.twice).has(m.to());
        let leaving = if is_leaving { self.leaving * worth(model, kind) / PERCENT } else { 0 };
        leaving + if is_entering { self.entering(model, kind) } else { 0 }
    }
}

/// What a piece is worth beside a gold, in percent, a gold and more as much.
#[inline(always)]
fn worth(model: &Model, kind: PieceKind) -> i32 {
    let values = model.exchange_values();
    let gold = values.of(PieceKind::Gold).max(1);
    values.of(kind).min(gold) * PERCENT / gold
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attacked_pieces_leave_and_do_not_enter() {
        let model = Model::embedded();
        let params = Params { order_leaving: 100, order_entering: 100, ..Params::default() };
        // A gold on 5e is attacked by a pawn; 6e is covered by nobody and attacked by a lance.
        let position: Position = "4k4/9/3l5/4p4/4G4/9/9/9/4K4 b G 1".parse().unwrap();
        let exposure = Exposure::of(&position, &params).unwrap();
        let of = |m: &str| exposure.log_odds(&model, PieceKind::Gold, m.parse().unwrap());
        assert_eq!((of("5e4e"), of("5e6e"), of("G*7e"), of("G*6f")), (NAT, 0, 0, -NAT));
        let nothing = Params { order_leaving: 0, order_entering: 0, ..params };
        assert!(Exposure::of(&position, &nothing).is_none());
    }
}
