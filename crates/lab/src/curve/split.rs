//! Does a kind of position come out better or worse than its value says?
//!
//! Positions of one game share its result, so they are no independent witnesses; games are. The test compares the results
//! of the positions that meet a condition with what the total curve says about their values, sums the
//! differences game by game, and asks whether these sums scatter around 0.

use serde::Serialize;

use super::bins::Curve;
use super::phases::ShortMetrics;
use crate::stats::two_sided;

/// A conditioned curve beside the total one.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Split {
    /// The condition.
    pub condition: String,
    /// Positions that meet it.
    pub positions: usize,
    /// Games they come from.
    pub games: usize,
    /// By how much Black wins more often than the values say.
    pub shift: f64,
    /// In standard errors, with games as witnesses.
    pub z: f64,
    /// How likely chance makes so large a shift.
    pub p: f64,
    /// Their curve.
    pub curve: Curve,
    /// Numbers of these positions.
    pub numbers: ShortMetrics,
    /// The same of as many of them as have early and late positions in the mixture of all positions; none if that cannot be had.
    pub balanced: Option<ShortMetrics>,
}

/// The positions that meet a condition.
pub struct Conditioned<'a> {
    /// The condition.
    pub condition: &'a str,
    /// Game, value and result of each.
    pub data: Vec<(u32, f64, f64)>,
    /// Their curve.
    pub curve: Curve,
    /// Their numbers.
    pub numbers: ShortMetrics,
    /// Their numbers in the mixture of phases that all positions have.
    pub balanced: Option<ShortMetrics>,
}

/// The shift of the positions that meet a condition from the total curve.
#[must_use]
pub fn split_test(chosen: Conditioned<'_>, total: &Curve) -> Split {
    let Conditioned { condition, data, curve, numbers, balanced } = chosen;
    let mut sums: std::collections::BTreeMap<u32, f64> = std::collections::BTreeMap::new();
    let mut positions = 0;
    for (game, value, result) in data {
        if let Some(expected) = total.probability(value) {
            *sums.entry(game).or_default() += result - expected;
            positions += 1;
        }
    }
    let sum: f64 = sums.values().sum();
    let scatter: f64 = sums.values().map(|one| one * one).sum::<f64>().sqrt();
    let z = if scatter > 0.0 { sum / scatter } else { 0.0 };
    Split {
        condition: condition.to_owned(),
        positions,
        games: sums.len(),
        shift: sum / positions.max(1) as f64,
        z,
        p: two_sided(z),
        curve,
        numbers,
        balanced,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Rng;

    /// Games of ten positions with one result each; `bias` is what the condition adds to Black's chance.
    fn data(bias: f64, seed: u64) -> Vec<(u32, f64, f64)> {
        let mut rng = Rng::new(seed);
        let mut all = Vec::new();
        for game in 0..400 {
            let value = (rng.unit() - 0.5) * 800.0;
            let p = 1.0 / (1.0 + (-value / 400.0_f64).exp()) + bias;
            let won = f64::from(u8::from(rng.unit() < p));
            all.extend((0..10).map(|_| (game, value, won)));
        }
        all
    }

    fn test(bias: f64, seed: u64) -> Split {
        let truth: Vec<(f64, f64)> = (-4000..4000)
            .flat_map(|i| {
                let value = f64::from(i) / 8.0;
                let p = 1.0 / (1.0 + (-value / 400.0_f64).exp());
                [(value, p)]
            })
            .collect();
        let total = Curve::of(&truth, 50.0, 1, 500.0);
        let data = data(bias, seed);
        let numbers = ShortMetrics::of(&[], 500.0);
        let curve = total.clone();
        split_test(Conditioned { condition: "x", data, curve, numbers, balanced: None }, &total)
    }

    #[test]
    fn a_real_shift_is_found_and_none_is_not_invented() {
        let split = test(0.15, 1);
        assert!(split.p < 0.001 && (split.shift - 0.15).abs() < 0.06, "{split:?}");
        assert_eq!((split.games, split.positions), (400, 4000));
        let false_alarms = (0..40).filter(|&seed| test(0.0, seed).p < 0.05).count();
        assert!(false_alarms <= 7, "{false_alarms} of 40 at 5 %");
    }
}
