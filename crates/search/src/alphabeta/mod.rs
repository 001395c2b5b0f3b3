//! Alpha-beta search whose shortcuts are bets with measured odds: principal variation search with a hash table, moves ordered
//! by learned log-odds, reductions by bits of improbability, cuts by the spread of values around evaluations; on any number of
//! threads that share the table (lazy SMP).

mod bets;
mod correction;
mod cuts;
mod deepening;
mod history;
mod model;
mod move_loop;
mod node;
mod order;
mod params;
mod picker;
mod quiescence;
mod searcher;
mod table;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64};

use eval::Evaluator;
use shogi::Move;

use crate::score::{self, Value};
use crate::{Choice, Control, Decision, Limits, Method, Report, Root, Score};
use bets::BetLog;
pub use bets::{MoveBet, Shares, ValueBet};
use correction::Corrections;
use deepening::Findings;
use history::Histories;
pub use history::{QUIET_CELLS, SCALE};
pub use model::{ACTORS, DEPTHS, FLAGS, Model, ModelError, NAT, RAISE_INPUTS, RELATIONS, ROLES, STAGES};
pub use order::Features;
pub use params::Params;
use searcher::{Memories, RootMove, Searcher, Shared, Think};
use table::Table;

/// The alpha-beta method with an evaluator for each thread.
pub struct AlphaBeta<E> {
    shared: Shared,
    threads: Vec<Thread<E>>,
}

struct Thread<E> {
    eval: E,
    memories: Memories,
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
        model: Arc<Model>,
    ) -> Option<AlphaBeta<E>> {
        let corrections = || Corrections::new(&params);
        let memories = || Memories { histories: Histories::new(), corrections: corrections(), bets: None };
        let thread = || Thread { eval: evaluator(), memories: memories() };
        let threads = std::iter::repeat_with(thread).take(threads.max(1)).collect();
        Some(AlphaBeta { shared: Shared { table: Table::new(megabytes)?, params, model }, threads })
    }

    /// Has the first thread play out shares of its bets, and log them.
    pub fn log_bets(&mut self, shares: Shares, seed: u64) {
        self.threads[0].memories.bets = Some(BetLog::new(shares, seed));
    }

    /// Takes the bets that were played out since the last call.
    pub fn take_bets(&mut self) -> (Vec<MoveBet>, Vec<ValueBet>) {
        let log = self.threads[0].memories.bets.as_mut();
        log.map(|log| (std::mem::take(&mut log.moves), std::mem::take(&mut log.values))).unwrap_or_default()
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
        for (i, Thread { eval, memories }) in others.iter_mut().enumerate() {
            let root_moves = root_moves.clone();
            let run = move || Searcher::new(think, i + 1, eval, memories, root_moves).deepen(&mut |_| {});
            let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
            handles.extend(builder.spawn_scoped(scope, run));
        }
        let Thread { eval, memories } = first;
        let mut findings = vec![Searcher::new(think, 0, eval, memories, root_moves.clone()).deepen(report)];
        findings.extend(handles.into_iter().filter_map(|handle| handle.join().ok()));
        findings
    })
}

impl<E: Evaluator + Send> Method for AlphaBeta<E> {
    fn new_game(&mut self) {
        self.shared.table.clear();
        for Thread { memories, .. } in &mut self.threads {
            memories.histories.clear();
            memories.corrections.clear();
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
        let nodes: Vec<AtomicU64> = self.threads.iter().map(|_| AtomicU64::new(0)).collect();
        let over = AtomicBool::new(false);
        let think = Think { shared: &self.shared, root, limits, control, nodes: &nodes, over: &over };
        let findings = run(&mut self.threads, &think, &moves, report);
        decide(&findings, &think)
    }
}

/// The thread with the deepest finished iteration speaks, among equals the one with the best value.
fn decide(findings: &[Findings], think: &Think<'_>) -> Decision {
    let speaks = |findings: &&Findings| {
        let value = settled(&findings.root_moves[0]);
        (score::is_win(value), findings.depth, value)
    };
    let best = findings.iter().rev().max_by_key(speaks).expect("at least one thread");
    let line = &best.root_moves[0];
    Decision {
        choice: Choice::Move(line.pv[0]),
        ponder: ponder_move(&think.shared.table, think.root, line),
        score: Score::of(settled(line)),
        depth: best.depth as u32,
        nodes: think.total_nodes(),
    }
}

/// The value of a root move: the last exact one, if there is any.
fn settled(root_move: &RootMove) -> Value {
    root_move.shown().map_or(root_move.value, |(value, ..)| value)
}

/// The reply to expect: of the line, or else of an earlier line or of the hash table.
fn ponder_move(table: &Table, root: &Root, best: &RootMove) -> Option<Move> {
    let earlier = best.exact.as_ref().and_then(|(_, line)| line.get(1));
    let of_line = best.pv.get(1).or(earlier).copied();
    let mut position = root.position.clone();
    position.play(best.pv[0]);
    let known = || table.probe(position.key()).and_then(|entry| entry.best);
    of_line.or_else(known).filter(|&m| position.is_legal(m))
}
