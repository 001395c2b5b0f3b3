//! Counting leaves on several threads.
//!
//! The first plies of the tree become a list of jobs, which the threads share. Sums do not depend on who adds what, so
//! every number of threads finds the same counts.

use runs::{Pool, PoolError};
use shogi::{Leaves, Move, Position, perft};

use crate::progress::LateBar;

/// The leaves below one move of the root.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Below {
    pub(crate) played: Move,
    pub(crate) nodes: u64,
}

/// A subtree: the moves that lead to it, and which of the root's moves it belongs to.
struct Job {
    root_move: usize,
    line: [Option<Move>; 2],
}

/// The leaves below each legal move of the root, in the order of generation; none at depth 0. Blocks until
/// all are counted.
pub(crate) fn divide(
    root: &Position,
    depth: u32,
    leaves: Leaves,
    threads: u32,
    bar: &LateBar,
) -> Result<Vec<Below>, PoolError> {
    if depth == 0 {
        return Ok(Vec::new());
    }
    let moves = root.legal_moves();
    let jobs = jobs(root, &moves, depth);
    bar.expect(jobs.len());
    let counts = Pool::new(threads as usize).map(
        &jobs,
        || Ok(root.clone()),
        |position, job| {
            let nodes = count(position, job, depth, leaves);
            bar.advance();
            Ok::<_, PoolError>(nodes)
        },
    )?;
    let mut below: Vec<Below> = moves.into_iter().map(|played| Below { played, nodes: 0 }).collect();
    for (job, nodes) in jobs.iter().zip(counts) {
        below[job.root_move].nodes += nodes;
    }
    Ok(below)
}

/// One job for each line of two plies, so that no thread is left with a big last piece; shallow trees are cut
/// after one ply.
fn jobs(root: &Position, moves: &[Move], depth: u32) -> Vec<Job> {
    let mut position = root.clone();
    let mut jobs = Vec::new();
    for (root_move, &first) in moves.iter().enumerate() {
        if depth < 3 {
            jobs.push(Job { root_move, line: [Some(first), None] });
            continue;
        }
        position.play(first);
        let replies = position.legal_moves();
        jobs.extend(replies.into_iter().map(|reply| Job { root_move, line: [Some(first), Some(reply)] }));
        position.undo();
    }
    jobs
}

fn count(position: &mut Position, job: &Job, depth: u32, leaves: Leaves) -> u64 {
    let mut left = depth;
    for &m in job.line.iter().flatten() {
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
    use super::*;

    fn counted(root: &Position, depth: u32, leaves: Leaves, threads: u32) -> Vec<Below> {
        divide(root, depth, leaves, threads, &LateBar::new()).unwrap()
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
    }
}
