//! How far to look. Time is the [`Control`](crate::Control)'s, since it can start late (ponder).

use serde::{Deserialize, Serialize};

/// Bounds on one search of a game with moves `M`. All that are given hold together; none at all means: until stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits<M> {
    /// Iterations of deepening.
    pub depth: Option<u32>,
    /// Positions visited, all threads together.
    pub nodes: Option<u64>,
    /// Only these moves at the root; empty means all.
    pub search_moves: Vec<M>,
    /// How many best lines to find; 0 counts as 1.
    pub lines: usize,
}

impl<M> Default for Limits<M> {
    fn default() -> Self {
        Limits { depth: None, nodes: None, search_moves: Vec::new(), lines: 0 }
    }
}
