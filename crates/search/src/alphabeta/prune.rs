//! When not to search: each rule a pure question. Applying the answer is the caller's.

use super::params::Params;
use crate::score::{self, Value};

/// What the rules that look at the whole node go by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NodeFacts {
    pub(crate) depth: i32,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// The static evaluation, improved by the hash table.
    pub(crate) eval: Value,
    /// Whether the evaluation rose since our last move.
    pub(crate) improving: bool,
    /// Whether a principal variation went through here.
    pub(crate) was_pv: bool,
}

/// Razoring: so far below alpha that quiescence may as well decide.
pub(crate) fn should_razor(node: &NodeFacts, p: &Params) -> bool {
    !score::is_loss(node.alpha)
        && node.eval < node.alpha - p.razor_base - p.razor_slope * node.depth * node.depth
}

/// Reverse futility: so far above beta that the opponent will not catch up.
pub(crate) fn should_prune_above_beta(node: &NodeFacts, p: &Params) -> bool {
    let margin = p.rfp_margin * node.depth - if node.improving { p.rfp_improving } else { 0 };
    !node.was_pv
        && node.depth <= p.rfp_depth
        && node.eval - margin >= node.beta
        && !score::is_loss(node.beta)
        && node.eval < score::EVAL_LIMIT
}

/// Null move: good enough to pass the turn and still be above beta.
pub(crate) fn should_try_null(node: &NodeFacts, static_eval: Value, p: &Params) -> bool {
    node.depth >= p.null_depth
        && node.eval >= node.beta
        && static_eval >= node.beta - p.null_margin * node.depth + 200
        && !score::is_loss(node.beta)
}

/// By how much a null move is reduced.
pub(crate) fn null_reduction(node: &NodeFacts, p: &Params) -> i32 {
    p.null_base + node.depth / p.null_divisor + ((node.eval - node.beta) / p.null_eval).min(3)
}

/// Late move pruning: after how many moves the rest of the quiet ones is left out.
pub(crate) fn late_move_count(depth: i32, improving: bool, p: &Params) -> i32 {
    (p.lmp_base + depth * depth) / if improving { 1 } else { 2 }
}

/// Futility: a quiet move that cannot lift the evaluation to alpha.
pub(crate) fn should_prune_futile(
    reduced_depth: i32,
    eval: Value,
    alpha: Value,
    history: i32,
    p: &Params,
) -> bool {
    reduced_depth < p.futility_depth
        && eval + p.futility_base + p.futility_slope * reduced_depth + history / 64 <= alpha
}

/// History: a quiet move that did badly wherever it was tried.
pub(crate) fn should_prune_by_history(reduced_depth: i32, history: i32, p: &Params) -> bool {
    reduced_depth < p.history_prune_depth && history < -p.history_prune * (reduced_depth + 1)
}

/// What a move may lose in exchanges before it is pruned.
pub(crate) fn exchange_margin(depth: i32, reduced_depth: i32, noisy: bool, p: &Params) -> Value {
    if noisy { -p.see_noisy * depth } else { -p.see_quiet * reduced_depth * reduced_depth }
}

/// Late move reductions in hundredths of a ply: `[depth][moves]`.
pub(crate) struct Reductions(Box<[[i32; 64]; 64]>);

impl Reductions {
    pub(crate) fn new(p: &Params) -> Reductions {
        let mut table = Box::new([[0; 64]; 64]);
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (moves, cell) in row.iter_mut().enumerate().skip(1) {
                let product = (depth as f64).ln() * (moves as f64).ln();
                *cell = p.lmr_base + (product * 10_000.0 / f64::from(p.lmr_divisor)) as i32;
            }
        }
        Reductions(table)
    }

    #[inline(always)]
    pub(crate) fn hundredths(&self, depth: i32, moves: i32) -> i32 {
        self.0[depth.clamp(0, 63) as usize][moves.clamp(0, 63) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: i32, eval: Value) -> NodeFacts {
        NodeFacts { depth, alpha: 0, beta: 1, eval, improving: false, was_pv: false }
    }

    #[test]
    fn razoring_needs_a_hopeless_evaluation() {
        let p = Params::default();
        assert!(should_razor(&node(1, -2000), &p));
        assert!(!should_razor(&node(1, -100), &p));
        assert!(!should_razor(&node(12, -2000), &p));
    }

    #[test]
    fn reverse_futility_needs_a_surplus_that_grows_with_depth() {
        let p = Params::default();
        assert!(should_prune_above_beta(&node(2, 400), &p));
        assert!(!should_prune_above_beta(&node(6, 400), &p));
        assert!(!should_prune_above_beta(&NodeFacts { was_pv: true, ..node(2, 400) }, &p));
    }

    #[test]
    fn null_moves_need_depth_and_a_good_position() {
        let p = Params::default();
        assert!(should_try_null(&node(12, 300), 300, &p));
        assert!(!should_try_null(&node(1, 300), 300, &p));
        assert!(!should_try_null(&node(12, -10), -10, &p));
        assert!(null_reduction(&node(12, 900), &p) > null_reduction(&node(12, 100), &p));
    }

    #[test]
    fn more_moves_are_searched_when_deep_or_improving() {
        let p = Params::default();
        assert!(late_move_count(6, true, &p) > late_move_count(6, false, &p));
        assert!(late_move_count(8, false, &p) > late_move_count(3, false, &p));
    }

    #[test]
    fn futile_and_disproved_moves_are_pruned() {
        let p = Params::default();
        assert!(should_prune_futile(1, -1000, 0, 0, &p));
        assert!(!should_prune_futile(1, 0, 0, 0, &p));
        assert!(should_prune_by_history(1, -30_000, &p));
        assert!(!should_prune_by_history(1, 0, &p));
        assert!(exchange_margin(3, 3, true, &p) < 0 && exchange_margin(3, 0, false, &p) == 0);
    }

    #[test]
    fn reductions_grow_with_depth_and_moves() {
        let reductions = Reductions::new(&Params::default());
        assert!(reductions.hundredths(20, 30) > reductions.hundredths(5, 30));
        assert!(reductions.hundredths(20, 30) > reductions.hundredths(20, 3));
        assert_eq!(reductions.hundredths(0, 5), 0);
    }
}
