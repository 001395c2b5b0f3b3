//! What a move costs: win rates, and names for losses.

use std::fmt;

use records::game::Evaluation;
use shogi::Color;

/// From centipawns to win rates: 1 / (1 + exp(-cp / scale)).
///
/// ```
/// use engine::analysis::Scale;
/// use records::game::Evaluation;
/// use shogi::Color;
/// let scale = Scale::default();
/// assert_eq!(scale.win_rate(Evaluation::BlackCp(0), Color::Black), 0.5);
/// assert!((scale.win_rate(Evaluation::BlackCp(600), Color::White) - 0.2689).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale(f64);

impl Default for Scale {
    /// 600, as the programs use that people compare with.
    fn default() -> Scale {
        Scale(600.0)
    }
}

impl Scale {
    /// So many centipawns make odds of e to 1; `None` unless that is a number above 0.
    #[must_use]
    pub fn new(centipawns: f64) -> Option<Scale> {
        (centipawns.is_finite() && centipawns > 0.0).then_some(Scale(centipawns))
    }

    /// The centipawns that make odds of e to 1.
    #[must_use]
    pub fn centipawns(self) -> f64 {
        self.0
    }

    /// How likely a side is to win, from 0 to 1; a forced mate is certain.
    #[must_use]
    pub fn win_rate(self, evaluation: Evaluation, side: Color) -> f64 {
        match evaluation {
            Evaluation::BlackCp(cp) => {
                let cp = f64::from(cp) * if side == Color::Black { 1.0 } else { -1.0 };
                1.0 / (1.0 + (-cp / self.0).exp())
            }
            Evaluation::Mate { winner, .. } => f64::from(u8::from(winner == side)),
        }
    }

    /// How much of a side's win rate is gone between two values; a gain is no loss.
    #[must_use]
    pub fn loss(self, side: Color, best: Evaluation, played: Evaluation) -> f64 {
        (self.win_rate(best, side) - self.win_rate(played, side)).max(0.0)
    }
}

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

    /// The class of a loss; `None` if it is too small for a name.
    #[must_use]
    pub fn of(loss: f64) -> Option<LossClass> {
        LossClass::ALL.into_iter().rev().find(|class| loss >= class.threshold())
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
            (0.0499, None),
            (0.05, Some(LossClass::Inaccuracy)),
            (0.0999, Some(LossClass::Inaccuracy)),
            (0.10, Some(LossClass::Dubious)),
            (0.20, Some(LossClass::Mistake)),
            (0.4999, Some(LossClass::Mistake)),
            (0.50, Some(LossClass::Blunder)),
            (1.0, Some(LossClass::Blunder)),
        ] {
            assert_eq!(LossClass::of(loss), class, "{loss}");
        }
    }

    #[test]
    fn a_side_loses_what_the_other_gains_and_gains_are_no_losses() {
        let scale = Scale::default();
        let (even, good) = (Evaluation::BlackCp(0), Evaluation::BlackCp(600));
        assert!((scale.loss(Color::White, even, good) - 0.2311).abs() < 1e-4);
        assert_eq!(scale.loss(Color::Black, even, good), 0.0);
        assert!((scale.loss(Color::Black, good, even) - 0.2311).abs() < 1e-4);
        let steep = Scale::new(100.0).unwrap();
        assert!(steep.loss(Color::Black, good, even) > 0.49);
    }

    #[test]
    fn mates_are_certain_whatever_their_length() {
        let scale = Scale::default();
        let mate = |winner, plies| Evaluation::Mate { winner, plies };
        assert_eq!(scale.loss(Color::Black, mate(Color::Black, Some(3)), mate(Color::Black, Some(9))), 0.0);
        assert_eq!(scale.loss(Color::Black, mate(Color::Black, None), mate(Color::White, Some(2))), 1.0);
        assert_eq!(scale.loss(Color::White, Evaluation::BlackCp(0), mate(Color::Black, Some(1))), 0.5);
        let missed = scale.loss(Color::Black, mate(Color::Black, Some(5)), Evaluation::BlackCp(3000));
        assert_eq!(LossClass::of(missed), None, "still won");
    }

    #[test]
    fn a_scale_is_a_number_above_zero() {
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Scale::new(wrong), None);
        }
    }
}
