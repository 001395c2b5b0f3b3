//! The part of a file that holds one game.

use super::error::RecordError;
use super::format::describe;

/// One game's text.
pub(crate) struct Chunk {
    /// Which game of the file, from 1.
    pub(crate) number: usize,
    /// The file's line at which the text begins, from 1.
    pub(crate) first_line: usize,
    /// The text.
    pub(crate) text: String,
}

impl Chunk {
    /// A file that is one game.
    pub(crate) fn whole(text: String) -> Chunk {
        Chunk { number: 1, first_line: 1, text }
    }

    /// The lines with their numbers in the file.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text.lines().enumerate().map(|(index, line)| (self.first_line + index, line))
    }

    /// The error that nothing in it is of the format asked for.
    pub(crate) fn not_a_record(&self, expected: &'static str) -> RecordError {
        RecordError::NotARecord { expected, found: describe(&self.text) }
    }
}

/// The games of a CSA file, which lines with a single `/` separate.
pub(crate) fn separated_by_slashes(text: &str) -> Vec<Chunk> {
    let mut chunks = vec![Chunk { number: 1, first_line: 1, text: String::new() }];
    for (index, line) in text.lines().enumerate() {
        if line.trim_end() == "/" {
            chunks.push(Chunk { number: chunks.len() + 1, first_line: index + 2, text: String::new() });
        } else if let Some(chunk) = chunks.last_mut() {
            chunk.text += line;
            chunk.text.push('\n');
        }
    }
    let is_last_blank = chunks.last().is_some_and(|chunk| chunk.text.trim().is_empty());
    if is_last_blank && chunks.len() > 1 {
        chunks.pop();
    }
    chunks
}

/// The games of a USI list: lines that are neither blank nor a `#` comment.
pub(crate) fn lines_with_games(text: &str) -> Vec<Chunk> {
    text.lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .enumerate()
        .map(|(game, (index, line))| Chunk { number: game + 1, first_line: index + 1, text: line.to_owned() })
        .collect()
}
