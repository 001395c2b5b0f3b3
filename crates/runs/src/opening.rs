//! Where games begin.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

use engine::{PlacementError, place};
use protocol::usi::{PositionCommand, SyntaxError};
use serde::{Deserialize, Serialize};
use shogi::{Move, Position, Setup};

use crate::fingerprint;

/// A start and the moves of an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Opening {
    /// Where the moves begin.
    pub start: Setup,
    /// The moves.
    pub moves: Vec<Move>,
}

/// Why a file gives no openings.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OpeningError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{name}, line {line}: {error}")]
    Syntax { name: String, line: usize, error: SyntaxError },
    #[error("{name}, line {line}: {error}")]
    Illegal { name: String, line: usize, error: PlacementError },
    #[error("{name}, line {line}: the game is over after this opening")]
    Over { name: String, line: usize },
    #[error("{name} holds no opening; expected lines as 'startpos moves 7g7f 3c3d' or 'sfen …'")]
    Empty { name: String },
}

/// Made by `yomi openings`, balanced by search.
const OWN: &str = include_str!("own_openings.sfen");

/// What a manifest says about openings. In JSON it is a list of the three.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "(String, usize, String)", into = "(String, usize, String)")]
pub struct OpeningFacts {
    /// A path, `own` for those of the program, or `startpos`.
    pub source: String,
    /// How many there are.
    pub count: usize,
    /// The SHA-256 of their text.
    pub fingerprint: String,
}

impl From<(String, usize, String)> for OpeningFacts {
    fn from((source, count, fingerprint): (String, usize, String)) -> OpeningFacts {
        OpeningFacts { source, count, fingerprint }
    }
}

impl From<OpeningFacts> for (String, usize, String) {
    fn from(facts: OpeningFacts) -> (String, usize, String) {
        (facts.source, facts.count, facts.fingerprint)
    }
}

/// Openings, and what a manifest says about them.
#[derive(Clone, Debug, PartialEq)]
pub struct OpeningSet {
    /// The openings.
    pub all: Vec<Opening>,
    /// What they are.
    pub facts: OpeningFacts,
}

impl OpeningSet {
    /// The balanced openings of the program.
    pub fn own() -> Result<OpeningSet, OpeningError> {
        OpeningSet::of_text(OWN, "own", "our own openings")
    }

    /// The openings of a file.
    pub fn read(path: &Path) -> Result<OpeningSet, OpeningError> {
        let text = std::fs::read_to_string(path)
            .map_err(|error| OpeningError::Read { path: path.to_owned(), error })?;
        let name = path.display().to_string();
        OpeningSet::of_text(&text, &name, &name)
    }

    /// No openings: games begin from the usual start.
    #[must_use]
    pub fn none() -> OpeningSet {
        let facts = OpeningFacts { source: "startpos".to_owned(), count: 0, fingerprint: String::new() };
        OpeningSet { all: Vec::new(), facts }
    }

    fn of_text(text: &str, source: &str, name: &str) -> Result<OpeningSet, OpeningError> {
        let all = Opening::read_all(text, name)?;
        let (source, fingerprint) = (source.to_owned(), fingerprint::of_bytes(text.as_bytes()));
        let facts = OpeningFacts { source, count: all.len(), fingerprint };
        Ok(OpeningSet { all, facts })
    }
}

/// A line as USI writes positions: what is a bare SFEN, or moves from the usual start, is said to be that.
fn in_full(line: &str) -> Cow<'_, str> {
    let first = line.split_whitespace().next().unwrap_or_default();
    if first.contains('/') {
        Cow::Owned(format!("sfen {line}"))
    } else if first.parse::<Move>().is_ok() {
        Cow::Owned(format!("startpos moves {line}"))
    } else {
        Cow::Borrowed(line.strip_prefix("position ").unwrap_or(line))
    }
}

impl Opening {
    /// The openings of a text: one per line, as USI writes positions, or a bare SFEN, or moves alone. Blank lines and such that begin with `#` are
    /// passed over.
    pub fn read_all(text: &str, name: &str) -> Result<Vec<Opening>, OpeningError> {
        let mut openings = Vec::new();
        for (line, words) in (1..).zip(text.lines().map(str::trim)) {
            if words.is_empty() || words.starts_with('#') {
                continue;
            }
            let name = || name.to_owned();
            let command = PositionCommand::parse(&in_full(words)).map_err(|error| OpeningError::Syntax {
                name: name(),
                line,
                error,
            })?;
            let position =
                place(&command).map_err(|error| OpeningError::Illegal { name: name(), line, error })?;
            if position.game_end(0).is_some() {
                return Err(OpeningError::Over { name: name(), line });
            }
            openings.push(Opening { start: command.setup(), moves: command.moves });
        }
        if openings.is_empty() {
            return Err(OpeningError::Empty { name: name.to_owned() });
        }
        Ok(openings)
    }

    /// The position where play begins.
    #[must_use]
    pub fn position(&self) -> Position {
        // Both were checked when the opening was read.
        let mut position = Position::new(&self.start).unwrap_or_else(|_| Position::start());
        self.moves.iter().for_each(|&m| {
            position.play(m);
        });
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_form_is_an_opening() {
        let text = "# comment\n\nstartpos moves 7g7f 3c3d\n7g7f 3c3d\nposition startpos moves 7g7f 3c3d\n\
                    sfen 4k4/9/9/9/9/9/9/9/4K4 b G 1\n4k4/9/9/9/9/9/9/9/4K4 b G 1 moves G*5b\n";
        let openings = Opening::read_all(text, "x").unwrap();
        let plies: Vec<u16> = openings.iter().map(|opening| opening.position().ply()).collect();
        assert_eq!(plies, [3, 3, 3, 1, 2]);
        assert_eq!((&openings[0], &openings[0]), (&openings[1], &openings[2]));
    }

    #[test]
    fn refusals_name_the_line() {
        for (text, expected) in [
            ("startpos\nfoo", "x, line 2: expected 'position startpos|sfen"),
            ("startpos moves 7g7f 7g7f", "x, line 1: move 2, 7g7f, is not legal"),
            ("# nothing\n", "x holds no opening"),
            ("sfen 4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1", "x, line 1: the game is over"),
        ] {
            let error = Opening::read_all(text, "x").unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn our_own_openings_are_many_and_different() {
        let openings = OpeningSet::own().unwrap().all;
        let mut keys: Vec<u64> = openings.iter().map(|opening| opening.position().key()).collect();
        keys.sort_unstable();
        keys.dedup();
        assert!(keys.len() >= 200 && keys.len() == openings.len(), "{}", keys.len());
    }
}
