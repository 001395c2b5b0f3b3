//! Counting leaves on several threads.
//!
//! The first plies of the tree become a list of parts, which the threads share. Sums do not depend on who adds what, so
//! every number of threads finds the same counts.

use runs::{Pool, PoolError};
use shogi::{Leaves, Move, Position, perft};

/// The leaves below one move of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Below {
    /// The move.
    pub played: Move,
    /// How many leaves.
    pub nodes: u64,
}

/// A subtree: the moves that lead to it, and which of the root's moves it belongs to.
struct Subtree {
    root_move: usize,
    line: [Option<Move>; 2],
}

/// A tree of legal moves, cut into parts that threads can share.
pub struct Division<'a> {
    root: &'a Position,
    depth: u32,
    moves: Vec<Move>,
    subtrees: Vec<Subtree>,
}

impl<'a> Division<'a> {
    /// The tree of so many plies below a position.
    #[must_use]
    pub fn new(root: &'a Position, depth: u32) -> Division<'a> {
        let moves = if depth == 0 { Vec::new() } else { root.legal_moves().to_vec() };
        let subtrees = subtrees(root, &moves, depth);
        Division { root, depth, moves, subtrees }
    }

    /// How many parts there are.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.subtrees.len()
    }

    /// The leaves below each legal move of the root, in the order of generation; none at depth 0. Blocks until all are
    /// counted, and calls `counted` after each part.
    pub fn count(
        &self,
        leaves: Leaves,
        threads: usize,
        counted: &(dyn Fn() + Sync),
    ) -> Result<Vec<Below>, PoolError> {
        let counts = Pool::new(threads).map(
            &self.subtrees,
            || Ok(self.root.clone()),
            |position, subtree| {
                let nodes = count(position, subtree, self.depth, leaves);
                counted();
                Ok::<_, PoolError>(nodes)
            },
        )?;
        let mut below: Vec<Below> = self.moves.iter().map(|&played| Below { played, nodes: 0 }).collect();
        for (subtree, nodes) in self.subtrees.iter().zip(counts) {
            below[subtree.root_move].nodes += nodes;
        }
        Ok(below)
    }
}

/// One part for each line of two plies, so that no thread is left with a big last piece; shallow trees are cut
/// after one ply.
fn subtrees(root: &Position, moves: &[Move], depth: u32) -> Vec<Subtree> {
    let mut position = root.clone();
    let mut subtrees = Vec::new();
    for (root_move, &first) in moves.iter().enumerate() {
        if depth < 3 {
            subtrees.push(Subtree { root_move, line: [Some(first), None] });
            continue;
        }
        position.play(first);
        let replies = position.legal_moves();
        subtrees
            .extend(replies.into_iter().map(|reply| Subtree { root_move, line: [Some(first), Some(reply)] }));
        position.undo();
    }
    subtrees
}

fn count(position: &mut Position, subtree: &Subtree, depth: u32, leaves: Leaves) -> u64 {
    let mut left = depth;
    for &m in subtree.line.iter().flatten() {
        position.play(m);
        left -= 1;
    }
    let nodes = perft(position, left, leaves);
    for _ in left..depth {
        position.undo();
    }
    nodes
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    fn counted(root: &Position, depth: u32, leaves: Leaves, threads: usize) -> Vec<Below> {
        let division = Division::new(root, depth);
        let calls = AtomicUsize::new(0);
        let advance = || {
            calls.fetch_add(1, Ordering::Relaxed);
        };
        let below = division.count(leaves, threads, &advance).unwrap();
        assert_eq!(calls.into_inner(), division.parts());
        below
    }

    #[test]
    fn every_number_of_threads_counts_what_the_plain_division_counts() {
        let root: Position =
            "8l/1l+R2P3/p2pBG1pp/kps1p4/Nn1P2G2/P1P1P2PP/1PS6/1KSG3+r1/LN2+p3L w Sbgn3p 124".parse().unwrap();
        for depth in 1..=3 {
            let expected = shogi::divide(&mut root.clone(), depth, Leaves::Bulk);
            for (threads, leaves) in [(1, Leaves::Bulk), (2, Leaves::Played), (7, Leaves::Bulk)] {
                let found: Vec<_> =
                    counted(&root, depth, leaves, threads).into_iter().map(|b| (b.played, b.nodes)).collect();
                assert_eq!(found, expected, "depth {depth}, {threads} threads, {leaves:?}");
            }
        }
    }

    #[test]
    fn a_mated_side_has_nothing_below() {
        let mated: Position = "4k4/4G4/4P4/9/9/9/9/9/4K4 w - 1".parse().unwrap();
        assert_eq!(counted(&mated, 4, Leaves::Bulk, 2), []);
        assert_eq!(counted(&Position::start(), 0, Leaves::Bulk, 2), []);
    }
}
