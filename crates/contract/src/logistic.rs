//! From values to win rates: the logistic function, its scale, and the scale that fits results.

/// The logistic function: 1 / (1 + exp(-x)).
#[inline]
#[must_use]
pub fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The logistic scale: the centipawns at which a side wins e times as often as it loses. The win rate of a value is
/// the logistic function of their quotient.
///
/// ```
/// use contract::LogisticScale;
/// let scale = LogisticScale::default();
/// assert_eq!(scale.win_rate(0.0), 0.5);
/// assert!((scale.win_rate(-600.0) - 0.2689).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LogisticScale(f64);

impl Default for LogisticScale {
    /// 600, as the programs use that people compare with.
    fn default() -> LogisticScale {
        LogisticScale(USUAL_SCALE)
    }
}

impl LogisticScale {
    /// A scale in centipawns; `None` unless that is a number above 0.
    #[must_use]
    pub fn new(centipawns: f64) -> Option<LogisticScale> {
        (centipawns.is_finite() && centipawns > 0.0).then_some(LogisticScale(centipawns))
    }

    /// The scale in centipawns.
    #[must_use]
    pub fn centipawns(self) -> f64 {
        self.0
    }

    /// The win rate of a value, from 0 to 1.
    #[must_use]
    pub fn win_rate(self, value: f64) -> f64 {
        logistic(value / self.0)
    }

    /// The win rate of a value in single precision, as search trees hold it.
    #[inline]
    #[must_use]
    pub fn win_rate_f32(self, value: f32) -> f32 {
        1.0 / (1.0 + (-value / self.0 as f32).exp())
    }

    /// The value of a win rate in single precision; certainty is cut to a millionth.
    #[inline]
    #[must_use]
    pub fn value_f32(self, win_rate: f32) -> f32 {
        let rate = win_rate.clamp(1e-6, 1.0 - 1e-6);
        self.0 as f32 * (rate / (1.0 - rate)).ln()
    }
}

/// What to take for the scale where the data say nothing.
const USUAL_SCALE: f64 = 600.0;
const STEPS: usize = 100;

/// The scale at which the win rates of the values make the results most likely, by Newton's steps. The data are values
/// and results: 1, 0 or a half.
#[must_use]
pub fn fit_scale(data: &[(f64, f64)]) -> f64 {
    // One coefficient: sums instead of rows, since there may be millions.
    let mut slope = 1.0 / USUAL_SCALE;
    for _ in 0..STEPS {
        let (mut gradient, mut curvature) = (0.0, 0.0);
        for &(value, result) in data {
            let p = logistic(slope * value);
            gradient += (result - p) * value;
            curvature += p * (1.0 - p) * value * value;
        }
        if curvature <= 0.0 || !gradient.is_finite() {
            break;
        }
        let next = (slope + gradient / curvature).clamp(slope / 4.0, slope * 4.0);
        let moved = (next - slope).abs();
        slope = next;
        if moved < 1e-12 {
            break;
        }
    }
    (1.0 / slope).clamp(1.0, 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn win_rates_and_values_are_each_others_inverse() {
        let scale = LogisticScale::default();
        for value in [-2000.0, -90.0, 0.0, 350.0] {
            assert!((scale.value_f32(scale.win_rate_f32(value)) - value).abs() < 1.0);
            assert!((f64::from(scale.win_rate_f32(value)) - scale.win_rate(value.into())).abs() < 1e-6);
        }
        assert_eq!(scale.win_rate_f32(0.0), 0.5);
    }

    #[test]
    fn a_scale_is_a_number_above_zero() {
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(LogisticScale::new(wrong), None);
        }
    }

    #[test]
    fn the_scale_that_made_the_results_is_found_again() {
        let mut rng = Rng::new(4);
        let made: Vec<(f64, f64)> = (0..20_000)
            .map(|_| {
                let value = (rng.unit() - 0.5) * 2000.0;
                (value, f64::from(u8::from(rng.unit() < logistic(value / 500.0))))
            })
            .collect();
        assert!((fit_scale(&made) - 500.0).abs() < 25.0);
        assert!(fit_scale(&[]).is_finite() && fit_scale(&[(100.0, 1.0)]).is_finite());
    }
}
