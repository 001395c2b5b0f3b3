//! Games of random moves.

use crate::{End, Game};
use contract::Rng;
use contract::score::{INFINITE, Value};

/// How a playout ended, for the side to move where it began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Won,
    Lost,
    /// A rule says that it is worth this much, e.g. a draw.
    Worth(Value),
    /// It was not over after as many moves as were allowed, and nobody has won; what the last position is worth, if that was asked.
    Capped(Option<Value>),
}

/// Plays random moves from where the game stands until the rules end it, at most so many; the game stands there again
/// afterwards. Nothing is evaluated, but the last position of a game that is not over where that is asked.
pub(super) fn playout<G: Game>(game: &mut G, plies: usize, evaluate: bool, rng: &mut Rng) -> Outcome {
    let mut moves = Vec::new();
    let mut played = 0;
    let end = loop {
        if let Some(end) = game.end_by_rule() {
            break Some(end);
        }
        game.moves(&mut moves);
        if moves.is_empty() {
            break Some(game.no_moves());
        }
        if played == plies {
            break None;
        }
        game.play(moves[rng.draw() as usize % moves.len()]);
        played += 1;
    };
    let own_turn = played.is_multiple_of(2);
    let for_beginner = |value: Value| if own_turn { value } else { -value };
    let outcome = match end {
        None => Outcome::Capped(evaluate.then(|| for_beginner(game.evaluate(INFINITE)))),
        Some(End::Win(_)) if own_turn => Outcome::Won,
        Some(End::Loss(_)) if !own_turn => Outcome::Won,
        Some(End::Win(_) | End::Loss(_)) => Outcome::Lost,
        Some(End::Value(value) | End::PathValue(value)) => Outcome::Worth(for_beginner(value)),
    };
    for _ in 0..played {
        game.undo();
    }
    outcome
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
            match playout(&mut game, 50, false, &mut rng) {
                Outcome::Won => won += 1,
                Outcome::Lost => {}
                Outcome::Worth(_) | Outcome::Capped(_) => panic!("a heap of three has a winner"),
            }
            assert_eq!(game.left(), 3);
        }
        // Of three matches: 3 wins at once, 2 loses, 1 leaves two, where half the replies win.
        assert!((120..180).contains(&won), "{won}");
    }

    #[test]
    fn a_game_that_is_cut_off_is_no_game_won() {
        let mut rng = Rng::new(4);
        for plies in 1..6 {
            // Forty matches last ten moves at least: the evaluation, which knows nothing, is asked only on request.
            assert_eq!(playout(&mut Nim::new(40), plies, false, &mut rng), Outcome::Capped(None));
            assert_eq!(playout(&mut Nim::new(40), plies, true, &mut rng), Outcome::Capped(Some(0)));
        }
    }
}
