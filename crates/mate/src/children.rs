//! From a position to its children: the moves, which of them wait for others, and what is known of each.

use shogi::{Move, MoveList, PieceKind, Pointless, Position};

use crate::crew::{Crew, is_worth_sharing};
use crate::dominance;
use crate::first_numbers;
use crate::known::{Known, NOTHING, Plies, UNLIMITED};
use crate::node::{Child, Group, Mover};
use crate::search::Searcher;
use crate::table::PositionKey;

impl Searcher<'_> {
    /// Appends the children of the position at hand, with `left` plies for the mate.
    pub(crate) fn add_children(&mut self, mover: Mover, left: Plies) {
        let start = self.children.len();
        match mover {
            Mover::Attacker => self.add_checks(),
            Mover::Defender => self.add_replies(),
        }
        let left = if left == UNLIMITED { left } else { left - 1 };
        for i in start..self.children.len() {
            let mut child = self.children[i];
            let known = self.known_of(mover, &mut child, left);
            self.children[i] = Child { known, ..child };
            if known.numbers[mover.own()] == 0 && known.depends_on == NOTHING {
                self.children[start] = Child { waits_for: 0, ..self.children[i] };
                self.children.truncate(start + 1);
                return;
            }
        }
    }

    fn add_checks(&mut self) {
        let info = self.position.check_info();
        let mut checks = MoveList::new();
        self.position.generate_checks(Pointless::Include, &info, &mut checks);
        checks.retain(|m| self.position.pseudo_is_legal(*m, &info));
        let start = self.children.len();
        for m in checks {
            let key = PositionKey {
                board_key: self.position.board_key_after(m),
                hand: dominance::after(&self.position, m),
            };
            let same_move = |child: &Child| is_twin(&self.position, child.m, m);
            let waits_for = self.children[start..].iter().position(same_move);
            self.add(start, m, key, waits_for, Group::None);
        }
    }

    fn add_replies(&mut self) {
        let hand = self.position.hand(self.attacker);
        let start = self.children.len();
        let mut replies = self.position.legal_moves();
        // Drops on a square one after the other, the cheapest first, as the generator gives them.
        for m in replies.drain(..) {
            let key = PositionKey { board_key: self.position.board_key_after(m), hand };
            let before = |child: &Child| {
                m.is_drop() && child.m.is_drop() && child.m.to() == m.to()
                    || is_twin(&self.position, child.m, m)
            };
            let waits_for = self.children[start..].iter().rposition(before);
            let group = if m.is_drop() { Group::Between } else { Group::None };
            self.add(start, m, key, waits_for, group);
        }
    }

    fn add(&mut self, start: usize, m: Move, key: PositionKey, waits_for: Option<usize>, group: Group) {
        self.table.prefetch(key);
        let waits_for = waits_for.unwrap_or(self.children.len() - start) as u16;
        self.children.push(Child {
            m,
            waits_for,
            group,
            threads_below: 0,
            work: 0,
            key,
            known: Known::open(1, 1),
        });
    }

    /// What is known of the position after a move, which has `left` plies for the mate.
    fn known_of(&mut self, mover: Mover, child: &mut Child, left: Plies) -> Known {
        let PositionKey { board_key, hand } = child.key;
        if let Some(depends_on) = self.way.repeated(board_key, hand) {
            return Known { depends_on, ..Known::no_mate(hand, UNLIMITED) };
        }
        if let Some(known) = self.table.find_solved(child.key, left) {
            return known;
        }
        // With no ply left for a further check there is nothing to search.
        if (left >= 2 || mover == Mover::Defender)
            && let Some(open) = self.table.find_open(child.key)
        {
            if open.depth <= self.way.depth() {
                child.group = Group::Old;
            }
            child.work = open.work;
            if let (true, Some(member)) = (is_worth_sharing(open.work), self.member) {
                child.threads_below = member.crew.below(child.key);
            }
            let on_this_way = if open.has_ways { self.on_this_way(child, left) } else { None };
            return on_this_way.unwrap_or(open.known);
        }
        match mover {
            Mover::Attacker => self.first_look(child, left),
            Mover::Defender => self.reply_look(child.m),
        }
    }

    /// Looks again at the open children from `start` on, which other threads may have changed meanwhile.
    pub(crate) fn refresh(&mut self, start: usize, left: Plies, crew: &Crew) {
        let left = if left == UNLIMITED { left } else { left - 1 };
        for child in self.children[start..].iter_mut().filter(|child| !child.known.is_solved()) {
            if let Some(known) = self.table.find_solved(child.key, left) {
                child.known = known;
            } else if let Some(open) = self.table.find_open(child.key) {
                (child.known, child.work) = (open.known, open.work);
                child.threads_below = if is_worth_sharing(open.work) { crew.below(child.key) } else { 0 };
            }
        }
    }

    /// A disproof that holds on this way only.
    fn on_this_way(&self, child: &Child, left: Plies) -> Option<Known> {
        let PositionKey { board_key, hand } = child.key;
        let (depends_on, plies) = self.notes.repetitions.find(self.way.key_with(board_key, hand))?;
        (plies >= left).then_some(Known { depends_on, ..Known::no_mate(hand, plies) })
    }

    /// What a reply looks like before it is played.
    fn reply_look(&mut self, m: Move) -> Known {
        let class = first_numbers::class_of_reply(&self.position, m);
        if self.draw.is_some() {
            self.position.play(m);
            self.meet(class);
            self.position.undo();
        }
        self.first_numbers.of(class)
    }

    /// Shows a new position to whoever studies the tree.
    fn meet(&mut self, class: usize) {
        if let Some(draw) = &mut self.draw {
            draw.meet(class, &self.position, self.attacker);
        }
    }

    /// Plays a check and counts the replies, unless that has been done before: none is mate.
    fn first_look(&mut self, child: &Child, left: Plies) -> Known {
        let class =
            if left < 2 || self.draw.is_some() { None } else { self.notes.first_looks.find(child.key) };
        if let Some(class) = class {
            return self.first_numbers.of(class);
        }
        self.position.play(child.m);
        let replies = self.position.legal_moves();
        let known = if replies.is_empty() {
            Known::mate(dominance::kept_from_defender(&self.position), 0)
        } else if left < 2 {
            Known::no_mate(dominance::that_allows(&self.position, replies[0]), 1)
        } else {
            let class = first_numbers::class_of_check(&self.position, &replies);
            self.notes.first_looks.insert(child.key, class);
            self.meet(class);
            self.first_numbers.of(class)
        };
        self.position.undo();
        known
    }
}

/// Whether two moves are one piece's to one square, and promotion is hardly ever worse.
fn is_twin(position: &Position, first: Move, second: Move) -> bool {
    let piece = second.from().and_then(|from| position.piece(from));
    let promotes_gladly =
        |kind| matches!(kind, PieceKind::Pawn | PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook);
    first.from() == second.from()
        && first.to() == second.to()
        && piece.is_some_and(|piece| promotes_gladly(piece.kind()))
}
