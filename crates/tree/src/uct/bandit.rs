//! What makes a child worth a visit: its mean, and how little is known about it.

use super::params::Select;

/// What a bandit formula goes by.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arm {
    /// The mean result, from 0 to 1.
    pub(super) mean: f32,
    /// The results that the mean is made of, a first guess included if there is one; 0 for an arm that was never drawn.
    pub(super) samples: f32,
    /// The variance of the results.
    pub(super) variance: f32,
    /// How probable it is to be best, before any visit.
    pub(super) prior: f32,
}

/// The index of an arm when its parent has been visited so often; `c` weighs the bonus (1 is the textbook's).
pub(super) fn index(select: Select, c: f32, arm: &Arm, visits: f32) -> f32 {
    if arm.samples == 0.0 && !matches!(select, Select::Puct | Select::Even) {
        // Whatever has no result yet comes first.
        return f32::INFINITY;
    }
    let log = visits.max(1.0).ln();
    let bonus = match select {
        Select::Puct => arm.prior * visits.max(1.0).sqrt() / (1.0 + arm.samples),
        Select::Ucb1 => (2.0 * log / arm.samples).sqrt(),
        Select::PaperUcb1 => return arm.mean + (2.0 * log / arm.samples).sqrt(),
        Select::PaperTuned => {
            let spread = arm.mean - arm.mean * arm.mean + (2.0 * log / arm.samples).sqrt();
            return arm.mean + (log / arm.samples * spread.min(0.25)).sqrt();
        }
        Select::Tuned => {
            let spread = arm.variance + (2.0 * log / arm.samples).sqrt();
            (log / arm.samples * spread.min(0.25)).sqrt()
        }
        // The fewest visits first, and nothing else.
        Select::Even => return -arm.samples,
    };
    arm.mean + c * bonus
}

#[cfg(test)]
mod tests {
    use super::*;

    const ARM: Arm = Arm { mean: 0.6, samples: 4.0, variance: 0.01, prior: 0.2 };

    #[test]
    fn each_index_is_its_formula() {
        let log = 100f32.ln();
        let of = |select| index(select, 1.0, &ARM, 100.0);
        assert!((of(Select::Ucb1) - (0.6 + (2.0 * log / 4.0).sqrt())).abs() < 1e-5);
        assert!((of(Select::Puct) - (0.6 + 0.2 * 10.0 / 5.0)).abs() < 1e-5);
        let spread = (0.01 + (2.0 * log / 4.0).sqrt()).min(0.25);
        assert!((of(Select::Tuned) - (0.6 + (log / 4.0 * spread).sqrt())).abs() < 1e-5);
        assert_eq!(of(Select::Even), -4.0);
    }

    #[test]
    fn the_formulas_of_the_paper_know_no_other_constant() {
        let log = 100f32.ln();
        let first = 0.6 + (2.0 * log / 4.0).sqrt();
        // 0.24 and more than 0.01 above it: a quarter is the most. With many samples the bound is not reached.
        let tuned = 0.6 + (log / 4.0 * 0.25).sqrt();
        let often = Arm { samples: 1e6, ..ARM };
        let tuned_often = 0.6 + (log / 1e6 * (0.24 + (2.0 * log / 1e6).sqrt())).sqrt();
        for c in [0.0, 0.1, 1.0] {
            assert!((index(Select::PaperUcb1, c, &ARM, 100.0) - first).abs() < 1e-5);
            assert!((index(Select::PaperTuned, c, &ARM, 100.0) - tuned).abs() < 1e-5);
            assert!((index(Select::PaperTuned, c, &often, 100.0) - tuned_often).abs() < 1e-5);
        }
        let fresh = Arm { samples: 0.0, ..ARM };
        assert_eq!(index(Select::PaperUcb1, 0.0, &fresh, 100.0), f32::INFINITY);
    }

    #[test]
    fn a_bonus_shrinks_with_visits() {
        for select in [Select::Puct, Select::Ucb1, Select::Tuned] {
            let often = Arm { samples: 40.0, ..ARM };
            assert!(index(select, 1.0, &often, 100.0) < index(select, 1.0, &ARM, 100.0), "{select:?}");
            assert!((index(select, 0.0, &ARM, 100.0) - 0.6).abs() < 1e-6, "{select:?}");
        }
    }
}
