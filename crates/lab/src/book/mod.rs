//! Opening books: made by search, or by counting what was played.
//!
//! Positions come from games, openings or another book ([`collect`]), moves from a search of every one of them
//! ([`Search`]). Values are then backed up through the book ([`back_up`]), and each position keeps the moves that are worth it
//! ([`assemble`]): to search every position that was met, and to prefer moves to positions of a high value, is the book of
//! Blunder; the best move that leaves the book beside those that stay in it is Buro's and Lincke's way for Othello and
//! awari.

mod assemble;
mod backup;
mod collect;
mod search;
mod stats;

pub use assemble::{Assembled, MadeBook, Shape, assemble, count};
pub use backup::{Edge, Node, Worth, back_up};
pub use collect::{Bounds, CollectError, Collected, Met, Origin, collect};
pub use search::{BookManifest, BookSearchError, LINES, Progress, Search, SearchJob, Searched, SearchedLine};
pub use stats::{BookStats, stats};
