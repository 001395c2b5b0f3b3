//! Win probability over value, by intervals.

use serde::Serialize;

/// An interval of values and what became of its positions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Bin {
    /// The middle of the interval.
    pub value: f64,
    /// How many positions.
    pub count: usize,
    /// The share that Black won, draws as halves.
    pub probability: f64,
    /// Its standard error, sqrt(p (1 - p) / n).
    pub error: f64,
}

/// An evaluation curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Curve {
    /// The width of the intervals.
    pub delta: f64,
    /// The intervals with enough positions, from low to high.
    pub bins: Vec<Bin>,
}

/// The usual widths, in centipawns.
const WIDTHS: [f64; 9] = [10.0, 20.0, 25.0, 50.0, 100.0, 150.0, 200.0, 300.0, 500.0];

/// The smallest usual width that is a twentieth of the range of most values, and at which intervals there hold
/// enough positions to know their probability to about 5 %.
#[must_use]
pub fn choose_delta(values: &[f64], clip: f64) -> f64 {
    let inside = values.iter().filter(|value| value.abs() < clip);
    let mut absolute: Vec<f64> = inside.map(|value| value.abs()).collect();
    if absolute.is_empty() {
        return 100.0;
    }
    let at = absolute.len() * 8 / 10;
    let (_, &mut range, _) = absolute.select_nth_unstable_by(at, f64::total_cmp);
    // Four fifths of the positions lie within ±range; an interval there holds this share of them for each unit.
    let density = absolute.len() as f64 * 0.8 / (2.0 * range.max(1.0));
    let needed = 0.25 / (0.05 * 0.05) * 2.0;
    let least = needed / density;
    // Narrower ones would show the luck of single games: positions of one game share its result.
    let twentieth = 2.0 * range / 20.0;
    WIDTHS.into_iter().find(|width| *width >= least.max(twentieth)).unwrap_or(500.0)
}

impl Curve {
    /// The curve of values and results; intervals with fewer than `least` positions are left out, and values
    /// beyond ±`clip` belong to the outermost ones.
    #[must_use]
    pub fn of(data: &[(f64, f64)], delta: f64, least: usize, clip: f64) -> Curve {
        let outermost = (clip / delta).floor();
        let place =
            |value: f64| ((value / delta + 0.5).floor().clamp(-outermost, outermost) + outermost) as usize;
        // Positions and points of each interval.
        let mut sums = vec![(0_usize, 0.0_f64); 2 * outermost as usize + 1];
        for &(value, result) in data.iter().filter(|(value, _)| !value.is_nan()) {
            let sum = &mut sums[place(value)];
            *sum = (sum.0 + 1, sum.1 + result);
        }
        let bins = sums
            .iter()
            .enumerate()
            .filter(|(_, (count, _))| *count >= least.max(1))
            .map(|(i, &(count, points))| {
                let p = points / count as f64;
                let value = (i as f64 - outermost) * delta;
                Bin { value, count, probability: p, error: (p * (1.0 - p) / count as f64).sqrt() }
            })
            .collect();
        Curve { delta, bins }
    }

    /// The win probability of a value's interval, or of the nearest one that is known.
    #[must_use]
    pub fn probability(&self, value: f64) -> Option<f64> {
        let after = self.bins.partition_point(|bin| bin.value + self.delta / 2.0 <= value);
        let near = [after.checked_sub(1), Some(after)];
        near.into_iter()
            .flatten()
            .filter_map(|i| self.bins.get(i))
            .min_by(|a, b| (a.value - value).abs().total_cmp(&(b.value - value).abs()))
            .map(|bin| bin.probability)
    }

    /// The share of neighbouring intervals whose probabilities rise.
    #[must_use]
    pub fn rising(&self) -> f64 {
        let rising = self.bins.windows(2).filter(|two| two[1].probability >= two[0].probability).count();
        rising as f64 / self.bins.len().saturating_sub(1).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_hold_what_lies_within_half_a_width() {
        let data = [(-50.0, 0.0), (-51.0, 1.0), (49.0, 1.0), (50.0, 1.0), (9000.0, 0.5), (f64::NAN, 1.0)];
        let curve = Curve::of(&data, 100.0, 1, 300.0);
        let found: Vec<(f64, usize, f64)> =
            curve.bins.iter().map(|b| (b.value, b.count, b.probability)).collect();
        assert_eq!(found, [(-100.0, 1, 1.0), (0.0, 2, 0.5), (100.0, 1, 1.0), (300.0, 1, 0.5)]);
        assert_eq!(Curve::of(&data, 100.0, 2, 300.0).bins.len(), 1);
        assert_eq!(curve.probability(10.0), Some(0.5));
        assert_eq!(curve.probability(1e6), Some(0.5));
        assert_eq!(Curve::of(&[], 100.0, 1, 300.0).probability(0.0), None);
    }

    #[test]
    fn more_positions_allow_narrower_intervals() {
        let spread = |n: usize| (0..n).map(|i| (i as f64 / n as f64 - 0.5) * 4000.0).collect::<Vec<_>>();
        let few = choose_delta(&spread(2_000), 3000.0);
        let many = choose_delta(&spread(200_000), 3000.0);
        assert!(many < few, "{many} {few}");
        assert_eq!(choose_delta(&[], 3000.0), 100.0);
    }
}
