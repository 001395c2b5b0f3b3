//! Iterative deepening (Slate and Atkin 1977): each iteration looks a ply further, with a window around what the last one found,
//! and a line at a time.
//!
//! Invariant: the first root move is at all times the one to play. An iteration that is broken off changes it only for a
//! move that has proved better in it; a move that has only failed low changes nothing.

use std::time::Duration;

use eval::Evaluator;
use shogi::Move;

use super::judge::{Iteration, RootFacts};
use super::node::Role;
use super::root_move::{self, RootMove};
use super::searcher::Searcher;
use super::window::Outlook;
use crate::score::{MAX_PLY, Value};
use crate::{Bound, Depth, Report, RootState, Stability, StopRule};

/// The share of the time that a search uses of the usual one when there is only one move.
const ONLY_MOVE: f64 = 0.2;
/// From here on failed windows are reported, since iterations take long.
const LONG: Duration = Duration::from_secs(1);

/// Whoever hears the reports.
pub(super) type Listener<'a> = &'a mut dyn FnMut(&Report);

/// What a thread has come to.
pub(super) struct Outcome {
    /// The best first.
    pub(super) root_moves: Vec<RootMove>,
    /// The last whole iteration.
    pub(super) finished: u32,
    /// Whether another one was begun.
    pub(super) is_broken_off: bool,
    pub(super) iterations: Vec<Iteration>,
}

impl Outcome {
    /// The value of the best move, as far as it is known.
    pub(super) fn value(&self) -> Option<Value> {
        self.root_moves.first()?.told().map(|(finding, _)| finding.value)
    }
}

/// The iterations of one thread.
pub(super) struct Deepening<'a, 'l, E> {
    searcher: Searcher<'a, E>,
    /// By how much it looks deeper than the iterations say.
    head_start: Depth,
    /// By line.
    outlooks: Vec<Outlook>,
    stop_rule: Stability<Move>,
    iterations: Vec<Iteration>,
    /// None for a helper.
    listener: Option<Listener<'l>>,
}

impl<'a, 'l, E: Evaluator> Deepening<'a, 'l, E> {
    pub(super) fn new(
        searcher: Searcher<'a, E>,
        head_start: Depth,
        listener: Option<Listener<'l>>,
    ) -> Deepening<'a, 'l, E> {
        let lines = searcher.task.lines().min(searcher.root_moves.len());
        let outlooks = vec![Outlook::default(); lines];
        let (stop_rule, iterations) = (Stability::new(ONLY_MOVE), Vec::new());
        Deepening { searcher, head_start, outlooks, stop_rule, iterations, listener }
    }

    /// Looks deeper and deeper until it is enough or the search has to end.
    pub(super) fn run(mut self) -> Outcome {
        let deepest = MAX_PLY as u32 - 1;
        let deepest = self.searcher.task.limits.depth.map_or(deepest, |depth| depth.clamp(1, deepest));
        let mut finished = 0;
        while finished < deepest && self.iterate(finished as i32 + 1) {
            finished += 1;
            self.note_iteration();
            self.tell_lines();
            if self.is_enough() {
                break;
            }
        }
        self.searcher.tell_nodes();
        let is_broken_off = self.searcher.stopped;
        let iterations = self.iterations;
        Outcome { root_moves: self.searcher.root_moves, finished, is_broken_off, iterations }
    }

    /// Finds all lines; `false` if it was broken off.
    fn iterate(&mut self, depth: i32) -> bool {
        self.searcher.root_depth = depth;
        for line in 0..self.outlooks.len() {
            self.searcher.line = line;
            if !self.find_line(depth) {
                return false;
            }
        }
        let lines = &mut self.searcher.root_moves[..self.outlooks.len()];
        root_move::rank(lines);
        for (outlook, root_move) in self.outlooks.iter_mut().zip(lines) {
            outlook.observe(root_move.standing());
        }
        true
    }

    /// Finds the best of the moves that belong to no better line; `false` if it was broken off.
    fn find_line(&mut self, depth: i32) -> bool {
        let searcher = &mut self.searcher;
        let (line, params) = (searcher.line, searcher.params());
        let mut window = self.outlooks[line].window(depth, params);
        searcher.selective_depth = 0;
        searcher.lead = None;
        root_move::remember(&mut searcher.root_moves[line..]);
        loop {
            let searcher = &mut self.searcher;
            root_move::reset(&mut searcher.root_moves[line..]);
            let plies = Depth::plies(depth) + self.head_start;
            let value = searcher.node(window.alpha, window.beta, plies, 0, Role::Pv);
            let rivals = &mut searcher.root_moves[line..];
            if searcher.stopped {
                // What raised alpha is better than all before it, at this depth. Without such a move nothing speaks
                // against the last iteration: even if its best move failed low, no other is known to do better.
                root_move::restore(rivals, searcher.lead);
                return false;
            }
            root_move::rank(rivals);
            if window.bound(value) == Bound::Exact {
                return true;
            }
            self.tell_failure();
            window.widen(value, params);
        }
    }

    /// Notes what an iteration has come to.
    fn note_iteration(&mut self) {
        let best = &self.searcher.root_moves[0];
        self.iterations.push(Iteration {
            best: best.first(),
            value: best.standing(),
            best_nodes: best.nodes(),
            nodes: self.searcher.nodes,
        });
    }

    /// Whether the time is better kept for later moves; only the first thread asks.
    fn is_enough(&mut self) -> bool {
        let searcher = &self.searcher;
        let moves = searcher.root_moves.len();
        if self.listener.is_none() {
            return false;
        }
        let share = if searcher.params().judge == 1 && moves > 1 {
            let facts = RootFacts::of(&searcher.task.root.position, moves);
            searcher.model().judged_share(&self.iterations, facts)
        } else {
            let best = &searcher.root_moves[0];
            self.stop_rule.soft_share(&RootState {
                best: best.first(),
                value: best.standing(),
                effort: best.nodes() as f64 / searcher.nodes.max(1) as f64,
                is_only: moves == 1,
            })
        };
        searcher.task.control.is_enough(share)
    }

    /// Reports the lines of an iteration.
    fn tell_lines(&mut self) {
        if let Some(listener) = &mut self.listener {
            self.searcher.tell_nodes();
            self.searcher.task.reports(&self.searcher.root_moves).for_each(|report| listener(&report));
        }
    }

    /// Reports a line whose value lay outside of the window, if that takes long.
    fn tell_failure(&mut self) {
        let task = self.searcher.task;
        if let Some(listener) = &mut self.listener
            && task.control.elapsed() > LONG
        {
            self.searcher.tell_nodes();
            let rank = self.searcher.line;
            if let Some((finding, line)) = self.searcher.root_moves[rank].latest() {
                listener(&task.report(rank, finding, line));
            }
        }
    }
}
