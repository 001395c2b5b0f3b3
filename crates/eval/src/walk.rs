//! Random games with moves taken back and passed, for tests of everything that follows a position.

use shogi::Position;

use crate::Evaluator;
use contract::Rng;

/// Plays `plies` random steps from the start, keeps the evaluator in step, and shows it at every second stop
/// or so: an evaluator that puts work off must then catch up over several plies.
pub(crate) fn random_walk<E: Evaluator>(
    seed: u64,
    plies: usize,
    evaluator: &mut E,
    mut visit: impl FnMut(&mut E, &Position),
) {
    let mut rng = Rng::new(seed);
    let mut position = Position::start();
    evaluator.reset(&position);
    for _ in 0..plies {
        step(&mut rng, &mut position, evaluator);
        if rng.draw().is_multiple_of(2) {
            visit(evaluator, &position);
        }
    }
    visit(evaluator, &position);
}

/// A move, a few moves taken back, or a null move.
fn step<E: Evaluator>(rng: &mut Rng, position: &mut Position, evaluator: &mut E) {
    let moves = position.legal_moves();
    let choice = rng.draw() % 16;
    if moves.is_empty() || choice < 2 {
        for _ in 0..1 + rng.draw() % 5 {
            if position.plies_played() == 0 {
                return;
            }
            let was_null = position.last_move().is_none();
            position.undo();
            if !was_null {
                evaluator.pop();
            }
        }
    } else if choice == 2 && !position.in_check() {
        position.play_null();
    } else {
        // Captures, promotions and drops are common enough; king moves get their share by a second try.
        let pick = |rng: &mut Rng| moves[rng.draw() as usize % moves.len()];
        let mut chosen = pick(rng);
        if rng.draw().is_multiple_of(4) {
            let king = position.king(position.side());
            chosen = moves.iter().copied().find(|m| m.from().is_some() && m.from() == king).unwrap_or(chosen);
        }
        evaluator.push(&position.play(chosen));
    }
}
