//! Learning: games against oneself, and what can be made of them.
//!
//! Runs are directories as in [`runs`]. Nothing here prints, and nothing here serves a player: what was learned is a
//! file that [`engine`] loads.

#![deny(unsafe_code)]

pub mod data;
pub mod linear;
pub mod nnue;
mod regression;
pub mod search;
pub mod selfplay;
pub mod softmax;
mod step_chart;
pub mod time;
pub mod turns;
