//! Mate by force. This room evaluates nothing.

#![forbid(unsafe_code)]

mod one;

pub use one::{mate_in_one, mate_in_one_with};
