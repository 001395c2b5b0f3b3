//! Reading KI2. Only the main line is kept: variations (変化：) are passed over.

use super::super::building::GameBuilder;
use super::super::chunk::Chunk;
use super::super::error::RecordError;
use super::ending;
use super::read::{close, play};
use super::spoken::split_at_marks;
use super::start::Preamble;
use crate::game::Game;

/// Reads one game.
pub(crate) fn read(chunk: &Chunk) -> Result<Game, RecordError> {
    let mut builder = GameBuilder::new(chunk.number);
    let mut preamble = Preamble::new();
    let mut last_line = 0;
    for (line, text) in chunk.lines() {
        last_line = line;
        if let Some(comment) = text.strip_prefix('*') {
            builder.comment(comment);
            continue;
        }
        let text = text.trim();
        if text.starts_with("変化：") || text.starts_with("変化:") {
            break;
        }
        if text.is_empty() || text.starts_with(['#', '&']) {
            continue;
        } else if text.starts_with("まで") {
            preamble.finish(&mut builder, line)?;
            close(&mut builder, text);
        } else if let Some(moves) = split_at_marks(text) {
            preamble.recognised = true;
            preamble.finish(&mut builder, line)?;
            for (color, said) in moves {
                if let Some((result, reason)) = ending::special(said, color, builder.position()) {
                    builder.end(result, reason);
                } else if color == builder.side() {
                    play(&mut builder, said, line)?;
                } else {
                    return Err(builder.at(line).expected("a move of the other side", text));
                }
            }
        } else {
            preamble.line(&mut builder, text, line)?;
        }
    }
    if !preamble.recognised {
        return Err(chunk.not_a_record("KI2 headers or moves such as ▲７六歩"));
    }
    preamble.finish(&mut builder, last_line)?;
    builder.finish()
}
