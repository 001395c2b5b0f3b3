//! Apery's sixteen bits for a move, which are not ours.

use shogi::{Move, PieceKind, Square};

/// A move as Apery writes it: bits 0 to 6 the target, bits 7 to 13 the origin (81 + kind for a drop), bit 14
/// promotion. Zero is no move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Default)]
pub struct AperyMove(pub u16);

/// Sixteen bits that are no move of Apery's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0:#06x} is no move: target {to}, origin {from}", to = .0 & 0x7F, from = .0 >> 7 & 0x7F)]
pub struct AperyMoveError(pub u16);

const PROMOTION: u16 = 1 << 14;
const FIRST_DROP: u16 = 81;

impl From<Move> for AperyMove {
    #[inline]
    fn from(m: Move) -> AperyMove {
        let to = m.to().index() as u16;
        let from = match (m.dropped(), m.from()) {
            (Some(kind), _) => FIRST_DROP + kind.index() as u16,
            (None, from) => from.map_or(0, |square| square.index() as u16),
        };
        AperyMove(to | from << 7 | if m.is_promotion() { PROMOTION } else { 0 })
    }
}

impl AperyMove {
    /// The move, or `None` for the zero that stands for none.
    pub fn to_move(self) -> Result<Option<Move>, AperyMoveError> {
        if self.0 == 0 {
            return Ok(None);
        }
        let error = AperyMoveError(self.0);
        let to = Square::from_index(usize::from(self.0 & 0x7F)).ok_or(error)?;
        let origin = self.0 >> 7 & 0x7F;
        let promotion = self.0 & PROMOTION != 0;
        if self.0 >> 15 != 0 {
            return Err(error);
        }
        match Square::from_index(usize::from(origin)) {
            Some(from) if from != to => Ok(Some(Move::board(from, to, promotion))),
            None if !promotion => {
                let kind = PieceKind::HAND.get(usize::from(origin - FIRST_DROP)).ok_or(error)?;
                Ok(Some(Move::drop(*kind, to)))
            }
            _ => Err(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_moves_have_aperys_bits() {
        for (usi, bits) in [("7g7f", 0x1E3B), ("2b8h+", 0x4546), ("P*5e", 0x28A8), ("G*5e", 0x2BA8)] {
            let m: Move = usi.parse().unwrap();
            assert_eq!(AperyMove::from(m), AperyMove(bits), "{usi}");
            assert_eq!(AperyMove(bits).to_move(), Ok(Some(m)));
        }
    }

    #[test]
    fn every_pattern_is_a_move_that_leads_back_or_a_refusal() {
        let mut moves = 0;
        for bits in 1..=u16::MAX {
            match AperyMove(bits).to_move() {
                Ok(m) => {
                    moves += 1;
                    assert_eq!(AperyMove::from(m.unwrap()), AperyMove(bits));
                }
                Err(error) => assert_eq!(error, AperyMoveError(bits)),
            }
        }
        assert_eq!(moves, 81 * 80 * 2 + 7 * 81);
        assert_eq!(AperyMove(0).to_move(), Ok(None));
    }
}
