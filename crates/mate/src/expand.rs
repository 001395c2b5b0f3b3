//! From a position to its children: moves, repetitions, what the table knows, first guesses.

use arrayvec::ArrayVec;
use shogi::{Hand, Move, MoveList, Pointless};

use crate::dfpn::Search;
use crate::estimate;
use crate::expansion::Child;
use crate::finding::{Finding, NO_DEPENDENCE, Plies, after_move};
use crate::hands;
use crate::one::mate_among;
use crate::table::PositionKey;

/// How many groups of moves that wait for each other a position has at most; further ones do not wait.
const MAX_GROUPS: usize = 16;

/// The last move of each group so far.
type Groups = ArrayVec<(u16, u16), MAX_GROUPS>;

impl Search<'_> {
    /// Opens a frame for the current position with all its children. `is_new` if it was never visited,
    /// `shared` as its finding says.
    pub(crate) fn expand(&mut self, within: Plies, is_new: bool, shared: u32) {
        let attacker_moves = self.attacker_moves();
        self.stack.open(self.key(), attacker_moves, within, shared);
        if attacker_moves {
            self.expand_checks(within);
        } else {
            self.expand_evasions(within, is_new);
        }
    }

    #[inline(never)]
    fn expand_checks(&mut self, within: Plies) {
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        self.position.generate_checks(Pointless::Include, &info, &mut checks);
        checks.retain(|m| self.position.pseudo_is_legal(*m, &info));
        let Some(king) = self.position.king(self.defender()) else { return };
        let before = self.position.hand(self.attacker);
        for &m in &checks {
            self.table.prefetch(self.position.board_key_after(m));
        }
        let mut groups = Groups::new();
        for &m in &checks {
            let hand = hands::after_move(&self.position, m, before);
            let key = PositionKey { board: self.position.board_key_after(m), hand };
            let (finding, is_new) = if within <= 1 {
                (self.last_check(m, hand), false)
            } else {
                self.known(m, key, after_move(within), |search| estimate::after_check(&search.position, m))
            };
            let order = estimate::order(&self.position, m, king);
            let is_shared = estimate::is_twin(&self.position, m, king);
            let child = Child { m, key, finding, order, is_new, waits: false, is_shared, next: None };
            let group = estimate::group(&self.position, m, None);
            self.add(child, group, &mut groups);
            if finding.is_mate() {
                return;
            }
        }
    }

    /// With one ply left, a check mates or it does not.
    fn last_check(&mut self, m: Move, hand: Hand) -> Finding {
        self.position.play(m);
        let finding = if self.position.has_legal_move() {
            Finding::no_mate(hand, 2)
        } else {
            Finding::mate(hands::against_interposition(&self.position, Hand::EMPTY), 0)
        };
        self.position.undo();
        finding
    }

    #[inline(never)]
    fn expand_evasions(&mut self, within: Plies, is_new_parent: bool) {
        let moves = self.position.legal_moves();
        let Some(king) = self.position.king(self.defender()) else { return };
        let hand = self.position.hand(self.attacker);
        for &m in &moves {
            self.table.prefetch(self.position.board_key_after(m));
        }
        let info = self.position.check_info();
        let mut groups = Groups::new();
        for &m in &moves {
            let key = PositionKey { board: self.position.board_key_after(m), hand };
            let (finding, is_new) = if within < 2 {
                (Finding::no_mate(hands::off_board(&self.position), 1), false)
            } else {
                self.known(m, key, after_move(within), |search| estimate::after_evasion(&search.position, m))
            };
            let order = estimate::order(&self.position, m, king);
            let child = Child { m, key, finding, order, is_new, waits: false, is_shared: false, next: None };
            let group = estimate::group(&self.position, m, Some(&info));
            let index = self.add(child, group, &mut groups);
            let child = &self.stack.children()[index];
            if is_new_parent && is_new && !child.waits {
                self.decide_at_a_glance(index, m);
            }
            if self.stack.children()[index].finding.is_no_mate() {
                return;
            }
        }
    }

    /// What is known about the position after `m`: a repetition, the table's word, or a first guess. Also
    /// whether it was never visited.
    fn known(
        &mut self,
        m: Move,
        key: PositionKey,
        within: Plies,
        guess: impl Fn(&Self) -> (u32, u32),
    ) -> (Finding, bool) {
        if let Some(depth) = self.path.no_better_than(key.board, key.hand) {
            return (Finding::repetition(key.hand, depth), false);
        }
        let look = self.table.look(key, self.path.depth() + 1, within);
        let mut finding = look.finding;
        if finding.is_final() {
            return (finding, false);
        }
        if look.repeats
            && let Some((depends_on, plies)) = self.repetitions.find(self.path.key_after(m))
            && plies > within
        {
            return (Finding { plies, ..Finding::repetition(key.hand, depends_on) }, false);
        }
        if look.is_old {
            self.stack.top_mut().is_old = true;
        }
        if !look.is_known {
            let (pn, dn) = guess(self);
            finding.pn = finding.pn.max(pn);
            finding.dn = finding.dn.max(dn);
        }
        (finding, !look.is_known)
    }

    /// Adds a child; one of a group waits for the end of those before it. Returns its index.
    fn add(&mut self, mut child: Child, group: Option<u16>, groups: &mut Groups) -> usize {
        let index = self.stack.children().len();
        let ends_it = child.finding.phi(self.stack.top().attacker_moves) == 0;
        if let Some(group) = group {
            match groups.iter_mut().find(|(known, _)| *known == group) {
                Some((_, last)) => {
                    let before = &mut self.stack.children_mut()[usize::from(*last)];
                    before.next = Some(index as u16);
                    child.waits = !ends_it && (before.waits || !before.finding.is_final());
                    *last = index as u16;
                }
                None => {
                    // A group beyond the last does without waiting.
                    let _ = groups.try_push((group, index as u16));
                }
            }
        }
        self.stack.push(child);
        index
    }

    /// Looks after an evasion whether the attacker has no check at all, or mates at once.
    #[inline(never)]
    fn decide_at_a_glance(&mut self, index: usize, m: Move) {
        self.position.play(m);
        let finding = self.glance();
        let key = self.key();
        self.position.undo();
        if let Some(finding) = finding {
            debug_assert_eq!(finding.depends_on, NO_DEPENDENCE);
            let parent = self.stack.top().key;
            self.table.store(key, self.path.depth() + 1, &finding, parent);
            self.stack.update(index, finding);
        }
    }

    /// Mate in one or no check at all, with the attacker to move.
    pub(crate) fn glance(&mut self) -> Option<Finding> {
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        self.position.generate_checks(Pointless::Include, &info, &mut checks);
        if checks.is_empty() {
            let all = hands::off_board(&self.position);
            let hand = hands::without_other_checks(&self.position, &info, all);
            return Some(Finding::no_mate(hand, crate::finding::NEVER));
        }
        let m = mate_among(&mut self.position, &checks, &info)?;
        self.position.play(m);
        let mated = hands::against_interposition(&self.position, Hand::EMPTY);
        self.position.undo();
        Some(Finding::mate(hands::before_move(&self.position, m, mated), 1))
    }
}
