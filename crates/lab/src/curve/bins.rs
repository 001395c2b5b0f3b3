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

/// The smallest usual width of intervals that is a twentieth of the range of most values, at which intervals there
/// hold enough positions to know their probability to about 5 %, and at which the curve rises; the one at which it
/// rises best if it never does throughout. Positions of one game share its result, so that narrow intervals
/// show the luck of single games.
#[must_use]
pub fn choose_delta(data: &[(f64, f64)], least: usize, clip: f64) -> f64 {
    let narrowest = narrowest(data, clip);
    let mut best = (f64::NEG_INFINITY, WIDTHS[WIDTHS.len() - 1]);
    for width in WIDTHS.into_iter().filter(|width| *width >= narrowest) {
        let rising = Curve::of(data, width, least, clip).rising();
        if rising > best.0 {
            best = (rising, width);
        }
        if rising >= 1.0 {
            break;
        }
    }
    best.1
}

/// The least width that the number and the range of the values allow.
fn narrowest(data: &[(f64, f64)], clip: f64) -> f64 {
    let mut absolute: Vec<f64> = data.iter().map(|(value, _)| value.abs()).filter(|v| *v < clip).collect();
    if absolute.is_empty() {
        return 100.0;
    }
    let at = absolute.len() * 8 / 10;
    let (_, &mut range, _) = absolute.select_nth_unstable_by(at, f64::total_cmp);
    // Four fifths of the positions lie within ±range; an interval there holds this share of them for each unit.
    let density = absolute.len() as f64 * 0.8 / (2.0 * range.max(1.0));
    let needed = 0.25 / (0.05 * 0.05) * 2.0;
    (needed / density).max(2.0 * range / 20.0)
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

    /// The share of neighbouring intervals that do not fall: by no more than two standard errors.
    #[must_use]
    pub fn rising(&self) -> f64 {
        let rises = |two: &&[Bin]| {
            let error = two[0].error.hypot(two[1].error);
            two[1].probability >= two[0].probability - 2.0 * error
        };
        let rising = self.bins.windows(2).filter(rises).count();
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

    /// Values all over ±2000 that come true as often as a sigmoid says, in games of so many positions.
    fn games(count: usize, positions: usize) -> Vec<(f64, f64)> {
        let mut rng = contract::Rng::new(5);
        let game = |_| {
            let strength = (rng.unit() - 0.5) * 4000.0;
            let won = f64::from(u8::from(rng.unit() < contract::logistic(strength / 600.0)));
            let value = |_| (strength + (rng.unit() - 0.5) * 100.0, won);
            (0..positions).map(value).collect::<Vec<_>>()
        };
        (0..count).flat_map(game).collect()
    }

    #[test]
    fn more_positions_allow_narrower_intervals() {
        let [few, many] = [2_000, 200_000].map(|n| choose_delta(&games(n, 1), 1, 3000.0));
        assert!(many < few, "{many} {few}");
        assert_eq!(choose_delta(&[], 1, 3000.0), 100.0);
    }

    #[test]
    fn few_long_games_need_wider_intervals_than_many_short_ones() {
        let (long, short) = (games(200, 100), games(20_000, 1));
        let [wide, narrow] = [&long, &short].map(|data| choose_delta(data, 1, 3000.0));
        assert!(wide > narrow, "{wide} {narrow}");
        let rising = |delta| Curve::of(&long, delta, 1, 3000.0).rising();
        assert!(rising(wide) > rising(narrow));
        assert_eq!(Curve::of(&short, narrow, 1, 3000.0).rising(), 1.0);
    }

    #[test]
    fn a_fall_is_one_that_errors_do_not_explain() {
        let bin = |probability, error| Bin { value: 0.0, count: 100, probability, error };
        let curve = |second| Curve { delta: 1.0, bins: vec![bin(0.5, 0.03), bin(second, 0.04)] };
        assert_eq!([0.6, 0.41, 0.39].map(|p| curve(p).rising()), [1.0, 1.0, 0.0]);
    }
}
