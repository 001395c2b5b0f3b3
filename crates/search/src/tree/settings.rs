//! What all tree methods can be told.

use crate::params::settings;

settings! {
    /// Settings that every tree method has.
    TreeSettings {
        numbers {
            quiescence "qdepth" = 8.0 in 0.0 ..= 32.0, "plies of captures at leaves; 0 evaluates as it stands";
            leaf_mate "leaf_mate" = 1.0 in 0.0 ..= 3.0, "mates looked for at leaves: 0 none, 1 in one ply, 3 in three";
            root_mate "root_mate" = 0.0 in 0.0 ..= 1_000_000_000.0, "positions that the mate solver may visit before the search";
            seed "seed" = 1.0 in 0.0 ..= 16_777_215.0, "of whatever is left to chance";
        }
        choices {}
    }
}

/// How a leaf gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeafSettings {
    /// Plies of captures.
    pub quiescence: u32,
    /// Mates of up to so many plies are looked for.
    pub mate: u32,
}

impl TreeSettings {
    /// What concerns leaves.
    #[must_use]
    pub fn leaf(&self) -> LeafSettings {
        LeafSettings { quiescence: self.quiescence as u32, mate: self.leaf_mate as u32 }
    }
}

/// From values to win rates and back: so many centipawns make odds of e to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRates {
    /// The centipawns.
    pub scale: f32,
}

impl WinRates {
    /// The win rate of a value.
    #[must_use]
    pub fn of(self, centipawns: f32) -> f32 {
        1.0 / (1.0 + (-centipawns / self.scale).exp())
    }

    /// The value of a win rate.
    #[must_use]
    pub fn centipawns(self, win_rate: f32) -> f32 {
        let rate = win_rate.clamp(1e-6, 1.0 - 1e-6);
        self.scale * (rate / (1.0 - rate)).ln()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn win_rates_and_values_are_each_others_inverse() {
        let rates = WinRates { scale: 600.0 };
        for value in [-2000.0, -90.0, 0.0, 350.0] {
            assert!((rates.centipawns(rates.of(value)) - value).abs() < 1.0);
        }
        assert_eq!(rates.of(0.0), 0.5);
    }
}
