//! Iterative deepening at the root, with aspiration windows and several lines.

use std::sync::atomic::Ordering::Relaxed;

use eval::Evaluator;
use shogi::Move;

use super::searcher::{RootMove, Searcher};
use crate::score::{self, MAX_PLY, Value};
use crate::{Bound, Report, RootState, Score, Stability, StopRule};

/// The further share of the time for the only legal move.
const ONLY_MOVE: f64 = 0.2;

/// What a thread came to.
pub(crate) struct Findings {
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) depth: i32,
}

/// What the search of a root move found, and in which window.
#[derive(Clone, Copy)]
pub(crate) struct RootFacts {
    pub(crate) value: Value,
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    pub(crate) first: bool,
}

impl<E: Evaluator> Searcher<'_, E> {
    /// Deepens until a limit or the clock ends it. Only the first thread reports and watches the clock.
    pub(crate) fn deepen(mut self, report: &mut dyn FnMut(&Report)) -> Findings {
        let limits = self.think.limits;
        let lines = limits.lines.clamp(1, self.root_moves.len().max(1));
        let deepest = limits.depth.map_or(MAX_PLY as i32 - 1, |depth| depth.min(MAX_PLY as u32 - 1) as i32);
        let mut completed = 0;
        let mut rule = Stability::new(ONLY_MOVE);
        for depth in 1..=deepest {
            self.root_depth = depth;
            // Helpers skip some depths, so that threads do not all search the same.
            if self.index > 0
                && depth > 1
                && (depth as usize + self.index / 2).is_multiple_of(3 + self.index % 3)
            {
                continue;
            }
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
            }
            for line in 0..lines {
                self.line = line;
                self.selective_depth = 0;
                self.aspire(depth, report);
                self.root_moves[..=line].sort_by_key(|m| std::cmp::Reverse(m.value));
                if self.stopped {
                    break;
                }
            }
            if self.index == 0 {
                self.tell(lines, report);
            }
            if self.stopped {
                break;
            }
            completed = depth;
            if self.index == 0 && self.is_enough(&mut rule) {
                break;
            }
        }
        if self.index == 0 {
            self.think.over.store(true, Relaxed);
        }
        self.think.nodes[self.index].store(self.nodes, Relaxed);
        Findings { root_moves: self.root_moves, depth: completed }
    }

    /// Searches the root with a window around the last value, widened until the value lies inside.
    fn aspire(&mut self, depth: i32, report: &mut dyn FnMut(&Report)) {
        let p = self.params();
        let average = self.root_moves[self.line].average;
        let mut delta = p.aspiration_window + self.index as i32 % 8;
        let (mut alpha, mut beta) = (-score::INFINITE, score::INFINITE);
        if depth >= 4 && average.abs() < score::EVAL_LIMIT {
            delta += average.abs() / 64;
            alpha = (average - delta).max(-score::INFINITE);
            beta = (average + delta).min(score::INFINITE);
        }
        let mut failed_high = 0;
        loop {
            let adjusted = if p.plain == 0 { (depth - failed_high).max(1) } else { depth };
            self.root_window = beta - alpha;
            let value = self.node::<true>(alpha, beta, adjusted, 0, false);
            let line = self.line;
            self.root_moves[line..].sort_by_key(|m| std::cmp::Reverse((m.value, m.previous)));
            if self.stopped {
                return;
            }
            if value <= alpha {
                beta = alpha;
                alpha = (value - delta).max(-score::INFINITE);
                failed_high = 0;
            } else if value >= beta {
                alpha = alpha.max(beta - delta);
                beta = (value + delta).min(score::INFINITE);
                failed_high += 1;
            } else {
                return;
            }
            delta += delta * p.aspiration_growth / 100;
            if self.index == 0 && self.think.control.elapsed().as_secs() >= 3 {
                self.tell_line(line, report);
            }
        }
    }

    /// Whether the move may still be chosen for the line that is being searched.
    pub(crate) fn is_root_candidate(&self, m: Move) -> bool {
        self.root_moves[self.line..].iter().any(|root_move| root_move.pv[0] == m)
    }

    /// Keeps what was learned about a root move.
    pub(crate) fn note_root_move(&mut self, m: Move, facts: RootFacts, nodes: u64) {
        let RootFacts { value, alpha, beta, first } = facts;
        let selective_depth = self.selective_depth;
        let below: Vec<Move> = self.frame(1).pv.iter().copied().collect();
        let Some(root_move) = self.root_moves.iter_mut().find(|r| r.pv[0] == m) else { return };
        root_move.nodes += nodes;
        root_move.average =
            if root_move.average == -score::INFINITE { value } else { (root_move.average + value) / 2 };
        if first || value > alpha {
            root_move.value = value;
            root_move.selective_depth = selective_depth;
            root_move.bound = if value >= beta {
                Bound::Lower
            } else if value <= alpha {
                Bound::Upper
            } else {
                Bound::Exact
            };
            root_move.pv.truncate(1);
            root_move.pv.extend(below);
        } else {
            root_move.value = -score::INFINITE;
        }
    }

    fn tell(&self, lines: usize, report: &mut dyn FnMut(&Report)) {
        for line in 0..lines.min(self.root_moves.len()) {
            self.tell_line(line, report);
        }
    }

    fn tell_line(&self, line: usize, report: &mut dyn FnMut(&Report)) {
        let root_move = &self.root_moves[line];
        let value = if root_move.value == -score::INFINITE { root_move.previous } else { root_move.value };
        self.think.nodes[self.index].store(self.nodes, Relaxed);
        report(&Report {
            depth: self.root_depth as u32,
            selective_depth: root_move.selective_depth as u32,
            rank: line + 1,
            score: Score::of(value),
            bound: root_move.bound,
            pv: root_move.pv.clone(),
            nodes: self.think.total_nodes(),
            elapsed: self.think.control.elapsed(),
            hash_permille: self.table().permille(),
            tree: None,
        });
    }

    /// Whether another iteration is not worth its time.
    fn is_enough(&self, rule: &mut impl StopRule<Move>) -> bool {
        let best = &self.root_moves[0];
        let limits = self.think.limits;
        let watching = limits.depth.is_none() && limits.nodes.is_none();
        let found_mate =
            score::is_win(best.value) && score::MATE - best.value <= self.root_depth / 2 && limits.lines <= 1;
        let effort = best.nodes as f64 / self.nodes.max(1) as f64;
        let is_only = self.root_moves.len() == 1 && limits.search_moves.is_empty();
        let share = rule.soft_share(&RootState { best: best.pv[0], value: best.value, effort, is_only });
        (watching && found_mate && self.think.control.is_enough(0.0)) || self.think.control.is_enough(share)
    }
}
