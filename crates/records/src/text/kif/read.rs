//! Reading KIF. Only the main line is kept: variations (変化：) are passed over.

use std::time::Duration;

use shogi::Move;

use super::super::building::GameBuilder;
use super::super::chunk::Chunk;
use super::super::error::RecordError;
use super::super::seconds::parse_seconds;
use super::ending;
use super::numerals::narrow;
use super::spoken::{self, Meaning};
use super::start::Preamble;
use crate::game::Game;

/// Reads one game.
pub(crate) fn read(chunk: &Chunk) -> Result<Game, RecordError> {
    let mut builder = GameBuilder::new(chunk.number);
    let mut preamble = Preamble::new();
    let mut last_line = 0;
    for (line, text) in chunk.lines() {
        last_line = line;
        if text.starts_with("変化：") || text.starts_with("変化:") {
            break;
        }
        if let Some(comment) = text.strip_prefix('*') {
            builder.comment(comment);
        } else if text.trim().is_empty() || text.starts_with(['#', '&']) {
            continue;
        } else if text.trim_start().starts_with("まで") {
            preamble.finish(&mut builder, line)?;
            close(&mut builder, text);
        } else if text.starts_with("手数--") {
            preamble.recognised = true;
        } else if let Some(rest) = after_number(text.trim_end()) {
            preamble.recognised = true;
            preamble.finish(&mut builder, line)?;
            ply(&mut builder, rest, line)?;
        } else {
            preamble.line(&mut builder, text, line)?;
        }
    }
    if !preamble.recognised {
        return Err(chunk.not_a_record("KIF headers or numbered moves"));
    }
    preamble.finish(&mut builder, last_line)?;
    builder.finish()
}

/// The closing line; a winner it names stands.
pub(super) fn close(builder: &mut GameBuilder, text: &str) {
    if let Some((result, reason)) = ending::closing(text, builder.side(), builder.position()) {
        builder.close(result, reason);
    }
}

/// What follows the number of a move, if the line begins with one and is no header that does.
fn after_number(text: &str) -> Option<&str> {
    let text = text.trim_start();
    if text.starts_with("９ ８") {
        return None; // the files above a board
    }
    let is_digit = |c: char| c.is_ascii_digit() || ('０'..='９').contains(&c);
    let rest = text.trim_start_matches(is_digit);
    (rest.len() < text.len() && rest.starts_with(char::is_whitespace)).then(|| rest.trim_start())
}

/// A numbered line: a move or how the game ended, and the time used.
fn ply(builder: &mut GameBuilder, text: &str, line: usize) -> Result<(), RecordError> {
    let (said, time) = split_time(text);
    let said = said.trim_end_matches('+').trim();
    if let Some((result, reason)) = ending::special(said, builder.side(), builder.position()) {
        builder.end(result, reason);
    } else {
        play(builder, said, line)?;
    }
    if let Some(time) = time {
        builder.time(time);
    }
    Ok(())
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

/// Splits `７六歩(77)   ( 0:16/00:00:16)` into the move and the time used for it.
fn split_time(text: &str) -> (&str, Option<Duration>) {
    let Some(open) = text.rfind(['(', '（']) else { return (text, None) };
    let inner = text[open..].trim_start_matches(['(', '（']);
    if !inner.contains([':', '：']) {
        return (text, None);
    }
    let used = inner.split(['/', '／', ')', '）']).next().unwrap_or("");
    (&text[..open], parse_used(used))
}

/// `m:ss` or `h:mm:ss`.
fn parse_used(text: &str) -> Option<Duration> {
    let text = narrow(text).replace('：', ":");
    let parts: Vec<Duration> =
        text.split(':').map(|part| parse_seconds(part.trim())).collect::<Option<_>>()?;
    match parts.as_slice() {
        [minutes, seconds] => Some(*minutes * 60 + *seconds),
        [hours, minutes, seconds] => Some(*hours * 3600 + *minutes * 60 + *seconds),
        _ => None,
    }
}
