//! How the evaluation errs in positions that have something in common, learned while searching (correction history).
//!
//! Each context keeps the mean of searched value minus evaluation and how much evidence that mean has. A mean with evidence
//! n counts n / (n + k): shrunk towards zero as a normal prior would have it (James and Stein 1961).

use shogi::Position;

use super::history::Step;
use super::params::{PERCENT, Params};
use crate::score::Value;

/// Cells of a context for each side to move.
const CELLS: usize = 1 << 14;
/// Parts of the evaluator's unit in which means are kept.
const PARTS: i32 = 16;
/// The most evidence that is counted: older differences fade beyond it.
const MOST: i32 = u8::MAX as i32;
/// Differences are no greater than what a mean can hold.
const GREATEST: Value = i16::MAX as Value / PARTS;
/// Pawns, hands, pieces of both sides, the last two moves.
const CONTEXTS: usize = 5;

#[derive(Clone, Copy, Default)]
struct Cell {
    mean: i16,
    evidence: u8,
}

/// The contexts of one position.
#[derive(Clone, Copy)]
pub(crate) struct Contexts([usize; CONTEXTS]);

/// What one thread has learned about the evaluator.
pub(crate) struct Corrections {
    cells: Vec<Cell>,
    written: bool,
    /// How much a mean counts by its evidence, times the weight of its context, in 4096ths.
    weights: [Vec<i32>; CONTEXTS],
}

impl Corrections {
    pub(crate) fn new(params: &Params) -> Corrections {
        let (p, k) = (params, params.correct_prior);
        let contexts =
            [p.correct_pawns, p.correct_hands, p.correct_pieces, p.correct_pieces, p.correct_moves];
        let weight = |percent: i32, n: i32| ((percent * n) << 12) / (PERCENT * (n + k));
        let weights = contexts.map(|percent| (0..=MOST).map(|n| weight(percent, n)).collect());
        Corrections { cells: vec![Cell::default(); CONTEXTS * 2 * CELLS], written: false, weights }
    }

    pub(crate) fn clear(&mut self) {
        if std::mem::take(&mut self.written) {
            self.cells.fill(Cell::default());
        }
    }

    /// The contexts of a position that was reached by two steps.
    #[inline(always)]
    pub(crate) fn contexts(position: &Position, last: [Step; 2]) -> Contexts {
        let us = position.side();
        let moves = (last[0].index() * Step::COUNT + last[1].index()) as u64;
        let keys = [
            position.pawn_key(),
            position.hand_key(),
            position.pieces_key(us),
            position.pieces_key(!us),
            moves,
        ];
        let mut cells = [0; CONTEXTS];
        for (i, key) in keys.into_iter().enumerate() {
            let mixed = (key ^ key >> 32) as usize & (CELLS - 1);
            cells[i] = (2 * i + us.index()) * CELLS + mixed;
        }
        Contexts(cells)
    }

    /// What to add to the evaluation.
    #[inline(always)]
    pub(crate) fn correction(&self, contexts: Contexts) -> Value {
        let mut sum = 0;
        for (cell, weights) in contexts.0.iter().zip(&self.weights) {
            let cell = self.cells[*cell];
            sum += i32::from(cell.mean) * weights[usize::from(cell.evidence)];
        }
        sum / (PARTS << 12)
    }

    /// Learns how far a search of so many plies ended from the evaluation.
    pub(crate) fn learn(&mut self, contexts: Contexts, difference: Value, plies: i32) {
        self.written = true;
        let (found, weight) = (difference.clamp(-GREATEST, GREATEST) * PARTS, plies.clamp(1, PARTS));
        for index in contexts.0 {
            let cell = &mut self.cells[index];
            let evidence = (i32::from(cell.evidence) + weight).min(MOST);
            cell.evidence = evidence as u8;
            cell.mean += ((found - i32::from(cell.mean)) * weight / evidence) as i16;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_error_is_learned_and_forgotten() {
        let mut corrections = Corrections::new(&Params::default());
        let position = Position::start();
        let contexts = Corrections::contexts(&position, [Step::NONE; 2]);
        assert_eq!(corrections.correction(contexts), 0);
        let mut last = 0;
        for _ in 0..50 {
            corrections.learn(contexts, 80, 6);
            let now = corrections.correction(contexts);
            assert!(now >= last && now <= 80, "{now}");
            last = now;
        }
        assert!(last > 30, "{last}");
        corrections.learn(contexts, -30_000, 100);
        corrections.clear();
        assert_eq!(corrections.correction(contexts), 0);
    }
}
