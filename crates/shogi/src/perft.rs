//! Counting the leaves of the tree of legal moves: the test of move generation.

use crate::sink::Count;
use crate::{Move, Position, simd};

/// How the leaves are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaves {
    /// By the number of moves one ply before.
    Bulk,
    /// By playing every one of them.
    Played,
}

impl Position {
    /// How many legal moves there are, without listing them.
    #[inline]
    #[must_use]
    pub fn count_legal_moves(&self) -> u64 {
        simd::count_legal_moves(self)
    }

    #[inline(always)]
    pub(crate) fn count_legal(&self) -> u64 {
        let mut count = Count(0);
        self.legal(&mut count);
        count.0
    }
}

/// The number of leaves `depth` plies below the position.
///
/// ```
/// use shogi::{Leaves, Position, perft};
/// assert_eq!(perft(&mut Position::start(), 3, Leaves::Bulk), 25_470);
/// ```
pub fn perft(position: &mut Position, depth: u32, leaves: Leaves) -> u64 {
    match (depth, leaves) {
        (0, _) => 1,
        (1, Leaves::Bulk) => position.count_legal_moves(),
        _ => {
            let mut nodes = 0;
            for m in position.legal_moves() {
                position.play(m);
                nodes += if depth == 1 { 1 } else { perft(position, depth - 1, leaves) };
                position.undo();
            }
            nodes
        }
    }
}

/// The leaves below each legal move.
pub fn divide(position: &mut Position, depth: u32, leaves: Leaves) -> Vec<(Move, u64)> {
    let moves = position.legal_moves();
    let below = |m: Move| {
        position.play(m);
        let nodes = perft(position, depth.saturating_sub(1), leaves);
        position.undo();
        (m, nodes)
    };
    moves.into_iter().map(below).collect()
}
