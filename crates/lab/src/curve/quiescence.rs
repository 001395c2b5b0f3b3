//! The static value after all captures worth making: what separates a bad evaluation from an unsettled position.

use contract::score::MATE;
use eval::Evaluator;
use shogi::{MoveList, Position};

/// Captures deeper than this are cut off.
const DEEPEST: u32 = 8;
/// Mated.
const MATED: i32 = -31_000;

/// The value for the side to move once captures and promotions are played out; checks are answered by all moves.
pub(super) fn settle(eval: &mut dyn Evaluator, position: &mut Position) -> i32 {
    eval.reset(position);
    search(eval, position, -MATE, MATE, DEEPEST)
}

fn search(eval: &mut dyn Evaluator, position: &mut Position, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    let in_check = position.in_check();
    let moves = position.legal_moves();
    if moves.is_empty() {
        return MATED;
    }
    let stand_pat = eval.evaluate(position);
    if depth == 0 {
        return stand_pat;
    }
    if !in_check {
        if stand_pat >= beta {
            return stand_pat;
        }
        alpha = alpha.max(stand_pat);
    }
    let mut best = if in_check { MATED } else { stand_pat };
    for m in ordered(position, &moves, in_check) {
        eval.push(&position.play(m));
        let value = -search(eval, position, -beta, -alpha, depth - 1);
        position.undo();
        eval.pop();
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// The moves to try: all in check, else captures, the dearest victims first.
fn ordered(position: &Position, moves: &MoveList, in_check: bool) -> Vec<shogi::Move> {
    let victim = |m: &shogi::Move| position.piece(m.to()).map(|piece| piece.kind().unpromoted().index());
    let mut tried: Vec<shogi::Move> =
        moves.iter().copied().filter(|m| in_check || victim(m).is_some()).collect();
    tried.sort_by_key(|m| std::cmp::Reverse(victim(m)));
    tried
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::Material;

    #[test]
    fn a_hanging_piece_is_seen() {
        let mut eval = Material::new();
        let mut position: Position = "4k4/9/9/4r4/9/9/9/4R4/4K4 b - 1".parse().unwrap();
        let before = position.clone();
        let value = settle(&mut eval, &mut position);
        eval.reset(&position);
        assert!(value > eval.evaluate(&position) + 500, "{value}");
        assert_eq!(position, before);
        let mut mated: Position = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1".parse().unwrap();
        assert_eq!(settle(&mut eval, &mut mated), MATED);
    }
}
