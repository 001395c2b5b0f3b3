//! Games replayed move by move, every move checked.

use std::io::Read;

use shogi::{Move, Position};

use super::{Eval, GameReader, ReadError, Start, StartError, StoredGame};
use crate::game::SideResult;
use crate::packed::{Hcp, Hcpe, PackedSfen, Psv, PsvMove};

/// Why a stored game cannot be played.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ReplayError {
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("game at byte {offset}: the start: {error}")]
    Start { offset: u64, error: StartError },
    #[error("game at byte {offset}, ply {index}: {m} is illegal in {position}")]
    Illegal { offset: u64, index: usize, m: Move, position: String },
}

impl ReplayError {
    /// The same of the game at this place of a file.
    #[must_use]
    pub fn at(mut self, place: u64) -> ReplayError {
        if let ReplayError::Start { offset, .. } | ReplayError::Illegal { offset, .. } = &mut self {
            *offset = place;
        }
        self
    }
}

/// A position of a game with what happened there.
#[derive(Clone, Copy, Debug)]
pub struct Sample<'a> {
    /// The position before the move, with the plies that led to it.
    pub position: &'a Position,
    /// The move played, legal here.
    pub m: Move,
    /// What its player thought, in that player's view.
    pub eval: Eval,
    /// How the game ended for the side to move; `None` if it did not end.
    pub result_for_mover: Option<SideResult>,
    /// The game.
    pub game: &'a StoredGame,
}

impl Sample<'_> {
    /// As a training record of YaneuraOu; `None` without an evaluation or a result, which it cannot express.
    #[must_use]
    pub fn to_psv(&self) -> Option<Psv> {
        let (score_for_mover, result_for_mover) = (self.eval.as_score()?, self.result_for_mover?);
        let position = PackedSfen::pack(&self.position.setup()).ok()?;
        let best = PsvMove::Play(self.m);
        Some(Psv { position, score_for_mover, best, ply: self.position.ply(), result_for_mover })
    }

    /// As a training record of Apery; `None` without an evaluation or a result, which it cannot express.
    #[must_use]
    pub fn to_hcpe(&self) -> Option<Hcpe> {
        let (score_for_mover, result) = (self.eval.as_score()?, self.game.result?);
        let position = Hcp::pack(&self.position.setup()).ok()?;
        Some(Hcpe { position, score_for_mover, best: Some(self.m), result })
    }
}

/// Where a replay stands in its game.
struct Progress {
    position: Position,
    /// The ply to be shown next; the one before it is not played yet.
    next: usize,
    offset: u64,
}

impl Progress {
    fn new(start: Position, offset: u64) -> Progress {
        Progress { position: start, next: 0, offset }
    }

    /// Plays the move shown last, shows the next one if it is legal.
    #[inline]
    fn advance<'a>(&'a mut self, game: &'a StoredGame) -> Result<Option<Sample<'a>>, ReplayError> {
        if self.next > 0 && self.next <= game.plies.len() {
            self.position.play(game.plies[self.next - 1].m);
        }
        let index = self.next;
        let Some(ply) = game.plies.get(index) else {
            self.next = game.plies.len() + 1;
            return Ok(None);
        };
        if !self.position.is_legal(ply.m) {
            self.next = game.plies.len() + 1;
            let position = self.position.to_string();
            return Err(ReplayError::Illegal { offset: self.offset, index, m: ply.m, position });
        }
        self.next += 1;
        let result_for_mover = game.result.map(|result| result.seen_by(self.position.side()));
        Ok(Some(Sample { position: &self.position, m: ply.m, eval: ply.eval, result_for_mover, game }))
    }
}

/// One game replayed from its start.
pub struct Replay<'g> {
    game: &'g StoredGame,
    progress: Progress,
}

impl<'g> Replay<'g> {
    /// Stands before the first move. Offsets in errors are 0.
    pub fn new(game: &'g StoredGame) -> Result<Replay<'g>, ReplayError> {
        let start = game.start.position().map_err(|error| ReplayError::Start { offset: 0, error })?;
        Ok(Replay { game, progress: Progress::new(start, 0) })
    }

    /// The next position and move; `None` at the end. After an illegal move there is nothing more.
    pub fn advance(&mut self) -> Result<Option<Sample<'_>>, ReplayError> {
        self.progress.advance(self.game)
    }

    /// The position: once [`Replay::advance`] has returned `None`, the one after the last move.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.progress.position
    }
}

/// Every position of every game of a file, one after the other.
pub struct Positions<R> {
    reader: GameReader<R>,
    usual: Position,
    game: StoredGame,
    progress: Option<Progress>,
}

impl<R: Read> Positions<R> {
    /// The positions of the games that `reader` has not read yet.
    #[must_use]
    pub fn new(reader: GameReader<R>) -> Positions<R> {
        Positions { reader, usual: Position::start(), game: StoredGame::empty(), progress: None }
    }

    /// The next position; `None` at the end. After an error in a game, the next call goes on with the next
    /// game that can be read.
    pub fn advance(&mut self) -> Result<Option<Sample<'_>>, ReplayError> {
        while self.progress.as_ref().is_none_or(|progress| progress.next >= self.game.plies.len()) {
            self.progress = None;
            if !self.reader.read_into(&mut self.game)? {
                return Ok(None);
            }
            let offset = self.reader.game_offset();
            let start = match self.game.start {
                Start::Usual => self.usual.clone(),
                given => given.position().map_err(|error| ReplayError::Start { offset, error })?,
            };
            self.progress = Some(Progress::new(start, offset));
        }
        match &mut self.progress {
            Some(progress) => progress.advance(&self.game),
            None => Ok(None),
        }
    }

    /// The reader, for its notice of a torn end.
    #[must_use]
    pub fn reader(&self) -> &GameReader<R> {
        &self.reader
    }
}
