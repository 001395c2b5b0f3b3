//! Mate by force. This room evaluates nothing and reads no clock.
//!
//! [`mate_in_one`] and [`mate_in_three`] are quick and may miss a mate; a [`Solver`] proves mate or its absence at
//! any length. The side to move attacks, and no mate is claimed that is none.

#![forbid(unsafe_code)]

mod children;
mod crew;
mod dominance;
mod first_looks;
mod first_numbers;
mod known;
mod line;
mod node;
mod notes;
mod one;
mod repetitions;
mod room;
mod search;
mod solver;
mod study;
mod table;
mod three;
mod verify;
mod way;

pub use first_numbers::FirstNumbers;
pub use one::{mate_in_one, mate_in_one_with};
pub use solver::{Answer, Effort, Length, Mate, Solution, Solver};
pub use study::Study;
pub use three::mate_in_three;
pub use verify::{LineError, verify};
