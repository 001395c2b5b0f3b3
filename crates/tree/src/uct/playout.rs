//! Games of random moves.

use crate::{End, Game};
use contract::Rng;
use contract::score::{INFINITE, Value};

/// How a playout ended, for the side to move where it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Won,
    Lost,
    /// It is worth this much: a rule says so, or the evaluation where it was broken off.
    Worth(Value),
}

/// Plays random moves from where the game stands, at most so many; the game stands there again afterwards.
pub(super) fn playout<G: Game>(game: &mut G, ply: usize, plies: usize, rng: &mut Rng) -> Outcome {
    let mut moves = Vec::new();
    let mut played = 0;
    let end = loop {
        if let Some(end) = game.end(ply + played) {
            break end;
        }
        if played == plies {
            break End::Value(game.evaluate(INFINITE));
        }
        game.moves(&mut moves);
        if moves.is_empty() {
            break game.no_moves();
        }
        game.play(moves[rng.draw() as usize % moves.len()]);
        played += 1;
    };
    for _ in 0..played {
        game.undo();
    }
    let own_turn = played.is_multiple_of(2);
    match end {
        End::Win(_) if own_turn => Outcome::Won,
        End::Loss(_) if !own_turn => Outcome::Won,
        End::Win(_) | End::Loss(_) => Outcome::Lost,
        End::Value(value) | End::PathValue(value) => Outcome::Worth(if own_turn { value } else { -value }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::Nim;

    #[test]
    fn a_playout_ends_where_it_began_and_obeys_the_rules() {
        let mut rng = Rng::new(4);
        let mut game = Nim::new(3);
        let mut won = 0;
        for _ in 0..300 {
            match playout(&mut game, 0, 50, &mut rng) {
                Outcome::Won => won += 1,
                Outcome::Lost => {}
                Outcome::Worth(value) => panic!("nim has a winner, not a value of {value}"),
            }
            assert_eq!(game.left(), 3);
        }
        // Of three matches: 3 wins at once, 2 loses, 1 leaves two, where half the replies win.
        assert!((120..180).contains(&won), "{won}");
    }
}
