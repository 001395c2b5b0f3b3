//! Curves over win rates, for players whose value is one: the share of games won should be the value itself, y = x.

use contract::LogisticScale;
use serde::Serialize;

use super::bins::Curve;
use super::metrics::spread;

/// The width of the intervals: the paper's 5 % of the range of values.
const WIDTH: f64 = 0.05;

/// An evaluation curve over win rates from 0 to 1.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WinRateCurve {
    /// The logistic scale by which the player's win rates had become centipawns.
    pub scale: f64,
    /// The curve; its values are win rates.
    pub curve: Curve,
    /// E(v) in win rates: distance of the means of won and lost positions.
    #[serde(rename = "E_v")]
    pub e_v: f64,
    /// How far the curve lies from y = x, in the mean over positions.
    pub off_diagonal: f64,
}

impl WinRateCurve {
    /// The curve of values in centipawns, which are win rates by a scale, and of results.
    #[must_use]
    pub fn of(data: &[(f64, f64)], scale: LogisticScale, least: usize) -> WinRateCurve {
        let rates: Vec<(f64, f64)> =
            data.iter().map(|(value, result)| (scale.win_rate(*value), *result)).collect();
        let curve = Curve::of(&rates, WIDTH, least, 1.0);
        let positions: usize = curve.bins.iter().map(|bin| bin.count).sum();
        let off: f64 =
            curve.bins.iter().map(|bin| (bin.probability - bin.value).abs() * bin.count as f64).sum();
        WinRateCurve {
            scale: scale.centipawns(),
            e_v: spread(&rates),
            off_diagonal: off / positions.max(1) as f64,
            curve,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Rng;

    /// Positions that Black wins as often as `truth` makes of the win rate that the player gives.
    fn positions(truth: impl Fn(f64) -> f64) -> Vec<(f64, f64)> {
        let (mut rng, scale) = (Rng::new(3), LogisticScale::default());
        let position = |_| {
            let rate = 0.02 + 0.96 * rng.unit();
            (scale.value_f32(rate as f32).into(), f64::from(u8::from(rng.unit() < truth(rate))))
        };
        (0..40_000).map(position).collect()
    }

    #[test]
    fn a_player_that_tells_the_truth_lies_on_the_diagonal() {
        let honest = WinRateCurve::of(&positions(|rate| rate), LogisticScale::default(), 100);
        assert!(honest.off_diagonal < 0.015, "{honest:?}");
        assert!(honest.curve.bins.iter().all(|bin| (0.0..=1.0).contains(&bin.value)));
        // Means of 2/3 and 1/3, but for the edges that are never drawn.
        assert!((honest.e_v - 0.307).abs() < 0.02, "{honest:?}");
        let timid = WinRateCurve::of(
            &positions(|rate| if rate > 0.5 { 0.9 } else { 0.1 }),
            LogisticScale::default(),
            100,
        );
        assert!(timid.off_diagonal > 0.1, "{timid:?}");
    }
}
