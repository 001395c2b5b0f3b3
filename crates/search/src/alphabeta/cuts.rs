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
    pub(crate) fn hindsight(&self, node: &Node) -> i32 {
        let before = self.earlier(node.ply, 1).static_eval;
        let known = before != score::NONE;
        if node.prior_reduction >= 3 && known && !node.worsening {
            1
        } else if node.prior_reduction >= 2
            && node.depth >= 2
            && known
            // The sum is what the opponent's move lost by its own evaluation.
            && self.frame(node.ply).static_eval + before > self.params().hindsight_margin
        {
            -1
        } else {
            0
        }
    }

    /// What the pruning rules ask about the node.
    fn facts(&self, node: &Node) -> NodeFacts {
        let &Node { alpha, beta, depth, eval, improving, worsening, was_pv, .. } = node;
        NodeFacts {
            depth,
            alpha,
            beta,
            eval,
            static_eval: self.frame(node.ply).static_eval,
            improving,
            worsening,
            was_pv,
            known: node.hash.is_some(),
            quiet_hash_move: node.hash_move.is_some() && !node.hash_noisy,
        }
    }

    /// Razoring and reverse futility.
    pub(crate) fn cut_by_evaluation(&mut self, node: &Node) -> Option<Value> {
        let p = self.params();
        let facts = self.facts(node);
        // Step 5: razoring.
        if prune::should_razor(&facts, p) {
            return Some(self.quiescence::<false>(node.alpha, node.beta, 0, node.ply));
        }
        // Step 6: reverse futility.
        let cuts = prune::should_prune_above_beta(&facts, node.correction, p);
        cuts.then_some((node.eval + 2 * node.beta) / 3)
    }

    /// Null move.
    pub(crate) fn cut_by_passing(&mut self, node: &Node) -> Option<Value> {
        let p = self.params();
        let tries = node.cut_node
            && node.excluded.is_none()
            && node.ply >= self.null_from
            && self.earlier(node.ply, 1).current.is_some()
            && prune::should_try_null(&self.facts(node), p);
        if tries { self.null_move(node, prune::null_reduction(node.depth, p)) } else { None }
    }

    /// Passes; if that is still above beta, so is the node. Deep cuts are verified without null moves.
    fn null_move(&mut self, node: &Node, reduction: i32) -> Option<Value> {
        let &Node { beta, depth, ply, .. } = node;
        let frame = self.frame_mut(ply);
        frame.current = None;
        frame.row = None;
        self.position.play_null();
        self.table().prefetch(self.position.key());
        let value = -self.node::<false>(-beta, -beta + 1, depth - reduction, ply + 1, false);
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
        let refuted = node.hash.is_some_and(|entry| entry.value != score::NONE && entry.value < above);
        if depth < p.probcut_depth || score::is_decisive(beta) || refuted {
            return None;
        }
        let static_eval = self.frame(ply).static_eval;
        let context = self.context(node.hash_move, depth, ply);
        let mut picker = Picker::new(&self.position, Plan::Noisy, above - static_eval, context);
        let info = node.check_info.get_or_init(|| self.position.check_info());
        while let Some(m) = picker.next(&self.position, info, self.histories) {
            if Some(m) == node.excluded || !self.position.pseudo_is_legal(m, info) {
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
                if node.excluded.is_none() {
                    self.remember(node, value, Some(m), Bound::Lower, depth - 3);
                }
                return Some(if score::is_decisive(value) { value } else { value - (above - beta) });
            }
        }
        None
    }

    /// A lower bound far above beta from nearly the same depth will do.
    pub(crate) fn known_above(&self, node: &Node) -> Option<Value> {
        let entry = node.hash?;
        let above = node.beta + self.params().probcut_known;
        let cuts = matches!(entry.bound, Some(Bound::Lower | Bound::Exact))
            && entry.depth >= node.depth - 4
            && entry.value != score::NONE
            && entry.value >= above
            && !score::is_decisive(node.beta)
            && !score::is_decisive(entry.value);
        cuts.then_some(above)
    }
}
