//! The children of the positions on the way, and what follows from them.

use shogi::{Hand, Move, Position};

use crate::finding::{Depth, Finding, INFINITE, NEVER, NO_DEPENDENCE, Plies};
use crate::hands;
use crate::table::PositionKey;

/// Numbers beyond this come from counting the same thing many times; such children count once.
const OVERCOUNTED: u32 = INFINITE / 1024;

/// A move and what is known about the position after it.
#[derive(Clone, Debug)]
pub(crate) struct Child {
    pub(crate) m: Move,
    pub(crate) key: PositionKey,
    pub(crate) finding: Finding,
    /// Which comes first among equals: the least.
    pub(crate) order: i16,
    /// The position was never visited.
    pub(crate) is_new: bool,
    /// It is not looked at before the one that leads to it by `next` is decided.
    pub(crate) waits: bool,
    /// Its number shares its ground with a sibling's: of all such only the greatest counts.
    pub(crate) is_shared: bool,
    /// The child that waits for this one, counted from the first of the frame.
    pub(crate) next: Option<u16>,
}

impl Child {
    fn counts_once(&self, delta: u32) -> bool {
        self.is_shared || delta >= OVERCOUNTED
    }
}

/// A position on the way that is being searched.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) key: PositionKey,
    pub(crate) attacker_moves: bool,
    /// The budget of plies.
    pub(crate) within: Plies,
    /// Whether numbers found nearer to the root were used.
    pub(crate) is_old: bool,
    /// Where its children begin; they end where the next frame's begin.
    start: usize,
    /// Children known to share numbers, by their index modulo 32.
    pub(crate) shared: u32,
}

/// The frames of the way, the root's first, with their children in one piece of memory.
#[derive(Default)]
pub(crate) struct Stack {
    frames: Vec<Frame>,
    children: Vec<Child>,
}

/// The children of a frame at a glance.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Survey {
    /// The most promising child; meaningless if there is none to look at.
    pub(crate) best: usize,
    pub(crate) phi: u32,
    pub(crate) second_phi: u32,
    pub(crate) delta: u32,
    /// The part of `delta` that the best child cannot change.
    pub(crate) fixed_delta: u32,
}

impl Stack {
    pub(crate) fn clear(&mut self) {
        self.frames.clear();
        self.children.clear();
    }

    /// Begins a frame; its children are pushed after it.
    pub(crate) fn open(&mut self, key: PositionKey, attacker_moves: bool, within: Plies, shared: u32) {
        let start = self.children.len();
        self.frames.push(Frame { key, attacker_moves, within, is_old: false, start, shared });
    }

    pub(crate) fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.children.truncate(frame.start);
        }
    }

    pub(crate) fn push(&mut self, mut child: Child) {
        let index = self.children.len() - self.top().start;
        child.is_shared |= self.top().shared >> (index % 32) & 1 != 0;
        self.children.push(child);
    }

    pub(crate) fn top(&self) -> &Frame {
        self.frames.last().expect("a frame is open")
    }

    pub(crate) fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a frame is open")
    }

    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The children of the top frame.
    pub(crate) fn children(&self) -> &[Child] {
        &self.children[self.top().start..]
    }

    pub(crate) fn children_mut(&mut self) -> &mut [Child] {
        let start = self.top().start;
        &mut self.children[start..]
    }

    fn range(&self, frame: usize) -> std::ops::Range<usize> {
        let end = self.frames.get(frame + 1).map_or(self.children.len(), |next| next.start);
        self.frames[frame].start..end
    }

    /// Puts a finding in the place of the child's last one; what waited for its end need wait no longer.
    pub(crate) fn update(&mut self, index: usize, finding: Finding) {
        let children = self.children_mut();
        let child = &mut children[index];
        child.finding = finding;
        child.is_new = false;
        let mut decided = index;
        while children[decided].finding.is_final()
            && let Some(next) = children[decided].next
        {
            decided = usize::from(next);
            children[decided].waits = false;
        }
    }

    /// The children of the top frame at a glance.
    pub(crate) fn survey(&self) -> Survey {
        survey(self.children(), self.top().attacker_moves)
    }

    /// The children of any frame at a glance.
    pub(crate) fn survey_of(&self, frame: usize) -> Survey {
        survey(&self.children[self.range(frame)], self.frames[frame].attacker_moves)
    }

    /// The best child of a frame and the one that leads to `other` stand on common ground: from now on the
    /// greater of the two counts.
    pub(crate) fn share(&mut self, frame: usize, other: PositionKey) {
        let best = self.survey_of(frame).best;
        let range = self.range(frame);
        let children = &mut self.children[range];
        let Some(other) = children.iter().position(|child| child.key == other) else { return };
        if other != best {
            for index in [best, other] {
                children[index].is_shared = true;
                self.frames[frame].shared |= 1 << (index % 32);
            }
        }
    }

    /// What the children say about the position of the top frame, which is `position` at `depth`.
    pub(crate) fn conclude(&self, survey: &Survey, position: &Position, depth: Depth) -> Finding {
        let attacker_moves = self.top().attacker_moves;
        match (survey.phi == 0, survey.delta == 0) {
            (true, _) if attacker_moves => self.mated(position),
            (true, _) => self.escaped(position, depth),
            (_, true) if attacker_moves => self.no_mating_move(position, depth),
            (_, true) => self.no_escape(position),
            _ => {
                let (pn, dn) = numbers(attacker_moves, survey.phi, survey.delta);
                Finding { shared: self.top().shared, ..Finding::open(pn, dn) }
            }
        }
    }

    /// A move of the attacker leads to a proven mate.
    fn mated(&self, position: &Position) -> Finding {
        let mates = self.children().iter().filter(|child| child.finding.is_mate());
        let best = mates.min_by_key(|child| child.finding.plies).expect("a mating move");
        let hand = hands::before_move(position, best.m, best.finding.hand);
        Finding::mate(hand, best.finding.plies + 1)
    }

    /// A move of the defender leads out of the mate.
    fn escaped(&self, position: &Position, depth: Depth) -> Finding {
        let escapes = self.children().iter().filter(|child| child.finding.is_no_mate());
        let best = escapes.max_by_key(|child| (child.finding.depends_on, child.finding.plies));
        let Child { m, finding, .. } = best.expect("a saving move");
        let hand = hands::allowing_drop(position, *m, finding.hand);
        let plies = finding.plies.saturating_add(1);
        self.disproof(hand, plies, finding.depends_on, depth)
    }

    /// No move of the attacker leads to mate.
    fn no_mating_move(&self, position: &Position, depth: Depth) -> Finding {
        let mut hand = hands::off_board(position);
        let (mut plies, mut depends_on) = (NEVER, NO_DEPENDENCE);
        for child in self.children() {
            hand = hand.lesser_counts(hands::before_move(position, child.m, child.finding.hand));
            plies = plies.min(child.finding.plies.saturating_add(1));
            depends_on = depends_on.min(child.finding.depends_on);
        }
        let hand = hands::without_other_checks(position, &position.check_info(), hand);
        self.disproof(hand, plies, depends_on, depth)
    }

    /// Every move of the defender leads to mate.
    fn no_escape(&self, position: &Position) -> Finding {
        let (mut hand, mut plies) = (Hand::EMPTY, 0);
        for child in self.children() {
            hand = hand.greater_counts(child.finding.hand);
            plies = plies.max(child.finding.plies + 1);
        }
        Finding::mate(hands::against_interposition(position, hand), plies)
    }

    /// A disproof, which holds everywhere only if it depends on nothing before the position.
    fn disproof(&self, hand: Hand, plies: Plies, depends_on: Depth, depth: Depth) -> Finding {
        if depends_on < depth {
            Finding { plies, ..Finding::repetition(self.top().key.hand, depends_on) }
        } else {
            Finding::no_mate(hand, plies)
        }
    }
}

/// Proof and disproof number from what the side to move and the other side want.
pub(crate) fn numbers(attacker_moves: bool, phi: u32, delta: u32) -> (u32, u32) {
    if attacker_moves { (phi, delta) } else { (delta, phi) }
}

/// The best child has the least `phi`; `delta` is the sum of the children's, but of those that share their
/// ground only the greatest counts, and those that wait count little.
fn survey(children: &[Child], attacker_moves: bool) -> Survey {
    let (mut best, mut least, mut second_phi) = (0, (INFINITE, INFINITE, i16::MAX), INFINITE);
    let (mut sum, mut greatest, mut waiting) = (0u64, 0, 0);
    for (index, child) in children.iter().enumerate() {
        if child.waits {
            waiting += 1;
            continue;
        }
        let (phi, delta) = (child.finding.phi(attacker_moves), child.finding.delta(attacker_moves));
        let rank = (phi, delta, child.order);
        if rank < least {
            (second_phi, best, least) = (least.0, index, rank);
        } else {
            second_phi = second_phi.min(phi);
        }
        if child.counts_once(delta) {
            greatest = delta.max(greatest);
        } else {
            sum += u64::from(delta);
        }
    }
    if waiting > 0 {
        // Not nothing, or the defender could put off the end by ever new interpositions.
        sum += (waiting / 8).max(1);
    }
    let fixed = match children.get(best) {
        Some(child) if !child.counts_once(least.1) => sum + u64::from(greatest) - u64::from(least.1),
        _ => sum,
    };
    let clamp = |n: u64| n.min(u64::from(INFINITE - 1)) as u32;
    let delta = clamp(sum + u64::from(greatest));
    Survey { best, phi: least.0, second_phi, delta, fixed_delta: clamp(fixed) }
}
