//! How likely each move of a position is the one, by what was learned beforehand alone.
//!
//! The model has the odds of each move by itself. If exactly one of them is the one, the others not, its probability is
//! proportional to its odds p / (1 - p): the probabilities of the others cancel.

use shogi::{Move, MoveList, Pointless, Position, Stage};

use super::model::{Model, NAT};
use super::order::Features;

impl Model {
    /// The legal moves with their probabilities, which sum to 1; without those that a better twin makes pointless.
    #[must_use]
    pub fn policy(&self, position: &Position) -> Vec<(Move, f64)> {
        let mut moves = MoveList::new();
        let stages: &[Stage] = if position.in_check() {
            &[Stage::Evasions]
        } else {
            &[Stage::Loud, Stage::Quiets, Stage::Drops]
        };
        for &stage in stages {
            position.generate(stage, Pointless::Skip, &mut moves);
        }
        let info = position.check_info();
        let log_odds = |m: Move| self.log_odds(&Features::on_the_board(position, &info, m));
        let odds = |m: Move| (f64::from(log_odds(m)) / f64::from(NAT)).exp();
        let legal = moves.iter().copied().filter(|&m| position.is_legal(m));
        let mut policy: Vec<(Move, f64)> = legal.map(|m| (m, odds(m))).collect();
        let total: f64 = policy.iter().map(|(_, odds)| odds).sum();
        policy.iter_mut().for_each(|(_, share)| *share /= total);
        policy
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_is_over_the_legal_moves_and_knows_what_is_good() {
        let model = Model::embedded();
        for sfen in [
            shogi::START_SFEN,
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "4k4/9/9/9/9/9/4r4/9/4K4 b G 1",
        ] {
            let position: Position = sfen.parse().unwrap();
            let policy = model.policy(&position);
            let sum: f64 = policy.iter().map(|(_, p)| p).sum();
            assert!(
                (sum - 1.0).abs() < 1e-9 && policy.iter().all(|(m, p)| position.is_legal(*m) && *p > 0.0)
            );
        }
        let takes_a_rook: Position = "4k4/9/9/4r4/4P4/9/9/9/4K4 b - 1".parse().unwrap();
        let policy = model.policy(&takes_a_rook);
        let best = policy.iter().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap();
        assert_eq!(best.0.to_string(), "5e5d", "{policy:?}");
    }

    #[test]
    fn pointless_moves_are_left_out_and_mated_sides_have_none() {
        let model = Model::embedded();
        let position: Position = "4k4/9/9/P8/9/9/9/9/4K4 b - 1".parse().unwrap();
        let moves: Vec<String> = model.policy(&position).iter().map(|(m, _)| m.to_string()).collect();
        assert!(moves.contains(&"9d9c+".to_owned()) && !moves.contains(&"9d9c".to_owned()), "{moves:?}");
        let mated: Position = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1".parse().unwrap();
        assert!(model.policy(&mated).is_empty());
    }
}
