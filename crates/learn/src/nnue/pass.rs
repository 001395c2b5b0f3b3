//! One step of training: a batch through the net and back.

use std::sync::{Mutex, PoisonError};

use super::adam::{Moments, Step, step_block, step_dense};
use super::batch::Batch;
use super::kernels::{CHUNK, CHUNK_FLOATS, Loss, Room, TargetKind};
use super::model::{COLUMN_BLOCKS, COLUMNS, ColumnBlock, Dense, HIDDEN, INPUTS, Model};
use super::simd::Level;

/// The small layers' gradients are summed in so many groups, whatever the number of threads.
const GROUPS: usize = 8;

/// Positions in a batch come in multiples of this.
pub(super) const GRAIN: usize = CHUNK;

/// Does every piece of work on some threads; the results are in the order of the pieces.
pub(crate) fn share_out<W: Send, R: Send>(
    threads: usize,
    work: Vec<W>,
    each: impl Fn(W) -> R + Sync,
) -> Vec<R> {
    let count = work.len();
    if threads <= 1 || count <= 1 {
        return work.into_iter().map(each).collect();
    }
    let queue = Mutex::new(work.into_iter().enumerate());
    let done = Mutex::new(Vec::with_capacity(count));
    std::thread::scope(|scope| {
        for _ in 0..threads.min(count) {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let Some((number, work)) = next else { return };
                    let result = each(work);
                    done.lock().unwrap_or_else(PoisonError::into_inner).push((number, result));
                }
            });
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_by_key(|(number, _)| *number);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A model with all that a step needs besides.
pub(super) struct Trainer {
    pub(super) model: Model,
    pub(super) moments: Moments,
    level: Level,
    threads: usize,
    /// The gradient of each block; zero between steps.
    gradients: Vec<ColumnBlock>,
    groups: Vec<(Dense, Box<Room>)>,
    /// `[chunk][block][position][side][column]`
    sums: Vec<f32>,
    /// `[output][input]` of the first small layer.
    transposed1: Vec<[f32; INPUTS]>,
    /// The rows of the batch, each once.
    touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl Trainer {
    pub(super) fn new(model: Model, moments: Moments, level: Level, threads: usize) -> Trainer {
        let gradients = model.blocks.iter().map(|block| vec![[0.0; COLUMNS]; block.len()]).collect();
        let is_touched = vec![false; model.arch.rows()];
        Trainer {
            model,
            moments,
            level,
            threads,
            gradients,
            groups: (0..GROUPS).map(|_| (Dense::zero(), Room::new())).collect(),
            sums: Vec::new(),
            transposed1: vec![[0.0; INPUTS]; HIDDEN],
            touched: Vec::new(),
            is_touched,
        }
    }

    /// One step; returns the batch's cross entropy per position before it.
    pub(super) fn step(&mut self, batch: &Batch, step: Step, slope: f32) -> f64 {
        let weight = 1.0 / whole(batch) as f32;
        let total = self.gradient(batch, Loss { kind: TargetKind::Chances, slope, weight });
        self.descend(batch, step);
        total / whole(batch) as f64
    }

    /// One step down the slopes that a batch has for targets, which are by the output times `unit`.
    pub(super) fn step_by_slopes(&mut self, batch: &Batch, step: Step, unit: f32) {
        self.gradient(batch, Loss { kind: TargetKind::Slopes, slope: unit, weight: 1.0 });
        self.descend(batch, step);
    }

    /// Makes a step by the gradient of a batch.
    fn descend(&mut self, batch: &Batch, step: Step) {
        self.find_touched(batch);
        let (level, touched) = (self.level, &self.touched);
        let blocks = self.model.blocks.iter_mut().zip(&mut self.gradients).zip(&mut self.moments.blocks);
        share_out(self.threads, blocks.collect(), |((block, gradient), moments)| {
            step_block(level, step, touched, block, gradient, moments);
        });
        let gradient = &mut self.groups[0].0;
        step_dense(level, step, &mut self.model.dense, gradient, &mut self.moments.dense);
    }

    /// Computes the gradient of a batch: that of the first layer in `gradients`, that of the small ones in the first
    /// group. Returns the sum of the positions' losses.
    fn gradient(&mut self, batch: &Batch, loss: Loss) -> f64 {
        let chunks = whole(batch) / CHUNK;
        self.sums.resize(chunks * CHUNK_FLOATS, 0.0);
        self.sum_rows(batch);
        for (output, row) in self.transposed1.iter_mut().enumerate() {
            for (value, weights) in row.iter_mut().zip(&self.model.dense.weights1) {
                *value = weights[output];
            }
        }
        let total = self.small_layers(batch, loss);
        let (first, others) = self.groups.split_at_mut(1);
        for (gradient, _) in others {
            first[0].0.add(gradient);
            gradient.parts_mut().into_iter().for_each(|part| part.fill(0.0));
        }
        self.add_to_rows(batch);
        total
    }

    /// The accumulators of all positions, a block per thread.
    fn sum_rows(&mut self, batch: &Batch) {
        let (level, active) = (self.level, self.model.arch.active_rows());
        let parts = by_block(&mut self.sums);
        let work: Vec<_> = self.model.blocks.iter().zip(parts).collect();
        share_out(self.threads, work, |(block, parts)| {
            for (rows, sums) in batch.rows.chunks(CHUNK * 2 * active).zip(parts) {
                level.sum_rows(block, rows, active, sums.as_chunks_mut().0);
            }
        });
    }

    /// From accumulators to their gradients, a group of chunks per thread.
    fn small_layers(&mut self, batch: &Batch, loss: Loss) -> f64 {
        let (level, layers, transposed1) = (self.level, &self.model.dense, &self.transposed1);
        let mut work: Vec<_> = self.groups.iter_mut().map(|group| (group, Vec::new())).collect();
        for (number, chunk) in self.sums.chunks_mut(CHUNK_FLOATS).zip(batch.targets.chunks(CHUNK)).enumerate()
        {
            work[number % GROUPS].1.push(chunk);
        }
        let losses = share_out(self.threads, work, |((gradient, room), chunks)| {
            let pass =
                |(sums, targets)| level.dense(layers, transposed1, targets, loss, sums, gradient, room);
            chunks.into_iter().map(pass).sum::<f64>()
        });
        losses.into_iter().sum()
    }

    /// The gradients of the rows, a block per thread.
    fn add_to_rows(&mut self, batch: &Batch) {
        let (level, active) = (self.level, self.model.arch.active_rows());
        let parts = by_block(&mut self.sums);
        let work: Vec<_> = self.gradients.iter_mut().zip(parts).collect();
        share_out(self.threads, work, |(gradient, parts)| {
            for (rows, sums) in batch.rows.chunks(CHUNK * 2 * active).zip(parts) {
                level.add_to_rows(gradient, rows, active, sums.as_chunks().0);
            }
        });
    }

    fn find_touched(&mut self, batch: &Batch) {
        self.touched.drain(..).for_each(|row| self.is_touched[row as usize] = false);
        for &row in &batch.rows {
            if !std::mem::replace(&mut self.is_touched[row as usize], true) {
                self.touched.push(row);
            }
        }
    }
}

/// The positions of a batch that fill whole grains: only these are learned from.
fn whole(batch: &Batch) -> usize {
    batch.targets.len() / GRAIN * GRAIN
}

/// The accumulators of all chunks, gathered by block: `[block][chunk]`.
fn by_block(sums: &mut [f32]) -> Vec<Vec<&mut [f32]>> {
    let mut parts: Vec<Vec<&mut [f32]>> = (0..COLUMN_BLOCKS).map(|_| Vec::new()).collect();
    for chunk in sums.chunks_mut(CHUNK_FLOATS) {
        for (part, block) in parts.iter_mut().zip(chunk.chunks_mut(CHUNK_FLOATS / COLUMN_BLOCKS)) {
            part.push(block);
        }
    }
    parts
}

#[cfg(test)]
impl Trainer {
    /// The gradient as it stands after [`Trainer::loss_and_gradient`]: a block's, and the small layers'.
    pub(super) fn gradients(&self) -> (&[ColumnBlock], &Dense) {
        (&self.gradients, &self.groups[0].0)
    }

    /// The loss of a batch; leaves its gradient to be looked at.
    pub(super) fn loss_and_gradient(&mut self, batch: &Batch, slope: f32) -> f64 {
        self.gradients.iter_mut().for_each(|block| block.fill([0.0; COLUMNS]));
        self.groups[0].0 = Dense::zero();
        let weight = 1.0 / whole(batch) as f32;
        self.gradient(batch, Loss { kind: TargetKind::Chances, slope, weight }) / whole(batch) as f64
    }

    /// The sum of targets times outputs times `unit`; leaves its gradient to be looked at.
    pub(super) fn sum_and_gradient(&mut self, batch: &Batch, unit: f32) -> f64 {
        self.gradients.iter_mut().for_each(|block| block.fill([0.0; COLUMNS]));
        self.groups[0].0 = Dense::zero();
        self.gradient(batch, Loss { kind: TargetKind::Slopes, slope: unit, weight: 1.0 })
    }
}
