//! Results of pairs: the same opening, played with both colours.
//!
//! Games of a pair share their opening and so are not independent; pairs are. A pair scores 0, 1/4, 1/2, 3/4 or 1.
//! The log-likelihood ratio is the generalised one of Van den Bergh, "Comments on normalized Elo" (2020),
//! section 4.1, as fishtest uses it.

use serde::{Deserialize, Serialize};

/// Pairs by what the first player scored in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Pairs with 0, 1/2, 1, 3/2 and 2 points.
    pub counts: [u64; 5],
}

/// What a count of nothing is taken for, so that no outcome is impossible.
const NEARLY_NOTHING: f64 = 1e-3;

/// A distribution over the five scores.
type Distribution = [f64; 5];

const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Pentanomial {
    /// Adds a pair by the half points of its two games, 0 to 4 together.
    pub fn add(&mut self, half_points: usize) {
        self.counts[half_points.min(4)] += 1;
    }

    /// Adds the pairs of another count.
    pub fn join(&mut self, other: &Pentanomial) {
        self.counts.iter_mut().zip(other.counts).for_each(|(count, more)| *count += more);
    }

    /// How many pairs there are.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean score and its variance, per pair.
    #[must_use]
    pub fn mean_and_variance(&self) -> (f64, f64) {
        let total = self.pairs().max(1) as f64;
        moments(&self.counts.map(|count| count as f64 / total))
    }

    /// The log of how much more likely these pairs are if the normalised t-value of a game is `t1` than if it is
    /// `t0`. A t-value is (mean score - 1/2) / standard deviation.
    #[must_use]
    pub fn log_likelihood_ratio(&self, t0: f64, t1: f64) -> f64 {
        if self.pairs() == 0 {
            return 0.0;
        }
        let counts = self.counts.map(|count| if count == 0 { NEARLY_NOTHING } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        // Two games per pair: the deviation of a pair's mean is smaller by the square root of two.
        let root = std::f64::consts::SQRT_2;
        let [p0, p1] = [t0, t1].map(|t| most_likely_with(&seen, t * root));
        total * (0..5).map(|i| seen[i] * (p1[i] / p0[i]).ln()).sum::<f64>()
    }
}

fn moments(p: &Distribution) -> (f64, f64) {
    let mean: f64 = (0..5).map(|i| p[i] * SCORES[i]).sum();
    let variance = (0..5).map(|i| p[i] * (SCORES[i] - mean).powi(2)).sum();
    (mean, variance)
}

/// Of the distributions whose t-value is `t`, the one under which `seen` is most likely.
fn most_likely_with(seen: &Distribution, t: f64) -> Distribution {
    let mut found = [0.2; 5];
    for _ in 0..30 {
        let (mean, variance) = moments(&found);
        let deviation = variance.sqrt().max(1e-9);
        // The constraint made linear around the last guess.
        let slopes: Distribution = std::array::from_fn(|i| {
            let off = (mean - SCORES[i]) / deviation;
            SCORES[i] - 0.5 - t * deviation * (1.0 + off * off) / 2.0
        });
        let weight = balance(seen, &slopes);
        let next: Distribution = std::array::from_fn(|i| seen[i] / (1.0 + weight * slopes[i]));
        let moved = (0..5).map(|i| (next[i] - found[i]).abs()).fold(0.0, f64::max);
        found = next;
        if moved < 1e-10 {
            break;
        }
    }
    found
}

/// The x at which the sum of p a / (1 + x a) is 0. It falls all the way between its two poles, so that halving
/// the interval always ends; 0 if all slopes have one sign, where there is no such x.
fn balance(p: &Distribution, slopes: &Distribution) -> f64 {
    let low = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let high = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if low >= 0.0 || high <= 0.0 {
        return 0.0;
    }
    let (mut left, mut right) = (-1.0 / high, -1.0 / low);
    for _ in 0..200 {
        let middle = (left + right) / 2.0;
        let sum: f64 = (0..5).map(|i| p[i] * slopes[i] / (1.0 + middle * slopes[i])).sum();
        if sum > 0.0 { left = middle } else { right = middle }
    }
    (left + right) / 2.0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The divisor from normalised Elo to t-values.
    const UNIT: f64 = 800.0 / std::f64::consts::LN_10;

    fn llr(counts: [u64; 5], elo0: f64, elo1: f64) -> f64 {
        Pentanomial { counts }.log_likelihood_ratio(elo0 / UNIT, elo1 / UNIT)
    }

    #[test]
    fn ratios_are_those_that_fastchess_publishes() {
        for (counts, bounds, expected) in [
            ([365, 16_618, 36_229, 16_974, 390], (0.0, 2.0), 2.25),
            ([127, 4_883, 10_712, 5_150, 104], (-1.75, 0.25), 3.01),
        ] {
            let found = llr(counts, bounds.0, bounds.1);
            assert!((found - expected).abs() < 0.01, "{counts:?}: {found}");
        }
    }

    #[test]
    fn extreme_results_end_with_a_finite_ratio() {
        for counts in [[0; 5], [1, 0, 0, 0, 0], [0, 0, 1_000_000, 0, 0], [5_000, 0, 0, 0, 5_000]] {
            for (elo0, elo1) in [(0.0, 2.0), (-500.0, 500.0), (0.0, 1e-6), (900.0, 1000.0)] {
                assert!(llr(counts, elo0, elo1).is_finite(), "{counts:?} {elo0} {elo1}");
            }
        }
    }

    #[test]
    fn swapping_the_players_negates_the_ratio() {
        let a = llr([10, 40, 90, 60, 20], 0.0, 10.0);
        let b = llr([20, 60, 90, 40, 10], -10.0, 0.0);
        assert!((a + b).abs() < 1e-6, "{a} {b}");
    }
}
