//! The search: depth-first proof numbers (df-pn, Nagai 2002) without recursion.

use shogi::{Color, Position};

use crate::crew::{Member, is_worth_sharing};
use crate::dominance;
use crate::first_numbers::FirstNumbers;
use crate::known::{DISPROOF, Known, NEVER, NOTHING, Number, PROOF, Plies, UNLIMITED, one_more};
use crate::node::{Child, Mover, Sum};
use crate::notes::Notes;
use crate::study::Draw;
use crate::table::{PositionKey, Table};
use crate::way::Way;

/// One thread's search of one problem.
pub(crate) struct Searcher<'a> {
    pub(crate) table: &'a Table,
    pub(crate) notes: &'a mut Notes,
    pub(crate) first_numbers: &'a FirstNumbers,
    pub(crate) position: Position,
    pub(crate) attacker: Color,
    pub(crate) way: Way,
    frames: Vec<Frame>,
    /// The children of all frames, one after the other.
    pub(crate) children: Vec<Child>,
    nodes: u64,
    /// Positions visited, and those and their children since the last look at the clock.
    nodes_unheard: u64,
    work_unheard: usize,
    /// Looks at the clock.
    looks: u64,
    /// Draws positions of the tree, to learn from.
    pub(crate) draw: Option<Draw>,
    watch: Watch<'a>,
    /// This thread's part among others, if there are any.
    pub(crate) member: Option<Member<'a>>,
    /// The highest frame that another thread has solved: what is below it ends.
    solved_elsewhere: Option<usize>,
    is_over: bool,
    /// Over since somebody waits for the answer: what is not solved need not be kept any more.
    is_interrupted: bool,
}

/// When to stop.
pub(crate) struct Watch<'a> {
    /// At most so many positions.
    pub(crate) nodes: u64,
    /// Asked after every [`LOOK_AFTER`] positions and children.
    pub(crate) interrupted: &'a mut dyn FnMut(u64) -> bool,
}

/// A position on the way.
struct Frame {
    mover: Mover,
    key: PositionKey,
    limits: [Number; 2],
    /// Plies for the mate.
    left: Plies,
    /// Its first child.
    start: usize,
    /// The child that is being searched.
    chosen: usize,
    /// Positions visited before.
    nodes: u64,
    /// Whether the other threads know that this one is here.
    is_shared: bool,
    /// Whether other threads may have changed what is known of its children.
    is_stale: bool,
}

/// By how much the table grows at once.
const GROWTH: usize = 8;
/// How many positions are visited and how many children looked at, together, between two looks at the clock: less than a millisecond.
/// Children count since they take the time: a full hand has a hundred checks.
const LOOK_AFTER: usize = 2048;
/// How many looks at the clock are between two looks at what other threads have solved on the way.
const LOOK_AT_OTHERS_EVERY: u64 = 4;

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        table: &'a Table,
        notes: &'a mut Notes,
        first_numbers: &'a FirstNumbers,
        position: &Position,
        attacker: Color,
        watch: Watch<'a>,
    ) -> Searcher<'a> {
        Searcher {
            table,
            notes,
            first_numbers,
            position: position.clone(),
            attacker,
            way: Way::new(),
            frames: Vec::new(),
            children: Vec::new(),
            nodes: 0,
            nodes_unheard: 0,
            work_unheard: 0,
            looks: 0,
            draw: None,
            watch,
            member: None,
            solved_elsewhere: None,
            is_over: false,
            is_interrupted: false,
        }
    }

    /// Positions visited.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The nodes at which the search ends; one that is over for another reason asks again whether to go on.
    pub(crate) fn set_nodes(&mut self, nodes: u64) {
        self.watch.nodes = nodes;
        self.is_over &= self.nodes >= nodes;
        self.is_interrupted = false;
    }

    /// Whose move it is in the position at hand.
    pub(crate) fn mover(&self) -> Mover {
        if self.position.side() == self.attacker { Mover::Attacker } else { Mover::Defender }
    }

    pub(crate) fn key(&self) -> PositionKey {
        PositionKey { board_key: self.position.board_key(), hand: self.position.hand(self.attacker) }
    }

    /// Searches the position at hand until it is solved or the search is over.
    pub(crate) fn prove(&mut self, left: Plies) -> Known {
        debug_assert!(self.frames.is_empty() && self.way.depth() == 0);
        self.open(self.key(), [NEVER; 2], left, false);
        loop {
            let frame = self.frames.last().expect("the root is open");
            let (start, left, limits) = (frame.start, frame.left, frame.limits);
            if let (true, Some(member)) = (frame.is_stale, self.member) {
                self.refresh(start, left, member.crew);
            }
            let sum = Sum::of(self.mover(), &self.children[start..]);
            let is_solved = sum.numbers.contains(&0);
            let is_enough = self.is_over || self.solved_elsewhere.is_some();
            if is_solved || is_enough || (0..2).any(|i| sum.numbers[i] >= limits[i]) {
                let known = self.solved_elsewhere().unwrap_or_else(|| self.conclude(&sum));
                if self.close(known) {
                    return known;
                }
            } else {
                self.descend(&sum);
            }
        }
    }

    /// What another thread has found of the position at hand, if it is the one that was seen to be solved.
    fn solved_elsewhere(&mut self) -> Option<Known> {
        let depth = self.solved_elsewhere.filter(|&depth| depth + 1 == self.frames.len())?;
        self.solved_elsewhere = None;
        let frame = &self.frames[depth];
        self.table.find_solved(frame.key, frame.left)
    }

    /// Goes to the best child.
    fn descend(&mut self, sum: &Sum) {
        let frame = self.frames.last_mut().expect("a frame is open");
        frame.chosen = sum.best;
        let child = self.children[frame.start + sum.best];
        let limits = sum.limits(frame.mover, frame.limits);
        let left = if frame.left == UNLIMITED { UNLIMITED } else { frame.left - 1 };
        self.way.push(frame.key.board_key, frame.key.hand);
        self.position.play(child.m);
        let is_shared = is_worth_sharing(child.work);
        if let (true, Some(member)) = (is_shared, self.member) {
            member.crew.enter(child.key);
        }
        self.open(child.key, limits, left, is_shared);
    }

    fn open(&mut self, key: PositionKey, limits: [Number; 2], left: Plies, is_shared: bool) {
        let (mover, start, nodes) = (self.mover(), self.children.len(), self.nodes);
        let frame = Frame { mover, key, limits, left, start, chosen: 0, nodes, is_shared, is_stale: false };
        self.frames.push(frame);
        self.nodes += 1;
        self.nodes_unheard += 1;
        self.is_interrupted |= self.work_unheard >= LOOK_AFTER && self.look_up();
        self.is_over |= self.is_interrupted || self.nodes >= self.watch.nodes;
        self.add_children(mover, left);
        self.work_unheard += 1 + self.children.len() - start;
    }

    /// Whether to give up; has the table grow when it is time, and looks what others have solved.
    fn look_up(&mut self) -> bool {
        let unheard = std::mem::take(&mut self.nodes_unheard);
        self.work_unheard = 0;
        self.looks += 1;
        let nodes = self.member.map_or(self.nodes, |member| member.crew.count(unheard));
        let mut interrupted = || (self.watch.interrupted)(nodes);
        let Some(Member { crew, is_first }) = self.member else {
            if self.table.should_grow() {
                self.table.grow(GROWTH, &mut interrupted);
            }
            return interrupted();
        };
        if !is_first {
            crew.wait_while_paused();
        } else if self.table.should_grow() {
            crew.pause(&mut interrupted, |interrupted| self.table.grow(GROWTH, interrupted));
        }
        if self.looks.is_multiple_of(LOOK_AT_OTHERS_EVERY) {
            let is_solved = |frame: &Frame| self.table.find_solved(frame.key, frame.left).is_some();
            self.solved_elsewhere = self.frames.iter().position(is_solved);
        }
        crew.is_over() || nodes >= self.watch.nodes || interrupted()
    }

    /// Leaves the position at hand with what is known of it now; `true` if it was the root.
    fn close(&mut self, known: Known) -> bool {
        let frame = self.frames.pop().expect("a frame is open");
        self.children.truncate(frame.start);
        if known.depends_on < self.way.depth() {
            let way = self.way.key_with(frame.key.board_key, frame.key.hand);
            self.notes.repetitions.insert(way, known.depends_on, known.plies);
            self.table.note_way(frame.key, self.way.depth());
        } else if known.is_solved() || !self.is_interrupted {
            let known = Known { depends_on: NOTHING, ..known };
            self.table.keep(frame.key, &known, self.way.depth(), self.nodes - frame.nodes);
        }
        let Some(parent) = self.frames.last_mut() else { return true };
        if let (true, Some(member)) = (frame.is_shared, self.member) {
            member.crew.leave(frame.key);
        }
        let work = (self.nodes - frame.nodes).checked_ilog2().unwrap_or(0) as u8;
        parent.is_stale = is_worth_sharing(work);
        let known =
            if known.depends_on < self.way.depth() { known } else { Known { depends_on: NOTHING, ..known } };
        let child = &mut self.children[parent.start + parent.chosen];
        (child.known, child.work) = (known, work);
        self.position.undo();
        self.way.pop();
        false
    }

    /// What follows for the position at hand from its children.
    fn conclude(&self, sum: &Sum) -> Known {
        if !sum.numbers.contains(&0) {
            return Known::open(sum.numbers[PROOF], sum.numbers[DISPROOF]);
        }
        let frame = self.frames.last().expect("a frame is open");
        let children = &self.children[frame.start..];
        match (frame.mover, sum.numbers[PROOF] == 0) {
            (Mover::Attacker, true) => self.mate_by_one(children),
            (Mover::Attacker, false) => self.no_mate_by_all(children),
            (Mover::Defender, true) => self.mate_by_all(children),
            (Mover::Defender, false) => no_mate_by_one(children),
        }
    }

    fn mate_by_one(&self, children: &[Child]) -> Known {
        let mates = children.iter().filter(|child| child.known.is_mate());
        let child = mates.min_by_key(|child| child.known.plies).expect("a child that mates");
        let hand = dominance::before(&self.position, child.m, child.known.hand);
        Known::mate(hand, one_more(child.known.plies))
    }

    fn mate_by_all(&self, children: &[Child]) -> Known {
        let nothing = Known::mate(dominance::kept_from_defender(&self.position), 0);
        children.iter().fold(nothing, |all, Child { known, .. }| {
            Known::mate(all.hand.greater_counts(known.hand), all.plies.max(one_more(known.plies)))
        })
    }

    fn no_mate_by_all(&self, children: &[Child]) -> Known {
        let hand = dominance::without_new_checks(&self.position, &self.position.check_info());
        children.iter().fold(Known::no_mate(hand, UNLIMITED), |all, Child { known, m, .. }| {
            let hand = dominance::before(&self.position, *m, known.hand);
            Known {
                depends_on: all.depends_on.min(known.depends_on),
                ..Known::no_mate(all.hand.lesser_counts(hand), all.plies.min(one_more(known.plies)))
            }
        })
    }
}

fn no_mate_by_one(children: &[Child]) -> Known {
    let escapes = children.iter().filter(|child| child.known.numbers[DISPROOF] == 0);
    let best = escapes.max_by_key(|child| (child.known.depends_on, child.known.plies));
    let known = best.expect("a child without mate").known;
    Known { plies: one_more(known.plies), ..known }
}
