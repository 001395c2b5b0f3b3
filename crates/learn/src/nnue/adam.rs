//! Lazy Adam: a row that did not occur in a batch is left alone, with its moments.

use super::model::{ColumnBlock, Dense, Model, ROW_LIMIT};
use super::simd::Level;

const MEAN_DECAY: f64 = 0.9;
const SQUARE_DECAY: f64 = 0.999;
const FLOOR: f64 = 1e-8;

/// The numbers of one step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Step {
    /// How far to go, the correction of young moments included.
    pub(super) rate: f32,
    /// How much of the new gradient goes into the mean.
    pub(super) mean_share: f32,
    /// How much of its square goes into the mean square.
    pub(super) square_share: f32,
    pub(super) floor: f32,
    /// What is left of a weight that the gradient does not speak for.
    pub(super) keep: f32,
}

impl Step {
    /// The step of a number (from 1) at a rate of learning, where weights decay at so many times that rate.
    pub(super) fn new(number: u64, rate: f64, decay: f64) -> Step {
        let age = number.min(1 << 20) as i32;
        let correction = (1.0 - SQUARE_DECAY.powi(age)).sqrt() / (1.0 - MEAN_DECAY.powi(age));
        Step {
            rate: (rate * correction) as f32,
            mean_share: (1.0 - MEAN_DECAY) as f32,
            square_share: (1.0 - SQUARE_DECAY) as f32,
            floor: FLOOR as f32,
            keep: (1.0 - rate * decay).max(0.0) as f32,
        }
    }
}

/// The moments of a model's gradients.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Moments {
    /// Mean and mean square of each block.
    pub(super) blocks: Vec<[ColumnBlock; 2]>,
    /// Mean and mean square of the small layers.
    pub(super) dense: [Dense; 2],
}

impl Moments {
    /// Moments before the first step.
    pub(super) fn new(model: &Model) -> Moments {
        let zero = |block: &ColumnBlock| vec![[0.0; _]; block.len()];
        let blocks = model.blocks.iter().map(|block| [zero(block), zero(block)]).collect();
        Moments { blocks, dense: [Dense::zero(), Dense::zero()] }
    }
}

/// Makes a step with the rows of a block that occurred, and its bias.
pub(super) fn step_block(
    level: Level,
    step: Step,
    touched: &[u32],
    block: &mut ColumnBlock,
    gradient: &mut ColumnBlock,
    [mean, square]: &mut [ColumnBlock; 2],
) {
    let bias = block.len() - 1;
    for row in touched.iter().map(|&row| row as usize).chain([bias]) {
        level.adam(step, ROW_LIMIT, &mut block[row], &mut gradient[row], &mut mean[row], &mut square[row]);
    }
}

/// Makes a step with the small layers.
pub(super) fn step_dense(
    level: Level,
    step: Step,
    dense: &mut Dense,
    gradient: &mut Dense,
    [mean, square]: &mut [Dense; 2],
) {
    let limits = dense.parts().map(|(_, limit)| limit);
    let values = dense.parts_mut().into_iter().zip(gradient.parts_mut());
    let moments = mean.parts_mut().into_iter().zip(square.parts_mut());
    for (((values, gradient), (mean, square)), limit) in values.zip(moments).zip(limits) {
        level.adam(step, limit, values, gradient, mean, square);
    }
}
