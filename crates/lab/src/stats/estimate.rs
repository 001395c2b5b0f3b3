//! How much stronger, and how sure that is.

use serde::{Deserialize, Serialize};

use super::pentanomial::Pentanomial;
use super::sprt::NORMALISED_UNIT;
use super::student::{student_below, student_confidence};

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
    /// Its error: half of the interval.
    pub error: f64,
    /// Where the interval begins; it need not lie evenly around the estimate.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
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

/// A number of Elo for people, with its sign; what rounds to nothing is `+0.0`.
#[must_use]
pub fn signed(elo: f64) -> String {
    // Adding 0 turns -0 into 0.
    format!("{:+.1}", (elo * 10.0).round() / 10.0 + 0.0)
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

    /// Adds the games of another tally.
    pub fn join(&mut self, other: &Tally) {
        self.wins += other.wins;
        self.losses += other.losses;
        self.draws += other.draws;
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

/// Interval bounds go no further than this share of the points, some 1,200 Elo, unless the estimate itself does.
const FARTHEST: f64 = 0.001;

/// From the mean and variance of `count` units of so many games each. A clean sweep is taken for half a game
/// less, so that all numbers are finite.
///
/// The spread is itself an estimate. It starts from one unit with the spread of even games without draws, and what is
/// found with it follows Student's distribution, so that few units prove little however one-sided they are.
fn estimate(mean: f64, variance: f64, count: f64, games_each: f64) -> Option<Estimate> {
    if count <= 0.0 {
        return None;
    }
    let edge = 0.5 / (count * games_each + 1.0);
    let confidence = student_confidence(count);
    let standard_error = ((variance * count + 0.25 / games_each) / count / count).sqrt();
    let bound = |sign: f64| {
        let farthest = edge.min(FARTHEST);
        elo_of_score((mean + sign * confidence * standard_error).clamp(farthest, 1.0 - farthest))
    };
    let (low, high) = (bound(-1.0), bound(1.0));
    let per_game = (variance.max(edge * (1.0 - edge) / games_each) * games_each).sqrt();
    Some(Estimate {
        score: mean,
        elo: elo_of_score(mean.clamp(edge, 1.0 - edge)),
        error: (high - low) / 2.0,
        low,
        high,
        normalised_elo: NORMALISED_UNIT * (mean - 0.5) / per_game,
        normalised_error: confidence * NORMALISED_UNIT / (count * games_each).sqrt(),
        los: student_below((mean - 0.5) / standard_error, count),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64, what: &str) {
        assert!((found - expected).abs() < 0.006, "{what}: {found} instead of {expected}");
    }

    /// As published, or wider by what so many pairs leave unknown about the spread.
    fn close_error(found: f64, published: f64) {
        assert!((published - 0.006..published * 1.01).contains(&found), "{found} instead of {published}");
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
            close_error(found.normalised_error, nerror);
            close(found.elo, elo, "Elo");
            close_error(found.error, error);
        }
        let los = Pentanomial { counts: [332, 433, 498, 333, 334] }.estimate().unwrap().los;
        assert!((los - 0.0505).abs() < 1e-3, "{los}");
    }

    #[test]
    fn games_give_what_fastchess_publishes() {
        let found = Tally { wins: 136, losses: 96, draws: 111 }.estimate().unwrap();
        close(found.normalised_elo, 49.77, "nElo");
        close(found.elo, 40.70, "Elo");
        close_error(found.error, 30.43);
        assert!((found.los - 0.996).abs() < 1e-3, "{found:?}");
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
    }

    #[test]
    fn few_pairs_prove_little_and_many_much() {
        let sweep = |pairs| Pentanomial { counts: [0, 0, 0, 0, pairs] }.estimate().unwrap();
        let [one, two, four, fifty] = [1, 2, 4, 50].map(sweep);
        assert!(one.los < 0.85 && one.low < -1000.0, "{one:?}");
        assert!((0.9..0.96).contains(&two.los) && two.low < -100.0, "{two:?}");
        assert!((0.99..0.999).contains(&four.los) && four.low > 100.0, "{four:?}");
        assert!(fifty.los > 0.999 && fifty.low > 500.0, "{fifty:?}");
        for estimate in [one, two, four, fifty] {
            assert!(estimate.low <= estimate.elo && estimate.elo <= estimate.high, "{estimate:?}");
        }
        assert_eq!(Pentanomial::default().estimate(), None);
        assert_eq!(Tally::default().estimate(), None);
    }

    #[test]
    fn nothing_has_no_minus() {
        assert_eq!([-0.04, 0.0, -0.06, 12.34].map(signed), ["+0.0", "+0.0", "-0.1", "+12.3"]);
    }

    #[test]
    fn scores_and_elo_lead_to_each_other() {
        assert!((elo_of_score(0.75) - 190.848_501_887_865).abs() < 1e-9);
        for elo in [-700.0, -3.0, 0.0, 250.0] {
            assert!((elo_of_score(score_of_elo(elo)) - elo).abs() < 1e-9);
        }
    }
}
