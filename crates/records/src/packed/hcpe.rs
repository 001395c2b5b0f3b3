//! Apery's training record: a position, its score, the move played, and who won.

use shogi::{Color, Move};

use super::stream::Record;
use super::{AperyMove, AperyMoveError, Hcp};
use crate::game::GameResult;

/// One record of 38 bytes.
///
/// | bytes | meaning |
/// |---|---|
/// | 0..32 | position |
/// | 32..34 | score, i16, of the side to move |
/// | 34..36 | move, in Apery's bits |
/// | 36 | result: 0 draw, 1 Black won, 2 White won |
/// | 37 | padding, ignored and written as 0 |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Hcpe {
    /// The position, without its ply.
    pub position: Hcp,
    /// The score as the side to move sees it, in centipawns or whatever the writer used.
    pub score_for_mover: i16,
    /// What was played or best; not checked against the position.
    pub best: Option<Move>,
    /// How the game ended.
    pub result: GameResult,
}

/// Why 38 bytes are no record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum HcpeError {
    #[error("bytes 34 and 35: {0}")]
    Move(#[from] AperyMoveError),
    #[error("byte 36: the result is {found} instead of 0, 1 or 2")]
    Result { found: u8 },
}

impl Record for Hcpe {
    type Bytes = [u8; 38];
    type Error = HcpeError;

    fn from_bytes(bytes: &[u8; 38]) -> Result<Hcpe, HcpeError> {
        let [packed @ .., s0, s1, m0, m1, result, _padding] = *bytes;
        Ok(Hcpe {
            position: Hcp(packed),
            score_for_mover: i16::from_le_bytes([s0, s1]),
            best: AperyMove(u16::from_le_bytes([m0, m1])).to_move()?,
            result: match result {
                0 => GameResult::Draw,
                1 => GameResult::Win(Color::Black),
                2 => GameResult::Win(Color::White),
                found => return Err(HcpeError::Result { found }),
            },
        })
    }

    fn to_bytes(&self) -> [u8; 38] {
        let best = self.best.map_or(AperyMove(0), AperyMove::from);
        let mut bytes = [0; 38];
        bytes[..32].copy_from_slice(&self.position.0);
        bytes[32..34].copy_from_slice(&self.score_for_mover.to_le_bytes());
        bytes[34..36].copy_from_slice(&best.0.to_le_bytes());
        bytes[36] = match self.result {
            GameResult::Draw => 0,
            GameResult::Win(Color::Black) => 1,
            GameResult::Win(Color::White) => 2,
        };
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn broken_fields_are_refused() {
        let mut bytes = [0; 38];
        bytes[36] = 3;
        assert_eq!(Hcpe::from_bytes(&bytes), Err(HcpeError::Result { found: 3 }));
        bytes[35] = 0x80;
        assert_eq!(Hcpe::from_bytes(&bytes), Err(HcpeError::Move(AperyMoveError(0x8000))));
    }
}
