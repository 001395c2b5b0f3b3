//! The position of a seat, which follows the requests from move to move.

use shogi::{Move, Position, Setup, SetupError};

/// The position that was last asked about, and the way to it.
pub(super) struct Board {
    start: Setup,
    moves: Vec<Move>,
    position: Position,
}

/// Why a request has no position.
#[derive(Debug, thiserror::Error)]
pub(super) enum BoardError {
    #[error("the start is not a legal position: {0}")]
    Start(#[from] SetupError),
    #[error("{0} is not legal")]
    Move(Move),
}

impl Default for Board {
    fn default() -> Self {
        let position = Position::start();
        Board { start: position.setup(), moves: Vec::new(), position }
    }
}

impl Board {
    /// The position after these moves. Those of last time are not played again.
    pub(super) fn follow(&mut self, start: &Setup, moves: &[Move]) -> Result<&Position, BoardError> {
        if self.start != *start || !moves.starts_with(&self.moves) {
            self.position = Position::new(start)?;
            self.start = start.clone();
            self.moves.clear();
        }
        for &m in &moves[self.moves.len()..] {
            if !self.position.is_legal(m) {
                return Err(BoardError::Move(m));
            }
            self.position.play(m);
            self.moves.push(m);
        }
        Ok(&self.position)
    }
}
