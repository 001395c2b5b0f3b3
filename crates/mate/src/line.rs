//! From a proof to the line that shows it, and back: is a line a mate?

use shogi::{Move, Position};

use crate::dfpn::Search;
use crate::finding::{Plies, after_move};
use crate::hands;
use crate::table::PositionKey;

/// Why a line is no mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LineError {
    #[error("move {number}, {m}, is not legal")]
    Illegal { number: usize, m: Move },
    #[error("move {number}, {m}, gives no check")]
    NoCheck { number: usize, m: Move },
    #[error("move {number}, {m}, repeats a position for the fourth time")]
    Repetition { number: usize, m: Move },
    #[error("there is no mate at the end")]
    NoMate,
}

/// Plays a line out: every move legal, every other one a check, no position for the fourth time, mate at the end.
///
/// ```
/// use shogi::Position;
/// let position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
/// assert!(mate::verify(&position, &["G*5b".parse().unwrap()]).is_ok());
/// assert!(mate::verify(&position, &["G*4b".parse().unwrap()]).is_err());
/// ```
pub fn verify(position: &Position, line: &[Move]) -> Result<(), LineError> {
    let mut position = position.clone();
    let attacker = position.side();
    for (number, &m) in (1..).zip(line) {
        if !position.is_legal(m) {
            return Err(LineError::Illegal { number, m });
        }
        position.play(m);
        if position.side() != attacker && !position.in_check() {
            return Err(LineError::NoCheck { number, m });
        }
        if position.repetition().is_some() {
            return Err(LineError::Repetition { number, m });
        }
    }
    if position.side() != attacker && position.is_checkmate() { Ok(()) } else { Err(LineError::NoMate) }
}

/// A move with the bounds of the plies from the position after it to the mate.
struct Bounded {
    m: Move,
    lower: Plies,
    upper: Plies,
}

impl Search<'_> {
    /// A line to the mate that is proven within some plies: the attacker's shortest moves against the
    /// defender's longest, as far as lengths are known. `is_exact` if no shorter mate exists; then the line
    /// has just that length. `None` if the search is over before the line is found.
    pub(crate) fn line(&mut self, within: Plies, is_exact: bool) -> Option<Vec<Move>> {
        let mut line = Vec::new();
        let mut left = within;
        let found = loop {
            let next = if self.attacker_moves() {
                self.shortest(left)
            } else if self.position.has_legal_move() {
                self.longest(left, is_exact)
            } else {
                break true;
            };
            let Some((m, rest)) = next else { break false };
            left = rest;
            let key = self.key();
            self.path.enter(key.board, key.hand, m);
            self.position.play(m);
            line.push(m);
        };
        for _ in &line {
            self.position.undo();
            self.path.leave();
        }
        found.then_some(line)
    }

    /// The attacker's quickest move of those known; proves again what the table has lost.
    fn shortest(&mut self, within: Plies) -> Option<(Move, Plies)> {
        for _ in 0..2 {
            let best = self.bounded_moves().into_iter().min_by_key(|bounded| bounded.upper);
            if let Some(Bounded { m, upper, .. }) = best
                && upper < within
            {
                return Some((m, upper));
            }
            self.decide(within);
        }
        None
    }

    /// The defender's move that lasts longest, as far as is known.
    fn longest(&mut self, within: Plies, is_exact: bool) -> Option<(Move, Plies)> {
        let rest = after_move(within);
        for lost in self.bounded_moves().into_iter().filter(|bounded| bounded.upper > rest) {
            self.prove_again(lost.m, rest);
        }
        let moves = self.bounded_moves();
        if moves.iter().any(|bounded| bounded.upper > rest) {
            return None;
        }
        if is_exact {
            return self.lasting(moves, rest);
        }
        let best = moves.into_iter().max_by_key(|bounded| (bounded.upper, bounded.lower))?;
        Some((best.m, best.upper))
    }

    /// The defender's move after which the mate takes all of the plies that are left. There is one, since no
    /// mate is shorter; if it is not known which, the search finds out.
    fn lasting(&mut self, mut moves: Vec<Bounded>, rest: Plies) -> Option<(Move, Plies)> {
        if rest > 1 && moves.iter().all(|bounded| bounded.lower < rest) {
            self.decide(rest - 1);
            moves = self.bounded_moves();
        }
        for bounded in moves.iter().filter(|bounded| bounded.upper >= rest) {
            if bounded.lower >= rest || rest == 1 || !self.is_mate_after(bounded.m, rest - 2) {
                return Some((bounded.m, rest));
            }
        }
        None
    }

    /// Whether mate within some plies is proven after a move.
    fn is_mate_after(&mut self, m: Move, within: Plies) -> bool {
        self.prove_again(m, within);
        let is_lost = |bounded: &Bounded| bounded.m == m && bounded.upper <= within;
        self.bounded_moves().iter().any(is_lost)
    }

    fn prove_again(&mut self, m: Move, within: Plies) {
        let key = self.key();
        self.path.enter(key.board, key.hand, m);
        self.position.play(m);
        self.decide(within);
        self.position.undo();
        self.path.leave();
    }

    /// The legal moves (of the attacker: checks) with what the table knows of their lengths.
    fn bounded_moves(&mut self) -> Vec<Bounded> {
        let attacker_moves = self.attacker_moves();
        let info = self.position.check_info();
        let mut moves = self.position.legal_moves();
        moves.retain(|m| !attacker_moves || self.position.gives_check(*m, &info));
        let before = self.position.hand(self.attacker);
        moves
            .into_iter()
            .map(|m| {
                let hand = if attacker_moves { hands::after_move(&self.position, m, before) } else { before };
                let key = PositionKey { board: self.position.board_key_after(m), hand };
                let (lower, upper) = self.table.bounds(key);
                let upper = if attacker_moves && self.mates_at_once(m) { 0 } else { upper };
                Bounded { m, lower, upper }
            })
            .collect()
    }

    /// Whether a check mates at once: such ends need not be in the table.
    fn mates_at_once(&mut self, m: Move) -> bool {
        self.position.play(m);
        let is_mate = !self.position.has_legal_move();
        self.position.undo();
        is_mate
    }
}
