//! A player against itself: many short games, one per thread, for learning.
//!
//! Games begin from openings drawn at random and kept balanced, and are played to mate or to the end that the rules
//! give them, without resigning: nets must see endgames. A game follows from the run's seed and its number; games are
//! stored in the order of their numbers, whatever thread was quicker.

mod game;
mod game_log;
mod opening;
mod run;
mod tally;
mod thinker;

pub use game::Played;
pub use opening::Openings;
pub use run::{GAMES, GameJob, GameOutput, Manifest, Outcome, RunError, SUMMARY, SelfPlay, Speed, Watch};
pub use tally::{Summary, Tally};
pub use thinker::{Work, resolved_text};
