//! Games of records as stored games, and back.
//!
//! A stored game has no room for names, times, comments, expected lines and nodes. Evaluations of records are of
//! the position after a move, stored ones of the position before it: the same thought, one ply of a mate apart.

use shogi::{Color, Position};

use super::eval::LONGEST_MATE;
use super::{EndCode, Eval, EvalKind, Ply, Replay, ReplayError, Start, StoredGame};
use crate::game::{EndReason, Evaluation, Game, Outcome, PlayedMove};
use crate::packed::PackError;

/// The name under which records keep the seed.
const SEED: &str = "SEED";

impl StoredGame {
    /// What the file can keep of a game. Starts that do not fit into 32 bytes are refused.
    pub fn of(game: &Game) -> Result<StoredGame, PackError> {
        let mut side = game.start.side();
        let plies = game.moves.iter().map(|played| {
            let mover = side;
            side = !side;
            Ply { m: played.m, eval: played.evaluation.map_or(Eval::NONE, |found| before(found, mover)) }
        });
        let info = &game.info;
        Ok(StoredGame {
            start: Start::of(&game.start.setup())?,
            plies: plies.collect(),
            result: game.outcome.as_ref().and_then(|outcome| outcome.result),
            end: game.outcome.as_ref().map_or(EndCode::Unknown, |outcome| EndCode::of(&outcome.reason)),
            rule: info.declaration_rule.unwrap_or_default(),
            max_plies: info.max_moves.map_or(0, |moves| u16::try_from(moves).unwrap_or(u16::MAX)),
            seed: info.other.get(SEED).and_then(|seed| seed.parse().ok()).unwrap_or(0),
        })
    }

    /// The game as a record, every move checked.
    pub fn to_game(&self) -> Result<Game, ReplayError> {
        let mut replay = Replay::new(self)?;
        let mut game = Game::new(replay.position().clone());
        while let Some(sample) = replay.advance()? {
            let evaluation = after(sample.eval, sample.position);
            game.moves.push(PlayedMove { evaluation, ..PlayedMove::new(sample.m) });
        }
        game.outcome = match (self.result, self.end.reason()) {
            (None, None) => None,
            (result, reason) => {
                let reason = reason.unwrap_or(EndReason::Other(String::new()));
                Some(Outcome { result, reason, time: None })
            }
        };
        game.info.declaration_rule = Some(self.rule);
        game.info.max_moves = (self.max_plies > 0).then_some(self.max_plies.into());
        if self.seed != 0 {
            game.info.other.insert(SEED.to_owned(), self.seed.to_string());
        }
        Ok(game)
    }
}

/// What the mover thought before the move.
fn before(evaluation: Evaluation, mover: Color) -> Eval {
    match evaluation {
        Evaluation::BlackCp(score) if mover == Color::Black => Eval::score(score),
        Evaluation::BlackCp(score) => Eval::score(score.saturating_neg()),
        Evaluation::Mate { winner, plies } => {
            let plies = plies.map_or(LONGEST_MATE, |plies| {
                plies.saturating_add(1).min(u32::from(LONGEST_MATE) - 1) as u16
            });
            if winner == mover { Eval::mate_in(plies) } else { Eval::mated_in(plies) }
        }
    }
}

/// The same of the position after the move. The longest mate stands for one of unknown length.
fn after(eval: Eval, position: &Position) -> Option<Evaluation> {
    let mover = position.side();
    let mate = |winner, plies: u16| Evaluation::Mate {
        winner,
        plies: (plies < LONGEST_MATE).then_some(u32::from(plies.saturating_sub(1))),
    };
    match eval.kind() {
        EvalKind::None => None,
        EvalKind::Score(score) if mover == Color::Black => Some(Evaluation::BlackCp(score.into())),
        EvalKind::Score(score) => Some(Evaluation::BlackCp(-i32::from(score))),
        EvalKind::MateIn(plies) => Some(mate(mover, plies)),
        EvalKind::MatedIn(plies) => Some(mate(!mover, plies)),
    }
}

#[cfg(test)]
mod tests {
    use shogi::DeclarationRule;

    use super::*;
    use crate::game::GameResult;

    #[test]
    fn what_a_file_can_keep_of_a_game_leads_back_to_it() {
        let mut game = Game::new("4k4/9/4P4/9/9/9/9/9/4K4 w G 8".parse().unwrap());
        for (m, evaluation) in [
            ("5a4a", None),
            ("G*5b", Some(Evaluation::Mate { winner: Color::Black, plies: Some(4) })),
            ("4a3a", Some(Evaluation::Mate { winner: Color::Black, plies: None })),
            ("5b4b", Some(Evaluation::BlackCp(-70))),
        ] {
            game.moves.push(PlayedMove { evaluation, ..PlayedMove::new(m.parse().unwrap()) });
        }
        game.outcome = Some(Outcome::win(Color::Black, EndReason::Resignation));
        game.info.declaration_rule = Some(DeclarationRule::Try);
        game.info.max_moves = Some(320);
        game.info.other.insert(SEED.to_owned(), "99".to_owned());
        let stored = StoredGame::of(&game).unwrap();
        assert_eq!(stored.result, Some(GameResult::Win(Color::Black)));
        assert_eq!(stored.plies[1].eval, Eval::mate_in(5));
        assert_eq!(stored.to_game().unwrap(), game);
        assert_eq!(StoredGame::of(&stored.to_game().unwrap()), Ok(stored));
    }
}
