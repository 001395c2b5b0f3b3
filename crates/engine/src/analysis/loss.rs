//! Names for what moves cost.

use std::fmt;

/// A name for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum LossClass {
    Inaccuracy,
    Dubious,
    Mistake,
    Blunder,
}

impl LossClass {
    /// Every class, the least first.
    pub const ALL: [LossClass; 4] =
        [LossClass::Inaccuracy, LossClass::Dubious, LossClass::Mistake, LossClass::Blunder];

    /// The loss of win rate that it begins with.
    #[must_use]
    pub const fn threshold(self) -> f64 {
        match self {
            LossClass::Inaccuracy => 0.05,
            LossClass::Dubious => 0.10,
            LossClass::Mistake => 0.20,
            LossClass::Blunder => 0.50,
        }
    }

    /// The class of a loss; `None` if it is too small for a name. A loss that is shown as 5.0 % counts as one.
    #[must_use]
    pub fn of(loss: f64) -> Option<LossClass> {
        let shown = (loss * 1000.0).round() / 1000.0;
        LossClass::ALL.into_iter().rev().find(|class| shown >= class.threshold())
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            LossClass::Inaccuracy => "inaccuracy",
            LossClass::Dubious => "dubious",
            LossClass::Mistake => "mistake",
            LossClass::Blunder => "blunder",
        }
    }
}

impl fmt::Display for LossClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_begins_at_its_threshold() {
        for (loss, class) in [
            (0.0, None),
            (0.0494, None),
            (0.0496, Some(LossClass::Inaccuracy)),
            (0.05, Some(LossClass::Inaccuracy)),
            (0.0994, Some(LossClass::Inaccuracy)),
            (0.10, Some(LossClass::Dubious)),
            (0.20, Some(LossClass::Mistake)),
            (0.4994, Some(LossClass::Mistake)),
            (0.50, Some(LossClass::Blunder)),
            (1.0, Some(LossClass::Blunder)),
        ] {
            assert_eq!(LossClass::of(loss), class, "{loss}");
        }
    }
}
