//! Alpha-beta search: principal variation search with a hash table, staged ordering, selective pruning,
//! reductions and extensions, on any number of threads that share the table (Lazy SMP).

mod cuts;
mod deepening;
mod history;
mod node;
mod params;
mod picker;
mod prune;
mod quiescence;
mod searcher;
mod table;
mod trying;
mod update;

use std::sync::atomic::{AtomicBool, AtomicU64};

use eval::Evaluator;
use shogi::Move;

use crate::score::{self, Value};
use crate::{Choice, Control, Decision, Limits, Method, Report, Root, Score};
use deepening::Findings;
use history::Histories;
pub use params::Params;
use prune::Reductions;
use searcher::{RootMove, Searcher, Shared, Think};
use table::Table;

/// The alpha-beta method with an evaluator for each thread.
pub struct AlphaBeta<E> {
    shared: Shared,
    threads: Vec<Thread<E>>,
}

struct Thread<E> {
    eval: E,
    histories: Histories,
}

/// Deep lines need more stack than threads have by default.
const STACK_BYTES: usize = 64 << 20;

impl<E: Evaluator + Send> AlphaBeta<E> {
    /// A player with a hash table of `megabytes` on `threads` threads, each with an evaluator of its own;
    /// `None` if there is no such memory.
    pub fn new(
        mut evaluator: impl FnMut() -> E,
        megabytes: usize,
        threads: usize,
        params: Params,
    ) -> Option<AlphaBeta<E>> {
        let thread = || Thread { eval: evaluator(), histories: Histories::new() };
        Some(AlphaBeta {
            shared: Shared { table: Table::new(megabytes)?, reductions: Reductions::new(&params), params },
            threads: std::iter::repeat_with(thread).take(threads.max(1)).collect(),
        })
    }
}

/// Lets every thread search; all share the hash table, and the first one decides when to end.
fn run<E: Evaluator + Send>(
    threads: &mut [Thread<E>],
    think: &Think<'_>,
    moves: &[Move],
    report: &mut dyn FnMut(&Report),
) -> Vec<Findings> {
    let root_moves: Vec<RootMove> = moves.iter().map(|&m| RootMove::new(m)).collect();
    let (first, others) = threads.split_first_mut().expect("at least one thread");
    std::thread::scope(|scope| {
        let mut handles = Vec::new();
        for (i, Thread { eval, histories }) in others.iter_mut().enumerate() {
            let root_moves = root_moves.clone();
            let run = move || Searcher::new(think, i + 1, eval, histories, root_moves).deepen(&mut |_| {});
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            handles.extend(builder.spawn_scoped(scope, run));
        }
        let Thread { eval, histories } = first;
        let mut findings = vec![Searcher::new(think, 0, eval, histories, root_moves.clone()).deepen(report)];
        findings.extend(handles.into_iter().filter_map(|handle| handle.join().ok()));
        findings
    })
}

impl<E: Evaluator + Send> Method for AlphaBeta<E> {
    fn new_game(&mut self) {
        self.shared.table.clear();
        for thread in &mut self.threads {
            thread.histories.clear();
        }
    }

    fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Decision {
        let mut moves: Vec<Move> = root.position.legal_moves().into_iter().collect();
        if let Some(decision) = root.decided(&moves) {
            return decision;
        }
        if !limits.search_moves.is_empty() {
            moves.retain(|m| limits.search_moves.contains(m));
        }
        if moves.is_empty() {
            moves = root.position.legal_moves().into_iter().collect();
        }
        self.shared.table.age();
        for thread in &mut self.threads {
            thread.histories.new_search();
        }
        let nodes: Vec<AtomicU64> = self.threads.iter().map(|_| AtomicU64::new(0)).collect();
        let over = AtomicBool::new(false);
        let think = Think { shared: &self.shared, root, limits, control, nodes: &nodes, over: &over };
        let findings = run(&mut self.threads, &think, &moves, report);
        decide(&findings, think.total_nodes())
    }
}

/// The best thread's best move: threads vote, each by its depth and value.
fn decide(findings: &[Findings], nodes: u64) -> Decision {
    let value = |f: &Findings| settled(&f.root_moves[0]);
    let lowest = findings.iter().map(value).min().unwrap_or(0);
    let votes = |m: Move| -> i64 {
        let same = findings.iter().filter(|f| f.root_moves[0].pv[0] == m);
        same.map(|f| i64::from(value(f) - lowest + 14) * i64::from(f.depth.max(1))).sum()
    };
    let best = findings
        .iter()
        .reduce(|best, other| {
            let (best_value, other_value) = (value(best), value(other));
            let better = if score::is_win(best_value) || score::is_win(other_value) {
                other_value > best_value
            } else {
                other.depth > 0 && votes(other.root_moves[0].pv[0]) > votes(best.root_moves[0].pv[0])
            };
            if better { other } else { best }
        })
        .expect("at least one thread");
    let line = &best.root_moves[0];
    Decision {
        choice: Choice::Move(line.pv[0]),
        ponder: line.pv.get(1).copied(),
        score: Score::of(settled(line)),
        depth: best.depth as u32,
        nodes,
    }
}

/// The value of the last iteration that came to one.
fn settled(root_move: &RootMove) -> Value {
    if root_move.value == -score::INFINITE { root_move.previous } else { root_move.value }
}
