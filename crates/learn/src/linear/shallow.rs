//! A shallow search by linear evaluation: one move, then captures until the position is quiet.

use std::sync::Arc;

use eval::{Evaluator as _, Linear, LinearTables};
use search::exchange::{VALUES, gain};
use shogi::{Move, MoveList, Pointless, Position, Stage};

/// Plies of captures and evasions at most.
const DEEPEST: usize = 6;
/// A capture that leaves the value this far below what is wanted is not tried.
const MARGIN: i32 = 200;
/// Being mated; no evaluation is as large.
const MATED: i32 = 31_000;

/// A move with what the search finds behind it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Searched {
    pub(super) m: Move,
    /// For the side that plays it.
    pub(super) value: i32,
    /// The replies that it expects, down to the position that was evaluated.
    pub(super) line: Vec<Move>,
}

/// A searcher of one thread.
pub(super) struct Shallow {
    linear: Linear,
    position: Position,
    /// `[ply]` the best line from there.
    lines: [Vec<Move>; DEEPEST + 1],
}

impl Shallow {
    pub(super) fn new(tables: Arc<LinearTables>) -> Shallow {
        let linear = Linear::new(tables);
        Shallow { linear, position: Position::start(), lines: [const { Vec::new() }; DEEPEST + 1] }
    }

    /// Begins at a position.
    pub(super) fn set(&mut self, position: &Position) {
        self.position.clone_from(position);
        self.linear.reset(position);
    }

    /// Searches one move. Values outside of the window are bounds.
    pub(super) fn search(&mut self, m: Move, alpha: i32, beta: i32) -> Searched {
        let value = self.after(m, alpha, beta, 0);
        Searched { m, value, line: self.lines[0].clone() }
    }

    /// The value of a move; its line is that of the ply.
    fn after(&mut self, m: Move, alpha: i32, beta: i32, ply: usize) -> i32 {
        let delta = self.position.play(m);
        self.linear.push(&delta);
        let value = -self.quiesce(-beta, -alpha, ply);
        self.linear.pop();
        self.position.undo();
        value
    }

    /// What a capture or promotion may change at once: what is taken is lost to the one and in the hand of the other.
    fn swing(&self, m: Move) -> i32 {
        let held = self.position.piece(m.to()).map_or(0, |piece| VALUES.of(piece.kind().unpromoted()));
        gain(&self.position, m, &VALUES) + held
    }

    fn quiesce(&mut self, mut alpha: i32, beta: i32, ply: usize) -> i32 {
        self.lines[ply].clear();
        let in_check = self.position.in_check();
        if ply == DEEPEST {
            return self.linear.evaluate(&self.position);
        }
        let stand = if in_check { ply as i32 - MATED } else { self.linear.evaluate(&self.position) };
        if stand >= beta {
            return stand;
        }
        let mut best = stand;
        alpha = alpha.max(stand);
        let mut moves = MoveList::new();
        let stage = if in_check { Stage::Evasions } else { Stage::Captures };
        self.position.generate(stage, Pointless::Skip, &mut moves);
        if moves.is_empty() {
            return best;
        }
        let info = self.position.check_info();
        moves.sort_by_cached_key(|&m| (-gain(&self.position, m, &VALUES), m.is_drop(), m));
        for index in 0..moves.len() {
            let m = moves[index];
            let is_futile = !in_check
                && (stand + self.swing(m) + MARGIN <= alpha || !self.position.exchange_gains(m, 0, &VALUES));
            if is_futile || !self.position.pseudo_is_legal(m, &info) {
                continue;
            }
            let value = self.after(m, alpha, beta, ply + 1);
            if value > best {
                best = value;
                let (line, behind) = self.lines.split_at_mut(ply + 1);
                line[ply].clear();
                line[ply].push(m);
                line[ply].extend(&behind[0]);
            }
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }
}
