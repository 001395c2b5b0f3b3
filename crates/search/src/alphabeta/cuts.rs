//! Cuts before any move is tried: by the evaluation, by passing, by a good capture.

use eval::Evaluator;

use super::node::Node;
use super::picker::{Picker, Plan};
use super::prune::{self, NodeFacts};
use super::searcher::Searcher;
use crate::Bound;
use crate::score::{self, Value};

impl<E: Evaluator> Searcher<'_, E> {
    /// By how much the reduction that led here was too large or too small, seen from here.
    pub(crate) fn hindsight(&self, depth: i32, ply: usize) -> i32 {
        let before = self.earlier(ply, 1);
        let static_eval = self.frame(ply).static_eval;
        if before.static_eval == score::NONE || before.reduction == 0 {
            return 0;
        }
        // The sum is what the opponent's move lost by its own evaluation.
        let lost = static_eval + before.static_eval;
        if before.reduction >= 3 && lost <= 0 {
            1
        } else if before.reduction >= 2 && depth >= 2 && lost > self.params().hindsight_margin {
            -1
        } else {
            0
        }
    }

    /// Razoring, reverse futility and null move.
    pub(crate) fn cut_before_moves<const PV: bool>(&mut self, node: &Node) -> Option<Value> {
        if PV {
            return None;
        }
        let p = self.params();
        let &Node { alpha, beta, depth, ply, eval, improving, was_pv, .. } = node;
        let facts = NodeFacts { depth, alpha, beta, eval, improving, was_pv };
        // Step 5: razoring.
        if prune::should_razor(&facts, p) {
            let value = self.quiescence::<false>(alpha, alpha + 1, 0, ply);
            if value <= alpha && !score::is_decisive(value) {
                return Some(value);
            }
        }
        // Step 6: reverse futility.
        if prune::should_prune_above_beta(&facts, p) {
            return Some((eval + beta) / 2);
        }
        // Step 7: null move.
        let static_eval = self.frame(ply).static_eval;
        let passed_before = self.earlier(ply, 1).current.is_none();
        if !passed_before && ply >= self.null_from && prune::should_try_null(&facts, static_eval, p) {
            return self.null_move(node, prune::null_reduction(&facts, p));
        }
        None
    }

    /// Passes; if that is still above beta, so is the node. Deep cuts are verified without null moves.
    fn null_move(&mut self, node: &Node, reduction: i32) -> Option<Value> {
        let &Node { beta, depth, ply, .. } = node;
        let frame = self.frame_mut(ply);
        frame.current = None;
        frame.piece_to = None;
        self.position.play_null();
        self.table().prefetch(self.position.key());
        let value = -self.node::<false>(-beta, -beta + 1, depth - reduction, ply + 1, !node.cut_node);
        self.position.undo();
        if self.stopped || value < beta || score::is_decisive(value) {
            return None;
        }
        if self.null_from > 0 || depth < self.params().null_verify_depth {
            return Some(value);
        }
        self.null_from = ply + (3 * (depth - reduction) / 4).max(1) as usize;
        let verified = self.node::<false>(beta - 1, beta, depth - reduction, ply, false);
        self.null_from = 0;
        (verified >= beta && !self.stopped).then_some(value)
    }

    /// A capture that is far above beta at reduced depth will be above beta.
    pub(crate) fn probcut(&mut self, node: &Node) -> Option<Value> {
        let p = self.params();
        let &Node { beta, depth, ply, .. } = node;
        let above = beta + p.probcut_margin - if node.improving { p.probcut_improving } else { 0 };
        let refuted = node.hash.is_some_and(|entry| {
            entry.depth >= depth - 3 && entry.value != score::NONE && entry.value < above
        });
        if depth < p.probcut_depth || score::is_decisive(beta) || refuted {
            return None;
        }
        let static_eval = self.frame(ply).static_eval;
        let context = self.context(node.hash_move, depth, ply);
        let mut picker = Picker::new(&self.position, Plan::Noisy, above - static_eval, context);
        let info = self.position.check_info();
        while let Some(m) = picker.next(&self.position, &info, self.histories) {
            if !self.position.pseudo_is_legal(m, &info) {
                continue;
            }
            self.play(m, ply);
            let mut value = -self.quiescence::<false>(-above, -above + 1, 0, ply + 1);
            if value >= above && depth > 4 {
                value = -self.node::<false>(-above, -above + 1, depth - 4, ply + 1, !node.cut_node);
            }
            self.undo();
            if self.stopped {
                return None;
            }
            if value >= above {
                self.remember(node, value, Some(m), Bound::Lower, depth - 3);
                return Some(if score::is_decisive(value) { value } else { value - (above - beta) });
            }
        }
        None
    }
}
