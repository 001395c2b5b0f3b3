//! Kakinoki's formats: KIF and KI2.

mod board;
mod ending;
pub(crate) mod header;
mod ki2;
mod lines;
mod numerals;
mod read;
pub(crate) mod spoken;
mod start;
mod time_text;
mod write;

use super::chunk::Chunk;
use super::error::RecordError;
use crate::game::Game;
pub use spoken::write as japanese_move;
pub(crate) use write::{write_ki2, write_kif};

/// Reads one game of KIF.
pub(crate) fn read_kif(chunk: &Chunk) -> Result<Game, RecordError> {
    lines::read::<read::Kif>(chunk)
}

/// Reads one game of KI2.
pub(crate) fn read_ki2(chunk: &Chunk) -> Result<Game, RecordError> {
    lines::read::<ki2::Ki2>(chunk)
}
