//! What an engine says.

use std::fmt;

use shogi::Move;

use super::info::Info;
use super::option::OptionDeclaration;
use super::split_word;

/// A line from an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineMessage {
    /// Its name.
    IdName(String),
    /// Who wrote it.
    IdAuthor(String),
    /// Something that can be set.
    Option(OptionDeclaration),
    /// Introduced.
    UsiOk,
    /// Still loading: a blank line, so that nobody loses patience. Reading does not tell these.
    KeepAlive,
    /// Ready to play.
    ReadyOk,
    /// How the search stands, or an info string.
    Info(Box<Info>),
    /// The decision.
    BestMove(BestMove),
    /// The answer to `go mate`.
    Checkmate(Checkmate),
    /// A line for people, as it is.
    Text(String),
}

/// A decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BestMove {
    /// Play this.
    Move {
        /// The move.
        best: Move,
        /// The reply to think about meanwhile.
        ponder: Option<Move>,
    },
    /// Give up.
    Resign,
    /// Declare the win of the entered king.
    Win,
}

/// What a mate search came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checkmate {
    /// These moves mate.
    Mate(Vec<Move>),
    /// There is no mate.
    NoMate,
    /// Not known.
    Timeout,
    /// This engine does not look for mates.
    NotImplemented,
}

impl EngineMessage {
    /// An info string.
    #[must_use]
    pub fn info_string(text: impl Into<String>) -> EngineMessage {
        EngineMessage::Info(Box::new(Info { string: Some(text.into()), ..Info::default() }))
    }

    /// Reads a line; `None` for a blank one. Whatever is no message is [`EngineMessage::Text`].
    #[must_use]
    pub fn parse(line: &str) -> Option<EngineMessage> {
        let line = line.trim();
        let (word, rest) = split_word(line);
        let message = match word {
            "" => return None,
            "id" => match split_word(rest) {
                ("name", name) => Some(EngineMessage::IdName(name.to_owned())),
                ("author", author) => Some(EngineMessage::IdAuthor(author.to_owned())),
                _ => None,
            },
            "option" => OptionDeclaration::parse(rest).map(EngineMessage::Option),
            "usiok" => Some(EngineMessage::UsiOk),
            "readyok" => Some(EngineMessage::ReadyOk),
            "info" => Some(EngineMessage::Info(Box::new(Info::parse(rest)))),
            "bestmove" => BestMove::parse(rest).map(EngineMessage::BestMove),
            "checkmate" => Checkmate::parse(rest).map(EngineMessage::Checkmate),
            _ => None,
        };
        Some(message.unwrap_or_else(|| EngineMessage::Text(line.to_owned())))
    }
}

impl BestMove {
    fn parse(rest: &str) -> Option<BestMove> {
        let words: Vec<&str> = rest.split_whitespace().collect();
        Some(match words[..] {
            ["resign", ..] => BestMove::Resign,
            ["win", ..] => BestMove::Win,
            // An illegible reply spoils nothing but the pondering.
            [best, "ponder", ponder, ..] => {
                BestMove::Move { best: best.parse().ok()?, ponder: ponder.parse().ok() }
            }
            [best, ..] => BestMove::Move { best: best.parse().ok()?, ponder: None },
            [] => return None,
        })
    }
}

impl Checkmate {
    fn parse(rest: &str) -> Option<Checkmate> {
        match rest {
            "nomate" => Some(Checkmate::NoMate),
            // Some solvers say `none` when they do not know.
            "timeout" | "none" => Some(Checkmate::Timeout),
            "notimplemented" => Some(Checkmate::NotImplemented),
            "" => None,
            moves => {
                moves.split_whitespace().map(|m| m.parse().ok()).collect::<Option<_>>().map(Checkmate::Mate)
            }
        }
    }
}

impl fmt::Display for EngineMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineMessage::IdName(name) => write!(f, "id name {name}"),
            EngineMessage::IdAuthor(author) => write!(f, "id author {author}"),
            EngineMessage::Option(option) => option.fmt(f),
            EngineMessage::UsiOk => f.write_str("usiok"),
            EngineMessage::KeepAlive => Ok(()),
            EngineMessage::ReadyOk => f.write_str("readyok"),
            EngineMessage::Info(info) => info.fmt(f),
            EngineMessage::BestMove(best) => best.fmt(f),
            EngineMessage::Checkmate(checkmate) => checkmate.fmt(f),
            EngineMessage::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BestMove::Move { best, ponder: Some(ponder) } => write!(f, "bestmove {best} ponder {ponder}"),
            BestMove::Move { best, ponder: None } => write!(f, "bestmove {best}"),
            BestMove::Resign => f.write_str("bestmove resign"),
            BestMove::Win => f.write_str("bestmove win"),
        }
    }
}

impl fmt::Display for Checkmate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("checkmate")?;
        match self {
            Checkmate::Mate(moves) => moves.iter().try_for_each(|m| write!(f, " {m}")),
            Checkmate::NoMate => f.write_str(" nomate"),
            Checkmate::Timeout => f.write_str(" timeout"),
            Checkmate::NotImplemented => f.write_str(" notimplemented"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_written_as_they_were_read() {
        for line in [
            "id name Yomi 0.1.0",
            "id author nobody in particular",
            "usiok",
            "readyok",
            "bestmove 7g7f",
            "bestmove 7g7f ponder 3c3d",
            "bestmove resign",
            "bestmove win",
            "checkmate G*5b 5a4a 5b4b",
            "checkmate nomate",
            "checkmate timeout",
            "checkmate notimplemented",
            "info string hello  there",
        ] {
            let message = EngineMessage::parse(line).unwrap();
            assert!(!matches!(message, EngineMessage::Text(_)), "{line}");
            assert_eq!(message.to_string(), line);
        }
    }

    #[test]
    fn what_other_engines_say_besides_is_no_failure() {
        assert_eq!(EngineMessage::parse("\r\n"), None);
        for line in ["Loading", "id", "bestmove", "bestmove none", "checkmate x", "option name"] {
            assert_eq!(EngineMessage::parse(line), Some(EngineMessage::Text(line.to_owned())));
        }
        assert_eq!(
            EngineMessage::parse("checkmate none"),
            Some(EngineMessage::Checkmate(Checkmate::Timeout))
        );
    }
}
