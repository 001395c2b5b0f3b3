//! Mates that the player need not search for.

use mate::{Effort, Length, Mate, Solver};
use search::Control;
use shogi::{Move, Position};

/// Megabytes for mates while playing.
const SLICE_HASH: usize = 16;
/// Positions that the solver may visit before the search begins: some twenty milliseconds.
const SLICE_NODES: u64 = 10_000;
/// The share of the time for a move that this may take.
const SLICE_SHARE: f64 = 0.05;
/// When the opponent leaves the line of a mate that is proven, it is found again whatever it takes, nearly.
const AGAIN_NODES: u64 = 1_000_000;
const AGAIN_SHARE: f64 = 0.5;

/// Looks for a mate before the search does, and plays a proven one to its end.
#[derive(Default)]
pub(super) struct MateFinder {
    /// Made when first needed.
    solver: Option<Solver>,
    /// The rest of a proven mate: what to play in which position, by its key.
    plan: Vec<(u64, Move)>,
}

/// A mate, and the positions that were visited for it now.
pub(super) struct FoundMate {
    pub(super) line: Vec<Move>,
    pub(super) nodes: u64,
}

impl MateFinder {
    /// Forgets the mate of the last game.
    pub(super) fn new_game(&mut self) {
        self.plan.clear();
    }

    /// A mate for the side to move: the rest of one already proven, else one that a short search proves.
    pub(super) fn find(&mut self, position: &Position, control: &Control) -> Option<FoundMate> {
        let known = self.plan.iter().position(|&(key, m)| key == position.key() && position.is_legal(m));
        if let Some(at) = known {
            let line = self.plan[at..].iter().map(|&(_, m)| m).collect();
            return Some(FoundMate { line, nodes: 0 });
        }
        let (nodes, share) =
            if self.plan.is_empty() { (SLICE_NODES, SLICE_SHARE) } else { (AGAIN_NODES, AGAIN_SHARE) };
        self.plan.clear();
        if self.solver.is_none() {
            self.solver = Solver::new(SLICE_HASH);
        }
        let mut interrupted = |_| control.must_end() || control.is_share_used(share);
        let effort = Effort { nodes: Some(nodes), length: Length::Shortened };
        let solution = self.solver.as_mut()?.solve(position, &effort, &mut interrupted);
        let mate::Answer::Mate(Mate { line, .. }) = solution.answer else { return None };
        let mut after = position.clone();
        for &m in &line {
            self.plan.push((after.key(), m));
            after.play(m);
        }
        Some(FoundMate { line, nodes: solution.nodes })
    }
}
