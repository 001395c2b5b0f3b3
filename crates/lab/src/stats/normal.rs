//! The normal distribution.

use std::f64::consts::SQRT_2;

use libm::erfc;

/// How likely a standard normal variable is to fall below `z`.
///
/// ```
/// assert!((lab::stats::normal_below(1.959964) - 0.975).abs() < 1e-7);
/// ```
#[must_use]
pub fn normal_below(z: f64) -> f64 {
    0.5 * erfc(-z / SQRT_2)
}

/// How likely a standard normal variable is to be at least as far from 0 as `z`.
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    erfc(z.abs() / SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree() {
        for (z, expected) in [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_543),
            (-2.0, 0.022_750_131_948_179),
            (3.0, 0.998_650_101_968_370),
            (4.0, 0.999_968_328_758_167),
            (-6.0, 9.865_876_450_377e-10),
        ] {
            let found = normal_below(z);
            assert!((found - expected).abs() < 1e-12, "{z}: {found}");
        }
        assert!((two_sided(1.959_963_985) - 0.05).abs() < 1e-9);
        assert_eq!(normal_below(-100.0), 0.0);
        assert_eq!(normal_below(100.0), 1.0);
    }
}
