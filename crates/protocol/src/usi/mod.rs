//! USI, the protocol between shogi programs and their users' boards.
//!
//! [`GuiMessage`] is what a board or a match runner says, [`EngineMessage`] what an engine answers. Both are
//! read with `parse`, which knows blank lines (`None`) and leaves words that nobody knows to the caller, and
//! written with `Display`, without the line end.

mod answer;
mod command;
mod go;
mod info;
mod option;
mod position;

pub use answer::{BestMove, Checkmate, EngineMessage};
pub use command::{GameResult, GuiMessage, SyntaxError};
pub use contract::{Bound, Clock, Score};
pub use go::{Go, GoError, MateTime};
pub use info::Info;
pub use option::{OptionDeclaration, OptionKind};
pub use position::{PositionCommand, Start};

/// The first word of a text and the rest, both without spaces around them.
fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    match text.find(char::is_whitespace) {
        Some(at) => (&text[..at], text[at..].trim_start()),
        None => (text, ""),
    }
}
