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
    pub(crate) static_eval: Value,
    /// Whether the evaluation rose since our last move.
    pub(crate) improving: bool,
    /// Whether the opponent's last move made things worse for him.
    pub(crate) worsening: bool,
    /// Whether a principal variation went through here.
    pub(crate) was_pv: bool,
    /// Whether the hash table knows the node.
    pub(crate) known: bool,
    /// Whether a quiet move is known to be best.
    pub(crate) quiet_hash_move: bool,
}

/// Razoring: so far below alpha that quiescence may as well decide.
pub(crate) fn should_razor(node: &NodeFacts, p: &Params) -> bool {
    !score::is_loss(node.alpha)
        && node.eval < node.alpha - p.razor_base - p.razor_slope * node.depth * node.depth
}

/// Reverse futility: so far above beta that the opponent will not catch up.
pub(crate) fn should_prune_above_beta(node: &NodeFacts, correction: i32, p: &Params) -> bool {
    let slope = p.rfp_margin - if node.known { 0 } else { p.rfp_unknown };
    let trend =
        if node.improving { p.rfp_improving } else { 0 } + if node.worsening { p.rfp_worsening } else { 0 };
    let margin = slope * node.depth - slope * trend / 100 + correction.abs() / 180;
    !node.was_pv
        && !node.quiet_hash_move
        && node.depth <= p.rfp_depth
        && node.eval >= node.beta
        && node.eval - margin >= node.beta
        && !score::is_loss(node.beta)
        && node.eval < score::EVAL_LIMIT
}

/// Null move: good enough to pass the turn and still be above beta.
pub(crate) fn should_try_null(node: &NodeFacts, p: &Params) -> bool {
    let trend = if node.improving { 53 } else { 0 };
    node.static_eval >= node.beta - p.null_slope * node.depth - trend + p.null_margin
        && !score::is_loss(node.beta)
}

/// By how much a null move is reduced.
pub(crate) fn null_reduction(depth: i32, p: &Params) -> i32 {
    p.null_base + depth / p.null_divisor
}

/// Aspiration at inner nodes: half the width of the window, which grows as the game goes on.
pub(crate) fn inner_window(game_ply: u16, p: &Params) -> Value {
    p.inner_window + p.inner_window * Value::from(game_ply.min(160)) / 80
}

/// Late move pruning: after how many moves the rest of the quiet ones is left out.
pub(crate) fn late_move_count(depth: i32, improving: bool, p: &Params) -> i32 {
    (p.lmp_base + depth * depth) / if improving { 1 } else { 2 }
}

/// The value that a quiet move may reach at most.
pub(crate) fn quiet_reach(reduced_depth: i32, eval: Value, alpha: Value, first: bool, p: &Params) -> Value {
    eval + p.futility_base
        + p.futility_slope * reduced_depth
        + if first { p.futility_first } else { 0 }
        + if eval > alpha { p.futility_above } else { 0 }
}

/// The value that a capture may reach at most.
pub(crate) fn capture_reach(reduced_depth: i32, eval: Value, gain: Value, history: i32, p: &Params) -> Value {
    eval + p.capture_futility_base + p.capture_futility_slope * reduced_depth + gain + history / 8
}

/// Late move reductions in 1024ths of a ply, before anything is known about the move.
pub(crate) struct Reductions(Box<[i32; 128]>);

impl Reductions {
    pub(crate) fn new(p: &Params) -> Reductions {
        let root = (f64::from(p.lmr_scale)).sqrt();
        let mut table = Box::new([0; 128]);
        for (i, cell) in table.iter_mut().enumerate().skip(1) {
            *cell = (root * (i as f64).ln() * 16.0) as i32;
        }
        Reductions(table)
    }

    #[inline(always)]
    pub(crate) fn scaled(&self, depth: i32, moves: i32) -> i32 {
        self.0[depth.clamp(0, 127) as usize] * self.0[moves.clamp(0, 127) as usize] / 256
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(depth: i32, eval: Value) -> NodeFacts {
        NodeFacts {
            depth,
            alpha: 0,
            beta: 1,
            eval,
            static_eval: eval,
            improving: false,
            worsening: false,
            was_pv: false,
            known: true,
            quiet_hash_move: false,
        }
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
        assert!(should_prune_above_beta(&node(2, 400), 0, &p));
        assert!(!should_prune_above_beta(&node(6, 400), 0, &p));
        assert!(!should_prune_above_beta(&NodeFacts { was_pv: true, ..node(2, 400) }, 0, &p));
        assert!(!should_prune_above_beta(&NodeFacts { quiet_hash_move: true, ..node(2, 400) }, 0, &p));
        assert!(should_prune_above_beta(&NodeFacts { known: false, ..node(6, 400) }, 0, &p));
    }

    #[test]
    fn null_moves_need_depth_or_a_good_position() {
        let p = Params::default();
        assert!(should_try_null(&node(12, 300), &p));
        assert!(!should_try_null(&node(1, 300), &p));
        assert!(!should_try_null(&node(12, -10), &p));
        assert!(null_reduction(12, &p) > null_reduction(3, &p));
    }

    #[test]
    fn inner_windows_grow_with_the_game() {
        let p = Params { inner_window: 40, ..Params::default() };
        assert!(inner_window(100, &p) > inner_window(20, &p));
        assert_eq!(inner_window(160, &p), inner_window(300, &p));
        assert_eq!(inner_window(100, &Params { inner_window: 0, ..p }), 0);
    }

    #[test]
    fn more_moves_are_searched_when_deep_or_improving() {
        let p = Params::default();
        assert!(late_move_count(6, true, &p) > late_move_count(6, false, &p));
        assert!(late_move_count(8, false, &p) > late_move_count(3, false, &p));
    }

    #[test]
    fn moves_reach_farther_when_deep_or_when_they_gain() {
        let p = Params::default();
        assert!(quiet_reach(3, 0, 0, false, &p) > quiet_reach(1, 0, 0, false, &p));
        assert!(quiet_reach(3, 0, 0, true, &p) > quiet_reach(3, 0, 0, false, &p));
        assert!(capture_reach(3, 0, 90, 0, &p) > capture_reach(3, 0, 0, 0, &p));
    }

    #[test]
    fn reductions_grow_with_depth_and_moves() {
        let reductions = Reductions::new(&Params::default());
        assert!(reductions.scaled(20, 30) > reductions.scaled(5, 30));
        assert!(reductions.scaled(20, 30) > reductions.scaled(20, 3));
        assert!((2300..2600).contains(&reductions.scaled(10, 10)));
        assert_eq!(reductions.scaled(0, 5), 0);
    }
}
