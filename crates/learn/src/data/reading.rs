//! How scores are to be read: in which unit, and how far ahead.
//!
//! Every player has its own idea of a centipawn. A beginner's lead of a rook is often lost again; that of a master is
//! not. A blend of scores and results makes sense only if both speak of the same chances, and data of several
//! players mix only if they do: so scores can be brought to one scale, by the results of their own games.
//!
//! A score says what its player saw, a result how all ended, after many accidents. In between lies the lookahead label: a mean
//! of the scores of this and the coming plies, weighted less and less, and of the result in the end. What a player did
//! not see but met a few moves later is in it, and most of the accidents are not.

use contract::{fit_scale, logistic};
use records::compact::{Eval, EvalKind, StoredGame};
use records::game::{GameResult, SideResult};
use serde::{Deserialize, Serialize};
use shogi::Color;

use super::source::{InputError, Origin, examine};

/// What is to be done with scores; by default nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// The score that is to make odds of e to 1.
    pub calibrate: Option<f64>,
    /// The plies after which a coming score has half the weight in the lookahead label; games of ours only.
    #[serde(rename = "outlook")]
    pub lookahead: Option<f64>,
}

/// How the scores of one file are read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// The score that makes odds of e to 1 in its games, or is taken to.
    pub scale: f64,
    /// What scores are multiplied with.
    pub factor: f64,
    /// As in [`Scores`].
    #[serde(rename = "outlook")]
    pub lookahead: Option<f64>,
}

/// The scale of a file that nobody asked about: what scores usually mean.
const USUAL_SCALE: f64 = 600.0;
/// Larger scores are left out of the fit: there are few, and they would outweigh all others.
const LARGEST: i16 = 3000;
/// Chances nearer to certainty have no score.
const CERTAIN: f64 = 1e-4;

impl Reading {
    /// Scores as they stand.
    pub const PLAIN: Reading = Reading { scale: USUAL_SCALE, factor: 1.0, lookahead: None };

    /// The way to read a file; fits the scale if that is asked for.
    pub fn of(origin: &Origin, scores: &Scores) -> Result<Reading, InputError> {
        let Scores { calibrate, lookahead } = *scores;
        let Some(wanted) = calibrate else { return Ok(Reading { lookahead, ..Reading::PLAIN }) };
        let mut data = Vec::new();
        examine(origin, &Reading::PLAIN, |label, _| {
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
        Ok(Reading { scale, factor: wanted / scale, lookahead })
    }

    /// A score as it is to be read; mates stay mates.
    #[must_use]
    pub fn eval(&self, eval: Eval) -> Eval {
        match eval.kind() {
            EvalKind::Score(score) => Eval::score((f64::from(score) * self.factor).round() as i32),
            EvalKind::None | EvalKind::MateIn(_) | EvalKind::MatedIn(_) => eval,
        }
    }

    /// Puts the lookahead label in the place of every score of a game, still in the game's own unit.
    pub(super) fn look_ahead(&self, game: &mut StoredGame) {
        let (Some(half), Some(result)) = (self.lookahead, game.result) else { return };
        let Ok(start) = game.start.position() else { return };
        let keep = 0.5_f64.powf(1.0 / half);
        let to_move_at_end = if game.plies.len().is_multiple_of(2) { start.side() } else { !start.side() };
        let mut chance = chance_of(result, to_move_at_end);
        for ply in game.plies.iter_mut().rev() {
            chance = 1.0 - chance;
            let seen = match ply.eval.kind() {
                EvalKind::None => continue,
                EvalKind::Score(score) => logistic(f64::from(score) / self.scale),
                EvalKind::MateIn(_) => 1.0,
                EvalKind::MatedIn(_) => 0.0,
            };
            chance = keep * chance + (1.0 - keep) * seen;
            if let EvalKind::Score(_) = ply.eval.kind() {
                let odds = chance.clamp(CERTAIN, 1.0 - CERTAIN);
                ply.eval = Eval::score(((odds / (1.0 - odds)).ln() * self.scale).round() as i32);
            }
        }
    }
}

/// What a result is worth to a side.
fn chance_of(result: GameResult, side: Color) -> f64 {
    match result {
        GameResult::Draw => 0.5,
        GameResult::Win(winner) => f64::from(u8::from(winner == side)),
    }
}

#[cfg(test)]
mod tests {
    use records::compact::Ply;
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
        let scores = Scores { calibrate: Some(600.0), lookahead: None };
        let reading = Reading::of(&inputs(&[path]).unwrap()[0], &scores).unwrap();
        assert!((reading.scale - 400.0).abs() < 1.0, "{reading:?}");
        assert!((reading.factor - 1.5).abs() < 0.01, "{reading:?}");
        assert_eq!(reading.eval(Eval::score(-300)), Eval::score((-300.0 * reading.factor).round() as i32));
        assert_eq!(reading.eval(Eval::mate_in(3)), Eval::mate_in(3));
    }

    /// The scores of a game won by Black that began with these, after looking ahead.
    fn lookahead(half: f64, evals: &[Eval]) -> Vec<Eval> {
        let m = "7g7f".parse().unwrap();
        let plies = evals.iter().map(|&eval| Ply { m, eval }).collect();
        let mut game =
            StoredGame { result: Some(GameResult::Win(Color::Black)), plies, ..StoredGame::empty() };
        Reading { lookahead: Some(half), ..Reading::PLAIN }.look_ahead(&mut game);
        game.plies.iter().map(|ply| ply.eval).collect()
    }

    #[test]
    fn the_lookahead_label_is_a_mean_of_what_comes_seen_by_the_side_to_move() {
        // Of each chance half is what was seen, 1/2, and half what came, from the end: 1 for Black, 1/4 for White, 5/8.
        let even = Eval::score(0);
        let score = |chance: f64| Eval::score(((chance / (1.0 - chance)).ln() * 600.0).round() as i32);
        assert_eq!(lookahead(1.0, &[even, even, even]), [score(0.5625), score(0.375), score(0.75)]);
        assert_eq!(lookahead(1.0, &[even, even]), [score(0.625), score(0.25)]);
        // A mate is certain, stays a mate, and passes to those before; where nothing was thought, nothing is put.
        let mates = [even, Eval::mated_in(2), Eval::NONE];
        assert_eq!(lookahead(1.0, &mates), [score(0.75), Eval::mated_in(2), Eval::NONE]);
        // As good as no lookahead, and nearly the result.
        assert_eq!(lookahead(0.01, &[Eval::score(77), even]), [Eval::score(77), even]);
        assert!(matches!(lookahead(1e6, &[even])[0].kind(), EvalKind::Score(score) if score > 5000));
    }
}
