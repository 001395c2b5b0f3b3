//! What a search has to say.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::{Bound, Score};

/// The state of a search, for one of its best lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// Iteration that the line comes from.
    pub depth: u32,
    /// Deepest ply visited.
    pub selective_depth: u32,
    /// 1 for the best line, 2 for the second best, …
    pub rank: usize,
    /// The line's score for the side to move.
    pub score: Score,
    /// What kind of score it is.
    pub bound: Bound,
    /// The line.
    pub pv: Vec<M>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the search began.
    pub elapsed: Duration,
    /// How full the hash table is, in thousandths.
    pub hash_permille: u32,
    /// What only a search that keeps its tree can tell about the line's first move.
    pub tree: Option<TreeFacts>,
}

/// What a tree knows about a move at the root.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TreeFacts {
    /// How often the search went there.
    pub visits: u32,
    /// How likely the move wins, from 0 to 1.
    pub win_rate: f32,
    /// The expectation of search depth below it (D).
    pub depth: f32,
    /// How probable the method takes the move to be, from 0 to 1.
    pub probability: f32,
    /// How improbable a line may be to be searched, in bits, where the method has such a threshold.
    pub threshold: Option<f32>,
    /// The share of games of random moves that were cut off before their end, where the method plays such games.
    pub capped: Option<f32>,
}

/// What to do in a game with moves `M`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Choice<M> {
    /// Play this.
    Move(M),
    /// Claim a win by rule instead of a move, as of an entered king.
    Declare,
    /// There is no move: the game is lost.
    Resign,
}

/// The end of a think.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision<M> {
    /// What to do.
    pub choice: Choice<M>,
    /// The reply to expect.
    pub ponder: Option<M>,
    /// The score for the side to move.
    pub score: Score,
    /// The last whole iteration.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
}
