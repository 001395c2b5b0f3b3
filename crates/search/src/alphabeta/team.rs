//! The threads of a search: they share the hash table and nothing else, and help each other by what they leave there (lazy SMP).
//!
//! Threads that did the same would find the same. So each looks a different fraction of a ply deeper than the iteration
//! says: deeper findings answer the shallower questions of the others, and no two trees are alike. The fractions are van der
//! Corput's sequence (1935), which spreads any number of them evenly: 0, 1/2, 1/4, 3/4, 1/8, …

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::Builder;

use eval::Evaluator;
use shogi::Move;

use super::bets::BetLog;
use super::budget::Budget;
use super::correction::Corrections;
use super::deepening::{Deepening, Listener, Outcome};
use super::history::Histories;
use super::kinds::Kinds;
use super::model::Model;
use super::params::Params;
use super::searcher::Searcher;
use super::table::Table;
use crate::score;
use crate::{Control, Depth, Limits, Root};

/// The stack of a thread: a line may be as deep as lines get, with the moves of every node on it.
const STACK_BYTES: usize = 64 << 20;

/// What the threads of one search work on.
pub(crate) struct Task<'a> {
    pub(super) table: &'a Table,
    pub(super) params: &'a Params,
    pub(super) model: &'a Model,
    pub(super) kinds: Option<&'a Kinds>,
    pub(super) root: &'a Root,
    pub(super) limits: &'a Limits,
    pub(super) control: &'a Control,
    pub(super) budget: Budget,
    /// Whether the first thread is done.
    pub(super) is_over: AtomicBool,
}

/// What a thread keeps from one search of a game to the next.
pub(crate) struct Mind<E> {
    pub(super) evaluator: E,
    pub(super) histories: Histories,
    pub(super) corrections: Corrections,
    pub(super) bets: Option<BetLog>,
}

impl<E> Mind<E> {
    pub(super) fn new(evaluator: E, params: &Params) -> Mind<E> {
        let (histories, corrections) = (Histories::new(), Corrections::new(params));
        Mind { evaluator, histories, corrections, bets: None }
    }

    /// Forgets the game.
    pub(super) fn clear(&mut self) {
        self.histories.clear();
        self.corrections.clear();
    }
}

/// Ends the other threads when the first one is done, even by a panic.
struct EndsAll<'a>(&'a AtomicBool);

impl Drop for EndsAll<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

/// Searches the root moves with all threads, the first on the caller's; blocks until all have ended. The first thread's
/// outcome comes first; helpers that could not be started have none.
pub(super) fn search<E: Evaluator + Send>(
    task: &Task<'_>,
    leader: &mut Mind<E>,
    helpers: &mut [Mind<E>],
    moves: &[Move],
    listener: Listener<'_>,
) -> Vec<Outcome> {
    std::thread::scope(|scope| {
        let mut running = Vec::new();
        for (index, mind) in helpers.iter_mut().enumerate() {
            let work = move || deepen(task, index + 1, mind, moves, None);
            running.extend(Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work));
        }
        let ends_all = EndsAll(&task.is_over);
        let mut outcomes = vec![deepen(task, 0, leader, moves, Some(listener))];
        drop(ends_all);
        for helper in running {
            outcomes.push(helper.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        outcomes
    })
}

/// What one thread does.
fn deepen<E: Evaluator>(
    task: &Task<'_>,
    number: usize,
    mind: &mut Mind<E>,
    moves: &[Move],
    listener: Option<Listener<'_>>,
) -> Outcome {
    let searcher = Searcher::new(task, number, mind, moves);
    Deepening::new(searcher, head_start(number), listener).run()
}

/// How much deeper than the iteration a thread looks.
fn head_start(number: usize) -> Depth {
    let bits = Depth::plies(1).in_units().ilog2();
    Depth::units((number as u32).reverse_bits().unbounded_shr(u32::BITS - bits) as i32)
}

/// Whose word counts: a proven win before all, the sooner the better; else the deepest finished iteration, among equals
/// the best value, and the first thread if there is no reason for another.
pub(super) fn speaker(outcomes: &[Outcome]) -> usize {
    let weight = |outcome: &Outcome| {
        let value = outcome.value().unwrap_or(-score::INFINITE);
        (if score::is_win(value) { value } else { 0 }, outcome.finished, value)
    };
    let mut best = 0;
    for (i, outcome) in outcomes.iter().enumerate() {
        if weight(outcome) > weight(&outcomes[best]) {
            best = i;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::super::root_move::{Finding, RootMove};
    use super::*;
    use crate::Bound;

    #[test]
    fn the_first_thread_keeps_to_the_iteration_and_no_two_look_equally_deep() {
        let starts: Vec<Depth> = (0..8).map(head_start).collect();
        assert_eq!(starts[..4], [0.0, 0.5, 0.25, 0.75].map(Depth::of));
        let distinct: std::collections::BTreeSet<Depth> = starts.iter().copied().collect();
        assert_eq!(distinct.len(), starts.len());
        assert!(starts.iter().all(|start| (Depth::ZERO..Depth::plies(1)).contains(start)));
    }

    #[test]
    fn wins_speak_before_depth_and_depth_before_value() {
        let outcome = |value, finished| {
            let mut root_move = RootMove::new("7g7f".parse().unwrap());
            let depth = finished as i32;
            root_move.learn(Finding { value, bound: Bound::Exact, depth, selective_depth: 1 }, &[]);
            Outcome { root_moves: vec![root_move], finished, is_broken_off: false, iterations: Vec::new() }
        };
        assert_eq!(speaker(&[outcome(10, 5), outcome(90, 4)]), 0);
        assert_eq!(speaker(&[outcome(10, 5), outcome(-90, 6), outcome(20, 6)]), 2);
        assert_eq!(speaker(&[outcome(10, 5), outcome(10, 5)]), 0);
        assert_eq!(
            speaker(&[outcome(10, 9), outcome(score::mate_in(9), 5), outcome(score::mate_in(5), 4)]),
            2
        );
    }
}
