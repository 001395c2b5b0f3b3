//! A game under construction: every move a reader finds is checked here, at the edge.

use std::time::Duration;

use shogi::{Color, Move, Position, Setup};

use super::annotation;
use super::error::{Place, RecordError, quote};
use crate::game::{EndReason, Game, GameInfo, GameResult, Outcome, PlayedMove, start_of};

/// More moves than any game has; positions count plies in 16 bits.
pub(crate) const MOST_MOVES: usize = 50_000;

/// A game as far as it has been read.
pub(crate) struct GameBuilder {
    number: usize,
    game: Game,
    position: Position,
    /// Moves before the first one, in a variation.
    before: usize,
    /// The last move read was illegal: fine only if the record goes on to say that the game ended by it.
    foul: Option<Foul>,
}

struct Foul {
    error: RecordError,
    /// `None` if the text names no move that could be tried on the board.
    m: Option<Move>,
    text: String,
}

impl GameBuilder {
    /// The `number`th game of a file, from 1, at the usual start.
    pub(crate) fn new(number: usize) -> GameBuilder {
        let position = Position::start();
        GameBuilder { number, game: Game::new(position.clone()), position, before: 0, foul: None }
    }

    /// A variation of it that leaves the game at a position, after so many moves.
    pub(crate) fn variation(number: usize, position: Position, before: usize) -> GameBuilder {
        GameBuilder { number, game: Game::new(position.clone()), position, before, foul: None }
    }

    /// This game and a line of the file.
    pub(crate) fn at(&self, line: usize) -> Place {
        Place { game: self.number, line }
    }

    /// Begins from another position.
    pub(crate) fn start_from(&mut self, setup: &Setup, line: usize) -> Result<(), RecordError> {
        let start = start_of(setup).map_err(|source| RecordError::Start { at: self.at(line), source })?;
        self.game.start = start.clone();
        self.position = start;
        Ok(())
    }

    /// The position reached.
    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    /// Whose turn the record would say it is: an illegal move has been made, too.
    pub(crate) fn side(&self) -> Color {
        if self.foul.is_some() { !self.position.side() } else { self.position.side() }
    }

    /// How many moves have been played.
    pub(crate) fn move_count(&self) -> usize {
        self.game.moves.len()
    }

    /// Players, occasion and conditions, to be filled in.
    pub(crate) fn info(&mut self) -> &mut GameInfo {
        &mut self.game.info
    }

    /// Plays the move that `text` names; `None` if the text is well-formed but names nothing on this board.
    pub(crate) fn play(&mut self, m: Option<Move>, text: &str, line: usize) -> Result<(), RecordError> {
        let at = self.at(line);
        self.refuse_more(text, line)?;
        if self.before + self.game.moves.len() >= MOST_MOVES {
            return Err(RecordError::TooLong { at, limit: MOST_MOVES });
        }
        match m {
            Some(m) if self.position.is_legal(m) => {
                self.position.play(m);
                self.game.moves.push(PlayedMove::new(m));
            }
            _ => {
                let error = RecordError::IllegalMove {
                    at,
                    ply: self.game.moves.len() + 1,
                    found: quote(text),
                    sfen: self.position.to_string(),
                };
                let m = m.filter(|&m| self.is_tryable(m));
                self.foul = Some(Foul { error, m, text: text.to_owned() });
            }
        }
        Ok(())
    }

    /// Whether an illegal move at least moves a piece of the mover's, so that every format can write it.
    fn is_tryable(&self, m: Move) -> bool {
        let side = self.position.side();
        m.from().is_none_or(|from| {
            self.position.piece(from).is_some_and(|piece| {
                piece.color() == side && !(m.is_promotion() && piece.kind().promoted().is_none())
            })
        })
    }

    fn refuse_more(&mut self, text: &str, line: usize) -> Result<(), RecordError> {
        if let Some(foul) = self.foul.take() {
            return Err(foul.error);
        }
        match self.game.outcome {
            Some(_) => Err(self.at(line).expected("no move after the end of the game", text)),
            None => Ok(()),
        }
    }

    /// Time used for the last move, or for the decision that ended the game.
    pub(crate) fn time(&mut self, time: Duration) {
        if let Some(outcome) = &mut self.game.outcome {
            outcome.time = Some(time);
        } else if let (Some(played), None) = (self.game.moves.last_mut(), &self.foul) {
            played.time = Some(time);
        }
    }

    /// A comment on the last move, or on the start; evaluations in it are recognised.
    pub(crate) fn comment(&mut self, text: &str) {
        match self.game.moves.last_mut() {
            Some(played) => annotation::absorb(played, &self.position, text),
            None => self.game.comments.push(text.to_owned()),
        }
    }

    /// The game ended; the first word on it stands.
    pub(crate) fn end(&mut self, result: Option<GameResult>, reason: EndReason) {
        self.game.outcome.get_or_insert(Outcome { result, reason, time: None });
    }

    /// A closing remark: as [`GameBuilder::end`], but a winner that it names corrects an earlier word.
    pub(crate) fn close(&mut self, result: Option<GameResult>, reason: EndReason) {
        self.end(result, reason);
        if let (Some(outcome), Some(GameResult::Win(_))) = (&mut self.game.outcome, result) {
            outcome.result = result;
        }
    }

    /// The moves so far: whatever is wrong with those after them.
    pub(crate) fn into_moves(self) -> Vec<PlayedMove> {
        self.game.moves
    }

    /// The finished game. An illegal last move is kept as part of the outcome if the record says that the
    /// game ended by a foul, and is an error otherwise.
    pub(crate) fn finish(mut self) -> Result<Game, RecordError> {
        let Some(foul) = self.foul.take() else { return Ok(self.game) };
        match &mut self.game.outcome {
            Some(Outcome { result, reason: EndReason::IllegalMove(m), .. }) => {
                *result = Some(GameResult::Win(!self.position.side()));
                *m = foul.m;
            }
            _ => return Err(foul.error),
        }
        if foul.m.is_none() {
            self.comment(&foul.text);
        }
        Ok(self.game)
    }
}
