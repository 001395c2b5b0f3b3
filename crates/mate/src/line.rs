//! From a proof to the line that shows it.
//!
//! The table has the proof as far as it was not thrown out; what is missing is proven again. The plies of proofs are upper bounds, and
//! each position's is greater than those of its children by one at least, so that following them ends in mate.

use shogi::Move;

use crate::known::{Known, Plies};
use crate::node::{Child, Mover};
use crate::search::Searcher;

impl Searcher<'_> {
    /// A line to the mate that is proven within `plies`: the attacker's shortest known moves against the defender's longest. If the
    /// mate takes `exactly` so many, the defender's moves are proven to last. `None` if the search is over before.
    pub(crate) fn line(&mut self, plies: Plies, exactly: bool) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut left = plies;
        let found = loop {
            if self.mover() == Mover::Defender && !self.position.has_legal_move() {
                break true;
            }
            let next = match self.mover() {
                Mover::Attacker => self.shortest(left),
                Mover::Defender => self.longest(left, exactly),
            };
            let Some((m, rest)) = next else { break false };
            self.position.play(m);
            line.push(m);
            left = rest;
        };
        line.iter().for_each(|_| self.position.undo());
        found.then_some(line)
    }

    /// The attacker's move with the shortest known mate, and its plies after the move.
    fn shortest(&mut self, left: Plies) -> Option<(Move, Plies)> {
        if !self.prove(left).is_mate() {
            return None;
        }
        let mates = self.children_of(left).into_iter().filter(|child| child.known.is_mate());
        mates.map(|child| (child.m, child.known.plies)).min_by_key(|&(_, plies)| plies)
    }

    /// The defender's move that lasts longest, as far as known.
    fn longest(&mut self, left: Plies, exactly: bool) -> Option<(Move, Plies)> {
        let mut replies = Vec::new();
        for child in self.children_of(left) {
            let known = if child.known.is_mate() { child.known } else { self.after(child.m, left - 1)? };
            replies.push((child.m, known.plies));
        }
        replies.sort_by_key(|&(_, plies)| std::cmp::Reverse(plies));
        if !exactly {
            return replies.first().copied();
        }
        for &(m, plies) in &replies {
            if plies + 1 == left && self.lasts(m, plies)? {
                return Some((m, plies));
            }
        }
        None
    }

    /// The children of the position at hand with what the table knows of them.
    fn children_of(&mut self, left: Plies) -> Vec<Child> {
        self.add_children(self.mover(), left);
        std::mem::take(&mut self.children)
    }

    /// Proves the mate after a move of the defender.
    fn after(&mut self, m: Move, left: Plies) -> Option<Known> {
        self.position.play(m);
        let known = self.prove(left);
        self.position.undo();
        known.is_mate().then_some(known)
    }

    /// Whether the mate after a move of the defender takes at least `plies`.
    fn lasts(&mut self, m: Move, plies: Plies) -> Option<bool> {
        if plies < 3 {
            return Some(true);
        }
        self.position.play(m);
        let known = self.prove(plies - 2);
        self.position.undo();
        known.is_solved().then_some(known.is_no_mate())
    }
}
