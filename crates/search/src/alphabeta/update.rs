//! Learning from the search: moves that cause cuts are raised, those tried before them are lowered.

use arrayvec::ArrayVec;
use eval::Evaluator;
use shogi::Move;

use super::history::{CONTINUATIONS, PieceTo, moved_piece, piece_to, row_piece_to};
use super::node::{Node, Outcome};
use super::picker::is_noisy;
use super::searcher::Searcher;
use super::table::Entry;
use crate::score::{self, Value};

/// Moves tried without success.
#[derive(Default)]
pub(crate) struct Tried {
    quiet: ArrayVec<Move, 32>,
    noisy: ArrayVec<Move, 32>,
}

impl Tried {
    /// Notes a move; beyond the room, it is forgotten.
    pub(crate) fn push(&mut self, m: Move, noisy: bool) {
        let _ = if noisy { self.noisy.try_push(m) } else { self.quiet.try_push(m) };
    }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// All moves were tried, or enough of them.
    pub(crate) fn learn_from_outcome<const PV: bool>(
        &mut self,
        node: &Node,
        outcome: &Outcome,
        tried: &Tried,
    ) {
        match outcome.best_move {
            Some(best) => {
                self.reward(best, tried, node, outcome.depth);
                if !PV {
                    self.histories.update_hash_move(if node.hash_move == Some(best) { 800 } else { -800 });
                }
            }
            None if outcome.moves > 0 => self.reward_last_move(node, outcome),
            None => {}
        }
    }

    /// Raises the best move and lowers the others, in proportion to the depth.
    fn reward(&mut self, best: Move, tried: &Tried, node: &Node, depth: i32) {
        let p = self.params();
        let ply = node.ply;
        let surprise = self.earlier(ply, 1).merit / 32;
        let known = if Some(best) == node.hash_move { p.bonus_hash } else { 0 };
        let bonus = (p.bonus_slope * depth - 77).min(p.bonus_max) + known + surprise;
        let malus = (p.malus_slope * depth - 204).min(p.malus_max);
        if is_noisy(&self.position, best) {
            self.reward_noisy(best, bonus * 5 / 4);
        } else {
            self.reward_quiet(best, bonus * 4 / 5, ply);
            self.note_refutation(best, ply);
            let mut malus = malus * 11 / 10;
            for &m in tried.quiet.iter().filter(|&&m| m != best) {
                malus = malus * 95 / 100;
                self.reward_quiet(m, -malus, ply);
            }
        }
        let before = self.earlier(ply, 1);
        if before.move_count == 1 + i32::from(before.known) && self.position.last_captured().is_none() {
            self.reward_last(-malus * 3 / 5, ply);
        }
        for &m in tried.noisy.iter().filter(|&&m| m != best) {
            self.reward_noisy(m, -malus * 3 / 2);
        }
    }

    fn note_refutation(&mut self, best: Move, ply: usize) {
        let killers = &mut self.frame_mut(ply).killers;
        if killers[0] != Some(best) {
            *killers = [Some(best), killers[0]];
        }
        if let Some(last) = self.earlier(ply, 1).row {
            self.histories.set_counter(last, best);
        }
    }

    /// No move helped: what led here was good, the more so the more surprising it is.
    fn reward_last_move(&mut self, node: &Node, outcome: &Outcome) {
        let (ply, depth) = (node.ply, outcome.depth);
        let before = self.earlier(ply, 1);
        let (Some(m), Some(row)) = (before.current, before.row) else { return };
        let now = row_piece_to(row);
        if let Some(captured) = self.position.last_captured() {
            self.histories.update_capture(now, Some(captured), 1_000);
            return;
        }
        let expected = |eval: Value, margin| eval != score::NONE && outcome.best <= eval - margin;
        let mut scale = -232 - before.merit / 108 + (59 * depth).min(454);
        scale += if before.move_count > 8 { 169 } else { 0 };
        scale += if !node.in_check && expected(self.frame(ply).static_eval, 110) { 145 } else { 0 };
        let theirs = if before.static_eval == score::NONE { score::NONE } else { -before.static_eval };
        scale += if !before.in_check && expected(theirs, 73) { 154 } else { 0 };
        let bonus = (135 * depth - 80).min(1_400) * scale.max(0);
        let side = !self.position.side();
        self.reward_last(bonus / 74, ply);
        self.histories.update_quiet(side, m, bonus / 140);
        if !m.is_promotion() {
            self.histories.update_pawn(&self.position, now, bonus / 28);
        }
    }

    /// Raises the quiet move that led here among the answers to the moves before it.
    fn reward_last(&mut self, bonus: i32, ply: usize) {
        if let (Some(row), Some(before)) = (self.earlier(ply, 1).row, ply.checked_sub(1)) {
            self.reward_continuations(row_piece_to(row), bonus, before);
        }
    }

    /// Raises or lowers a move of the piece at this ply as an answer to the moves before it.
    pub(crate) fn reward_continuations(&mut self, now: PieceTo, bonus: i32, ply: usize) {
        let in_check = self.frame(ply).in_check;
        for (back, weight) in CONTINUATIONS {
            if in_check && back > 2 {
                break;
            }
            if let Some(earlier) = self.earlier(ply, back).row {
                self.histories.update_continuation(earlier, now, bonus * weight / 100);
            }
        }
    }

    fn reward_quiet(&mut self, m: Move, bonus: i32, ply: usize) {
        let now = piece_to(moved_piece(&self.position, m), m.to());
        self.histories.update_quiet(self.position.side(), m, bonus);
        self.histories.update_low_ply(ply, m, bonus * 3 / 4);
        self.histories.update_pawn(&self.position, now, if bonus > 0 { bonus * 5 / 6 } else { bonus / 2 });
        self.reward_continuations(now, bonus * 15 / 16, ply);
    }

    fn reward_noisy(&mut self, m: Move, bonus: i32) {
        let now = piece_to(moved_piece(&self.position, m), m.to());
        let captured = self.position.piece(m.to());
        self.histories.update_capture(now, captured, bonus);
    }

    /// The hash table cut the node: its quiet move did well again, and the move that led here badly.
    pub(crate) fn learn_from_hash(
        &mut self,
        hash: Option<&Entry>,
        value: Value,
        beta: Value,
        depth: i32,
        ply: usize,
    ) {
        let Some(best) = hash.and_then(|entry| entry.best) else { return };
        if value < beta || !self.position.is_pseudo_legal(best) {
            return;
        }
        self.frame_mut(ply).in_check = self.position.in_check();
        if !is_noisy(&self.position, best) {
            self.reward_quiet(best, (130 * depth - 71).min(1_043), ply);
        }
        if self.earlier(ply, 1).move_count <= 4 && self.position.last_captured().is_none() {
            self.reward_last(-2_142, ply);
        }
    }

    /// A quiet move after which the evaluation is better than before it was good, whatever the search says.
    pub(crate) fn learn_from_trend(&mut self, static_eval: Value, unknown: bool, ply: usize) {
        let before = self.earlier(ply, 1);
        let (Some(m), Some(row)) = (before.current, before.row) else { return };
        if before.in_check || before.static_eval == score::NONE || self.position.last_captured().is_some() {
            return;
        }
        let gained = (-(before.static_eval + static_eval)).clamp(-214, 171) + 60;
        self.histories.update_quiet(!self.position.side(), m, gained * 10);
        if unknown && !m.is_promotion() {
            self.histories.update_pawn(&self.position, row_piece_to(row), gained * 12);
        }
    }
}
