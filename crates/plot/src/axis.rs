//! From numbers to places, and round numbers to write beside them.

/// A range of numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The smallest.
    pub low: f64,
    /// The largest.
    pub high: f64,
}

impl Axis {
    /// A range as given; one without extent gets some.
    #[must_use]
    pub fn new(low: f64, high: f64) -> Axis {
        if low.is_finite() && high.is_finite() && high > low {
            return Axis { low, high };
        }
        let middle = if low.is_finite() { low } else { 0.0 };
        Axis { low: middle - 1.0, high: middle + 1.0 }
    }

    /// The range of these numbers, widened to round ones.
    #[must_use]
    pub fn around(numbers: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = numbers
            .filter(|number| number.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), n| (low.min(n), high.max(n)));
        let axis = Axis::new(low, high);
        let step = axis.step();
        Axis { low: (axis.low / step).floor() * step, high: (axis.high / step).ceil() * step }
    }

    /// Where a number lies: 0 at the low end, 1 at the high one.
    #[must_use]
    pub fn share(&self, number: f64) -> f64 {
        (number - self.low) / (self.high - self.low)
    }

    /// The distance of the marks: 1, 2 or 5 times a power of ten.
    #[must_use]
    pub fn step(&self) -> f64 {
        let rough = (self.high - self.low) / 7.0;
        let power = 10_f64.powf(rough.log10().floor());
        let steps = [1.0, 2.0, 5.0, 10.0];
        power * steps.into_iter().find(|step| step * power >= rough * 0.999).unwrap_or(10.0)
    }

    /// The marks.
    #[must_use]
    pub fn marks(&self) -> Vec<f64> {
        let step = self.step();
        let first = (self.low / step - 1e-9).ceil() as i64;
        let last = (self.high / step + 1e-9).floor() as i64;
        (first..=last).map(|i| i as f64 * step).collect()
    }

    /// A mark's text.
    #[must_use]
    pub fn label(&self, mark: f64) -> String {
        let digits = (-self.step().log10().floor()).clamp(0.0, 9.0) as usize;
        let text = format!("{mark:.digits$}");
        if text.trim_start_matches('-').chars().all(|c| matches!(c, '0' | '.')) {
            "0".to_owned()
        } else {
            text
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_round_and_inside() {
        let axis = Axis::new(-0.03, 1.02);
        let labels: Vec<String> = axis.marks().iter().map(|&mark| axis.label(mark)).collect();
        assert_eq!(labels, ["0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let axis = Axis::around([-1234.0, 2100.0, f64::NAN].into_iter());
        assert_eq!((axis.low, axis.high), (-1500.0, 2500.0));
        assert!(axis.marks().iter().all(|mark| (axis.low..=axis.high).contains(mark)));
    }

    #[test]
    fn a_single_number_still_has_an_axis() {
        for axis in [Axis::around([5.0].into_iter()), Axis::around(std::iter::empty()), Axis::new(3.0, 3.0)] {
            assert!(axis.high > axis.low && axis.marks().len() > 1, "{axis:?}");
        }
    }
}
