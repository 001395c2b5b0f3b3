//! What a search remembers of the plies between the root and where it stands.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use shogi::{Move, Position};

use super::history::{BACK, Step, mover, view};
use crate::Depth;
use crate::score::{self, MAX_PLY, Value};

/// How far before the root one may look back.
pub(crate) const BEFORE: usize = BACK[BACK.len() - 1];
/// The plies from the first before the root to the one below the deepest node.
const PLIES: usize = BEFORE + MAX_PLY + 1;

/// The record of a ply.
pub(crate) struct Frame {
    /// The move that is being tried here, or was played in the game; none for a null move and before the game.
    pub(crate) step: Step,
    /// [`score::NONE`] where it is not known.
    pub(crate) static_eval: Value,
    /// Quiet moves that cut here, the latest first.
    pub(crate) killers: [Option<Move>; 2],
    /// The move that the node leaves out, when asked how good the others are.
    pub(crate) excluded: Option<Move>,
    /// By how much extensions have deepened the path so far.
    pub(crate) gained: Depth,
    /// By how much less deep the move that led here is being searched.
    pub(crate) reduced: Depth,
    /// The best line from here on, where the node is on the principal variation.
    pub(crate) pv: ArrayVec<Move, { MAX_PLY + 1 }>,
}

impl Frame {
    fn blank() -> Frame {
        Frame {
            step: Step::NONE,
            static_eval: score::NONE,
            killers: [None; 2],
            excluded: None,
            gained: Depth::ZERO,
            reduced: Depth::ZERO,
            pv: ArrayVec::new(),
        }
    }
}

/// The records by ply.
pub(crate) struct Path(Box<[Frame; PLIES]>);

impl Path {
    /// The path to a position: the moves of the game before it are known, as far as anybody looks back.
    pub(crate) fn to(position: &Position) -> Path {
        let mut path = Path(Box::new(std::array::from_fn(|_| Frame::blank())));
        let mut earlier = position.clone();
        for back in 1..=BEFORE.min(position.plies_played()) {
            let Some(m) = earlier.last_move() else { break };
            earlier.undo();
            path.0[BEFORE - back].step = Step::new(mover(&earlier, m), view(earlier.side(), m.to()));
        }
        path
    }

    /// The record of so many plies before `ply`.
    #[inline(always)]
    pub(crate) fn back(&self, ply: usize, back: usize) -> &Frame {
        debug_assert!(back <= BEFORE);
        &self.0[BEFORE + ply - back]
    }

    /// The line at `ply` becomes a move followed by the line one ply below.
    pub(crate) fn lead_line(&mut self, ply: usize, m: Move) {
        let (above, below) = self.0.split_at_mut(BEFORE + ply + 1);
        let line = &mut above[BEFORE + ply].pv;
        line.clear();
        line.push(m);
        // No line is longer than the plies below it.
        let room = line.remaining_capacity();
        line.extend(below[0].pv.iter().copied().take(room));
    }
}

impl Index<usize> for Path {
    type Output = Frame;

    #[inline(always)]
    fn index(&self, ply: usize) -> &Frame {
        &self.0[BEFORE + ply]
    }
}

impl IndexMut<usize> for Path {
    #[inline(always)]
    fn index_mut(&mut self, ply: usize) -> &mut Frame {
        &mut self.0[BEFORE + ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi::{Color, PieceKind};

    #[test]
    fn a_line_grows_at_its_head_and_fits_to_the_last_ply() {
        let moves: [Move; 2] = ["7g7f", "3c3d"].map(|text| text.parse().unwrap());
        let mut path = Path::to(&Position::start());
        for ply in (0..MAX_PLY).rev() {
            path.lead_line(ply, moves[ply % 2]);
        }
        assert_eq!(path[0].pv.len(), MAX_PLY);
        assert_eq!(path[0].pv[..2], moves);
        path[1].pv.clear();
        path.lead_line(0, moves[1]);
        assert_eq!(path[0].pv[..], moves[1..]);
    }

    #[test]
    fn the_moves_of_the_game_lie_before_the_root() {
        let mut position = Position::start();
        assert!(BACK.iter().all(|&back| Path::to(&position).back(0, back).step == Step::NONE));
        for m in ["7g7f", "3c3d", "8h2b+"] {
            position.play(m.parse().unwrap());
        }
        let path = Path::to(&position);
        let step = |kind, side, square: &str| Step::new(kind, view(side, square.parse().unwrap()));
        assert_eq!(path.back(0, 1).step, step(PieceKind::Bishop, Color::Black, "2b"));
        assert_eq!(path.back(0, 2).step, step(PieceKind::Pawn, Color::White, "3d"));
        assert_eq!(path.back(0, 4).step, Step::NONE);
    }
}
