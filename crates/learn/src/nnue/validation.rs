//! How good the net is that engines would load: the loss of the quantised net on games it has not learned from.

use super::batch::{Batch, Recipe, RecordBytes};
use super::pass::share_out;
use super::quantise::Quantised;

/// Positions that one thread takes at a time.
const PIECE: usize = 1024;

/// Positions to judge by, prepared once.
pub(super) struct Validation {
    batch: Batch,
    active: usize,
    threads: usize,
}

impl Validation {
    /// Prepares the records; on failure the number of the one that is no position.
    pub(super) fn new(recipe: &Recipe, records: &[RecordBytes]) -> Result<Validation, usize> {
        let mut batch = Batch::default();
        Recipe { mirror: None, ..*recipe }.prepare(records, &mut batch)?;
        Ok(Validation { batch, active: recipe.arch.active_rows(), threads: recipe.threads })
    }

    /// The mean cross entropy; `slope` turns the net's output into the logarithm of odds.
    pub(super) fn loss(&self, net: &Quantised, slope: f64) -> f64 {
        let pieces: Vec<_> =
            self.batch.rows.chunks(PIECE * 2 * self.active).zip(self.batch.targets.chunks(PIECE)).collect();
        let sums = share_out(self.threads, pieces, |(rows, targets)| {
            let loss = |(rows, &target): (&[u32], &f32)| {
                let (own, other) = rows.split_at(self.active);
                let odds = f64::from(net.output(own, other)) * slope;
                odds.max(0.0) + (-odds.abs()).exp().ln_1p() - f64::from(target) * odds
            };
            rows.chunks(2 * self.active).zip(targets).map(loss).sum::<f64>()
        });
        sums.into_iter().sum::<f64>() / self.batch.targets.len().max(1) as f64
    }

    /// What no net could go below: the entropy of the targets themselves.
    pub(super) fn floor(&self) -> f64 {
        let entropy = |&target: &f32| {
            let part = |p: f64| if p > 0.0 { -p * p.ln() } else { 0.0 };
            part(target.into()) + part(1.0 - f64::from(target))
        };
        let sum: f64 = self.batch.targets.iter().map(entropy).sum();
        sum / self.batch.targets.len().max(1) as f64
    }
}
