//! The normal distribution.

use std::f64::consts::{PI, SQRT_2};

/// How likely a standard normal variable is to fall below `z`.
///
/// ```
/// assert!((lab::stats::normal_below(1.959964) - 0.975).abs() < 1e-7);
/// ```
#[must_use]
pub fn normal_below(z: f64) -> f64 {
    0.5 * complementary_error(-z / SQRT_2)
}

/// How likely a standard normal variable is to be at least as far from 0 as `z`.
#[must_use]
pub fn two_sided(z: f64) -> f64 {
    complementary_error(z.abs() / SQRT_2)
}

/// erfc: a series near 0, where it converges at once, and a continued fraction farther out.
fn complementary_error(x: f64) -> f64 {
    if x < 0.0 {
        return 2.0 - complementary_error(-x);
    }
    if x > 27.0 {
        return 0.0;
    }
    let gauss = (-x * x).exp();
    if x < 2.5 {
        // erf(x) = 2/sqrt(pi) exp(-x^2) sum of (2x^2)^n x / (1 3 5 … (2n+1))
        let mut term = x;
        let mut sum = x;
        for n in 1..200 {
            term *= 2.0 * x * x / f64::from(2 * n + 1);
            sum += term;
            if term < sum * 1e-17 {
                break;
            }
        }
        return 1.0 - 2.0 / PI.sqrt() * gauss * sum;
    }
    // erfc(x) = exp(-x^2)/sqrt(pi) / (x + (1/2)/(x + 1/(x + (3/2)/(x + …)))), from the inside out.
    let mut below = x;
    for n in (1..120).rev() {
        below = x + f64::from(n) / 2.0 / below;
    }
    gauss / PI.sqrt() / below
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
