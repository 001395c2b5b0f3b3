//! YaneuraOu's training record: a position, its score, the move played, and how the game ended.

use shogi::{Move, Setup};

use super::stream::Record;
use super::{PackedSfen, UnpackError};
use crate::game::SideResult;

/// One record of 40 bytes.
///
/// | bytes | meaning |
/// |---|---|
/// | 0..32 | position |
/// | 32..34 | score, i16, of the side to move |
/// | 34..36 | move |
/// | 36..38 | ply |
/// | 38 | result for the side to move: 1 win, 0 draw, -1 loss |
/// | 39 | padding, ignored and written as 0 |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Psv {
    /// The position, without its ply.
    pub position: PackedSfen,
    /// The score as the side to move sees it, in centipawns or whatever the writer used.
    pub score_for_mover: i16,
    /// What was played or best; not checked against the position.
    pub best: PsvMove,
    /// The number of the next move; writers differ in whether a game starts at 0 or 1.
    pub ply: u16,
    /// How the game ended for the side to move.
    pub result_for_mover: SideResult,
}

/// The move field of a [`Psv`], with the four values that are no move on the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[allow(missing_docs)]
pub enum PsvMove {
    Play(Move),
    None,
    Pass,
    Resign,
    DeclareWin,
}

/// Why 40 bytes are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PsvError {
    #[error("bytes 34 and 35: {found:#06x} is no move")]
    Move { found: u16 },
    #[error("byte 38: the result is {found} instead of 1, 0 or -1")]
    Result { found: i8 },
}

const PASS: u16 = 1 << 7 | 1;
const RESIGN: u16 = 2 << 7 | 2;
const DECLARE_WIN: u16 = 3 << 7 | 3;

impl PsvMove {
    /// The move on the board, if it is one.
    #[must_use]
    pub fn played(self) -> Option<Move> {
        if let PsvMove::Play(m) = self { Some(m) } else { None }
    }

    fn from_bits(bits: u16) -> Result<PsvMove, PsvError> {
        match bits {
            0 => Ok(PsvMove::None),
            PASS => Ok(PsvMove::Pass),
            RESIGN => Ok(PsvMove::Resign),
            DECLARE_WIN => Ok(PsvMove::DeclareWin),
            _ => Move::from_bits(bits).map(PsvMove::Play).ok_or(PsvError::Move { found: bits }),
        }
    }

    fn bits(self) -> u16 {
        match self {
            PsvMove::Play(m) => m.bits(),
            PsvMove::None => 0,
            PsvMove::Pass => PASS,
            PsvMove::Resign => RESIGN,
            PsvMove::DeclareWin => DECLARE_WIN,
        }
    }
}

impl Psv {
    /// The setup with the record's ply.
    pub fn setup(&self) -> Result<Setup, UnpackError> {
        Ok(Setup { ply: self.ply, ..self.position.unpack()? })
    }
}

impl Record for Psv {
    type Bytes = [u8; 40];
    type Error = PsvError;

    fn from_bytes(bytes: &[u8; 40]) -> Result<Psv, PsvError> {
        let [packed @ .., s0, s1, m0, m1, p0, p1, result, _padding] = *bytes;
        Ok(Psv {
            position: PackedSfen(packed),
            score_for_mover: i16::from_le_bytes([s0, s1]),
            best: PsvMove::from_bits(u16::from_le_bytes([m0, m1]))?,
            ply: u16::from_le_bytes([p0, p1]),
            result_for_mover: match result as i8 {
                1 => SideResult::Win,
                0 => SideResult::Draw,
                -1 => SideResult::Loss,
                found => return Err(PsvError::Result { found }),
            },
        })
    }

    fn to_bytes(&self) -> [u8; 40] {
        let mut bytes = [0; 40];
        bytes[..32].copy_from_slice(&self.position.0);
        bytes[32..34].copy_from_slice(&self.score_for_mover.to_le_bytes());
        bytes[34..36].copy_from_slice(&self.best.bits().to_le_bytes());
        bytes[36..38].copy_from_slice(&self.ply.to_le_bytes());
        bytes[38] = match self.result_for_mover {
            SideResult::Win => 1,
            SideResult::Draw => 0,
            SideResult::Loss => -1i8 as u8,
        };
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_move_field_leads_back_or_is_refused() {
        for bits in 0..=u16::MAX {
            match PsvMove::from_bits(bits) {
                Ok(m) => assert_eq!(m.bits(), bits),
                Err(error) => assert_eq!(error, PsvError::Move { found: bits }),
            }
        }
    }

    #[test]
    fn a_result_out_of_range_is_refused() {
        let mut bytes = [0; 40];
        bytes[38] = 2;
        assert_eq!(Psv::from_bytes(&bytes), Err(PsvError::Result { found: 2 }));
    }
}
