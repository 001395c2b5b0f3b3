//! Kakinoki's formats: KIF and KI2.

mod board;
mod ending;
pub(crate) mod header;
mod ki2;
mod numerals;
mod read;
pub(crate) mod spoken;
mod start;
mod time_text;
mod write;

pub(crate) use ki2::read as read_ki2;
pub(crate) use read::read as read_kif;
pub(crate) use write::{write_ki2, write_kif};
