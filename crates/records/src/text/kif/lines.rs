//! What KIF and KI2 share: every line of a record but those with moves, how a move is said, and variations (変化：).

use shogi::Move;

use super::super::building::GameBuilder;
use super::super::chunk::Chunk;
use super::super::error::RecordError;
use super::super::variations::Branches;
use super::ending;
use super::numerals::narrow;
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

    /// Takes a line that begins no variation.
    fn line<G: Grammar>(&mut self, text: &str, line: usize) -> Result<(), RecordError> {
        if let Some(comment) = text.strip_prefix('*') {
            self.builder.comment(comment);
            return Ok(());
        }
        let text = G::trim(text);
        if text.trim().is_empty() || text.starts_with(['#', '&']) {
            return Ok(());
        }
        if text.trim_start().starts_with("まで") {
            self.preamble.finish(&mut self.builder, line)?;
            close(&mut self.builder, text);
        } else if !G::moves(self, text, line)? {
            self.preamble.line(&mut self.builder, text, line)?;
        }
        Ok(())
    }
}

/// Reads one game.
pub(super) fn read<G: Grammar>(chunk: &Chunk) -> Result<Game, RecordError> {
    let mut reader = Reader { builder: GameBuilder::new(chunk.number), preamble: Preamble::new() };
    let mut last_line = 0;
    for (line, text) in chunk.lines().take_while(|(_, text)| !begins_variation(text)) {
        last_line = line;
        reader.line::<G>(text, line)?;
    }
    if !reader.preamble.recognised {
        return Err(chunk.not_a_record(G::EXPECTED));
    }
    reader.preamble.finish(&mut reader.builder, last_line)?;
    Ok(read_variations::<G>(reader.builder.finish()?, chunk))
}

fn begins_variation(text: &str) -> bool {
    text.trim_start().starts_with("変化：") || text.trim_start().starts_with("変化:")
}

/// Reads what follows the main line: `変化：12手` and the moves from there. What cannot be read ends its variation.
fn read_variations<G: Grammar>(game: Game, chunk: &Chunk) -> Game {
    let mut branches = Branches::of(game);
    let mut current: Option<(usize, Reader)> = None;
    for (line, text) in chunk.lines().skip_while(|(_, text)| !begins_variation(text)) {
        let is_readable = match &mut current {
            _ if begins_variation(text) => false,
            Some((_, reader)) => reader.line::<G>(text, line).is_ok(),
            None => continue,
        };
        if is_readable {
            continue;
        }
        if let Some((after, reader)) = current.take() {
            branches.grow(after, reader.builder.into_moves());
        }
        let after = variation_ply(text).and_then(|ply| ply.checked_sub(1));
        current = after.and_then(|after| {
            let builder = GameBuilder::variation(chunk.number, branches.go_back(after)?, after);
            Some((after, Reader { builder, preamble: Preamble::new() }))
        });
    }
    if let Some((after, reader)) = current {
        branches.grow(after, reader.builder.into_moves());
    }
    branches.finish()
}

/// The number of the first move of a variation: 12 of `変化：12手`.
fn variation_ply(text: &str) -> Option<usize> {
    let number = begins_variation(text).then(|| text.split(['：', ':']).nth(1))??;
    let digits: String = narrow(number.trim()).chars().take_while(char::is_ascii_digit).collect();
    digits.parse().ok()
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
