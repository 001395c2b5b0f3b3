//! The match between a candidate and the best net, as a loop sees it. Matches are played in another room: whoever runs a
//! loop brings a [`Referee`].

use std::path::Path;

use engine::PlayerSpec;
use runs::{OpeningFacts, RunDir};
use serde::{Deserialize, Serialize};

use super::net_id::NetId;
use super::page::write_page;
use super::run::{Stage, TurnError};

/// Under which conditions nets meet, and what has to be shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestTerms {
    /// Nodes for each move.
    pub nodes: u64,
    /// Games at most.
    pub games: u64,
    /// The last ply of a game.
    pub max_moves: u16,
    /// A side with a value of minus the first or less, for so many of its moves, has lost.
    pub resign: Option<(i32, u32)>,
    /// The candidate is no better if its normalised Elo is this or less.
    pub elo0: f64,
    /// It is better if its normalised Elo is this or more.
    pub elo1: f64,
    /// How often it may be found better wrongly.
    pub alpha: f64,
    /// How often it may be found no better wrongly.
    pub beta: f64,
    /// From where games begin.
    pub openings: OpeningFacts,
}

/// A match to be played.
pub struct Contest<'a> {
    /// The candidate: its name and the player that evaluates by it.
    pub candidate: (NetId, &'a PlayerSpec),
    /// The best net so far, likewise.
    pub best: (NetId, &'a PlayerSpec),
    /// The conditions.
    pub terms: &'a ContestTerms,
    /// The seed of the openings' order.
    pub seed: u64,
    /// The folder of its run.
    pub folder: &'a Path,
    pub(super) turn: u64,
    pub(super) whole: &'a RunDir,
}

impl Contest<'_> {
    /// The run of the match, as a part of the loop.
    pub fn open<M: Serialize>(&self, manifest: &M) -> Result<RunDir, TurnError> {
        let dir = TurnError::part(self.whole, self.turn, Stage::Match, self.folder, manifest)?;
        write_page(self.whole)?;
        Ok(dir)
    }
}

/// What a match said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ContestVerdict {
    /// The candidate is better: it is promoted.
    Better,
    /// It is not.
    NotBetter,
    /// The games ran out before they had said it; the best net stays.
    Undecided,
}

/// What came of a match, as the candidate sees it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ContestResult {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// The Elo difference, if anything can be said about it. A match that ends with a verdict overstates it.
    pub elo: Option<f64>,
    /// Half of its 95 % interval.
    pub error: Option<f64>,
    /// The log-likelihood ratio of the test.
    pub llr: f64,
    /// What follows.
    pub verdict: ContestVerdict,
}

/// Somebody who can let two players meet.
pub trait Referee {
    /// Plays a match to its end in its folder, or goes on with it; blocks meanwhile. `None` if it was stopped.
    fn decide(&mut self, contest: &Contest<'_>) -> Result<Option<ContestResult>, TurnError>;
}
