//! One thread's search: its state, the path from the root, and what every node does first and last.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use arrayvec::ArrayVec;
use eval::Evaluator;
use shogi::{Declaration, Move, Pointless, Position, Repetition};

use super::bets::BetLog;
use super::correction::Corrections;
use super::history::{BACK, Histories, Step, mover, view};
use super::model::Model;
use super::params::Params;
use super::picker::Scored;
use super::table::Table;
use crate::score::{self, MAX_PLY, Value};
use crate::{Bound, Control, Depth, Limits, Root};

/// What all threads of a player share.
pub(crate) struct Shared {
    pub(crate) table: Table,
    pub(crate) params: Params,
    pub(crate) model: Arc<Model>,
}

/// What one thread remembers from search to search.
pub(crate) struct Memories {
    pub(crate) histories: Histories,
    pub(crate) corrections: Corrections,
    pub(crate) bets: Option<BetLog>,
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
    /// The move being searched, as later ones look back at it.
    pub(crate) step: Step,
    /// The corrected evaluation; [`score::NONE`] when in check.
    pub(crate) static_eval: Value,
    pub(crate) killers: [Option<Move>; 2],
    /// The move that is left out, while it is asked whether it alone holds.
    pub(crate) excluded: Option<Move>,
    /// How much deeper the line has got by extensions.
    pub(crate) gained: Depth,
    pub(crate) pv: ArrayVec<Move, { MAX_PLY + 1 }>,
}

impl Frame {
    fn new() -> Frame {
        Frame {
            step: Step::NONE,
            static_eval: score::NONE,
            killers: [None; 2],
            excluded: None,
            gained: Depth::ZERO,
            pv: ArrayVec::new(),
        }
    }
}

/// A move at the root with what is known about it.
#[derive(Clone, Debug)]
pub(crate) struct RootMove {
    pub(crate) pv: Vec<Move>,
    /// Its value in this iteration; below all others while it has none.
    pub(crate) value: Value,
    pub(crate) bound: Bound,
    /// Value and line of the last time that both were exact.
    pub(crate) exact: Option<(Value, Vec<Move>)>,
    pub(crate) selective_depth: usize,
    pub(crate) nodes: u64,
}

impl RootMove {
    pub(crate) fn new(m: Move) -> RootMove {
        let (value, bound) = (-score::INFINITE, Bound::Upper);
        RootMove { pv: vec![m], value, bound, exact: None, selective_depth: 0, nodes: 0 }
    }

    /// Value and line to show: as they are if exact, or else as they last were, or else as a bound; `None` before any search.
    pub(crate) fn shown(&self) -> Option<(Value, Bound, &[Move])> {
        match &self.exact {
            Some((value, line)) if self.bound != Bound::Exact => Some((*value, Bound::Exact, line)),
            _ if self.value == -score::INFINITE => None,
            _ => Some((self.value, self.bound, &self.pv)),
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
    pub(crate) corrections: &'a mut Corrections,
    pub(crate) bets: Option<&'a mut BetLog>,
    /// Frames by ply, with room for looking back beyond the root.
    frames: Vec<Frame>,
    /// The moves of all nodes on the path.
    pub(crate) moves: Vec<Scored>,
    pub(crate) nodes: u64,
    pub(crate) selective_depth: usize,
    pub(crate) root_moves: Vec<RootMove>,
    /// The root moves before this one are other lines' already.
    pub(crate) line: usize,
    pub(crate) root_depth: i32,
    pub(crate) stopped: bool,
}

/// How far back frames are looked at.
const LOOK_BACK: usize = 4;
/// Nodes between two looks at the clock.
const POLL: u64 = 1 << 9;
/// Moves that lists usually hold together.
const MOVES: usize = 1 << 12;

impl<'a, E: Evaluator> Searcher<'a, E> {
    pub(crate) fn new(
        think: &'a Think<'a>,
        index: usize,
        eval: &'a mut E,
        memories: &'a mut Memories,
        root_moves: Vec<RootMove>,
    ) -> Searcher<'a, E> {
        let position = think.root.position.clone();
        eval.reset(&position);
        let Memories { histories, corrections, bets } = memories;
        Searcher {
            think,
            index,
            position,
            eval,
            histories,
            corrections,
            bets: bets.as_mut(),
            frames: vec![Frame::new(); MAX_PLY + LOOK_BACK + 4],
            moves: Vec::with_capacity(MOVES),
            nodes: 0,
            selective_depth: 0,
            root_moves,
            line: 0,
            root_depth: 0,
            stopped: false,
        }
    }

    #[inline(always)]
    pub(crate) fn params(&self) -> &'a Params {
        &self.think.shared.params
    }

    #[inline(always)]
    pub(crate) fn model(&self) -> &'a Model {
        &self.think.shared.model
    }

    #[inline(always)]
    pub(crate) fn table(&self) -> &'a Table {
        &self.think.shared.table
    }

    #[inline(always)]
    pub(crate) fn frame(&self, ply: usize) -> &Frame {
        &self.frames[ply + LOOK_BACK]
    }

    #[inline(always)]
    pub(crate) fn frame_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.frames[ply + LOOK_BACK]
    }

    /// The frame `back` plies before `ply`, which may lie before the root.
    #[inline(always)]
    pub(crate) fn earlier(&self, ply: usize, back: usize) -> &Frame {
        &self.frames[ply + LOOK_BACK - back]
    }

    /// The moves that led to `ply`, as far as histories look back.
    #[inline(always)]
    pub(crate) fn steps_before(&self, ply: usize) -> [Step; BACK.len()] {
        BACK.map(|back| self.earlier(ply, back).step)
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
        let (kind, to) = (mover(&self.position, m), view(self.position.side(), m.to()));
        self.frame_mut(ply).step = Step::new(kind, to);
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

    /// An evaluation with what searches of such positions found besides.
    #[inline(always)]
    pub(crate) fn corrected(&self, raw: Value, ply: usize) -> Value {
        if self.params().plain == 1 {
            return raw;
        }
        let last = [1, 2].map(|back| self.earlier(ply, back).step);
        let contexts = Corrections::contexts(&self.position, last);
        (raw + self.corrections.correction(contexts)).clamp(-score::EVAL_LIMIT, score::EVAL_LIMIT)
    }

    #[inline(always)]
    pub(crate) fn pointless(&self) -> Pointless {
        if self.think.root.rules.all_moves { Pointless::Include } else { Pointless::Skip }
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
