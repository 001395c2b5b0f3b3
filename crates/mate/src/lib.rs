//! Mate by force. This room evaluates nothing and reads no clock.
//!
//! [`mate_in_one`] and [`mate_in_three`] are quick and may miss a mate; a [`Solver`] proves mate or its absence at
//! any length. The side to move attacks, and no mate is claimed that is none.

#![deny(unsafe_code)]

mod dfpn;
mod estimate;
mod expand;
mod expansion;
mod finding;
mod hands;
mod line;
mod one;
mod path;
mod repetitions;
mod solver;
mod table;
mod three;

pub use line::{LineError, verify};
pub use one::{mate_in_one, mate_in_one_with};
pub use solver::{Answer, Effort, Length, Mate, Solution, Solver};
pub use three::mate_in_three;
