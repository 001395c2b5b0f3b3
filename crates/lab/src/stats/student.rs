//! Student's t distribution: what a normal one becomes when its spread is known from a few samples only.
//!
//! With t = √ν tan θ the density is proportional to the power ν - 1 of cos θ, so that probabilities are shares of one
//! integral over an angle.

use super::estimate::CONFIDENCE;

/// Intervals of Simpson's rule; an even number.
const INTERVALS: u32 = 200;
/// Beyond so many standard deviations there is nothing to be found with many samples.
const FAR: f64 = 12.0;

/// The integral of cos^(ν-1) from 0 to an angle.
fn area(freedom: f64, angle: f64) -> f64 {
    let step = angle / f64::from(INTERVALS);
    let height = |i: u32| (step * f64::from(i)).cos().max(0.0).powf(freedom - 1.0);
    let inner: f64 = (1..INTERVALS).map(|i| height(i) * if i % 2 == 1 { 4.0 } else { 2.0 }).sum();
    (height(0) + inner + height(INTERVALS)) * step / 3.0
}

fn widest(freedom: f64) -> f64 {
    std::f64::consts::FRAC_PI_2.min(FAR / freedom.sqrt())
}

/// How likely a variable with so many degrees of freedom, at least one, is to fall below `t`.
///
/// ```
/// assert!((lab::stats::student_below(1.0, 1.0) - 0.75).abs() < 1e-9);
/// ```
#[must_use]
pub fn student_below(t: f64, freedom: f64) -> f64 {
    let widest = widest(freedom);
    let angle = (t.abs() / freedom.sqrt()).atan().min(widest);
    let half = 0.5 * area(freedom, angle) / area(freedom, widest);
    if t < 0.0 { 0.5 - half } else { 0.5 + half }
}

/// How far from 0, on either side, 95 % of such a variable reach: 12.7 with one degree of freedom, 1.96 with very many.
///
/// ```
/// assert!((lab::stats::student_confidence(2.0) - 4.3027).abs() < 1e-3);
/// ```
#[must_use]
pub fn student_confidence(freedom: f64) -> f64 {
    let widest = widest(freedom);
    let whole = area(freedom, widest);
    let mut angle = (CONFIDENCE / freedom.sqrt()).atan();
    for _ in 0..30 {
        let missing = 0.95 - area(freedom, angle) / whole;
        let step = missing * whole / angle.cos().powf(freedom - 1.0);
        // A step never goes past half of what is left, so that it cannot leave the range.
        angle = (angle + step).min((angle + widest) / 2.0);
        if step.abs() < 1e-10 {
            break;
        }
    }
    freedom.sqrt() * angle.tan()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_agree() {
        for (freedom, expected) in
            [(1.0, 12.7062), (2.0, 4.3027), (3.0, 3.1824), (10.0, 2.2281), (30.0, 2.0423), (120.0, 1.9799)]
        {
            let found = student_confidence(freedom);
            assert!((found - expected).abs() < 2e-3, "{freedom}: {found}");
            assert!((student_below(found, freedom) - 0.975).abs() < 1e-5, "{freedom}");
        }
        assert!((student_confidence(1e7) - CONFIDENCE).abs() < 1e-4);
        assert!((student_below(-2.0, 5.0) - 0.050_969_7).abs() < 1e-5);
        assert!(student_below(50.0, 400.0) > 0.999_999);
    }
}
