//! The Bonanza method (Hoki): the move of a record is to look better than its siblings.
//!
//! Every legal move of a position is searched, one move deep and through its captures. The positions at the ends of these
//! lines are compared: J = sum of T(value of sibling - value of the move played), T a sigmoid. As long as the lines stay as they
//! are, values are linear in the weights, and so several steps are made before the lines are searched anew. Each step
//! moves every weight that was heard of by the same length against the sign of the gradient of J and of a penalty that holds weights
//! back as far as they are not asked for; then the worth of all pieces together is set back to what it was: comparisons alone
//! would let values grow without end.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::Arc;

use contract::logistic;
use eval::LinearTables;
use eval::linear::{Block, Progress, STAGES, each_feature};
use shogi::{Color, Move, Position};

use super::judge::with_move;
use super::model::{Model, Stages, place};
use super::shallow::{Searched, Shallow};
use crate::nnue::batch::RecordBytes;
use crate::nnue::pass::share_out;

/// Positions that one thread takes at a time.
const PIECE: usize = 16;
/// Positions whose gradients are kept at a time.
const CHUNK: usize = 256;
/// The value of no move is farther from zero.
const OPEN: i32 = 32_000;

/// How to learn from moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Recipe {
    /// The width of the sigmoid in centipawns.
    pub(super) width: f64,
    /// Siblings that are better or worse by more are not compared.
    pub(super) window: i32,
    /// How strongly weights are held back.
    pub(super) penalty: f32,
    /// How far weights go in a step, in centipawns.
    pub(super) step: f32,
    /// Steps with the same lines.
    pub(super) updates: u32,
    pub(super) threads: usize,
}

/// What came of a batch.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// The mean of J over positions, before the first step.
    pub(super) loss: f64,
    /// Positions with a move and siblings near it.
    pub(super) positions: u64,
    /// Positions at the ends of lines that were compared.
    pub(super) leaves: u64,
}

/// A position of a record, with the lines of its moves.
pub(super) struct Family {
    position: Position,
    played: Searched,
    siblings: Vec<Searched>,
}

/// Learns from a batch.
pub(super) fn step(model: &mut Model, records: &[RecordBytes], recipe: &Recipe) -> Tally {
    let families = families(model, records, recipe);
    let leaves = families.iter().map(|family| 1 + family.siblings.len() as u64).sum();
    let mut tally = Tally { loss: 0.0, positions: families.len() as u64, leaves };
    let worth = worth_of_pieces(model);
    for update in 0..recipe.updates {
        let loss = update_once(model, &families, recipe);
        keep_worth(model, worth);
        if update == 0 {
            tally.loss = loss / families.len().max(1) as f64;
        }
    }
    tally
}

/// The lines of all moves of some positions.
pub(super) fn families(model: &Model, records: &[RecordBytes], recipe: &Recipe) -> Vec<Family> {
    let tables = LinearTables::new(model.to_weights(0, 1, ""));
    let families = share_out(recipe.threads, records.chunks(PIECE).collect(), |records| {
        let mut shallow = Shallow::new(Arc::clone(&tables));
        records.iter().filter_map(|record| family(&mut shallow, record, recipe.window)).collect::<Vec<_>>()
    });
    families.into_iter().flatten().collect()
}

fn family(shallow: &mut Shallow, record: &RecordBytes, window: i32) -> Option<Family> {
    let (position, m) = with_move(record)?;
    shallow.set(&position);
    let played = shallow.search(m, -OPEN, OPEN);
    let (low, high) = (played.value - window, played.value + window);
    let others = position.legal_moves();
    let others = others.iter().filter(|&&other| other != m);
    let siblings: Vec<Searched> = others
        .map(|&other| shallow.search(other, low, high))
        .filter(|searched| low < searched.value && searched.value < high)
        .collect();
    (!siblings.is_empty()).then_some(Family { position, played, siblings })
}

/// What pulls at one row of a part.
struct Pull {
    row: u32,
    change: Stages,
}

/// One step of all weights; the sum of J.
fn update_once(model: &mut Model, families: &[Family], recipe: &Recipe) -> f64 {
    let mut loss = 0.0;
    for chunk in families.chunks(CHUNK) {
        let gathered = gathered(model, chunk, recipe);
        loss += gathered.iter().map(|(loss, _)| loss).sum::<f64>();
        share_out(recipe.threads, model.parts.iter_mut().enumerate().collect(), |(number, part)| {
            for (_, pulls) in &gathered {
                for pull in &pulls[number] {
                    part.add_active(pull.row, &pull.change);
                    part.seen[pull.row as usize] = part.seen[pull.row as usize].saturating_add(1);
                }
            }
        });
    }
    share_out(recipe.threads, model.parts.iter_mut().collect(), |part| {
        part.step_active(|weights, gradient, activity| {
            for ((weight, gradient), activity) in weights.iter_mut().zip(gradient).zip(activity) {
                let slope = gradient + 2.0 * recipe.penalty * activity * *weight;
                if slope != 0.0 {
                    *weight -= recipe.step * slope.signum();
                }
            }
        });
    });
    loss
}

/// What some positions pull at, by part, with their parts of J.
fn gathered(model: &Model, families: &[Family], recipe: &Recipe) -> Vec<(f64, Vec<Vec<Pull>>)> {
    share_out(recipe.threads, families.chunks(PIECE).collect(), |families| {
        let mut pulls: Vec<Vec<Pull>> = model.parts.iter().map(|_| Vec::new()).collect();
        let mut comparison = Comparison::default();
        let losses = families.iter().map(|family| comparison.family(model, family, recipe, &mut pulls));
        (losses.sum::<f64>(), pulls)
    })
}

/// Features of a position: rows with their counts for the side to move at the root, and the shares of the stages.
#[derive(Default)]
struct Leaf {
    features: Vec<(u32, f32)>,
    shares: Stages,
    value: f32,
}

impl Leaf {
    /// The features of a position as a side sees them.
    fn take(&mut self, model: &Model, position: &Position, side: Color) {
        self.features.clear();
        self.shares = Progress::of(position).shares();
        let mut sums = [0.0; STAGES];
        each_feature(position, |color, row, count| {
            let count = if color == side { count as f32 } else { -count as f32 };
            sums.iter_mut().zip(model.weight(row)).for_each(|(sum, weight)| *sum += count * weight);
            self.features.push((row as u32, count));
        });
        self.value = sums.iter().zip(self.shares).map(|(sum, share)| sum * share).sum();
    }
}

/// Compares siblings with the move played. Keeps its room from one position to the next.
#[derive(Default)]
struct Comparison {
    played: Leaf,
    sibling: Leaf,
    /// The rows of the position of the move played, each once, with its count there and in that of the sibling.
    rows: Vec<(u32, f32, f32)>,
    /// Where each row is in that list.
    places: HashMap<u32, usize, BuildHasherDefault<RowHasher>>,
}

/// Rows are spread well enough by a multiplication.
#[derive(Default)]
struct RowHasher(u64);

impl Hasher for RowHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.write_u32(byte.into()));
    }

    fn write_u32(&mut self, row: u32) {
        self.0 = (self.0 ^ u64::from(row)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Comparison {
    /// Enters what the comparisons of a position pull at; its part of J.
    fn family(&mut self, model: &Model, family: &Family, recipe: &Recipe, pulls: &mut [Vec<Pull>]) -> f64 {
        let mut position = family.position.clone();
        let root = position.side();
        fill(&mut self.played, model, &mut position, root, &family.played);
        self.places.clear();
        self.rows.clear();
        for &(row, count) in &self.played.features {
            let place = *self.places.entry(row).or_insert_with(|| {
                self.rows.push((row, 0.0, 0.0));
                self.rows.len() - 1
            });
            self.rows[place].1 += count;
        }
        let mut loss = 0.0;
        for sibling in &family.siblings {
            fill(&mut self.sibling, model, &mut position, root, sibling);
            let share = logistic(f64::from(self.sibling.value - self.played.value) / recipe.width);
            loss += share;
            self.compare((share * (1.0 - share)) as f32, pulls);
        }
        loss
    }

    /// Enters the difference of both positions times a factor.
    fn compare(&mut self, factor: f32, pulls: &mut [Vec<Pull>]) {
        self.rows.iter_mut().for_each(|(_, _, after)| *after = 0.0);
        let mut enter = |row: u32, change: Stages| {
            if change != [0.0; STAGES] {
                let (part, row) = place(row as usize);
                pulls[part].push(Pull { row: row as u32, change: change.map(|change| factor * change) });
            }
        };
        for &(row, count) in &self.sibling.features {
            match self.places.get(&row) {
                Some(&place) => self.rows[place].2 += count,
                None => enter(row, self.sibling.shares.map(|share| count * share)),
            }
        }
        let [old, new] = [self.played.shares, self.sibling.shares];
        for &(row, before, after) in &self.rows {
            enter(row, std::array::from_fn(|stage| after * new[stage] - before * old[stage]));
        }
    }
}

/// The features at the end of a line.
fn fill(leaf: &mut Leaf, model: &Model, position: &mut Position, root: Color, searched: &Searched) {
    let moves = || std::iter::once(searched.m).chain(searched.line.iter().copied());
    moves().for_each(|m: Move| {
        position.play(m);
    });
    leaf.take(model, position, root);
    moves().for_each(|_| position.undo());
}

/// The worth of all kinds of pieces together, all stages taken together.
fn worth_of_pieces(model: &Model) -> f32 {
    Block::Material.rows().map(|row| model.weight(row).iter().sum::<f32>()).sum()
}

/// Stretches the worth of pieces, on the board and in hand, so that it is in all what it was.
fn keep_worth(model: &mut Model, before: f32) {
    let factor = before / worth_of_pieces(model);
    if factor.is_finite() && factor > 0.0 {
        for row in Block::Material.rows().chain(Block::HandCount.rows()) {
            model.weight_mut(row).iter_mut().for_each(|weight| *weight *= factor);
        }
    }
}

/// The value of a position for a side.
#[cfg(test)]
pub(super) fn value(model: &Model, position: &Position, side: Color) -> f32 {
    let mut leaf = Leaf::default();
    leaf.take(model, position, side);
    leaf.value
}

/// J of some positions.
#[cfg(test)]
pub(super) fn loss(model: &Model, families: &[Family], recipe: &Recipe) -> f64 {
    gathered(model, families, recipe).iter().map(|(loss, _)| loss).sum()
}

/// The gradient of J by row, times the width of the sigmoid.
#[cfg(test)]
pub(super) fn gradient(model: &Model, families: &[Family], recipe: &Recipe) -> HashMap<usize, Stages> {
    let rows: HashMap<(usize, usize), usize> = (0..eval::linear::ROWS).map(|row| (place(row), row)).collect();
    let mut gradient = HashMap::new();
    for (_, pulls) in gathered(model, families, recipe) {
        for (part, pulls) in pulls.iter().enumerate() {
            for pull in pulls {
                let sums: &mut Stages = gradient.entry(rows[&(part, pull.row as usize)]).or_default();
                sums.iter_mut().zip(pull.change).for_each(|(sum, change)| *sum += change);
            }
        }
    }
    gradient
}
