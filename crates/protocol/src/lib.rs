//! What shogi programs say to each other.
//!
//! Lines become typed messages and messages become lines, in both directions, so that the engine, match
//! runners and bridges share one grammar. Nothing here chooses a move.

#![forbid(unsafe_code)]

pub mod child;
pub mod usi;
