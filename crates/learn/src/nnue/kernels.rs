//! The inner loops, written once; [`simd`](super::simd) compiles them for each kind of CPU.

use super::adam::Step;
use super::model::{ACCUMULATOR, BlockRow, COLUMN_BLOCKS, COLUMNS, Dense, HIDDEN, INPUTS};

/// Positions that go through the small layers together.
pub(super) const CHUNK: usize = 64;
/// What one chunk's accumulators take: `[block][position][side][column]`.
pub(super) const CHUNK_FLOATS: usize = CHUNK * INPUTS;

/// A little more than a row of inputs, so that rows do not fall on the same lines of the cache.
const INPUT_ROOM: usize = INPUTS + 16;

/// `a * b + c`, in one instruction where the CPU has it.
#[inline(always)]
fn fused<const FMA: bool>(a: f32, b: f32, c: f32) -> f32 {
    if FMA { a.mul_add(b, c) } else { a * b + c }
}

/// Adds a multiple of the row to each of two or four sums. Written out, so that the compiler keeps them in registers.
#[inline(always)]
fn add_multiples<const FMA: bool, const ROWS: usize>(
    sums: &mut [[f32; HIDDEN]; ROWS],
    factor: impl Fn(usize) -> f32,
    row: &[f32; HIDDEN],
) {
    add_multiple::<FMA>(&mut sums[0], factor(0), row);
    add_multiple::<FMA>(&mut sums[1], factor(1), row);
    if ROWS == 4 {
        add_multiple::<FMA>(&mut sums[2], factor(2), row);
        add_multiple::<FMA>(&mut sums[3], factor(3), row);
    }
}

#[inline(always)]
fn add_multiple<const FMA: bool>(sum: &mut [f32; HIDDEN], factor: f32, row: &[f32; HIDDEN]) {
    for k in 0..HIDDEN {
        sum[k] = fused::<FMA>(factor, row[k], sum[k]);
    }
}

/// Sums the rows of each side of each position; `active` rows a side, the bias behind the last row.
#[inline(always)]
pub(super) fn sum_rows<const FMA: bool>(
    block: &[BlockRow],
    rows: &[u32],
    active: usize,
    sums: &mut [BlockRow],
) {
    let bias = block[block.len() - 1];
    for (sum, rows) in sums.iter_mut().zip(rows.chunks_exact(active)) {
        let mut total = bias;
        for &row in rows {
            let row = &block[row as usize];
            for (total, value) in total.iter_mut().zip(row) {
                *total += value;
            }
        }
        *sum = total;
    }
}

/// Adds each side's gradient to that of all its rows and to that of the bias.
#[inline(always)]
pub(super) fn add_to_rows<const FMA: bool>(
    gradient: &mut [BlockRow],
    rows: &[u32],
    active: usize,
    sums: &[BlockRow],
) {
    let last = gradient.len() - 1;
    let mut bias = [0.0; COLUMNS];
    for (sum, rows) in sums.iter().zip(rows.chunks_exact(active)) {
        let sum = *sum;
        if sum == [0.0; COLUMNS] {
            continue;
        }
        for &row in rows {
            let row = &mut gradient[row as usize];
            for (value, sum) in row.iter_mut().zip(&sum) {
                *value += sum;
            }
        }
        for (value, sum) in bias.iter_mut().zip(&sum) {
            *value += sum;
        }
    }
    for (value, sum) in gradient[last].iter_mut().zip(&bias) {
        *value += sum;
    }
}

/// Room for one chunk on its way through the small layers.
pub(super) struct Room {
    inputs: [[f32; INPUT_ROOM]; CHUNK],
    hidden1: [[f32; HIDDEN]; CHUNK],
    hidden2: [[f32; HIDDEN]; CHUNK],
    slope1: [[f32; HIDDEN]; CHUNK],
}

impl Room {
    /// Empty room.
    pub(super) fn new() -> Box<Room> {
        Box::new(Room {
            inputs: [[0.0; INPUT_ROOM]; CHUNK],
            hidden1: [[0.0; HIDDEN]; CHUNK],
            hidden2: [[0.0; HIDDEN]; CHUNK],
            slope1: [[0.0; HIDDEN]; CHUNK],
        })
    }
}

/// What the targets of a batch are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TargetKind {
    /// Chances of winning; the loss is the cross entropy, and the logarithm of the odds is the output times the slope.
    Chances,
    /// Slopes of a loss that was computed elsewhere, by the output times the slope.
    Slopes,
}

/// How an output and its target become a loss, and how much one position counts.
#[derive(Clone, Copy, Debug)]
pub(super) struct Loss {
    pub(super) kind: TargetKind,
    pub(super) slope: f32,
    /// What the loss of one position is multiplied by.
    pub(super) weight: f32,
}

impl Loss {
    /// The loss of one position, not weighed, and its slope by the output.
    #[inline(always)]
    fn at(self, output: f32, target: f32) -> (f64, f32) {
        let scaled = output * self.slope;
        match self.kind {
            TargetKind::Chances => {
                let chance = 1.0 / (1.0 + (-scaled).exp());
                // ln(1 + e^odds) - target * odds, without overflow.
                let loss = f64::from(scaled.max(0.0) + (-scaled.abs()).exp().ln_1p() - target * scaled);
                (loss, (chance - target) * self.slope * self.weight)
            }
            TargetKind::Slopes => (f64::from(target * scaled), target * self.slope * self.weight),
        }
    }
}

/// Forward and back through the small layers for one chunk. `sums` come as accumulators and leave as gradients; the
/// gradient of the layers is added to `gradient`. Returns the loss, summed over the chunk. As many rows of [`HIDDEN`] sums
/// as the registers hold are made at a time; the result is the same for any number.
#[inline(always)]
pub(super) fn dense<const FMA: bool, const ROWS: usize>(
    layers: &Dense,
    transposed1: &[[f32; INPUTS]],
    targets: &[f32],
    loss: Loss,
    sums: &mut [f32],
    gradient: &mut Dense,
    room: &mut Room,
) -> f64 {
    gather_inputs(sums, room);
    forward1::<FMA, ROWS>(layers, room);
    let transposed2 = transposed(&layers.weights2);
    let mut total = 0.0;
    for (position, &target) in targets.iter().enumerate() {
        total += small_layers::<FMA>(layers, &transposed2, position, target, loss, gradient, room);
    }
    weights1_gradient::<FMA, ROWS>(room, gradient);
    inputs_gradient::<FMA, ROWS>(transposed1, room, sums);
    total
}

#[inline(always)]
fn transposed(weights: &[[f32; HIDDEN]; HIDDEN]) -> [[f32; HIDDEN]; HIDDEN] {
    let mut turned = [[0.0; HIDDEN]; HIDDEN];
    for (i, row) in weights.iter().enumerate() {
        for (k, &weight) in row.iter().enumerate() {
            turned[k][i] = weight;
        }
    }
    turned
}

/// Clips the accumulators into rows of inputs.
#[inline(always)]
fn gather_inputs(sums: &[f32], room: &mut Room) {
    for (block, sums) in sums.chunks_exact(CHUNK_FLOATS / COLUMN_BLOCKS).enumerate() {
        for (inputs, sums) in room.inputs.iter_mut().zip(sums.as_chunks::<{ 2 * COLUMNS }>().0) {
            for (side, sums) in sums.as_chunks::<COLUMNS>().0.iter().enumerate() {
                let first = side * ACCUMULATOR + block * COLUMNS;
                for (input, &sum) in inputs[first..first + COLUMNS].iter_mut().zip(sums) {
                    *input = sum.clamp(0.0, 1.0);
                }
            }
        }
    }
}

#[inline(always)]
fn forward1<const FMA: bool, const ROWS: usize>(layers: &Dense, room: &mut Room) {
    let hidden = room.hidden1.as_chunks_mut::<ROWS>().0;
    for (inputs, hidden) in room.inputs.as_chunks::<ROWS>().0.iter().zip(hidden) {
        let mut sums = [layers.bias1; ROWS];
        for (i, weights) in layers.weights1.iter().enumerate() {
            add_multiples::<FMA, ROWS>(&mut sums, |t| inputs[t][i], weights);
        }
        for t in 0..ROWS {
            hidden[t] = sums[t].map(|sum| sum.clamp(0.0, 1.0));
        }
    }
}

/// The second hidden layer and the output of one position, forward and back; the position's loss.
#[inline(always)]
fn small_layers<const FMA: bool>(
    layers: &Dense,
    transposed2: &[[f32; HIDDEN]; HIDDEN],
    position: usize,
    target: f32,
    loss: Loss,
    gradient: &mut Dense,
    room: &mut Room,
) -> f64 {
    let hidden1 = &room.hidden1[position];
    let mut sums = layers.bias2;
    for (input, weights) in hidden1.iter().zip(&layers.weights2) {
        add_multiple::<FMA>(&mut sums, *input, weights);
    }
    let hidden2 = sums.map(|sum| sum.clamp(0.0, 1.0));
    room.hidden2[position] = hidden2;
    let output = hidden2.iter().zip(&layers.weights3).fold(layers.bias3[0], |sum, (x, w)| sum + x * w);
    let (total, slope) = loss.at(output, target);
    gradient.bias3[0] += slope;
    let mut slope2 = [0.0; HIDDEN];
    for k in 0..HIDDEN {
        gradient.weights3[k] += slope * hidden2[k];
        let inside = hidden2[k] > 0.0 && hidden2[k] < 1.0;
        slope2[k] = if inside { slope * layers.weights3[k] } else { 0.0 };
        gradient.bias2[k] += slope2[k];
    }
    let mut slope1 = [0.0; HIDDEN];
    for k in 0..HIDDEN {
        add_multiple::<FMA>(&mut slope1, slope2[k], &transposed2[k]);
        add_multiple::<FMA>(&mut gradient.weights2[k], hidden1[k], &slope2);
    }
    for i in 0..HIDDEN {
        let inside = hidden1[i] > 0.0 && hidden1[i] < 1.0;
        slope1[i] = if inside { slope1[i] } else { 0.0 };
        gradient.bias1[i] += slope1[i];
    }
    room.slope1[position] = slope1;
    total
}

#[inline(always)]
fn weights1_gradient<const FMA: bool, const ROWS: usize>(room: &Room, gradient: &mut Dense) {
    for (group, rows) in gradient.weights1.as_chunks_mut::<ROWS>().0.iter_mut().enumerate() {
        let mut sums = *rows;
        for (inputs, slopes) in room.inputs.iter().zip(&room.slope1) {
            add_multiples::<FMA, ROWS>(&mut sums, |t| inputs[ROWS * group + t], slopes);
        }
        *rows = sums;
    }
}

/// Gradients of the accumulators, in the place of the accumulators.
#[inline(always)]
fn inputs_gradient<const FMA: bool, const ROWS: usize>(
    transposed1: &[[f32; INPUTS]],
    room: &Room,
    sums: &mut [f32],
) {
    for (position, (inputs, slopes)) in room.inputs.iter().zip(&room.slope1).enumerate() {
        for first in (0..INPUTS).step_by(ROWS * HIDDEN) {
            let mut total = [[0.0; HIDDEN]; ROWS];
            for (&slope, weights) in slopes.iter().zip(transposed1) {
                if slope == 0.0 {
                    continue;
                }
                let weights: &[f32] = &weights[first..first + ROWS * HIDDEN];
                for (total, &weight) in total.as_flattened_mut().iter_mut().zip(weights) {
                    *total = fused::<FMA>(slope, weight, *total);
                }
            }
            let total = total.as_flattened_mut();
            for (total, &input) in total.iter_mut().zip(&inputs[first..first + ROWS * HIDDEN]) {
                *total = if input > 0.0 && input < 1.0 { *total } else { 0.0 };
            }
            let side = first / ACCUMULATOR;
            let first_block = first % ACCUMULATOR / COLUMNS;
            for (part, values) in total.as_chunks::<COLUMNS>().0.iter().enumerate() {
                let at = (((first_block + part) * CHUNK + position) * 2 + side) * COLUMNS;
                sums[at..at + COLUMNS].copy_from_slice(values);
            }
        }
    }
}

/// One step of Adam for each of some parameters that belong together; their gradient is used up.
#[inline(always)]
pub(super) fn adam<const FMA: bool>(
    step: Step,
    limit: f32,
    values: &mut [f32],
    gradient: &mut [f32],
    mean: &mut [f32],
    square: &mut [f32],
) {
    let Step { rate, mean_share, square_share, floor, keep } = step;
    let moments = mean.iter_mut().zip(square.iter_mut());
    for ((value, slope), (mean, square)) in values.iter_mut().zip(gradient.iter_mut()).zip(moments) {
        *mean = fused::<FMA>(mean_share, *slope - *mean, *mean);
        *square = fused::<FMA>(square_share, *slope * *slope - *square, *square);
        *value = fused::<FMA>(*value, keep, -rate * *mean / (square.sqrt() + floor)).clamp(-limit, limit);
        *slope = 0.0;
    }
}
