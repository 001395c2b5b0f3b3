//! Reading KI2: moves as people say them, many a line.

use super::super::error::RecordError;
use super::ending;
use super::lines::{Grammar, Reader, play};
use super::spoken::split_at_marks;

/// Moves with the marks of their sides.
pub(super) struct Ki2;

impl Grammar for Ki2 {
    const EXPECTED: &str = "KI2 headers or moves such as ▲７六歩";

    fn trim(text: &str) -> &str {
        text.trim()
    }

    fn moves(reader: &mut Reader, text: &str, line: usize) -> Result<bool, RecordError> {
        let Some(moves) = split_at_marks(text) else { return Ok(false) };
        reader.begin_moves(line)?;
        let builder = &mut reader.builder;
        for (color, said) in moves {
            if let Some((result, reason)) = ending::special(said, color, builder.position()) {
                builder.end(result, reason);
            } else if color == builder.side() {
                play(builder, said, line)?;
            } else {
                return Err(builder.at(line).expected("a move of the other side", text));
            }
        }
        Ok(true)
    }
}
