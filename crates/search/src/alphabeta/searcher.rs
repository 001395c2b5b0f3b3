//! One thread of a search: where it stands in the tree, and the ways there and back.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use eval::Evaluator;
use shogi::{Declaration, Move, Pointless, Position, Repetition};

use super::bets::BetLog;
use super::correction::Corrections;
use super::history::{BACK, Histories, Step, mover, view};
use super::model::Model;
use super::node::Node;
use super::order::{RateWeights, Scorer};
use super::params::Params;
use super::path::{Frame, Path};
use super::picker::Scored;
use super::root_move::{Finding, RootMove};
use super::table::{Price, Table};
use super::team::{Mind, Task};
use crate::Bound;
use crate::score::{self, EVAL_LIMIT, MAX_PLY, Value};

/// Moves of a node, as many as are usual: the list of all on the path has room for them beforehand.
const USUAL_MOVES: usize = 1 << 7;

/// Nodes that the first iteration may take beyond all limits. With any evaluation that is one it takes a few hundred; where
/// values have nothing to do with captures, quiescence search hardly ends.
const PATIENCE: u64 = 1 << 16;

/// A thread at work.
pub(crate) struct Searcher<'a, E> {
    pub(super) task: &'a Task<'a>,
    table: &'a Table,
    params: &'a Params,
    model: &'a Model,
    pub(crate) rates: RateWeights,
    pointless: Pointless,
    /// Which thread it is; the first decides when all end.
    pub(super) number: usize,
    evaluator: &'a mut E,
    pub(crate) position: Position,
    pub(crate) histories: &'a mut Histories,
    pub(crate) corrections: &'a mut Corrections,
    pub(crate) bets: Option<&'a mut BetLog>,
    path: Path,
    /// The moves of all nodes on the path.
    pub(crate) moves: Vec<Scored>,
    /// Moves played by this thread.
    pub(crate) nodes: u64,
    /// How many of these the budget knows of.
    told_nodes: u64,
    /// The number of nodes at which the ration is eaten.
    ration_end: u64,
    /// The deepest ply visited since it was reset, and one.
    pub(crate) selective_depth: usize,
    /// Whether the search has to end: values mean nothing from then on.
    pub(crate) stopped: bool,
    pub(crate) root_moves: Vec<RootMove>,
    /// Root moves before this one belong to better lines.
    pub(crate) line: usize,
    /// The root move that has proved best in this iteration so far.
    pub(super) lead: Option<Move>,
    /// The iteration.
    pub(crate) root_depth: i32,
}

impl<'a, E: Evaluator> Searcher<'a, E> {
    /// A thread that is going to search these moves at the root.
    pub(crate) fn new(
        task: &'a Task<'a>,
        number: usize,
        mind: &'a mut Mind<E>,
        moves: &[Move],
    ) -> Searcher<'a, E> {
        let position = task.root.position.clone();
        mind.evaluator.reset(&position);
        let pointless = if task.root.rules.all_moves { Pointless::Include } else { Pointless::Skip };
        let mut searcher = Searcher {
            task,
            table: task.table,
            params: task.params,
            model: task.model,
            rates: RateWeights::new(task.model, task.params),
            pointless,
            number,
            evaluator: &mut mind.evaluator,
            position,
            histories: &mut mind.histories,
            corrections: &mut mind.corrections,
            bets: mind.bets.as_mut(),
            path: Path::to(&task.root.position),
            moves: Vec::with_capacity(MAX_PLY * USUAL_MOVES),
            nodes: 0,
            told_nodes: 0,
            ration_end: 0,
            selective_depth: 0,
            stopped: false,
            root_moves: Vec::new(),
            line: 0,
            lead: None,
            root_depth: 1,
        };
        searcher.root_moves = searcher.guessed_order(moves).into_iter().map(RootMove::new).collect();
        searcher
    }

    /// The moves in the order in which a node without a search before it would try them.
    fn guessed_order(&self, moves: &[Move]) -> Vec<Move> {
        let info = self.position.check_info();
        let scorer = Scorer::new(&self.position, &info, self.model, self.histories, self.steps_before(0));
        let known = self.table.probe(self.position.key()).and_then(|entry| entry.best);
        let mut moves = moves.to_vec();
        moves.sort_by_cached_key(|&m| (Some(m) != known, Reverse(scorer.score(m))));
        moves
    }

    #[inline(always)]
    pub(crate) fn params(&self) -> &'a Params {
        self.params
    }

    #[inline(always)]
    pub(crate) fn model(&self) -> &'a Model {
        self.model
    }

    #[inline(always)]
    pub(crate) fn table(&self) -> &'a Table {
        self.table
    }

    /// What findings in the hash table are worth beside each other.
    #[inline(always)]
    pub(crate) fn price(&self) -> Price {
        Price { news: self.params.hash_news, exact: self.params.hash_exact, age: self.params.hash_age }
    }

    /// Whether pointless moves are generated.
    #[inline(always)]
    pub(crate) fn pointless(&self) -> Pointless {
        self.pointless
    }

    /// What a draw is worth to the side to move.
    #[inline(always)]
    pub(crate) fn draw_value(&self) -> Value {
        self.task.root.draw_value(self.position.side())
    }

    #[inline(always)]
    pub(crate) fn frame(&self, ply: usize) -> &Frame {
        &self.path[ply]
    }

    #[inline(always)]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.path[ply]
    }

    /// The record of so many plies before `ply`, which may lie before the root.
    #[inline(always)]
    pub(crate) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        self.path.back(ply, back)
    }

    /// The steps that moves at `ply` are seen after.
    #[inline(always)]
    pub(crate) fn steps_before(&self, ply: usize) -> [Step; BACK.len()] {
        BACK.map(|back| self.earlier(ply, back).step)
    }

    /// Whether the search has to end. For every node: it looks around only when a ration is eaten.
    #[inline(always)]
    pub(crate) fn poll(&mut self) -> bool {
        if self.nodes >= self.ration_end {
            self.look_around();
        }
        self.stopped
    }

    /// Sees whether there is a reason to end, and takes the next ration of nodes.
    #[cold]
    fn look_around(&mut self) {
        self.tell_nodes();
        let is_leader = self.number == 0;
        let is_out_of_patience = self.nodes >= PATIENCE;
        let is_called_off = if is_leader {
            self.task.control.must_end() && (self.has_answer() || is_out_of_patience)
        } else {
            self.task.is_over.load(Relaxed)
        };
        // Nothing left is an empty ration, so that every node looks again. The first thread finishes its first
        // iteration nevertheless: a search has to know something about every move, unless quiescence search runs wild.
        let ration = self.task.budget.draw();
        self.ration_end = self.nodes + ration;
        let is_starved = ration == 0 && !(is_leader && self.root_depth == 1 && !is_out_of_patience);
        self.stopped |= is_called_off || is_starved;
    }

    /// Whether there is a move to play for a reason.
    fn has_answer(&self) -> bool {
        self.root_depth > 1 || self.root_moves.iter().any(RootMove::is_known)
    }

    /// Tells the budget how many nodes were visited.
    pub(super) fn tell_nodes(&mut self) {
        self.task.budget.spend(self.nodes - self.told_nodes);
        self.told_nodes = self.nodes;
    }

    /// Plays a legal move at `ply`.
    #[inline(always)]
    pub(crate) fn play(&mut self, m: Move, ply: usize) {
        let to = view(self.position.side(), m.to());
        self.path[ply].step = Step::new(mover(&self.position, m), to);
        let delta = self.position.play(m);
        self.evaluator.push(&delta);
        self.nodes += 1;
    }

    /// Takes the last move back.
    #[inline(always)]
    pub(crate) fn undo(&mut self) {
        self.evaluator.pop();
        self.position.undo();
    }

    /// The value of a position in which the rules end the game, or where search takes a repetition for an end.
    #[inline(always)]
    pub(crate) fn rule_end(&self, ply: usize) -> Option<Value> {
        if let Some(repetition) = self.position.repetition_in_search(ply) {
            return Some(match repetition {
                Repetition::Draw => self.draw_value(),
                Repetition::Win => score::mate_in(ply),
                Repetition::Loss => score::mated_in(ply),
                Repetition::Superior => score::SUPERIOR,
                Repetition::Inferior => -score::SUPERIOR,
            });
        }
        let rules = &self.task.root.rules;
        match self.position.declaration(rules.declaration) {
            Some(Declaration::Win | Declaration::Try(_)) => return Some(score::mate_in(ply + 1)),
            Some(Declaration::Draw) | None => {}
        }
        // Mate on the last ply counts as mate.
        let is_draw = self.position.is_too_long(rules.max_moves) && self.position.has_legal_move();
        is_draw.then(|| self.draw_value())
    }

    /// The evaluation, for the side to move.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self) -> Value {
        self.evaluator.evaluate(&self.position).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// An evaluation of the position with what was learned about such positions.
    #[inline(always)]
    pub(crate) fn corrected(&self, raw: Value, ply: usize) -> Value {
        if self.params.plain == 1 {
            return raw;
        }
        let last = [1, 2].map(|back| self.earlier(ply, back).step);
        let correction = self.corrections.correction(Corrections::contexts(&self.position, last));
        (raw + correction).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// The line at `ply` becomes a move followed by the line one ply below.
    #[inline(always)]
    pub(crate) fn extend_pv(&mut self, m: Move, ply: usize) {
        self.path.lead_line(ply, m);
    }

    /// A root move was searched with the node's window, and so many nodes were spent on it.
    pub(crate) fn note_root_move(&mut self, node: &Node, m: Move, value: Value, is_first: bool, nodes: u64) {
        let rivals = &mut self.root_moves[self.line..];
        let Some(root_move) = rivals.iter_mut().find(|root_move| root_move.first() == m) else { return };
        root_move.spend(nodes);
        let bound = match value {
            value if value <= node.alpha => Bound::Upper,
            value if value >= node.beta => Bound::Lower,
            _ => Bound::Exact,
        };
        if bound == Bound::Upper {
            if !is_first {
                // Only that it is no better than another.
                return;
            }
            self.lead = self.lead.filter(|&lead| lead != m);
        } else {
            self.lead = Some(m);
        }
        // A move that reaches beta does so whatever the reply, and its line was not followed.
        let line: &[Move] = if bound == Bound::Lower { &[] } else { &self.path[1].pv };
        let selective_depth = self.selective_depth;
        root_move.learn(Finding { value, bound, depth: self.root_depth, selective_depth }, line);
    }
}
