//! Iterative deepening at the root, with aspiration windows and several lines.

use std::sync::atomic::Ordering::Relaxed;

use eval::Evaluator;
use shogi::Move;

use super::node::{Node, Role};
use super::params::PERCENT;
use super::searcher::{RootMove, Searcher};
use crate::score::{self, MAX_PLY, Value};
use crate::{Bound, Depth, Report, RootState, Score, Stability, StopRule};

/// The further share of the time for the only legal move.
const ONLY_MOVE: f64 = 0.2;

/// What a thread came to.
pub(crate) struct Findings {
    pub(crate) root_moves: Vec<RootMove>,
    pub(crate) depth: i32,
}

/// How much the value changes from iteration to iteration.
#[derive(Clone, Copy, Default)]
struct Change {
    last: Option<Value>,
    /// A running mean of the absolute changes.
    mean: Value,
}

impl Change {
    fn learn(&mut self, value: Value) {
        if let Some(last) = self.last {
            self.mean = (self.mean + (value - last).abs()) / 2;
        }
        self.last = Some(value);
    }
}

impl<E: Evaluator> Searcher<'_, E> {
    /// Deepens until a limit or the clock ends it. Only the first thread reports and watches the clock.
    pub(crate) fn deepen(mut self, report: &mut dyn FnMut(&Report)) -> Findings {
        let limits = self.think.limits;
        let lines = limits.lines.clamp(1, self.root_moves.len().max(1));
        let deepest = limits.depth.map_or(MAX_PLY as i32 - 1, |depth| depth.min(MAX_PLY as u32 - 1) as i32);
        let mut completed = 0;
        let mut rule = Stability::new(ONLY_MOVE);
        let mut changes = vec![Change::default(); lines];
        for depth in 1..=deepest {
            self.root_depth = depth;
            for (line, change) in changes.iter_mut().enumerate() {
                self.line = line;
                self.selective_depth = 0;
                self.aspire(depth, *change, report);
                if self.stopped {
                    break;
                }
                change.learn(self.root_moves[line].value);
                self.root_moves[..=line].sort_by_key(|m| std::cmp::Reverse(m.value));
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

    /// Searches the root with a window around the last value; the side that fails is widened until the value lies inside.
    fn aspire(&mut self, depth: i32, change: Change, report: &mut dyn FnMut(&Report)) {
        let p = self.params();
        let half = p.window_least + p.window_z * change.mean / PERCENT;
        let (mut below, mut above) = (half, half);
        let middle = change.last.filter(|value| value.abs() < score::EVAL_LIMIT);
        let window = |below: Value, above: Value| match middle {
            Some(middle) if depth > 3 => {
                ((middle - below).max(-score::INFINITE), (middle + above).min(score::INFINITE))
            }
            _ => (-score::INFINITE, score::INFINITE),
        };
        // Threads that share a table search a little differently each, so that they help each other.
        let own = Depth::units((self.index as i32 % 4) * Depth::plies(1).in_units() / 4);
        loop {
            let (alpha, beta) = window(below, above);
            for root_move in &mut self.root_moves[self.line..] {
                (root_move.value, root_move.bound) = (-score::INFINITE, Bound::Upper);
            }
            let value = self.node(alpha, beta, Depth::plies(depth) + own, 0, Role::Pv);
            let line = self.line;
            self.root_moves[line..].sort_by_key(|m| std::cmp::Reverse(m.value));
            if self.stopped {
                return;
            }
            let grown = |half: Value, beyond: Value| {
                (half * (PERCENT + p.window_growth) / PERCENT + beyond).min(score::INFINITE)
            };
            if value <= alpha && alpha > -score::INFINITE {
                below = grown(below, alpha - value);
                self.root_moves[line].bound = Bound::Upper;
            } else if value >= beta && beta < score::INFINITE {
                above = grown(above, value - beta);
            } else {
                return;
            }
            if self.index == 0 && self.line == 0 && self.think.control.elapsed().as_secs() >= 1 {
                self.tell(1, report);
            }
        }
    }

    /// Whether the clock says that no further iteration should begin.
    fn is_enough(&self, rule: &mut Stability<Move>) -> bool {
        let best = &self.root_moves[0];
        let is_only = self.root_moves.len() == 1;
        let effort = best.nodes as f64 / self.nodes.max(1) as f64;
        let state = RootState { best: best.pv[0], value: best.value, effort, is_only };
        let share = rule.soft_share(&state);
        self.think.control.is_enough(share)
    }

    /// Notes what the search of a root move found.
    pub(crate) fn note_root_move(&mut self, node: &Node, m: Move, value: Value, is_first: bool, nodes: u64) {
        let (line, deepest) = (self.frame(1).pv.clone(), self.selective_depth);
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.pv[0] == m) else {
            return;
        };
        root_move.nodes += nodes;
        if !is_first && value <= node.alpha {
            return;
        }
        root_move.value = value;
        root_move.selective_depth = deepest;
        root_move.bound = match value {
            value if value >= node.beta => Bound::Lower,
            value if value <= node.alpha => Bound::Upper,
            _ => Bound::Exact,
        };
        if value > node.alpha {
            root_move.pv.truncate(1);
            root_move.pv.extend(line.iter());
        }
        if root_move.bound == Bound::Exact {
            root_move.exact = Some((value, root_move.pv.clone()));
        }
    }

    /// Reports the best lines. One that is no more than a bound is reported as it was when it was exact.
    fn tell(&mut self, lines: usize, report: &mut dyn FnMut(&Report)) {
        for rank in 0..lines.min(self.root_moves.len()) {
            let best = &self.root_moves[rank];
            let Some((value, bound, line)) = best.shown() else { continue };
            let line = line.to_vec();
            let selective_depth = best.selective_depth.max(line.len()) as u32;
            let pv = self.whole_line(line);
            report(&Report {
                depth: self.root_depth as u32,
                selective_depth,
                rank: rank + 1,
                score: Score::of(value),
                bound,
                pv,
                nodes: self.think.total_nodes().max(self.nodes),
                elapsed: self.think.control.elapsed(),
                hash_permille: self.table().permille(),
                tree: None,
            });
        }
    }

    /// A line with what the hash table knows to follow it, as long as no position comes again.
    fn whole_line(&self, mut line: Vec<Move>) -> Vec<Move> {
        let mut position = self.think.root.position.clone();
        for (i, &m) in line.iter().enumerate() {
            if !position.is_legal(m) {
                line.truncate(i);
                return line;
            }
            position.play(m);
        }
        while line.len() < self.root_depth as usize && position.repetition_in_search(line.len()).is_none() {
            let known = self.table().probe(position.key()).and_then(|entry| entry.best);
            let Some(m) = known.filter(|&m| position.is_legal(m)) else { break };
            position.play(m);
            line.push(m);
        }
        line
    }
}
