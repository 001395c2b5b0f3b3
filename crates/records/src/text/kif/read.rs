//! Reading KIF: a move a line, numbered, with its time.

use std::time::Duration;

use super::super::building::GameBuilder;
use super::super::error::RecordError;
use super::super::seconds::parse_seconds;
use super::ending;
use super::lines::{Grammar, Reader, play};
use super::numerals::narrow;

/// A move a line.
pub(super) struct Kif;

impl Grammar for Kif {
    const EXPECTED: &str = "KIF headers or numbered moves";

    fn trim(text: &str) -> &str {
        text
    }

    fn moves(reader: &mut Reader, text: &str, line: usize) -> Result<bool, RecordError> {
        if text.starts_with("手数--") {
            reader.preamble.recognised = true;
            return Ok(true);
        }
        let Some(rest) = after_number(text.trim_end()) else { return Ok(false) };
        reader.begin_moves(line)?;
        ply(&mut reader.builder, rest, line)?;
        Ok(true)
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
