//! What KIF and KI2 share: every line of a record but those with moves, and how a move is said. Only the main line
//! is kept: variations (変化：) are passed over.

use shogi::Move;

use super::super::building::GameBuilder;
use super::super::chunk::Chunk;
use super::super::error::RecordError;
use super::ending;
use super::spoken::{self, Meaning};
use super::start::Preamble;
use crate::game::Game;

/// One of the two formats: the lines that only it has.
pub(super) trait Grammar {
    /// What a record has some of.
    const EXPECTED: &str;

    /// A line without the spaces that mean nothing.
    fn trim(text: &str) -> &str;

    /// Takes a line of moves; whether it was one.
    fn moves(reader: &mut Reader, text: &str, line: usize) -> Result<bool, RecordError>;
}

/// A game as far as it has been read.
pub(super) struct Reader {
    pub(super) builder: GameBuilder,
    pub(super) preamble: Preamble,
}

impl Reader {
    /// Moves begin, or go on.
    pub(super) fn begin_moves(&mut self, line: usize) -> Result<(), RecordError> {
        self.preamble.recognised = true;
        self.preamble.finish(&mut self.builder, line)
    }

    /// Takes a line that is no comment; whether there may be more.
    fn line<G: Grammar>(&mut self, text: &str, line: usize) -> Result<bool, RecordError> {
        let text = G::trim(text);
        if text.starts_with("変化：") || text.starts_with("変化:") {
            return Ok(false);
        }
        if text.trim().is_empty() || text.starts_with(['#', '&']) {
            return Ok(true);
        }
        if text.trim_start().starts_with("まで") {
            self.preamble.finish(&mut self.builder, line)?;
            close(&mut self.builder, text);
        } else if !G::moves(self, text, line)? {
            self.preamble.line(&mut self.builder, text, line)?;
        }
        Ok(true)
    }
}

/// Reads one game.
pub(super) fn read<G: Grammar>(chunk: &Chunk) -> Result<Game, RecordError> {
    let mut reader = Reader { builder: GameBuilder::new(chunk.number), preamble: Preamble::new() };
    let mut last_line = 0;
    for (line, text) in chunk.lines() {
        last_line = line;
        if let Some(comment) = text.strip_prefix('*') {
            reader.builder.comment(comment);
        } else if !reader.line::<G>(text, line)? {
            break;
        }
    }
    if !reader.preamble.recognised {
        return Err(chunk.not_a_record(G::EXPECTED));
    }
    reader.preamble.finish(&mut reader.builder, last_line)?;
    reader.builder.finish()
}

/// The closing line; a winner it names stands.
fn close(builder: &mut GameBuilder, text: &str) {
    if let Some((result, reason)) = ending::closing(text, builder.side(), builder.position()) {
        builder.close(result, reason);
    }
}

/// Plays a move as said, with or without origin.
pub(super) fn play(builder: &mut GameBuilder, said: &str, line: usize) -> Result<(), RecordError> {
    let at = builder.at(line);
    let last = builder.position().last_move().map(Move::to);
    let spoken =
        spoken::parse(said, last).ok_or_else(|| at.expected("a move such as ７六歩 or 投了", said))?;
    match spoken.meaning(builder.position()) {
        Meaning::Move(m) => builder.play(Some(m), said, line),
        Meaning::Nothing => builder.play(None, said, line),
        Meaning::Several(moves) => Err(RecordError::AmbiguousMove {
            at,
            ply: builder.move_count() + 1,
            found: said.to_owned(),
            fits: moves.iter().map(Move::to_string).collect(),
        }),
    }
}
