//! Learning from a cut: the move that caused it is raised, those tried before it are lowered.

use arrayvec::ArrayVec;
use eval::Evaluator;
use shogi::Move;

use super::history::{CONTINUATIONS, moved_piece, piece_to};
use super::picker::is_noisy;
use super::searcher::Searcher;

/// Moves tried without success.
#[derive(Default)]
pub(crate) struct Tried {
    quiet: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 32>,
}

impl Tried {
    /// Notes a move; beyond the room, it is forgotten.
    pub(crate) fn push(&mut self, m: Move, noisy: bool) {
        let _ = if noisy { self.noisy.try_push(m) } else { self.quiet.try_push(m) };
    }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// Raises the best move and lowers the others, in proportion to the depth.
    pub(crate) fn reward(&mut self, best: Move, tried: &Tried, depth: i32, ply: usize) {
        let p = self.params();
        let bonus = (p.bonus_slope * depth).clamp(0, p.bonus_max);
        let malus = (p.malus_slope * depth).clamp(0, p.malus_max);
        if is_noisy(&self.position, best) {
            self.reward_noisy(best, bonus);
        } else {
            self.reward_quiet(best, bonus, ply);
            let killers = &mut self.frame_mut(ply).killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            if let Some(last) = self.earlier(ply, 1).piece_to {
                self.histories.set_counter(last, best);
            }
            for &m in tried.quiet.iter().filter(|&&m| m != best) {
                self.reward_quiet(m, -malus, ply);
            }
        }
        for &m in tried.noisy.iter().filter(|&&m| m != best) {
            self.reward_noisy(m, -malus);
        }
    }

    /// No move helped: the quiet move that led here was good.
    pub(crate) fn reward_last_move(&mut self, depth: i32, ply: usize) {
        let before = self.earlier(ply, 1);
        if ply == 0
            || self.position.last_captured().is_some()
            || before.current.is_none_or(Move::is_promotion)
        {
            return;
        }
        let Some(last) = before.piece_to else { return };
        let p = self.params();
        let bonus = (p.bonus_slope * depth).clamp(0, p.bonus_max) / 2;
        for (back, weight) in CONTINUATIONS {
            if let Some(earlier) = self.earlier(ply, back + 1).piece_to {
                self.histories.update_continuation(earlier, last, bonus * weight / 100);
            }
        }
    }

    fn reward_quiet(&mut self, m: Move, bonus: i32, ply: usize) {
        let now = piece_to(moved_piece(&self.position, m), m.to());
        self.histories.update_quiet(&self.position, m, bonus);
        for (back, weight) in CONTINUATIONS {
            if let Some(earlier) = self.earlier(ply, back).piece_to {
                self.histories.update_continuation(earlier, now, bonus * weight / 100);
            }
        }
    }

    fn reward_noisy(&mut self, m: Move, bonus: i32) {
        let now = piece_to(moved_piece(&self.position, m), m.to());
        let captured = self.position.piece(m.to());
        self.histories.update_capture(now, captured, bonus);
    }
}
