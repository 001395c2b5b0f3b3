//! The sequential probability ratio test: play until the results speak.

use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Pentanomial;

/// From normalised Elo to the t-value of a game.
pub(super) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// A test between two hypotheses about the first player's normalised Elo.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// H0: it is this or less.
    pub elo0: f64,
    /// H1: it is this or more.
    pub elo1: f64,
    /// How often H1 may be accepted although H0 is true.
    pub alpha: f64,
    /// How often H0 may be accepted although H1 is true.
    pub beta: f64,
}

/// What a test came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// At least `elo1`.
    H1,
    /// At most `elo0`.
    H0,
    /// The games ran out before the results spoke.
    #[serde(rename = "undecided")]
    Undecided,
}

/// How a test stands.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The log-likelihood ratio.
    pub llr: f64,
    /// At or below this H0 is accepted.
    pub lower: f64,
    /// At or above this H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub verdict: Verdict,
    /// About how many further games it will take; `None` if it is over or nothing is known yet.
    pub games_to_go: Option<u64>,
}

/// Why a text is no test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected ELO0,ELO1 with ELO0 below ELO1, as 0,5, found '{0}'")]
pub struct SprtError(String);

impl FromStr for Sprt {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number = |text: &str| text.trim().parse::<f64>().ok().filter(|elo| elo.abs() <= 1000.0);
        let (elo0, elo1) = text.split_once(',').ok_or_else(|| SprtError(text.to_owned()))?;
        match (number(elo0), number(elo1)) {
            (Some(elo0), Some(elo1)) if elo0 < elo1 => Ok(Sprt { elo0, elo1, alpha: 0.05, beta: 0.05 }),
            _ => Err(SprtError(text.to_owned())),
        }
    }
}

impl Sprt {
    /// The ratios at which H0 and H1 are accepted.
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// How the test stands after these pairs.
    #[must_use]
    pub fn state(&self, pairs: &Pentanomial) -> SprtState {
        let (lower, upper) = self.bounds();
        let (t0, t1) = (self.elo0 / NORMALISED_UNIT, self.elo1 / NORMALISED_UNIT);
        let llr = pairs.log_likelihood_ratio(t0, t1);
        let verdict = match llr {
            _ if llr >= upper => Verdict::H1,
            _ if llr <= lower => Verdict::H0,
            _ => Verdict::Undecided,
        };
        let games_to_go = (verdict == Verdict::Undecided && pairs.pairs() >= 10)
            .then(|| self.games_to_go(pairs, llr))
            .flatten();
        SprtState { llr, lower, upper, verdict, games_to_go }
    }

    /// The mean time until a Brownian motion leaves the bounds that drifts as the results so far do.
    fn games_to_go(&self, pairs: &Pentanomial, llr: f64) -> Option<u64> {
        let (mean, variance) = pairs.mean_and_variance();
        if variance <= 0.0 {
            return None;
        }
        let root = std::f64::consts::SQRT_2;
        let [t0, t1] = [self.elo0, self.elo1].map(|elo| elo / NORMALISED_UNIT * root);
        let drift = (t1 - t0) * ((mean - 0.5) / variance.sqrt() - (t0 + t1) / 2.0);
        let spread = (t1 - t0).powi(2);
        let (lower, upper) = self.bounds();
        let pairs = exit_time(drift, spread, lower - llr, upper - llr);
        Some((2.0 * pairs).round().min(1e15) as u64)
    }
}

/// The mean time at which a motion with this drift and variance per step leaves `low`..`high`, from 0.
fn exit_time(drift: f64, variance: f64, low: f64, high: f64) -> f64 {
    let rate = 2.0 * drift / variance;
    if (rate * (high - low)).abs() < 1e-6 {
        return -low * high / variance;
    }
    let up = (1.0 - (rate * low).exp()) / (1.0 - (-rate * (high - low)).exp());
    // The exponentials overflow for a strong downward drift; the chance is 0 then.
    let up = if up.is_finite() { up.clamp(0.0, 1.0) } else { 0.0 };
    ((up * high + (1.0 - up) * low) / drift).max(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Rng;

    #[test]
    fn bounds_are_the_usual_ones() {
        let sprt: Sprt = "0,5".parse().unwrap();
        let (lower, upper) = sprt.bounds();
        assert!((lower + 2.944).abs() < 1e-3 && (upper - 2.944).abs() < 1e-3);
    }

    #[test]
    fn only_two_rising_numbers_are_a_test() {
        for text in ["", "0", "5,0", "1,1", "0,x", "0,5,9", "nan,5", "0,inf"] {
            assert!(text.parse::<Sprt>().unwrap_err().to_string().contains("ELO0,ELO1"), "{text}");
        }
    }

    #[test]
    fn projected_lengths_are_walds() {
        // With the truth at H1 and equal errors e, the mean length is (1-2e) ln((1-e)/e) / drift.
        let (drift, variance) = (0.5e-4, 1e-4);
        let bound = (0.95_f64 / 0.05).ln();
        let wald = 0.9 * bound / drift;
        assert!((exit_time(drift, variance, -bound, bound) / wald - 1.0).abs() < 1e-9);
        assert!((exit_time(0.0, variance, -bound, bound) - bound * bound / variance).abs() < 1e-6);
        assert!((exit_time(-1.0, 1e-9, -bound, bound) - bound).abs() < 1e-6);
    }

    /// Pairs of a player with this normalised Elo: the middle outcomes as in fast games, tilted a little.
    fn verdict_of(sprt: &Sprt, elo: f64, rng: &mut Rng) -> (Verdict, u64) {
        let base = [0.08, 0.12, 0.6, 0.12, 0.08];
        let deviation = 0.24;
        let tilt = elo / NORMALISED_UNIT * std::f64::consts::SQRT_2 / deviation;
        let weights: Vec<f64> = (0..5).map(|i| base[i] * (1.0 + tilt * (i as f64 / 4.0 - 0.5))).collect();
        let mut pairs = Pentanomial::default();
        loop {
            pairs.add(rng.weighted(&weights).unwrap());
            if pairs.pairs() % 8 == 0 {
                let state = sprt.state(&pairs);
                if state.verdict != Verdict::Undecided {
                    return (state.verdict, pairs.pairs());
                }
            }
        }
    }

    #[test]
    fn verdicts_are_wrong_no_more_often_than_stated() {
        let sprt: Sprt = "0,60".parse().unwrap();
        let mut rng = Rng::new(5);
        let trials = 400;
        for (elo, wrong) in [(0.0, Verdict::H1), (60.0, Verdict::H0)] {
            let errors = (0..trials).filter(|_| verdict_of(&sprt, elo, &mut rng).0 == wrong).count();
            // 5 % of 400 is 20; three standard deviations more would be 33.
            assert!(errors <= 33, "{elo}: {errors} of {trials}");
        }
        let (verdict, pairs) = verdict_of(&sprt, 200.0, &mut rng);
        assert_eq!(verdict, Verdict::H1);
        assert!(pairs < 400, "a clear case is short: {pairs}");
    }
}
