//! Win probability over value, by intervals.

use std::collections::HashSet;

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

/// How exactly a win probability is to be known, as a standard error: the paper's 10 %.
const PROBABILITY_ERROR: f64 = 0.1;
/// How exactly a value, as a share of the range of values: the paper's 5 %.
const VALUE_ERROR: f64 = 0.05;
/// The share of the positions that the range of values holds.
const WITHIN_RANGE: f64 = 0.8;
/// The width where there are no values.
const WITHOUT_VALUES: f64 = 100.0;

/// One width of intervals for all players of a study, each with its values by games: the smallest usual one that is 5 % of the range
/// of values, and at which every interval in that range holds games enough to know its probability to 10 %, for
/// every player; the widest if none does. Positions of one game share its result: games count, not positions.
/// Results are not looked at, so that no curve can be made to rise.
#[must_use]
pub fn choose_delta(players: &[Vec<(u32, f64)>], clip: f64) -> f64 {
    let Some(range) = range(players, clip) else { return WITHOUT_VALUES };
    let is_enough = |width: &f64| {
        *width >= 2.0 * range * VALUE_ERROR && players.iter().all(|data| holds_enough(data, *width, range))
    };
    WIDTHS.into_iter().find(is_enough).unwrap_or(WIDTHS[WIDTHS.len() - 1])
}

/// Four fifths of the values of all players lie within ± this.
fn range(players: &[Vec<(u32, f64)>], clip: f64) -> Option<f64> {
    let absolute = players.iter().flatten().map(|(_, value)| value.abs());
    let mut absolute: Vec<f64> = absolute.filter(|value| *value < clip).collect();
    let at = (absolute.len() as f64 * WITHIN_RANGE) as usize;
    (!absolute.is_empty()).then(|| *absolute.select_nth_unstable_by(at, f64::total_cmp).1)
}

/// Whether every interval of this width with its middle within ±`range` holds enough games for a probability of a half, which needs the most.
fn holds_enough(data: &[(u32, f64)], width: f64, range: f64) -> bool {
    let needed = (0.25 / (PROBABILITY_ERROR * PROBABILITY_ERROR)).ceil() as usize;
    let outermost = (range / width).floor();
    let mut games = vec![HashSet::new(); 2 * outermost as usize + 1];
    for &(game, value) in data {
        let interval = (value / width + 0.5).floor();
        if interval.abs() <= outermost {
            let games = &mut games[(interval + outermost) as usize];
            if games.len() < needed {
                games.insert(game);
            }
        }
    }
    games.iter().all(|games| games.len() >= needed)
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

    /// Values of games all over ±2000, so many positions each.
    fn games(count: u32, positions: usize) -> Vec<(u32, f64)> {
        let mut rng = contract::Rng::new(5);
        let game = |game| {
            let strength = (rng.unit() - 0.5) * 4000.0;
            (0..positions).map(|_| (game, strength + (rng.unit() - 0.5) * 100.0)).collect::<Vec<_>>()
        };
        (0..count).flat_map(game).collect()
    }

    #[test]
    fn games_and_not_positions_make_intervals_narrow() {
        let width = |count, positions| choose_delta(&[games(count, positions)], 3000.0);
        assert_eq!(width(400, 1), 500.0);
        // 5 % of ±1600 is 160.
        assert_eq!([width(20_000, 1), width(400_000, 1)], [200.0; 2]);
        assert_eq!(width(40, 500), 500.0);
        assert_eq!(choose_delta(&[], 3000.0), 100.0);
    }

    #[test]
    fn one_width_serves_every_player() {
        let (many, few) = (games(20_000, 1), games(600, 1));
        let alone = choose_delta(std::slice::from_ref(&few), 3000.0);
        assert!(alone > choose_delta(std::slice::from_ref(&many), 3000.0));
        assert_eq!(choose_delta(&[many, few], 3000.0), alone);
    }

    #[test]
    fn a_fall_is_one_that_errors_do_not_explain() {
        let bin = |probability, error| Bin { value: 0.0, count: 100, probability, error };
        let curve = |second| Curve { delta: 1.0, bins: vec![bin(0.5, 0.03), bin(second, 0.04)] };
        assert_eq!([0.6, 0.41, 0.39].map(|p| curve(p).rising()), [1.0, 1.0, 0.0]);
    }
}
