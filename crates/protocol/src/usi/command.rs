//! What a board or a match runner says to an engine.

use std::fmt;

use shogi::{MoveTextError, SfenError};

use contract::Clock;

use super::go::{Go, GoError, write_clock};
use super::position::PositionCommand;
use super::split_word;

/// A line to an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum GuiMessage {
    /// Who are you, and what can be set?
    Usi,
    /// Load what you need; say when you can play.
    IsReady,
    /// A game begins.
    NewGame,
    /// Set an option; a button has no value.
    SetOption {
        /// The option's name; upper and lower case are the same.
        name: String,
        /// What it becomes.
        value: Option<String>,
    },
    /// Tell the value of an option, or of all.
    GetOption(Option<String>),
    /// Think about this from now on.
    Position(Box<PositionCommand>),
    /// Think.
    Go(Box<Go>),
    /// Come to a decision.
    Stop,
    /// The expected move was played: your clock runs now, and this is how it stands, if the GUI sent it.
    PonderHit(Clock),
    /// The game is over.
    GameOver(Option<GameResult>),
    /// End.
    Quit,
    /// Show the board.
    Display,
    /// Show the static evaluation.
    Eval,
    /// Measure the speed; the rest of the line says how.
    Bench(String),
    /// List the commands.
    Help,
    /// A line whose first word nobody knows.
    Unknown(String),
}

/// How a game ended for the engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GameResult {
    /// It won.
    Win,
    /// It lost.
    Lose,
    /// Nobody won.
    Draw,
}

/// A known command that makes no sense.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SyntaxError {
    #[error("expected 'setoption name NAME [value VALUE]', found '{0}'")]
    SetOption(String),
    #[error("expected 'position startpos|sfen SFEN [moves …]', found '{0}'")]
    Position(String),
    #[error("'{text}' is no SFEN: {error}")]
    Sfen { text: String, error: SfenError },
    #[error("go refused, nothing is searched: {0}")]
    Go(#[from] GoError),
    #[error("move {number}: {error}")]
    Move { number: usize, error: MoveTextError },
}

impl GuiMessage {
    /// Reads a line; `None` for a blank one.
    pub fn parse(line: &str) -> Option<Result<GuiMessage, SyntaxError>> {
        let line = line.trim();
        let (word, rest) = split_word(line);
        let text = || Some(rest.to_owned()).filter(|rest| !rest.is_empty());
        Some(Ok(match word {
            "" => return None,
            "usi" => GuiMessage::Usi,
            "isready" => GuiMessage::IsReady,
            "usinewgame" => GuiMessage::NewGame,
            "setoption" => return Some(set_option(rest)),
            "getoption" => GuiMessage::GetOption(text()),
            "position" => {
                return Some(PositionCommand::parse(rest).map(|p| GuiMessage::Position(Box::new(p))));
            }
            "go" => return Some(Go::parse(rest).map(|go| GuiMessage::Go(Box::new(go))).map_err(Into::into)),
            "stop" => GuiMessage::Stop,
            "ponderhit" => GuiMessage::PonderHit(Go::clock_of(rest)),
            "gameover" => GuiMessage::GameOver(match rest {
                "win" => Some(GameResult::Win),
                "lose" => Some(GameResult::Lose),
                "draw" => Some(GameResult::Draw),
                _ => None,
            }),
            "quit" => GuiMessage::Quit,
            "d" => GuiMessage::Display,
            "eval" => GuiMessage::Eval,
            "bench" => GuiMessage::Bench(rest.to_owned()),
            "help" => GuiMessage::Help,
            _ => GuiMessage::Unknown(line.to_owned()),
        }))
    }
}

fn set_option(rest: &str) -> Result<GuiMessage, SyntaxError> {
    let wrong = || SyntaxError::SetOption(format!("setoption {rest}"));
    let ("name", rest) = split_word(rest) else { return Err(wrong()) };
    let mut name = Vec::new();
    let mut left = rest;
    loop {
        let (word, after) = split_word(left);
        match word {
            "" | "value" if name.is_empty() => return Err(wrong()),
            "" => return Ok(GuiMessage::SetOption { name: name.join(" "), value: None }),
            // A value may be empty, as an empty path is.
            "value" => {
                return Ok(GuiMessage::SetOption { name: name.join(" "), value: Some(after.to_owned()) });
            }
            _ => name.push(word),
        }
        left = after;
    }
}

impl fmt::Display for GuiMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GuiMessage::Usi => f.write_str("usi"),
            GuiMessage::IsReady => f.write_str("isready"),
            GuiMessage::NewGame => f.write_str("usinewgame"),
            GuiMessage::SetOption { name, value: None } => write!(f, "setoption name {name}"),
            GuiMessage::SetOption { name, value: Some(value) } => {
                write!(f, "setoption name {name} value {value}")
            }
            GuiMessage::GetOption(None) => f.write_str("getoption"),
            GuiMessage::GetOption(Some(name)) => write!(f, "getoption {name}"),
            GuiMessage::Position(position) => position.fmt(f),
            GuiMessage::Go(go) => go.fmt(f),
            GuiMessage::Stop => f.write_str("stop"),
            GuiMessage::PonderHit(clock) => {
                f.write_str("ponderhit")?;
                write_clock(clock, f)
            }
            GuiMessage::GameOver(result) => f.write_str(match result {
                Some(GameResult::Win) => "gameover win",
                Some(GameResult::Lose) => "gameover lose",
                Some(GameResult::Draw) => "gameover draw",
                None => "gameover",
            }),
            GuiMessage::Quit => f.write_str("quit"),
            GuiMessage::Display => f.write_str("d"),
            GuiMessage::Eval => f.write_str("eval"),
            GuiMessage::Bench(how) if how.is_empty() => f.write_str("bench"),
            GuiMessage::Bench(how) => write!(f, "bench {how}"),
            GuiMessage::Help => f.write_str("help"),
            GuiMessage::Unknown(line) => f.write_str(line),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(line: &str) -> GuiMessage {
        GuiMessage::parse(line).unwrap().unwrap()
    }

    fn option(name: &str, value: Option<&str>) -> GuiMessage {
        GuiMessage::SetOption { name: name.to_owned(), value: value.map(str::to_owned) }
    }

    #[test]
    fn blank_lines_are_nothing_and_line_ends_do_not_matter() {
        for line in ["", "\r\n", "  \t ", "\n"] {
            assert_eq!(GuiMessage::parse(line), None);
        }
        assert_eq!(parsed("usi\r\n"), GuiMessage::Usi);
        assert_eq!(parsed("  isready  "), GuiMessage::IsReady);
    }

    #[test]
    fn names_and_values_may_contain_spaces() {
        assert_eq!(parsed("setoption name USI_Hash value 64"), option("USI_Hash", Some("64")));
        assert_eq!(parsed("setoption name My Option value a  b"), option("My Option", Some("a  b")));
        assert_eq!(parsed("setoption name Clear"), option("Clear", None));
        assert_eq!(parsed("setoption name BookFile value"), option("BookFile", Some("")));
        for line in ["setoption", "setoption name", "setoption USI_Hash 3", "setoption name value 3"] {
            assert!(matches!(GuiMessage::parse(line), Some(Err(SyntaxError::SetOption(_)))), "{line}");
        }
    }

    #[test]
    fn unknown_words_are_kept_whole() {
        assert_eq!(parsed("fly to  moon\r"), GuiMessage::Unknown("fly to  moon".to_owned()));
    }

    #[test]
    fn every_plain_command_is_written_as_it_was_read() {
        for line in [
            "usi",
            "isready",
            "usinewgame",
            "setoption name A value b c",
            "getoption",
            "getoption Threads",
            "stop",
            "ponderhit",
            "ponderhit btime 1000 wtime 2000 byoyomi 300",
            "gameover win",
            "gameover lose",
            "gameover draw",
            "gameover",
            "quit",
            "d",
            "eval",
            "bench",
            "bench depth 3",
            "help",
        ] {
            assert_eq!(parsed(line).to_string(), line);
        }
    }
}
