//! A stored game and its bytes.

use serde::{Deserialize, Serialize};
use shogi::{Color, DeclarationRule, Move, Position, Setup, SetupError};

use super::{EndCode, Eval};
use crate::game::{GameResult, start_of};
use crate::packed::{PackError, PackedSfen, UnpackError};

/// A game as the file keeps it. Its moves are legal in form only; [`Replay`](super::Replay) checks them. By serde it is the
/// bytes that the file has.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct StoredGame {
    /// Where it began.
    pub start: Start,
    /// How it ended; `None` if it did not.
    pub result: Option<GameResult>,
    /// Why it ended.
    pub end: EndCode,
    /// Which rule decided about entered kings.
    pub rule: DeclarationRule,
    /// The most plies it could have; 0 for no limit.
    pub max_plies: u16,
    /// The seed it was played with.
    pub seed: u64,
    /// The moves with what their player thought before them.
    pub plies: Vec<Ply>,
}

/// Where a game begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Start {
    /// The usual position, ply 1.
    Usual,
    /// Any other position.
    Given {
        /// The position; bytes from a file may be anything until unpacked.
        position: PackedSfen,
        /// The number of the first move.
        ply: u16,
    },
}

/// A move and its evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ply {
    /// The move.
    pub m: Move,
    /// What its player thought of the position before it, in that player's view.
    pub eval: Eval,
}

/// Why bytes are no game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum GameError {
    #[error("the block ends after {found} bytes of a game that needs {expected}")]
    Short { found: usize, expected: usize },
    #[error("the {field} has code {found}")]
    Code { field: &'static str, found: u8 },
    #[error("ply {index}: {found:#06x} is no move")]
    Move { index: usize, found: u16 },
    #[error("ply {index}: {found} is no evaluation")]
    Eval { index: usize, found: i16 },
    #[error("{found} bytes follow the game")]
    Long { found: usize },
}

/// Why a start is no position of the game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum StartError {
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    #[error("not a legal position: {0}")]
    Setup(SetupError),
}

const HEAD: usize = 16;
const GIVEN: usize = 34;
const PLY: usize = 4;

const RESULTS: [Option<GameResult>; 4] =
    [None, Some(GameResult::Win(Color::Black)), Some(GameResult::Win(Color::White)), Some(GameResult::Draw)];

impl Start {
    /// The start that a setup describes.
    pub fn of(setup: &Setup) -> Result<Start, PackError> {
        if setup.ply == 1 && setup.to_string() == shogi::START_SFEN {
            return Ok(Start::Usual);
        }
        Ok(Start::Given { position: PackedSfen::pack(setup)?, ply: setup.ply })
    }

    /// The position, validated; in mate problems the side to move may lack a king.
    pub fn position(&self) -> Result<Position, StartError> {
        match *self {
            Start::Usual => Ok(Position::start()),
            Start::Given { position, ply } => {
                let setup = Setup { ply, ..position.unpack()? };
                start_of(&setup).map_err(StartError::Setup)
            }
        }
    }
}

impl From<StoredGame> for Vec<u8> {
    fn from(game: StoredGame) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(game.len_in_file());
        game.encode(&mut bytes);
        bytes
    }
}

impl TryFrom<Vec<u8>> for StoredGame {
    type Error = GameError;

    fn try_from(bytes: Vec<u8>) -> Result<StoredGame, GameError> {
        let mut game = StoredGame::empty();
        match bytes.len() - game.decode(&bytes)? {
            0 => Ok(game),
            found => Err(GameError::Long { found }),
        }
    }
}

impl StoredGame {
    /// A game without plies, to read into.
    #[must_use]
    pub fn empty() -> StoredGame {
        StoredGame {
            start: Start::Usual,
            result: None,
            end: EndCode::Unknown,
            rule: DeclarationRule::default(),
            max_plies: 0,
            seed: 0,
            plies: Vec::new(),
        }
    }

    /// How many bytes it takes in a file.
    #[must_use]
    pub fn len_in_file(&self) -> usize {
        let given = if self.start == Start::Usual { 0 } else { GIVEN };
        HEAD + given + PLY * self.plies.len()
    }

    /// Appends the bytes; the caller has checked the number of plies.
    pub(super) fn encode(&self, out: &mut Vec<u8>) {
        let result = RESULTS.iter().position(|&result| result == self.result).unwrap_or(0);
        let rule = DeclarationRule::NAMES.iter().position(|&(rule, _)| rule == self.rule).unwrap_or(0);
        let start = u8::from(self.start != Start::Usual);
        out.extend([start, result as u8, self.end as u8, rule as u8]);
        out.extend(self.max_plies.to_le_bytes());
        out.extend((self.plies.len() as u16).to_le_bytes());
        out.extend(self.seed.to_le_bytes());
        if let Start::Given { position, ply } = self.start {
            out.extend(position.0);
            out.extend(ply.to_le_bytes());
        }
        for ply in &self.plies {
            let ([m0, m1], [e0, e1]) = (ply.m.bits().to_le_bytes(), ply.eval.bits().to_le_bytes());
            out.extend([m0, m1, e0, e1]);
        }
    }

    /// Reads the game at the beginning of `bytes` into `self` and returns its length.
    pub(super) fn decode(&mut self, bytes: &[u8]) -> Result<usize, GameError> {
        let short = |expected| GameError::Short { found: bytes.len(), expected };
        let head: &[u8; HEAD] = bytes.first_chunk().ok_or(short(HEAD))?;
        let [start, result, end, rule, x0, x1, n0, n1, seed @ ..] = *head;
        let code = |field, found| GameError::Code { field, found };
        self.result = *RESULTS.get(usize::from(result)).ok_or(code("result", result))?;
        self.end = *EndCode::ALL.get(usize::from(end)).ok_or(code("reason of the end", end))?;
        self.rule = DeclarationRule::NAMES.get(usize::from(rule)).ok_or(code("declaration rule", rule))?.0;
        self.max_plies = u16::from_le_bytes([x0, x1]);
        self.seed = u64::from_le_bytes(seed);
        let plies_at = match start {
            0 => HEAD,
            1 => HEAD + GIVEN,
            found => return Err(code("start", found)),
        };
        let expected = plies_at + PLY * usize::from(u16::from_le_bytes([n0, n1]));
        let plies = bytes.get(plies_at..expected).ok_or(short(expected))?;
        self.start = match bytes[HEAD..plies_at].first_chunk::<GIVEN>() {
            Some(&[packed @ .., p0, p1]) => {
                Start::Given { position: PackedSfen(packed), ply: u16::from_le_bytes([p0, p1]) }
            }
            None => Start::Usual,
        };
        self.decode_plies(plies)?;
        Ok(expected)
    }

    fn decode_plies(&mut self, bytes: &[u8]) -> Result<(), GameError> {
        self.plies.clear();
        self.plies.reserve(bytes.len() / PLY);
        for (index, &[m0, m1, e0, e1]) in bytes.as_chunks::<PLY>().0.iter().enumerate() {
            let (m, eval) = (u16::from_le_bytes([m0, m1]), i16::from_le_bytes([e0, e1]));
            self.plies.push(Ply {
                m: Move::from_bits(m).ok_or(GameError::Move { index, found: m })?,
                eval: Eval::from_bits(eval).ok_or(GameError::Eval { index, found: eval })?,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> StoredGame {
        let given: Setup = "4k4/9/4P4/9/9/9/9/9/4K4 w G 77".parse().unwrap();
        StoredGame {
            start: Start::of(&given).unwrap(),
            result: Some(GameResult::Win(Color::White)),
            end: EndCode::Declaration,
            rule: DeclarationRule::Try,
            max_plies: 320,
            seed: 0x0123_4567_89AB_CDEF,
            plies: vec![Ply { m: "5a6a".parse().unwrap(), eval: Eval::mated_in(3) }],
        }
    }

    #[test]
    fn a_game_leads_back_to_itself() {
        for game in [sample(), StoredGame::empty()] {
            let mut bytes = Vec::new();
            game.encode(&mut bytes);
            assert_eq!(bytes.len(), game.len_in_file());
            let mut read = sample();
            assert_eq!(read.decode(&bytes), Ok(bytes.len()));
            assert_eq!(read, game);
        }
        assert_eq!(sample().start.position().unwrap().ply(), 77);
    }

    #[test]
    fn every_cut_and_every_bad_code_is_refused() {
        let mut bytes = Vec::new();
        sample().encode(&mut bytes);
        for length in 0..bytes.len() {
            let error = StoredGame::empty().decode(&bytes[..length]).unwrap_err();
            assert!(matches!(error, GameError::Short { found, .. } if found == length));
        }
        for (at, field) in [(0, "start"), (1, "result"), (2, "reason of the end"), (3, "declaration rule")] {
            let mut broken = bytes.clone();
            broken[at] = 99;
            assert_eq!(StoredGame::empty().decode(&broken), Err(GameError::Code { field, found: 99 }));
        }
        let mut broken = bytes.clone();
        broken[50..52].copy_from_slice(&[0xFF, 0xFF]);
        assert_eq!(StoredGame::empty().decode(&broken), Err(GameError::Move { index: 0, found: 0xFFFF }));
        bytes[52..54].copy_from_slice(&32001i16.to_le_bytes());
        assert_eq!(StoredGame::empty().decode(&bytes), Err(GameError::Eval { index: 0, found: 32001 }));
    }
}
