//! One thread's search: its state, the path from the root, and what every node does first and last.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;
use eval::Evaluator;
use shogi::{CheckInfo, Declaration, Move, Pointless, Position, Repetition};

use super::history::{self, CONTINUATIONS, Histories, Row, moved_piece, piece_to};
use super::params::Params;
use super::picker::Context;
use super::prune::Reductions;
use super::table::Table;
use crate::score::{self, MAX_PLY, Value};
use crate::{Bound, Control, Limits, Root};

/// What all threads of a search share.
pub(crate) struct Shared {
    pub(crate) table: Table,
    pub(crate) params: Params,
    pub(crate) reductions: Reductions,
}

/// What all threads of one think share besides.
pub(crate) struct Think<'a> {
    pub(crate) shared: &'a Shared,
    pub(crate) root: &'a Root,
    pub(crate) limits: &'a Limits,
    pub(crate) control: &'a Control,
    /// Nodes of each thread, published now and then.
    pub(crate) nodes: &'a [AtomicU64],
    /// The first thread is done: all end.
    pub(crate) over: &'a AtomicBool,
}

impl Think<'_> {
    pub(crate) fn total_nodes(&self) -> u64 {
        self.nodes.iter().map(|nodes| nodes.load(Relaxed)).sum()
    }
}

/// A ply of the path.
#[derive(Clone)]
pub(crate) struct Frame {
    pub(crate) current: Option<Move>,
    /// The current move as later ones look back at it; `None` for a null move.
    pub(crate) row: Option<Row>,
    /// The corrected evaluation; when in check that of two plies before.
    pub(crate) static_eval: Value,
    pub(crate) in_check: bool,
    /// How many moves were tried up to the current one.
    pub(crate) move_count: i32,
    /// What the histories say about the current move.
    pub(crate) merit: i32,
    /// Whether the hash table knew the node.
    pub(crate) known: bool,
    pub(crate) excluded: Option<Move>,
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) was_pv: bool,
    /// By how many plies the current move is being searched less deep.
    pub(crate) reduction: i32,
    /// Beta cuts among the children, a sign that their siblings will be cut too.
    pub(crate) cuts_below: u32,
    pub(crate) pv: ArrayVec<Move, { MAX_PLY + 1 }>,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            current: None,
            row: None,
            static_eval: score::NONE,
            in_check: false,
            move_count: 0,
            merit: 0,
            known: false,
            excluded: None,
            killers: [None; 2],
            was_pv: false,
            reduction: 0,
            cuts_below: 0,
            pv: ArrayVec::new(),
        }
    }
}

/// A move at the root with what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) pv: Vec<Move>,
    pub(crate) value: Value,
    pub(crate) previous: Value,
    pub(crate) average: Value,
    pub(crate) bound: Bound,
    pub(crate) selective_depth: usize,
    pub(crate) nodes: u64,
}

impl RootMove {
    pub(crate) fn new(m: Move) -> RootMove {
        RootMove {
            pv: vec![m],
            value: -score::INFINITE,
            previous: -score::INFINITE,
            average: -score::INFINITE,
            bound: Bound::Exact,
            selective_depth: 0,
            nodes: 0,
        }
    }
}

/// The search of one thread.
pub(crate) struct Searcher<'a, E> {
    pub(crate) think: &'a Think<'a>,
    pub(crate) index: usize,
    pub(crate) position: Position,
    pub(crate) eval: &'a mut E,
    pub(crate) histories: &'a mut Histories,
    /// Frames by ply, with room for looking back beyond the root.
    frames: Vec<Frame>,
    pub(crate) nodes: u64,
    pub(crate) selective_depth: usize,
    pub(crate) root_moves: Vec<RootMove>,
    /// The root moves before this one are other lines' already.
    pub(crate) line: usize,
    pub(crate) root_depth: i32,
    /// The width of the window at the root.
    pub(crate) root_window: Value,
    /// No null move before this ply, while one is being verified.
    pub(crate) null_from: usize,
    pub(crate) stopped: bool,
}

/// How far back frames are looked at.
const LOOK_BACK: usize = 8;
/// Nodes between two looks at the clock.
const POLL: u64 = 512;

impl<'a, E: Evaluator> Searcher<'a, E> {
    pub(crate) fn new(
        think: &'a Think<'a>,
        index: usize,
        eval: &'a mut E,
        histories: &'a mut Histories,
        root_moves: Vec<RootMove>,
    ) -> Searcher<'a, E> {
        let position = think.root.position.clone();
        eval.reset(&position);
        Searcher {
            think,
            index,
            position,
            eval,
            histories,
            frames: vec![Frame::new(); MAX_PLY + LOOK_BACK + 4],
            nodes: 0,
            selective_depth: 0,
            root_moves,
            line: 0,
            root_depth: 0,
            root_window: 1,
            null_from: 0,
            stopped: false,
        }
    }

    #[inline(always)]
    pub(crate) fn params(&self) -> &'a Params {
        &self.think.shared.params
    }

    #[inline(always)]
    pub(crate) fn table(&self) -> &'a Table {
        &self.think.shared.table
    }

    #[inline(always)]
    pub(crate) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + LOOK_BACK]
    }

    /// The frame `back` plies before `ply`, which may lie before the root.
    #[inline(always)]
    pub(crate) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + LOOK_BACK - back]
    }

    #[inline(always)]
    pub(crate) fn earlier_mut(&mut self, ply: usize, back: usize) -> &mut Frame {
        &mut self.frames[ply + LOOK_BACK - back]
    }

    #[inline(always)]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + LOOK_BACK]
    }

    /// Whether the search is over; looks at the clock now and then.
    #[inline(always)]
    pub(crate) fn poll(&mut self) -> bool {
        if self.nodes.is_multiple_of(POLL) || self.think.limits.nodes.is_some() {
            self.look_at_limits();
        }
        self.stopped
    }

    #[inline(never)]
    fn look_at_limits(&mut self) {
        self.think.nodes[self.index].store(self.nodes, Relaxed);
        let spent = self.think.limits.nodes.is_some_and(|limit| self.think.total_nodes() >= limit);
        let called = self.nodes.is_multiple_of(POLL)
            && (self.think.over.load(Relaxed) || self.think.control.must_end());
        // The first iteration always ends, so that there is a move to play and a value to report; but when time
        // is up, a move with a value is enough.
        let decided = || self.root_moves.iter().any(|m| m.value > -score::INFINITE);
        self.stopped |= (spent && self.root_depth > 1) || (called && (self.root_depth > 1 || decided()));
    }

    /// Plays a move in position, evaluator and frame.
    #[inline(always)]
    pub(crate) fn play(&mut self, m: Move, ply: usize) {
        let now = piece_to(moved_piece(&self.position, m), m.to());
        let captures = self.position.piece(m.to()).is_some();
        let row = history::row(now, self.position.in_check(), captures);
        let frame = self.frame_mut(ply);
        frame.current = Some(m);
        frame.row = Some(row);
        let delta = self.position.play(m);
        self.eval.push(&delta);
        self.nodes += 1;
    }

    #[inline(always)]
    pub(crate) fn undo(&mut self) {
        self.position.undo();
        self.eval.pop();
    }

    /// The value of a node that a rule ends: repetition, entered king, too many moves.
    #[inline(always)]
    pub(crate) fn rule_end(&mut self, ply: usize) -> Option<Value> {
        if let Some(repetition) = self.position.repetition_in_search(ply) {
            return Some(match repetition {
                Repetition::Draw => self.draw_value(),
                Repetition::Win => score::mate_in(ply),
                Repetition::Loss => score::mated_in(ply),
                Repetition::Superior => score::SUPERIOR,
                Repetition::Inferior => -score::SUPERIOR,
            });
        }
        let rules = &self.think.root.rules;
        match self.position.declaration(rules.declaration) {
            Some(Declaration::Win | Declaration::Try(_)) => return Some(score::mate_in(ply + 1)),
            Some(Declaration::Draw) | None => {}
        }
        let drawn = self.position.is_too_long(rules.max_moves) && self.position.has_legal_move();
        drawn.then(|| self.draw_value())
    }

    pub(crate) fn draw_value(&self) -> Value {
        self.think.root.draw_value(self.position.side())
    }

    /// The evaluator's word on the position, before corrections.
    #[inline(always)]
    pub(crate) fn evaluate(&mut self) -> Value {
        self.eval.evaluate(&self.position).clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    /// How much searches of such positions found besides the evaluation.
    #[inline(always)]
    pub(crate) fn correction(&self, ply: usize) -> i32 {
        self.histories.correction(&self.position, self.correcting_moves(ply))
    }

    /// The moves that corrections go by.
    #[inline(always)]
    pub(crate) fn correcting_moves(&self, ply: usize) -> [Option<Row>; 3] {
        [1, 2, 4].map(|back| self.earlier(ply, back).row)
    }

    /// The evaluation with a correction.
    #[inline(always)]
    pub(crate) fn corrected(&self, raw: Value, correction: i32) -> Value {
        history::corrected(raw, correction).clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    /// What move ordering goes by at this ply.
    pub(crate) fn context(&self, hash_move: Option<Move>, depth: i32, ply: usize) -> Context {
        Context {
            hash_move,
            killers: self.frame(ply).killers,
            counter: self.earlier(ply, 1).row.and_then(|last| self.histories.counter(last)),
            earlier: CONTINUATIONS.map(|(back, _)| self.earlier(ply, back).row.unwrap_or(history::NO_MOVE)),
            depth,
            ply,
            pointless: self.pointless(),
        }
    }

    pub(crate) fn pointless(&self) -> Pointless {
        if self.think.root.rules.all_moves { Pointless::Include } else { Pointless::Skip }
    }

    /// A move that mates at once; `info` is the position's check info.
    pub(crate) fn mate_in_one(&mut self, info: &CheckInfo) -> Option<Move> {
        mate::mate_in_one_with(&mut self.position, info)
    }

    /// The best line from here: this move, then the next ply's line.
    pub(crate) fn extend_pv(&mut self, m: Move, ply: usize) {
        let (here, below) = self.frames.split_at_mut(ply + LOOK_BACK + 1);
        if let (Some(frame), Some(next)) = (here.last_mut(), below.first()) {
            frame.pv.clear();
            frame.pv.push(m);
            let room = frame.pv.remaining_capacity();
            frame.pv.extend(next.pv.iter().copied().take(room));
        }
    }
}
