//! How fast to learn, step by step.

use serde::{Deserialize, Serialize};

/// Rates from a slow start up to the peak and down along a cosine.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Schedule {
    pub(crate) peak: f64,
    pub(crate) warm_up: u64,
    pub(crate) steps: u64,
}

/// The last rate as a share of the peak.
const LAST: f64 = 0.01;

impl Schedule {
    /// The rate of a step, from 0.
    pub(crate) fn rate(&self, step: u64) -> f64 {
        if step < self.warm_up {
            return self.peak * (step + 1) as f64 / self.warm_up as f64;
        }
        let left = self.steps.saturating_sub(self.warm_up).max(1) as f64;
        let share = ((step - self.warm_up) as f64 / left).min(1.0);
        let cosine = 0.5 * (1.0 + (share * std::f64::consts::PI).cos());
        self.peak * (LAST + (1.0 - LAST) * cosine)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_to_its_peak_and_falls() {
        let schedule = Schedule { peak: 1e-3, warm_up: 10, steps: 110 };
        assert!((schedule.rate(0) - 1e-4).abs() < 1e-9);
        assert!((schedule.rate(9) - 1e-3).abs() < 1e-9);
        assert!((schedule.rate(60) - 0.505e-3).abs() < 1e-9);
        assert!((schedule.rate(110) - 1e-5).abs() < 1e-9 && (schedule.rate(1000) - 1e-5).abs() < 1e-9);
    }
}
