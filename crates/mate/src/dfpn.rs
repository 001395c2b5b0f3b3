//! The search: depth-first proof numbers.

use shogi::{Color, Position};

use crate::expansion::{Stack, Survey, numbers};
use crate::finding::{Depth, Finding, INFINITE, NO_DEPENDENCE, Plies, after_move};
use crate::path::{MAX_DEPTH, Path};
use crate::repetitions::Repetitions;
use crate::table::{PositionKey, Table};

/// Positions between two questions whether to go on.
const PAUSE: u64 = 256;

/// Numbers of a line and its branches that differ by no more than this are taken for the same.
const NEARLY_SAME: u32 = 6;

/// A search from one root; what it remembers belongs to the solver.
pub(crate) struct Search<'a> {
    pub(crate) position: Position,
    pub(crate) attacker: Color,
    pub(crate) table: &'a mut Table,
    pub(crate) repetitions: &'a mut Repetitions,
    pub(crate) path: &'a mut Path,
    pub(crate) stack: &'a mut Stack,
    /// Positions visited.
    pub(crate) nodes: u64,
    /// No more positions than these.
    pub(crate) max_nodes: u64,
    pub(crate) is_over: bool,
    pub(crate) interrupted: &'a mut dyn FnMut(u64) -> bool,
}

impl Search<'_> {
    pub(crate) fn attacker_moves(&self) -> bool {
        self.position.side() == self.attacker
    }

    pub(crate) fn defender(&self) -> Color {
        !self.attacker
    }

    pub(crate) fn key(&self) -> PositionKey {
        PositionKey { board: self.position.board_key(), hand: self.position.hand(self.attacker) }
    }

    /// Searches the current position until it is decided within a budget of plies, or the search is over.
    pub(crate) fn decide(&mut self, within: Plies) -> Finding {
        let before = self.nodes;
        self.expand(within, true, 0);
        let (mut pn_limit, mut dn_limit) = (2, 2);
        let mut finding = loop {
            let mut extra = 0;
            let finding = self.visit(pn_limit, dn_limit, &mut extra);
            if finding.is_final() || self.is_over {
                break finding;
            }
            pn_limit = raised(pn_limit, finding.pn);
            dn_limit = raised(dn_limit, finding.dn);
        };
        finding.work = spent(self.nodes - before);
        let key = self.key();
        self.stack.close();
        self.keep(key, self.path.depth(), &finding, key);
        finding
    }

    /// Keeps a finding about a position where it belongs. A repetition is kept by whoever knows the way.
    fn keep(&mut self, key: PositionKey, depth: Depth, finding: &Finding, parent: PositionKey) {
        if self.table.is_full() {
            let interrupted = &mut self.interrupted;
            let nodes = self.nodes;
            self.is_over |= !self.table.collect(&mut || interrupted(nodes));
        }
        self.table.store(key, depth, finding, parent);
    }

    /// Searches the position of the top frame while its numbers stay below the limits. `extra` is how many
    /// positions never seen must be visited although limits forbid it, because limits set by old
    /// numbers could send the search in circles (threshold control).
    fn visit(&mut self, pn_limit: u32, dn_limit: u32, extra: &mut u32) -> Finding {
        let extra_at_first = *extra;
        self.nodes += 1;
        if self.nodes.is_multiple_of(PAUSE) {
            self.is_over |= (self.interrupted)(self.nodes);
        }
        self.is_over |= self.nodes >= self.max_nodes;
        let depth = self.path.depth();
        if depth >= MAX_DEPTH {
            return Finding::repetition(self.stack.top().key.hand, 0);
        }
        self.share_numbers();
        if self.stack.top().is_old {
            *extra += 1;
        }
        let mut survey = self.stack.survey();
        loop {
            let finding = self.stack.conclude(&survey, &self.position, depth);
            let (pn_limit, dn_limit) = match *extra {
                0 => (pn_limit, dn_limit),
                _ => (pn_limit.max(finding.pn.saturating_add(1)), dn_limit.max(finding.dn.saturating_add(1))),
            };
            let done = *extra == 0 && extra_at_first > 0;
            if finding.is_final() || finding.pn >= pn_limit || finding.dn >= dn_limit || self.is_over || done
            {
                *extra = (*extra).min(extra_at_first);
                return finding;
            }
            self.visit_child(&survey, pn_limit, dn_limit, extra);
            survey = self.stack.survey();
        }
    }

    /// Searches the best child of the top frame within the limits that follow for it.
    fn visit_child(&mut self, survey: &Survey, pn_limit: u32, dn_limit: u32, extra: &mut u32) {
        let frame = self.stack.top();
        let (parent, within) = (frame.key, after_move(frame.within));
        let (pn_limit, dn_limit) = child_limits(survey, frame.attacker_moves, pn_limit, dn_limit);
        let child = &self.stack.children()[survey.best];
        let (m, key, is_new, shared) = (child.m, child.key, child.is_new, child.finding.shared);
        let before = self.nodes;
        let way = self.path.key_after(m);
        self.path.enter(parent.board, parent.hand, m);
        self.position.play(m);
        let depth = self.path.depth();
        self.expand(within, is_new, shared);
        let mut finding = Finding::open(0, 0);
        let mut visited = false;
        if is_new {
            *extra = extra.saturating_sub(1);
            finding = self.stack.conclude(&self.stack.survey(), &self.position, depth);
            visited = finding.is_final() || finding.pn >= pn_limit || finding.dn >= dn_limit;
            self.nodes += u64::from(visited);
        }
        if !visited {
            finding = self.visit(pn_limit, dn_limit, extra);
        }
        self.stack.close();
        self.position.undo();
        self.path.leave();
        finding.work = spent(self.nodes - before);
        if finding.is_no_mate() && finding.depends_on != NO_DEPENDENCE {
            self.repetitions.insert(way, finding.depends_on, finding.plies);
        }
        self.keep(key, depth, &finding, parent);
        self.stack.update(survey.best, finding);
    }

    /// The best child may have been reached before on another branch of the current line; then the numbers of
    /// that branch and of the current one are the same effort, and the position where they part must not
    /// add them up (Nagai's "double counting"). Follows the links up from the child to find that position.
    fn share_numbers(&mut self) {
        let frame = self.stack.top();
        let (top, mut attacker_moves) = (frame.key, frame.attacker_moves);
        let survey = self.stack.survey();
        let Some(child) = self.stack.children().get(survey.best) else { return };
        if child.is_new || child.finding.is_final() {
            return;
        }
        let mut key = child.key;
        let (mut last_pn, mut last_dn) = (INFINITE, INFINITE);
        let (mut same_pn, mut same_dn) = (true, true);
        for step in 0..self.path.depth() {
            let Some(link) = self.table.link(key) else { return };
            if step == 0 && link.parent == top {
                return;
            }
            same_pn &= link.pn <= last_pn.saturating_add(NEARLY_SAME);
            same_dn &= link.dn <= last_dn.saturating_add(NEARLY_SAME);
            if !(same_pn || same_dn) {
                return;
            }
            if let Some(depth) = self.path.depth_of(link.parent.board, link.parent.hand) {
                if if attacker_moves { same_dn } else { same_pn } {
                    self.share_at(usize::from(depth), attacker_moves, key);
                }
                return;
            }
            (last_pn, last_dn, key) = (link.pn, link.dn, link.parent);
            attacker_moves = !attacker_moves;
        }
    }

    /// Lets the frame at a depth share the numbers of its best child and the one called `other`, unless
    /// something in between outweighs them anyway.
    fn share_at(&mut self, depth: usize, attacker_moves: bool, other: PositionKey) {
        // Frames begin where the search was begun, which may be below the root.
        let below = usize::from(self.path.depth()) - depth;
        let Some(target) = (self.stack.frames().len() - 1).checked_sub(below) else { return };
        for frame in (target + 1..self.stack.frames().len() - 1).rev() {
            if self.stack.frames()[frame].attacker_moves != attacker_moves {
                continue;
            }
            let survey = self.stack.survey_of(frame);
            if survey.fixed_delta > NEARLY_SAME {
                return;
            }
        }
        self.stack.share(target, other);
    }
}

/// The limits for the best child: it may use what its siblings leave of `delta`, and is searched until it is no
/// longer the best.
fn child_limits(survey: &Survey, attacker_moves: bool, pn_limit: u32, dn_limit: u32) -> (u32, u32) {
    let (phi_limit, delta_limit) = if attacker_moves { (pn_limit, dn_limit) } else { (dn_limit, pn_limit) };
    let phi = phi_limit.min(survey.second_phi.saturating_add(1));
    let delta = delta_limit.saturating_sub(survey.fixed_delta);
    numbers(attacker_moves, phi, delta)
}

/// The next limit at the root: well above the number reached.
fn raised(limit: u32, number: u32) -> u32 {
    let next = (u64::from(number) * 17 / 10 + 1).max(u64::from(limit));
    next.min(u64::from(INFINITE)) as u32
}

fn spent(nodes: u64) -> u32 {
    u32::try_from(nodes.max(1)).unwrap_or(u32::MAX)
}
