//! `position`: where the game stands and how it got there.

use std::fmt;

use shogi::{Move, Position, Setup};

use super::command::SyntaxError;

/// The `position` command. Whether setup and moves are legal is for the receiver to find out.
#[derive(Clone, Debug, PartialEq)]
pub struct PositionCommand {
    /// Where the moves begin.
    pub start: Start,
    /// The moves played since.
    pub moves: Vec<Move>,
}

/// Where a game begins.
#[derive(Clone, Debug, PartialEq)]
pub enum Start {
    /// The usual start.
    Usual,
    /// Another one.
    Setup(Box<Setup>),
}

impl PositionCommand {
    /// Reads what follows the word `position`: `startpos`, `sfen` with its fields or the fields alone, then
    /// perhaps `moves`. The ply of an SFEN may be missing.
    pub fn parse(rest: &str) -> Result<PositionCommand, SyntaxError> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        let (start, moves) = match words.iter().position(|&word| word == "moves") {
            Some(at) => (&words[..at], &words[at + 1..]),
            None => (&words[..], &[][..]),
        };
        let start = match start {
            ["startpos"] => Start::Usual,
            ["sfen", fields @ ..] if !fields.is_empty() => setup(fields)?,
            [board, ..] if board.contains('/') => setup(start)?,
            _ => return Err(SyntaxError::Position(format!("position {rest}"))),
        };
        let moves = (1..)
            .zip(moves)
            .map(|(number, text)| text.parse().map_err(|error| SyntaxError::Move { number, error }));
        Ok(PositionCommand { start, moves: moves.collect::<Result<_, _>>()? })
    }

    /// The position at the start.
    #[must_use]
    pub fn setup(&self) -> Setup {
        match &self.start {
            Start::Usual => Position::start().setup(),
            Start::Setup(setup) => (**setup).clone(),
        }
    }
}

fn setup(fields: &[&str]) -> Result<Start, SyntaxError> {
    let mut text = fields.join(" ");
    if fields.len() == 3 {
        text.push_str(" 1");
    }
    match text.parse() {
        Ok(setup) => Ok(Start::Setup(Box::new(setup))),
        Err(error) => Err(SyntaxError::Sfen { text, error }),
    }
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            Start::Usual => f.write_str("position startpos")?,
            Start::Setup(setup) => write!(f, "position sfen {setup}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_usual_form_is_read() {
        let start = shogi::START_SFEN;
        let three_fields = start.strip_suffix(" 1").unwrap();
        for text in [
            "startpos moves 7g7f 3c3d".to_owned(),
            format!("sfen {start} moves 7g7f 3c3d"),
            format!("{start} moves 7g7f 3c3d"),
            format!("sfen {three_fields} moves 7g7f 3c3d"),
        ] {
            let command = PositionCommand::parse(&text).unwrap();
            assert_eq!(command.setup(), Position::start().setup(), "{text}");
            assert_eq!(command.moves.len(), 2, "{text}");
        }
        assert!(PositionCommand::parse("startpos moves").unwrap().moves.is_empty());
    }

    #[test]
    fn refusals_name_what_is_wrong() {
        for (text, expected) in [
            ("", "expected 'position startpos|sfen"),
            ("sfen", "expected 'position startpos|sfen"),
            ("middle", "found 'position middle'"),
            ("sfen 9/9 b - 1", "'9/9 b - 1' is no SFEN: the board has 2 ranks"),
            ("startpos moves 7g7f pass", "move 2: 'pass' is not a USI move"),
        ] {
            let error = PositionCommand::parse(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
