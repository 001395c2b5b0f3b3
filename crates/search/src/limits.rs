//! How far to look. Time is the [`Control`](crate::Control)'s, since it can start late (ponder).

use shogi::Move;

/// Bounds on one think. All that are given hold together; none at all means: until stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Iterations of deepening.
    pub depth: Option<u32>,
    /// Positions visited, all threads together.
    pub nodes: Option<u64>,
    /// Only these moves at the root; empty means all.
    pub search_moves: Vec<Move>,
    /// How many best lines to find; 0 counts as 1.
    pub lines: usize,
}
