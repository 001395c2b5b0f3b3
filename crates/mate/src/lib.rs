//! Mate by force. This room evaluates nothing and reads no clock.
//!
//! [`mate_in_one`] is quick and may miss a mate; a [`Solver`] proves mate or its absence at any length. In both the side
//! to move attacks, and neither claims a mate that is none.

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

pub use line::{LineError, verify};
pub use one::mate_in_one;
pub use solver::{Answer, Effort, Length, Mate, Solution, Solver};
