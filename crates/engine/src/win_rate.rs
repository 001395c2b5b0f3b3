//! What a value means: how likely it is to win.

use contract::{LogisticScale, Score};
use records::game::Evaluation;
use shogi::Color;

use crate::spec::EvalSource;

/// What `yomi fit` finds for our evaluators on games of strong programs (156 tournament games, some twenty thousand
/// positions, searched for 2,000 nodes each), rounded.
const MATERIAL: f64 = 900.0;
const OWN_NET: f64 = 320.0;
/// What linear weights are learned at, unless told otherwise.
const LINEAR: f64 = 600.0;
/// Found for a net of others; what is usual among them.
const OTHER_NET: f64 = 360.0;

/// The logistic scale of an evaluator of ours, unless somebody fitted another one.
#[must_use]
pub fn scale_of(source: &EvalSource) -> LogisticScale {
    let centipawns = match source {
        EvalSource::Material => MATERIAL,
        EvalSource::Linear => LINEAR,
        EvalSource::OwnNet => OWN_NET,
        EvalSource::NetFile(_) => OTHER_NET,
    };
    LogisticScale::new(centipawns).unwrap_or_default()
}

/// How likely a side is to win, from 0 to 1; a forced mate is certain.
///
/// ```
/// use contract::LogisticScale;
/// use engine::win_rate;
/// use records::game::Evaluation;
/// use shogi::Color;
/// let scale = LogisticScale::default();
/// assert_eq!(win_rate(scale, Evaluation::BlackCp(0), Color::Black), 0.5);
/// assert!((win_rate(scale, Evaluation::BlackCp(600), Color::White) - 0.2689).abs() < 1e-4);
/// ```
#[must_use]
pub fn win_rate(scale: LogisticScale, evaluation: Evaluation, side: Color) -> f64 {
    match evaluation {
        Evaluation::BlackCp(cp) => {
            scale.win_rate(f64::from(cp) * if side == Color::Black { 1.0 } else { -1.0 })
        }
        Evaluation::Mate { winner, .. } => f64::from(u8::from(winner == side)),
    }
}

/// How much of a side's win rate is gone between two values; a gain is no loss.
#[must_use]
pub fn win_rate_loss(scale: LogisticScale, side: Color, best: Evaluation, played: Evaluation) -> f64 {
    (win_rate(scale, best, side) - win_rate(scale, played, side)).max(0.0)
}

/// A score of the side to move as everybody sees it.
#[must_use]
pub fn evaluation_of(score: Score, side: Color) -> Evaluation {
    let mate = |winner, plies| Evaluation::Mate { winner, plies };
    match score {
        Score::Centipawns(cp) => {
            Evaluation::BlackCp(if side == Color::Black { cp } else { cp.saturating_neg() })
        }
        Score::MateIn(plies) => mate(side, Some(plies)),
        Score::MatedIn(plies) => mate(!side, Some(plies)),
        Score::Mating => mate(side, None),
        Score::Mated => mate(!side, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_side_loses_what_the_other_gains_and_gains_are_no_losses() {
        let scale = LogisticScale::default();
        let (even, good) = (Evaluation::BlackCp(0), Evaluation::BlackCp(600));
        assert!((win_rate_loss(scale, Color::White, even, good) - 0.2311).abs() < 1e-4);
        assert_eq!(win_rate_loss(scale, Color::Black, even, good), 0.0);
        assert!((win_rate_loss(scale, Color::Black, good, even) - 0.2311).abs() < 1e-4);
        let steep = LogisticScale::new(100.0).unwrap();
        assert!(win_rate_loss(steep, Color::Black, good, even) > 0.49);
    }

    #[test]
    fn mates_are_certain_whatever_their_length() {
        let scale = LogisticScale::default();
        let mate = |winner, plies| Evaluation::Mate { winner, plies };
        assert_eq!(
            win_rate_loss(scale, Color::Black, mate(Color::Black, Some(3)), mate(Color::Black, Some(9))),
            0.0
        );
        assert_eq!(
            win_rate_loss(scale, Color::Black, mate(Color::Black, None), mate(Color::White, Some(2))),
            1.0
        );
        assert_eq!(
            win_rate_loss(scale, Color::White, Evaluation::BlackCp(0), mate(Color::Black, Some(1))),
            0.5
        );
        let missed =
            win_rate_loss(scale, Color::Black, mate(Color::Black, Some(5)), Evaluation::BlackCp(3000));
        assert!(missed < 0.01, "still won: {missed}");
    }
}
