//! The reference: what every other path must compute to the last bit.

use super::super::layers::{Affine, BLOCK, CEILING, HIDDEN_SHIFT, Layers};
use super::super::lines::{BiasLine, Line};
use super::{quads, row};

pub(super) fn exchange<const IN: usize>(
    rows: &[Line],
    source: &[Line],
    target: &mut [Line],
    added: &[u32],
    removed: &[u32],
) {
    target.copy_from_slice(source);
    accumulate::<IN>(rows, target, added, removed);
}

pub(super) fn accumulate<const IN: usize>(rows: &[Line], sums: &mut [Line], added: &[u32], removed: &[u32]) {
    for &index in added {
        combine(sums, row::<IN>(rows, index), i16::wrapping_add);
    }
    for &index in removed {
        combine(sums, row::<IN>(rows, index), i16::wrapping_sub);
    }
}

#[inline(always)]
fn combine(sums: &mut [Line], row: &[Line], operation: impl Fn(i16, i16) -> i16) {
    for (sum, line) in sums.iter_mut().zip(row) {
        for (sum, &value) in sum.0.iter_mut().zip(&line.0) {
            *sum = operation(*sum, value);
        }
    }
}

pub(super) fn output<const IN: usize, const H1: usize, const H2: usize>(
    layers: &Layers,
    own: &[Line],
    other: &[Line],
) -> i32 {
    let mut input = [0u8; IN];
    for (chunk, line) in input.as_chunks_mut().0.iter_mut().zip(own.iter().chain(other)) {
        *chunk = line.0.map(|value| value.clamp(0, CEILING as i16) as u8);
    }
    let hidden1: [u8; H1] = affine::<H1>(&layers.hidden1, &input).map(rectified);
    let hidden2: [u8; H2] = affine::<H2>(&layers.hidden2, &hidden1).map(rectified);
    let weights = layers.output.weights().iter().flat_map(|line| &line.0);
    let products = hidden2.iter().zip(weights).map(|(&x, &w)| i32::from(x) * i32::from(w));
    layers.output.bias()[0].0[0].wrapping_add(products.sum())
}

#[inline(always)]
fn rectified(sum: i32) -> u8 {
    (sum >> HIDDEN_SHIFT).clamp(0, CEILING) as u8
}

#[inline(always)]
fn affine<const OUT: usize>(layer: &Affine, input: &[u8]) -> [i32; OUT] {
    let mut sums = std::array::from_fn(|i| layer.bias()[i / BiasLine::LEN].0[i % BiasLine::LEN]);
    let blocks = quads(layer.weights()).as_chunks::<OUT>().0;
    for (values, weights) in input.as_chunks::<BLOCK>().0.iter().zip(blocks) {
        if *values == [0; BLOCK] {
            continue;
        }
        let values = values.map(i32::from);
        for (sum, weights) in sums.iter_mut().zip(weights) {
            let [a, b, c, d] = weights.map(i32::from);
            *sum += a * values[0] + b * values[1] + c * values[2] + d * values[3];
        }
    }
    sums
}
