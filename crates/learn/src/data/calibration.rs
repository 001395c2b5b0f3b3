//! What scores are worth in wins, by the games that they come from.
//!
//! Every player has its own idea of a centipawn. A beginner's lead of a rook is often lost again; that of a master is
//! not. A blend of scores and results makes sense only if both speak of the same chances, and data of several
//! players mix only if they do.

use lab::curve::fit_scale;
use records::compact::{Eval, EvalKind};
use records::game::SideResult;
use serde::Serialize;

use super::filter::Label;
use super::source::{InputError, Origin, examine};

/// Larger scores are left out of the fit: there are few, and they would outweigh all others.
const LARGEST: i16 = 3000;

/// How the scores of a file are to be read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The file.
    pub path: String,
    /// The score that made odds of e to 1 in its games.
    pub scale: f64,
    /// What its scores are multiplied with.
    pub factor: f64,
}

impl Calibration {
    /// The one after which `wanted` centipawns make odds of e to 1.
    pub fn fit(origin: &Origin, wanted: f64) -> Result<Calibration, InputError> {
        let mut data = Vec::new();
        examine(origin, |label, _| {
            if let EvalKind::Score(score) = label.eval.kind()
                && score.abs() <= LARGEST
            {
                let result = match label.result_for_mover {
                    SideResult::Win => 1.0,
                    SideResult::Draw => 0.5,
                    SideResult::Loss => 0.0,
                };
                data.push((f64::from(score), result));
            }
            Ok(())
        })?;
        let scale = fit_scale(&data);
        Ok(Calibration { path: origin.path().display().to_string(), scale, factor: wanted / scale })
    }

    /// A label with its score as it is to be read.
    #[must_use]
    pub fn apply<'a>(&self, label: &Label<'a>) -> Label<'a> {
        let eval = match label.eval.kind() {
            EvalKind::Score(score) => Eval::score((f64::from(score) * self.factor).round() as i32),
            EvalKind::None | EvalKind::MateIn(_) | EvalKind::MatedIn(_) => label.eval,
        };
        Label { eval, ..*label }
    }
}

#[cfg(test)]
mod tests {
    use records::packed::{PackedSfen, Psv, PsvMove, Record as _};
    use shogi::Position;

    use super::*;
    use crate::data::inputs;

    #[test]
    fn the_scale_is_that_at_which_scores_came_true() {
        let position = PackedSfen::pack(&Position::start().setup()).unwrap();
        let bytes = (0..1000).flat_map(|number| {
            let result_for_mover = if number < 731 { SideResult::Win } else { SideResult::Loss };
            Psv { position, score_for_mover: 400, best: PsvMove::None, ply: 1, result_for_mover }.to_bytes()
        });
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.psv");
        std::fs::write(&path, bytes.collect::<Vec<u8>>()).unwrap();
        let calibration = Calibration::fit(&inputs(&[path]).unwrap()[0], 600.0).unwrap();
        assert!((calibration.scale - 400.0).abs() < 1.0, "{calibration:?}");
        assert!((calibration.factor - 1.5).abs() < 0.01, "{calibration:?}");
    }

    #[test]
    fn scores_are_stretched_and_mates_are_not() {
        let position = Position::start();
        let calibration = Calibration { path: String::new(), scale: 1200.0, factor: 0.5 };
        let applied = |eval| {
            let label = Label { position: &position, best: None, eval, result_for_mover: SideResult::Win };
            calibration.apply(&label).eval
        };
        assert_eq!(applied(Eval::score(-301)), Eval::score(-151));
        assert_eq!(applied(Eval::mate_in(3)), Eval::mate_in(3));
        assert_eq!(applied(Eval::NONE), Eval::NONE);
    }
}
