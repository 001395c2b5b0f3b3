//! How much stronger, and how sure that is.

use serde::{Deserialize, Serialize};

use super::normal::normal_below;
use super::pentanomial::Pentanomial;
use super::sprt::NORMALISED_UNIT;

/// Standard deviations on either side of an estimate that hold 95 % of a normal distribution.
pub const CONFIDENCE: f64 = 1.959_963_984_540_054;

/// Games as one player sees them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
}

/// An Elo difference with what is known about it; errors are half widths of 95 % intervals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Mean score.
    pub score: f64,
    /// Logistic Elo.
    pub elo: f64,
    /// Its error.
    pub error: f64,
    /// Normalised Elo.
    pub normalised_elo: f64,
    /// Its error.
    pub normalised_error: f64,
    /// How likely the player is the stronger one.
    pub los: f64,
}

/// The logistic Elo difference that a mean score means.
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The mean score that a logistic Elo difference means.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

impl Tally {
    /// All games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Adds a game by its half points: 2 for a win, 1 for a draw.
    pub fn add(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Points per game; a half without games.
    #[must_use]
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (self.wins as f64 + self.draws as f64 / 2.0) / games as f64,
        }
    }

    /// The estimate from games taken as independent, for want of pairs.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let games = self.games() as f64;
        let mean = self.score();
        let share = |count: u64, score: f64| count as f64 / games * (score - mean).powi(2);
        let variance = share(self.wins, 1.0) + share(self.draws, 0.5) + share(self.losses, 0.0);
        estimate(mean, variance, games, 1.0)
    }
}

impl Pentanomial {
    /// The estimate from pairs; `None` without any.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        let (mean, variance) = self.mean_and_variance();
        estimate(mean, variance, self.pairs() as f64, 2.0)
    }
}

/// From the mean and variance of `count` units of so many games each. A clean sweep is taken for half a game
/// less, and results without spread for as uncertain as that, so that all numbers are finite.
fn estimate(mean: f64, variance: f64, count: f64, games_each: f64) -> Option<Estimate> {
    if count <= 0.0 {
        return None;
    }
    let edge = 0.5 / (count * games_each + 1.0);
    let within = |score: f64| score.clamp(edge, 1.0 - edge);
    let deviation = variance.max(edge * (1.0 - edge) / games_each).sqrt();
    let standard_error = deviation / count.sqrt();
    let bound = |sign: f64| elo_of_score(within(mean + sign * CONFIDENCE * standard_error));
    let per_game = deviation * games_each.sqrt();
    Some(Estimate {
        score: mean,
        elo: elo_of_score(within(mean)),
        error: (bound(1.0) - bound(-1.0)) / 2.0,
        normalised_elo: NORMALISED_UNIT * (mean - 0.5) / per_game,
        normalised_error: CONFIDENCE * NORMALISED_UNIT / (count * games_each).sqrt(),
        los: normal_below((mean - 0.5) / standard_error),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, what: &str) {
        assert!((found - expected).abs() < 0.006, "{what}: {found} instead of {expected}");
    }

    #[test]
    fn pairs_give_what_fastchess_publishes() {
        for (counts, [nelo, nerror, elo, error]) in [
            ([34, 54, 63, 64, 75], [57.94, 28.28, 55.58, 27.65]),
            ([332, 433, 498, 333, 334], [-9.17, 10.96, -8.64, 10.33]),
            ([7895, 8757, 5685, 568, 9999], [-19.01, 2.65, -21.04, 2.95]),
        ] {
            let found = Pentanomial { counts }.estimate().unwrap();
            close(found.normalised_elo, nelo, "nElo");
            close(found.normalised_error, nerror, "nElo error");
            close(found.elo, elo, "Elo");
            close(found.error, error, "error");
        }
        close(Pentanomial { counts: [332, 433, 498, 333, 334] }.estimate().unwrap().los * 100.0, 5.05, "LOS");
    }

    #[test]
    fn games_give_what_fastchess_publishes() {
        let found = Tally { wins: 136, losses: 96, draws: 111 }.estimate().unwrap();
        close(found.normalised_elo, 49.77, "nElo");
        close(found.elo, 40.70, "Elo");
        close(found.error, 30.43, "error");
        close(found.los * 100.0, 99.60, "LOS");
    }

    #[test]
    fn a_clean_sweep_is_finite() {
        for counts in [[0, 0, 0, 0, 7], [7, 0, 0, 0, 0], [0, 0, 7, 0, 0]] {
            let found = Pentanomial { counts }.estimate().unwrap();
            for number in [found.elo, found.error, found.normalised_elo, found.los] {
                assert!(number.is_finite(), "{counts:?}: {found:?}");
            }
        }
        let few = Pentanomial { counts: [0, 0, 0, 0, 2] }.estimate().unwrap();
        assert!(few.error > 100.0, "two pairs prove little: {few:?}");
        assert_eq!(Pentanomial::default().estimate(), None);
        assert_eq!(Tally::default().estimate(), None);
    }

    #[test]
    fn scores_and_elo_lead_to_each_other() {
        assert!((elo_of_score(0.75) - 190.848_501_887_865).abs() < 1e-9);
        for elo in [-700.0, -3.0, 0.0, 250.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }
}
