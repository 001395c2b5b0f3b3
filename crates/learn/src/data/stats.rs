//! What a data set is made of.

use records::game::SideResult;
use serde::{Deserialize, Serialize};

use super::filter::Verdict;

/// Counts over positions and what became of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Stats {
    games: u64,
    positions: u64,
    kept: u64,
    in_check: u64,
    noisy: u64,
    mates: u64,
    large: u64,
    early: u64,
    results: [u64; 3],
    ply_sum: u64,
    score_sum: f64,
    abs_sum: f64,
    /// Kept scores by their size, in steps of [`STEP`].
    sizes: [u64; STEPS],
}

const STEP: u16 = 250;
const STEPS: usize = 13;

/// Counts as shares, for people and scripts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StatsReport {
    /// Games that positions came from, as far as that is known.
    pub games: u64,
    /// Positions looked at.
    pub positions: u64,
    /// Positions kept.
    pub kept: u64,
    /// Shares of the positions looked at that were left out, by reason.
    pub left_out: Vec<(String, f64)>,
    /// Shares of the kept positions that the side to move won, drew, lost.
    pub results: [f64; 3],
    /// The average ply of the kept positions.
    pub mean_ply: f64,
    /// The average score of the kept positions for the side to move.
    pub mean_score: f64,
    /// The average size of their scores.
    pub mean_size: f64,
    /// Shares of the kept positions by the size of the score: from which size on, and the share.
    pub sizes: Vec<(u16, f64)>,
}

impl Stats {
    /// A game begins.
    pub fn game(&mut self) {
        self.games += 1;
    }

    /// Counts a position.
    pub fn add(&mut self, verdict: &Verdict) {
        self.positions += 1;
        match verdict {
            Verdict::InCheck => self.in_check += 1,
            Verdict::Noisy => self.noisy += 1,
            Verdict::Mate => self.mates += 1,
            Verdict::LargeScore => self.large += 1,
            Verdict::Early => self.early += 1,
            Verdict::Kept(psv) => {
                self.kept += 1;
                self.results[match psv.result_for_mover {
                    SideResult::Win => 0,
                    SideResult::Draw => 1,
                    SideResult::Loss => 2,
                }] += 1;
                let score = f64::from(psv.score_for_mover);
                self.ply_sum += u64::from(psv.ply);
                self.score_sum += score;
                self.abs_sum += score.abs();
                let step = usize::from(psv.score_for_mover.unsigned_abs() / STEP);
                self.sizes[step.min(STEPS - 1)] += 1;
            }
        }
    }

    /// How many were kept.
    #[must_use]
    pub fn kept(&self) -> u64 {
        self.kept
    }

    /// All as shares.
    #[must_use]
    pub fn report(&self) -> StatsReport {
        let all = self.positions.max(1) as f64;
        let kept = self.kept.max(1) as f64;
        let left_out = [
            ("in check", self.in_check),
            ("noisy best move", self.noisy),
            ("mate score", self.mates),
            ("large score", self.large),
            ("early ply", self.early),
        ];
        StatsReport {
            games: self.games,
            positions: self.positions,
            kept: self.kept,
            left_out: left_out.map(|(name, count)| (name.to_owned(), count as f64 / all)).to_vec(),
            results: self.results.map(|count| count as f64 / kept),
            mean_ply: self.ply_sum as f64 / kept,
            mean_score: self.score_sum / kept,
            mean_size: self.abs_sum / kept,
            sizes: (0..).step_by(STEP.into()).zip(self.sizes.map(|count| count as f64 / kept)).collect(),
        }
    }
}
