//! One game of a player against itself.

use contract::Rng;
use records::compact::{EndCode, Eval, Ply, Start, StoredGame};
use search::Choice;
use serde::{Deserialize, Serialize};
use shogi::{Declaration, GameResult};

use super::opening::Openings;
use super::thinker::{Thinker, eval_of};

/// A game that was played, and where its play began.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Played {
    /// The game.
    pub game: StoredGame,
    /// The key of the position after the opening.
    pub opening_key: u64,
}

/// Plays the game of a seed; `None` if no balanced opening was found.
pub(super) fn play(thinker: &mut Thinker, openings: &Openings, seed: u64) -> Option<Played> {
    let drawn = openings.draw(thinker, &mut Rng::new(seed))?;
    let rules = thinker.rules();
    let mut position = drawn.position;
    let opening_key = position.key();
    let mut plies: Vec<Ply> = drawn.moves.into_iter().map(|m| Ply { m, eval: Eval::NONE }).collect();
    let (result, end) = loop {
        let side = position.side();
        if let Some(end) = position.game_end(rules.max_moves) {
            break (end.result(side), end.into());
        }
        let answer = thinker.think(&position);
        match answer.choice {
            Choice::Declare => break (GameResult::Win(side), EndCode::Declaration),
            Choice::Resign => break (GameResult::Win(!side), EndCode::Mate),
            Choice::Move(m) => {
                let claim = position.declaration(rules.declaration);
                plies.push(Ply { m, eval: answer.score.map_or(Eval::NONE, eval_of) });
                position.play(m);
                if claim == Some(Declaration::Try(m)) {
                    break (GameResult::Win(side), EndCode::Declaration);
                }
            }
        }
    };
    let game = StoredGame {
        start: Start::of(&drawn.start).ok()?,
        result: Some(result),
        end,
        rule: rules.declaration,
        max_plies: rules.max_moves,
        seed,
        plies,
    };
    Some(Played { game, opening_key })
}
