//! How good weights are, on games that they were not learned from: as whole numbers, as a player has them.

use std::sync::Arc;

use eval::{Evaluator as _, Linear, LinearTables};
use records::packed::{Psv, Record as _};
use serde::{Deserialize, Serialize};
use shogi::{Color, Move, Position};

use super::shallow::Shallow;
use super::values::labelled;
use crate::nnue::Target;
use crate::nnue::batch::RecordBytes;
use crate::nnue::pass::share_out;

/// Positions that are looked at for their values, and for the moves played there.
const FOR_VALUES: usize = 100_000;
const FOR_MOVES: usize = 2000;
/// Positions that one thread takes at a time.
const PIECE: usize = 100;
/// No move is better or worse by more.
const OPEN: i32 = 32_000;

/// How good weights are.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judgement {
    /// The cross entropy of win rates.
    pub loss: f64,
    /// The share of positions where the move of the record comes first.
    pub first: f64,
    /// The share where it is among the first three.
    pub among_three: f64,
    /// Positions looked at for values.
    pub positions: usize,
    /// Positions looked at for moves.
    pub moves: usize,
}

/// A position and the move that was played.
pub(super) fn with_move(record: &RecordBytes) -> Option<(Position, Move)> {
    let psv = Psv::from_bytes(record).ok()?;
    let position = Position::new(&psv.setup().ok()?).ok()?;
    let m = psv.best.played().filter(|&m| position.is_legal(m))?;
    Some((position, m))
}

/// Judges by some records.
pub(super) fn judge(
    tables: &Arc<LinearTables>,
    records: &[RecordBytes],
    target: Target,
    threads: usize,
) -> Judgement {
    let for_values = &records[..records.len().min(FOR_VALUES)];
    let losses = share_out(threads, for_values.chunks(PIECE).collect(), |records| {
        let mut linear = Linear::new(Arc::clone(tables));
        let loss = |record: &RecordBytes| {
            let (position, target_of_black) = labelled(record, target)?;
            linear.reset(&position);
            let value = f64::from(linear.evaluate(&position)) / target.scale;
            let odds = if position.side() == Color::Black { value } else { -value };
            Some(odds.max(0.0) + (-odds.abs()).exp().ln_1p() - target_of_black * odds)
        };
        records.iter().filter_map(loss).fold((0.0, 0), |(sum, count), loss| (sum + loss, count + 1))
    });
    let (loss, positions) = losses.into_iter().fold((0.0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
    let for_moves: Vec<_> = records.iter().filter_map(with_move).take(FOR_MOVES).collect();
    let places = share_out(threads, for_moves.chunks(PIECE).collect(), |positions| {
        let mut shallow = Shallow::new(Arc::clone(tables));
        positions.iter().map(|(position, m)| place(&mut shallow, position, *m)).collect::<Vec<_>>()
    });
    let places: Vec<usize> = places.into_iter().flatten().collect();
    let moves = places.len();
    let share =
        |least: usize| places.iter().filter(|&&place| place < least).count() as f64 / moves.max(1) as f64;
    Judgement {
        loss: loss / f64::from(positions.max(1)),
        first: share(1),
        among_three: share(3),
        positions: positions as usize,
        moves,
    }
}

/// How many moves are found better than the one that was played.
fn place(shallow: &mut Shallow, position: &Position, played: Move) -> usize {
    shallow.set(position);
    let value = shallow.search(played, -OPEN, OPEN).value;
    let is_better =
        |shallow: &mut Shallow, m: Move| m != played && shallow.search(m, value, value + 1).value > value;
    position.legal_moves().iter().filter(|&&m| is_better(shallow, m)).count()
}
