//! Alpha-beta search on an evaluator, with shortcuts that are bets.
//!
//! The room from the outside in: [`AlphaBeta`] is the player; its `team` of threads searches one `budget` of nodes, each by
//! iterative `deepening` with a `window` around the last value; `searcher` is a thread in the tree, its `path` what it
//! remembers of the plies above. A `node` is looked up in the `table`, cut early (`cuts`) or its moves are tried
//! (`move_loop`) in the `order` that the `picker` gives; at the leaves there is `quiescence`. What a node learns goes into
//! `history` and `correction`, what was learned beforehand is the [`Model`], and `bets` are logged for the next one.

mod bets;
mod budget;
mod correction;
mod cuts;
mod deepening;
mod exposure;
mod history;
mod judge;
mod kinds;
mod model;
mod move_loop;
mod node;
mod node_depth;
mod order;
mod params;
mod path;
mod picker;
mod policy;
mod quiescence;
mod replies;
mod root_move;
mod searcher;
mod table;
mod team;
mod telling;
#[cfg(test)]
mod tests;
mod window;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use eval::Evaluator;
use shogi::Move;

pub use bets::{Bets, MoveBet, PIECES, Shares, Shortcut, ShortcutBet, ValueBet};
pub use history::{QUIET_CELLS, SCALE};
pub use judge::{Iteration, JUDGE_INPUTS, RootFacts, judge_inputs};
pub use kinds::{Class, Join, Kinds, KindsError};
pub use model::{ACTORS, DEPTHS, FLAGS, Model, ModelError, NAT, RAISE_INPUTS, RELATIONS, ROLES, STAGES};
pub use order::Features;
pub use params::Params;

use bets::BetLog;
use budget::Budget;
use replies::Replies;
use table::{Price, Table};
use team::{Mind, Task};

use crate::{Choice, Control, Decision, Limits, Method, Report, Root, Score};

/// A player: the hash table that its threads share, and what each has learned in the game.
pub struct AlphaBeta<E> {
    table: Table,
    /// What was found on the opponent's time.
    replies: Replies,
    params: Params,
    model: Arc<Model>,
    /// What moves take from the depth; none if each takes a ply.
    kinds: Option<Kinds>,
    /// Of the thread that decides.
    leader: Mind<E>,
    helpers: Vec<Mind<E>>,
    /// Of the last search.
    iterations: Vec<Iteration>,
}

impl<E: Evaluator> AlphaBeta<E> {
    /// A player with so many megabytes of hash table and so many threads, at least one, each with an evaluator of its own;
    /// `None` if there is no such memory.
    pub fn new(
        mut evaluator: impl FnMut() -> E,
        megabytes: usize,
        threads: usize,
        params: Params,
        model: Arc<Model>,
    ) -> Option<AlphaBeta<E>> {
        let table = Table::new(megabytes)?;
        let mut mind = || Mind::new(evaluator(), &params);
        let leader = mind();
        let helpers = (1..threads).map(|_| mind()).collect();
        let kinds = Some(Kinds::of_params(&params)).filter(|kinds| !kinds.is_plain());
        let (replies, iterations) = (Replies::default(), Vec::new());
        Some(AlphaBeta { table, replies, params, model, kinds, leader, helpers, iterations })
    }

    /// The same player with moves that take other amounts from the depth.
    #[must_use]
    pub fn with_kinds(self, kinds: Kinds) -> AlphaBeta<E> {
        AlphaBeta { kinds: Some(kinds).filter(|kinds| !kinds.is_plain()), ..self }
    }

    /// What findings are worth beside others.
    fn price(&self) -> Price {
        let Params { hash_news, hash_exact, hash_age, .. } = self.params;
        Price { news: hash_news, exact: hash_exact, age: hash_age }
    }

    /// The finished iterations of the last search, as its first thread saw them.
    #[must_use]
    pub fn iterations(&self) -> &[Iteration] {
        &self.iterations
    }

    /// From now on the first thread plays out and logs a share of its bets.
    pub fn log_bets(&mut self, shares: Shares, seed: u64) {
        self.leader.bets = Some(BetLog::new(shares, seed));
    }

    /// The bets logged since they were last taken.
    pub fn take_bets(&mut self) -> Bets {
        self.leader.bets.as_mut().map(|log| std::mem::take(&mut log.bets)).unwrap_or_default()
    }
}

impl<E: Evaluator + Send> Method for AlphaBeta<E> {
    fn new_game(&mut self) {
        self.table.clear();
        self.replies.clear();
        self.leader.clear();
        self.helpers.iter_mut().for_each(Mind::clear);
    }

    fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Decision {
        let legal = root.position.legal_moves().to_vec();
        if let Some(decision) = root.decided(&legal) {
            return decision;
        }
        let moves = among(legal, &limits.search_moves);
        self.table.age();
        self.replies.restore(&self.table, self.price());
        let task = Task {
            table: &self.table,
            params: &self.params,
            model: &self.model,
            kinds: self.kinds.as_ref(),
            root,
            limits,
            control,
            budget: Budget::new(limits.nodes),
            is_over: AtomicBool::new(false),
        };
        let mut outcomes = team::search(&task, &mut self.leader, &mut self.helpers, &moves, report);
        self.iterations = std::mem::take(&mut outcomes[0].iterations);
        let speaker = team::speaker(&outcomes);
        let outcome = &outcomes[speaker];
        // The last report is the decision: said again where the last words were others.
        if speaker != 0 || outcome.is_broken_off {
            task.reports(&outcome.root_moves).for_each(|last| report(&last));
        }
        let best = &outcome.root_moves[0];
        Decision {
            choice: Choice::Move(best.first()),
            ponder: task.reply(best),
            score: Score::of(outcome.value().unwrap_or(0)),
            depth: outcome.finished,
            nodes: task.budget.spent(),
        }
    }

    fn ponder(&mut self, root: &Root, control: &Control) {
        self.replies.clear();
        self.think(root, &Limits::default(), control, &mut |_| {});
        self.replies.collect(&self.table, &root.position);
    }

    fn recall(&self, root: &Root) -> Option<Move> {
        let known = self.table.probe(root.position.key()).and_then(|entry| entry.best);
        known.filter(|&m| root.position.is_legal(m)).or_else(|| self.replies.of(&root.position))
    }
}

/// The legal moves that are wanted; all if that leaves none.
fn among(legal: Vec<Move>, wanted: &[Move]) -> Vec<Move> {
    let chosen: Vec<Move> = legal.iter().copied().filter(|m| wanted.contains(m)).collect();
    if chosen.is_empty() { legal } else { chosen }
}
