//! The selection values: what makes a child worth going to, besides its value.

use super::params::Reading;

/// What selection values are made of; numbers are for the side that chooses the child.
#[derive(Clone, Copy, Debug)]
pub(super) struct Facts {
    /// The backed-up value.
    pub(super) e: f32,
    /// The value when the child was created.
    pub(super) e0: f32,
    /// The search depth.
    pub(super) d: f32,
    /// Visits.
    pub(super) n: f32,
    /// The parent's search depth.
    pub(super) d_parent: f32,
    /// The parent's visits.
    pub(super) n_parent: f32,
}

/// Beyond this a power of e is no longer a sensible bonus, only an overflow.
const LARGEST_EXPONENT: f32 = 20.0;

/// The k-th selection value; 0 is E itself.
pub(super) fn value(k: u32, c: f32, reading: Reading, facts: &Facts) -> f32 {
    let &Facts { e, e0, d, n, d_parent, n_parent } = facts;
    let (x, x_parent) = match reading {
        Reading::Depth => (d, d_parent),
        Reading::Visits => (n, n_parent),
    };
    let behind = || (d_parent / 2.0 - d).min(LARGEST_EXPONENT).exp();
    let cubic = || x_parent / (x.powi(3) + 1.0);
    let mixed = |p: f32| (1.0 - p) * e + p * e0;
    match k {
        1 => e + c * n_parent.max(1.0).ln() / (n + 1.0),
        2 => e + c * e0 * n_parent / (n * n + 1.0),
        3 => e + c * d_parent / d.exp(),
        4 => e + c * cubic(),
        5 => e + c * e0 * cubic(),
        6 => e * (1.0 + c * cubic()),
        7 => e + c * e0 * behind(),
        8 => e + c * behind(),
        9 => e + c * e0,
        10 => e * (1.0 + c * behind()),
        11 => e * (1.0 + c * n_parent / (n * n + 1.0)),
        12 if e >= 0.0 => e - c * d,
        12 => e + c * d,
        13 => e * (1.0 + c * d),
        14 => e + c * d_parent / (d * d + 1.0),
        15 => e + c * d,
        16 => mixed(c / (d + 1.0)),
        17 => mixed(c / (d + 1.0).sqrt()),
        18 if d > 0.0 => mixed(c / d),
        18 => e0,
        _ => e,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: Facts = Facts { e: 100.0, e0: 40.0, d: 2.0, n: 3.0, d_parent: 6.0, n_parent: 20.0 };

    fn of(k: u32, c: f32, facts: Facts) -> f32 {
        value(k, c, Reading::Depth, &facts)
    }

    #[test]
    fn every_value_is_its_formula() {
        let e = std::f32::consts::E;
        let expected = [
            100.0,
            100.0 + 0.5 * 20f32.ln() / 4.0,
            100.0 + 0.5 * 40.0 * 20.0 / 10.0,
            100.0 + 0.5 * 6.0 / 2f32.exp(),
            100.0 + 0.5 * 6.0 / 9.0,
            100.0 + 0.5 * 40.0 * 6.0 / 9.0,
            100.0 * (1.0 + 0.5 * 6.0 / 9.0),
            100.0 + 0.5 * 40.0 * e,
            100.0 + 0.5 * e,
            120.0,
            100.0 * (1.0 + 0.5 * e),
            100.0 * (1.0 + 0.5 * 20.0 / 10.0),
            99.0,
            200.0,
            100.0 + 0.5 * 6.0 / 5.0,
            101.0,
            100.0 - 60.0 / 6.0,
            100.0 - 60.0 * 0.5 / 3f32.sqrt(),
            85.0,
        ];
        for (k, expected) in expected.into_iter().enumerate() {
            let found = of(k as u32, 0.5, FACTS);
            assert!((found - expected).abs() < 1e-3, "{k}: {found} instead of {expected}");
        }
    }

    #[test]
    fn mixtures_begin_at_the_first_value_and_end_at_the_backed_up_one() {
        for k in 16..=18 {
            let shallow = of(k, 1.0, Facts { d: 0.0, ..FACTS });
            assert!((shallow - 40.0).abs() < 1e-3, "{k}");
            let deep = of(k, 0.5, Facts { d: 1e6, ..FACTS });
            assert!((deep - 100.0).abs() < 0.1, "{k}: {deep}");
        }
        assert_eq!(of(18, 0.5, Facts { d: 0.0, ..FACTS }), 40.0, "whatever the constant");
    }

    #[test]
    fn the_twelfth_is_odd_in_the_value() {
        for e in [0.5, 30.0, 700.0] {
            let [up, down] = [e, -e].map(|e| of(12, 3.0, Facts { e, ..FACTS }));
            assert_eq!(up, -down);
        }
    }

    #[test]
    fn the_other_reading_counts_visits_in_the_fourth_to_sixth_only() {
        for k in 0..=18 {
            let by_visits = value(k, 0.5, Reading::Visits, &FACTS);
            assert_eq!(by_visits != of(k, 0.5, FACTS), (4..=6).contains(&k), "{k}");
        }
    }
}
