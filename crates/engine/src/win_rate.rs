//! What a value means: how likely it is to win.

use records::game::Evaluation;
use search::Score;
use shogi::Color;

use crate::spec::EvalSource;

/// What `yomi fit` finds for our evaluators on games of strong programs (156 tournament games, some twenty thousand
/// positions, searched for 2,000 nodes each), rounded.
const MATERIAL: f64 = 900.0;
const OWN_NET: f64 = 320.0;
/// Found for a net of others; what is usual among them.
const OTHER_NET: f64 = 360.0;

/// From centipawns to win rates: 1 / (1 + exp(-cp / scale)).
///
/// ```
/// use engine::Scale;
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

    /// The scale of an evaluator of ours, unless somebody fitted another one.
    #[must_use]
    pub fn of(source: EvalSource<'_>) -> Scale {
        match source {
            EvalSource::Material => Scale(MATERIAL),
            EvalSource::OwnNet => Scale(OWN_NET),
            EvalSource::NetFile(_) => Scale(OTHER_NET),
        }
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

/// A score of the side to move as everybody sees it.
#[must_use]
pub fn evaluation_of(score: Score, side: Color) -> Evaluation {
    match score {
        Score::Centipawns(cp) => Evaluation::BlackCp(if side == Color::Black { cp } else { -cp }),
        Score::Mate(plies) => {
            let winner = if plies > 0 { side } else { !side };
            Evaluation::Mate { winner, plies: Some(plies.unsigned_abs()) }
        }
        Score::Mated => Evaluation::Mate { winner: !side, plies: Some(0) },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert!(missed < 0.01, "still won: {missed}");
    }

    #[test]
    fn a_scale_is_a_number_above_zero() {
        for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(Scale::new(wrong), None);
        }
    }
}
