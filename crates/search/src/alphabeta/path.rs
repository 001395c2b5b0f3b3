//! What a search remembers of the plies between the root and where it stands.

use std::ops::{Index, IndexMut};

use arrayvec::ArrayVec;
use shogi::Move;

use super::history::{BACK, Step};
use crate::Depth;
use crate::score::{self, MAX_PLY, Value};

/// How far before the root one may look back.
pub(crate) const BEFORE: usize = BACK[BACK.len() - 1];
/// The plies from the first before the root to the one below the deepest node.
const PLIES: usize = BEFORE + MAX_PLY + 1;

/// The record of a ply.
pub(crate) struct Frame {
    /// The move that is being tried here; none for a null move and before the root.
    pub(crate) step: Step,
    /// [`score::NONE`] where it is not known.
    pub(crate) static_eval: Value,
    /// Quiet moves that cut here, the latest first.
    pub(crate) killers: [Option<Move>; 2],
    /// The move that the node leaves out, when asked how good the others are.
    pub(crate) excluded: Option<Move>,
    /// By how much extensions have deepened the path so far.
    pub(crate) gained: Depth,
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
            pv: ArrayVec::new(),
        }
    }
}

/// The records by ply. Those before the root stay blank.
pub(crate) struct Path(Box<[Frame; PLIES]>);

impl Path {
    pub(crate) fn new() -> Path {
        Path(Box::new(std::array::from_fn(|_| Frame::blank())))
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

    #[test]
    fn a_line_grows_at_its_head_and_fits_to_the_last_ply() {
        let moves: [Move; 2] = ["7g7f", "3c3d"].map(|text| text.parse().unwrap());
        let mut path = Path::new();
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
    fn nothing_lies_before_the_root() {
        let path = Path::new();
        assert!(BACK.iter().all(|&back| path.back(0, back).step == Step::NONE));
    }
}
