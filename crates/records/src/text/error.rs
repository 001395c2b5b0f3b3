//! Why a text is not a record.

use std::fmt;

use shogi::SetupError;

/// Where in a file: the number of the game and the line, both from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// Which game of the file.
    pub game: usize,
    /// Which line of the file. For JSON, which element of `moves` instead.
    pub line: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}, line {}", self.game, self.line)
    }
}

/// Why bytes are not a record that can be kept.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Nothing in the text shows which format it is in, or that it is a record at all.
    #[error("not a game record: expected {expected}, found {found}")]
    NotARecord {
        /// What would have shown it.
        expected: &'static str,
        /// How the text begins.
        found: String,
    },
    /// A part of the text that cannot be read.
    #[error("{at}: expected {expected}, found '{found}'")]
    Syntax {
        /// Where.
        at: Place,
        /// What should stand there.
        expected: &'static str,
        /// What stands there.
        found: String,
    },
    /// The start is no position of the game.
    #[error("{at}: the start is not a legal position: {source}")]
    Start {
        /// Where.
        at: Place,
        /// What is wrong with it.
        source: SetupError,
    },
    /// A move that the rules forbid, although the record does not say that the game ended by it.
    #[error("{at}, ply {ply}: expected a legal move in '{sfen}', found '{found}'")]
    IllegalMove {
        /// Where.
        at: Place,
        /// The number of the move, from 1 at the start of the record.
        ply: usize,
        /// The move as written.
        found: String,
        /// The position it was to be played in.
        sfen: String,
    },
    /// A move text that fits several legal moves.
    #[error("{at}, ply {ply}: expected one legal move, found '{found}' which fits {}", .fits.join(" and "))]
    AmbiguousMove {
        /// Where.
        at: Place,
        /// The number of the move, from 1 at the start of the record.
        ply: usize,
        /// The move as written.
        found: String,
        /// The moves it may mean, in USI.
        fits: Vec<String>,
    },
    /// More moves than any game has.
    #[error("{at}: expected at most {limit} moves, found more")]
    TooLong {
        /// Where.
        at: Place,
        /// The limit.
        limit: usize,
    },
}

/// The longest piece of foreign text that an error repeats, in characters.
const LONGEST_QUOTE: usize = 60;

/// The beginning of a text, for error messages.
pub(crate) fn quote(text: &str) -> String {
    match text.char_indices().nth(LONGEST_QUOTE) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl Place {
    /// The error that something else should stand here.
    pub(crate) fn expected(self, expected: &'static str, found: &str) -> RecordError {
        RecordError::Syntax { at: self, expected, found: quote(found) }
    }
}
