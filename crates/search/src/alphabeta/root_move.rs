//! A move at the root and what searches have found about it.

use std::cmp::Reverse;

use shogi::Move;

use crate::Bound;
use crate::score::{self, Value};

/// What one search says about a root move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    /// The iteration.
    pub(crate) depth: i32,
    /// The deepest ply visited.
    pub(crate) selective_depth: usize,
}

impl Finding {
    /// Whether it can be told as it is: no bound, or one that proves a win.
    fn is_final(&self) -> bool {
        self.bound == Bound::Exact || self.bound == Bound::Lower && score::is_win(self.value)
    }
}

/// A move at the root.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    /// The move itself, then what followed in the latest finding.
    pub(crate) pv: Vec<Move>,
    /// Its value in the search that is going on, by which moves are sorted; `-INFINITE` while it has none.
    standing: Value,
    /// Where it stood before that search.
    place: usize,
    /// The nodes spent on it in all iterations.
    nodes: u64,
    latest: Option<Finding>,
    /// The last finding that was no bound, and its line.
    exact: Option<(Finding, Vec<Move>)>,
}

impl RootMove {
    pub(crate) fn new(m: Move) -> RootMove {
        RootMove { pv: vec![m], standing: -score::INFINITE, place: 0, nodes: 0, latest: None, exact: None }
    }

    pub(crate) fn first(&self) -> Move {
        self.pv[0]
    }

    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    pub(crate) fn standing(&self) -> Value {
        self.standing
    }

    /// Whether any search has found something.
    pub(crate) fn is_known(&self) -> bool {
        self.latest.is_some()
    }

    /// Nodes were spent on it.
    pub(crate) fn spend(&mut self, nodes: u64) {
        self.nodes += nodes;
    }

    /// A search has found something, and the line that follows the move.
    pub(crate) fn learn(&mut self, finding: Finding, line: &[Move]) {
        self.standing = finding.value;
        self.latest = Some(finding);
        self.pv.truncate(1);
        self.pv.extend_from_slice(line);
        if finding.bound == Bound::Exact {
            self.exact = Some((finding, self.pv.clone()));
        }
    }

    /// What to tell about it, with its line: no bound as long as anything better was ever known.
    pub(crate) fn told(&self) -> Option<(Finding, &[Move])> {
        let latest = self.latest.map(|finding| (finding, self.pv.as_slice()));
        let exact = || self.exact.as_ref().map(|(finding, line)| (*finding, line.as_slice()));
        latest.filter(|(finding, _)| finding.is_final()).or_else(exact).or(latest)
    }

    /// The latest finding with its line, even if it is a bound.
    pub(crate) fn latest(&self) -> Option<(Finding, &[Move])> {
        self.latest.map(|finding| (finding, self.pv.as_slice()))
    }

    /// The reply that its lines expect, the latest first.
    pub(crate) fn reply(&self) -> Option<Move> {
        let before = || self.exact.as_ref().and_then(|(_, line)| line.get(1));
        self.pv.get(1).or_else(before).copied()
    }
}

/// Remembers the order, for [`restore`].
pub(crate) fn remember(moves: &mut [RootMove]) {
    for (place, root_move) in moves.iter_mut().enumerate() {
        root_move.place = place;
    }
}

/// A search begins in which no move has a value yet.
pub(crate) fn reset(moves: &mut [RootMove]) {
    for root_move in moves {
        root_move.standing = -score::INFINITE;
    }
}

/// The best first, others in the order that they had.
pub(crate) fn rank(moves: &mut [RootMove]) {
    moves.sort_by_key(|root_move| Reverse(root_move.standing));
}

/// The order that was remembered, but for a move that leads now.
pub(crate) fn restore(moves: &mut [RootMove], lead: Option<Move>) {
    moves.sort_by_key(|root_move| (Some(root_move.first()) != lead, root_move.place));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves() -> Vec<RootMove> {
        ["7g7f", "2g2f", "5g5f"].iter().map(|text| RootMove::new(text.parse().unwrap())).collect()
    }

    fn finding(value: Value, bound: Bound) -> Finding {
        Finding { value, bound, depth: 3, selective_depth: 5 }
    }

    fn order(moves: &[RootMove]) -> Vec<String> {
        moves.iter().map(|root_move| root_move.first().to_string()).collect()
    }

    #[test]
    fn moves_without_a_value_keep_their_order_behind() {
        let mut moves = moves();
        moves[2].learn(finding(-900, Bound::Exact), &[]);
        rank(&mut moves);
        assert_eq!(order(&moves), ["5g5f", "7g7f", "2g2f"]);
        reset(&mut moves);
        rank(&mut moves);
        assert_eq!(order(&moves), ["5g5f", "7g7f", "2g2f"]);
    }

    #[test]
    fn a_bound_does_not_hide_what_was_known() {
        let reply: Move = "3c3d".parse().unwrap();
        let mut first = moves().swap_remove(0);
        assert_eq!(first.told(), None);
        first.learn(finding(10, Bound::Lower), &[]);
        assert_eq!(first.told().unwrap().0.value, 10);
        first.learn(finding(30, Bound::Exact), &[reply]);
        first.learn(finding(-50, Bound::Upper), &[]);
        let (known, line) = first.told().unwrap();
        assert_eq!((known, line.len()), (finding(30, Bound::Exact), 2));
        assert_eq!(first.latest().unwrap().0.value, -50);
        assert_eq!(first.reply(), Some(reply));
        first.learn(finding(score::mate_in(7), Bound::Lower), &[]);
        assert_eq!(first.told().unwrap().0.value, score::mate_in(7));
    }

    #[test]
    fn an_order_comes_back_behind_the_move_that_leads() {
        let mut moves = moves();
        remember(&mut moves);
        moves.rotate_left(1);
        restore(&mut moves, Some("5g5f".parse().unwrap()));
        assert_eq!(order(&moves), ["5g5f", "7g7f", "2g2f"]);
        restore(&mut moves, None);
        assert_eq!(order(&moves), ["7g7f", "2g2f", "5g5f"]);
    }
}
