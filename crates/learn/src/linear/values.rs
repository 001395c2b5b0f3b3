//! Learning from values and results: logistic regression over the features, by AdaGrad.

use eval::linear::{Progress, STAGES, each_feature};
use records::packed::{Psv, Record as _};
use shogi::{Color, Position};

use super::model::{Model, Part, Stages, place};
use crate::nnue::Target;
use crate::nnue::batch::RecordBytes;
use crate::nnue::pass::share_out;

/// Positions that one thread takes at a time; an [`Entry`] names them by a byte.
const PIECE: usize = 256;

/// A feature of one position of a piece.
#[derive(Clone, Copy)]
struct Entry {
    /// Within its part.
    row: u32,
    position: u8,
    /// Against Black if negative.
    count: i16,
}

/// What comes of some positions: their features by part, and how each pulls at the weights.
struct Gathered {
    entries: Vec<Vec<Entry>>,
    pulls: Vec<Stages>,
    loss: f64,
}

/// How to learn from values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    pub(super) target: Target,
    /// How far a weight goes at first, in centipawns.
    pub(super) rate: f64,
    pub(super) threads: usize,
}

/// Squares of gradients that every weight is taken to have seen before the first: a feature seen once hardly moves.
const PRIOR: f32 = 4.0;

/// One step with a batch; the mean loss, or the number of the record that is no position.
pub(super) fn step(model: &mut Model, records: &[RecordBytes], recipe: &Recipe) -> Result<f64, usize> {
    let pieces: Vec<_> = records.chunks(PIECE).enumerate().collect();
    let gathered = share_out(recipe.threads, pieces, |(number, records)| {
        gather(model, records, recipe).map_err(|index| number * PIECE + index)
    });
    let gathered = gathered.into_iter().collect::<Result<Vec<Gathered>, usize>>()?;
    let parts: Vec<_> = model.parts.iter_mut().enumerate().collect();
    share_out(recipe.threads, parts, |(number, part)| {
        for Gathered { entries, pulls, .. } in &gathered {
            enter(part, &entries[number], pulls);
        }
        let rate = recipe.rate as f32;
        part.step(|weights, gradient, squares| {
            for ((weight, gradient), square) in weights.iter_mut().zip(gradient).zip(squares) {
                *square += gradient * gradient;
                *weight -= rate * gradient / (PRIOR + *square).sqrt();
            }
        });
    });
    Ok(gathered.iter().map(|piece| piece.loss).sum::<f64>() / records.len().max(1) as f64)
}

fn enter(part: &mut Part, entries: &[Entry], pulls: &[Stages]) {
    for entry in entries {
        part.add(entry.row, f32::from(entry.count), &pulls[usize::from(entry.position)]);
        part.seen[entry.row as usize] = part.seen[entry.row as usize].saturating_add(1);
    }
}

fn gather(model: &Model, records: &[RecordBytes], recipe: &Recipe) -> Result<Gathered, usize> {
    let mut gathered =
        Gathered { entries: vec![Vec::new(); model.parts.len()], pulls: Vec::new(), loss: 0.0 };
    for (index, record) in records.iter().enumerate() {
        let (position, target) = labelled(record, recipe.target).ok_or(index)?;
        let shares = Progress::of(&position).shares();
        let mut sums = [0.0; STAGES];
        each_feature(&position, |color, row, count| {
            let count = if color == Color::Black { count } else { -count };
            let (part, row) = place(row);
            let weights = &model.parts[part].weights[row];
            sums.iter_mut().zip(weights).for_each(|(sum, weight)| *sum += count as f32 * weight);
            gathered.entries[part].push(Entry {
                row: row as u32,
                position: index as u8,
                count: count as i16,
            });
        });
        let value: f32 = sums.iter().zip(shares).map(|(sum, share)| sum * share).sum();
        let odds = f64::from(value) / recipe.target.scale;
        gathered.loss += odds.max(0.0) + (-odds.abs()).exp().ln_1p() - target * odds;
        let error = (contract::logistic(odds) - target) as f32;
        gathered.pulls.push(shares.map(|share| error * share));
    }
    Ok(gathered)
}

/// A position and the chances that Black is taken to have.
pub(super) fn labelled(record: &RecordBytes, target: Target) -> Option<(Position, f64)> {
    let psv = Psv::from_bytes(record).ok()?;
    let position = Position::new(&psv.setup().ok()?).ok()?;
    let mover = f64::from(target.of(psv.score_for_mover, psv.result_for_mover));
    let black = if position.side() == Color::Black { mover } else { 1.0 - mover };
    Some((position, black))
}
