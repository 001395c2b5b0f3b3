//! The value of a leaf when captures have been played out.

use eval::Evaluator;
use shogi::{Move, MoveList, Pointless, Stage};

use super::shogi_game::ShogiGame;
use crate::exchange::{VALUES, gain};
use crate::score::{self, Value};
use crate::{MoveScorer, MvvLva};

/// A capture that leaves the value this far below what is wanted is not tried.
const MARGIN: Value = 200;

impl<E: Evaluator> ShogiGame<'_, E> {
    /// The value within the window for the side to move, after at most `depth` plies of captures that lose nothing.
    /// A check is answered by every move.
    pub(super) fn quiesce(&mut self, mut alpha: Value, beta: Value, depth: u32) -> Value {
        if self.position.in_check() && depth > 0 {
            return self.quiesce_in_check(alpha, beta, depth);
        }
        let static_eval = self.static_eval();
        if static_eval >= beta || depth == 0 {
            return static_eval;
        }
        let mut best = static_eval;
        alpha = alpha.max(static_eval);
        let mut captures = MoveList::new();
        self.position.generate(Stage::Captures, Pointless::Skip, &mut captures);
        if captures.is_empty() {
            return best;
        }
        let info = self.position.check_info();
        captures.retain(|&mut m| static_eval + gain(&self.position, m, &VALUES) + MARGIN > alpha);
        captures.sort_unstable_by_key(|&m| (-MvvLva.score(&self.position, m), m));
        // By index: the list is large, and moving it costs more than the few captures in it.
        for index in 0..captures.len() {
            let m = captures[index];
            if static_eval + gain(&self.position, m, &VALUES) + MARGIN <= alpha
                || !self.position.exchange_gains(m, 0, &VALUES)
                || !self.position.pseudo_is_legal(m, &info)
            {
                continue;
            }
            best = best.max(self.quiesce_after(m, alpha, beta, depth));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }

    /// The moves by which [`quiesce`](Self::quiesce) comes to the value that it has with an open window: none where the position is
    /// evaluated as it stands.
    pub(super) fn quiet_line(&mut self, depth: u32) -> Vec<Move> {
        let (open, in_check) = (score::INFINITE, self.position.in_check());
        let value = self.quiesce(-open, open, depth);
        if depth == 0 || !in_check && value == self.static_eval() {
            return Vec::new();
        }
        let mut moves = MoveList::new();
        let stage = if in_check { Stage::Evasions } else { Stage::Captures };
        self.position.generate(stage, Pointless::Skip, &mut moves);
        let info = self.position.check_info();
        for m in moves {
            if self.position.pseudo_is_legal(m, &info) && self.quiesce_after(m, -open, open, depth) == value {
                self.step(m);
                let rest = self.quiet_line(depth - 1);
                self.step_back();
                return std::iter::once(m).chain(rest).collect();
            }
        }
        Vec::new()
    }

    /// The value of a move.
    fn quiesce_after(&mut self, m: Move, alpha: Value, beta: Value, depth: u32) -> Value {
        self.step(m);
        let value = -self.quiesce(-beta, -alpha, depth - 1);
        self.step_back();
        value
    }

    /// As [`quiesce`](Self::quiesce) in check, where standing pat is no choice.
    fn quiesce_in_check(&mut self, mut alpha: Value, beta: Value, depth: u32) -> Value {
        let mut best = -score::EVAL_LIMIT;
        let mut evasions = MoveList::new();
        self.position.generate(Stage::Evasions, Pointless::Skip, &mut evasions);
        let info = self.position.check_info();
        evasions.sort_by_key(|&m| (std::cmp::Reverse(gain(&self.position, m, &VALUES)), m.is_drop()));
        for index in 0..evasions.len() {
            let m = evasions[index];
            if !self.position.pseudo_is_legal(m, &info) {
                continue;
            }
            best = best.max(self.quiesce_after(m, alpha, beta, depth));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }
}
