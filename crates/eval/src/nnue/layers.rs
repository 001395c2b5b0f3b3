//! The layers behind the accumulators, arranged for the way they are computed.
//!
//! Inputs are taken four at a time: a block is four inputs' weights for every output, `[block][output][4]`, so
//! that one register of a block holds the four products that go into each output.

use super::architecture::{Architecture, LayerShape};
use super::lines::{BiasLine, WeightLine};

/// Inputs of one block.
pub(crate) const BLOCK: usize = 4;
/// Hidden sums are divided by 2 to this power.
pub(crate) const HIDDEN_SHIFT: u32 = 6;
/// The largest value between layers.
pub(crate) const CEILING: i32 = 127;

/// One layer: a bias for each output, and a weight for each input and output.
pub(crate) struct Affine {
    bias: Vec<BiasLine>,
    weights: Vec<WeightLine>,
}

impl Affine {
    /// Rearranges a layer of a file: biases, then the rows of each output, padded. `input_at` is the file's
    /// number of the input that comes at a place.
    fn from_bytes(shape: LayerShape, bytes: &[u8], input_at: impl Fn(usize) -> usize) -> Affine {
        let (biases, rows) = bytes.split_at(4 * shape.outputs);
        let mut bias = vec![BiasLine([0; 16]); shape.outputs.div_ceil(BiasLine::LEN)];
        for (value, bytes) in bias.iter_mut().flat_map(|line| &mut line.0).zip(biases.as_chunks().0) {
            *value = i32::from_le_bytes(*bytes);
        }
        // One more block than there are, of zeros: lists of blocks are padded with it to a round length.
        let blocks = shape.inputs.div_ceil(BLOCK) + 1;
        let bytes = blocks * BLOCK * shape.outputs;
        let mut weights = vec![WeightLine([0; 64]); bytes.div_ceil(WeightLine::LEN)];
        for (output, row) in rows.chunks_exact(shape.row_bytes()).enumerate() {
            for place in 0..shape.inputs {
                let index = (place / BLOCK * shape.outputs + output) * BLOCK + place % BLOCK;
                weights[index / WeightLine::LEN].0[index % WeightLine::LEN] = row[input_at(place)] as i8;
            }
        }
        Affine { bias, weights }
    }

    /// The biases, padded to full lines.
    #[inline(always)]
    pub(crate) fn bias(&self) -> &[BiasLine] {
        &self.bias
    }

    /// The weights, `[block][output][4]`, with a block of zeros behind them and padded to full lines.
    #[inline(always)]
    pub(crate) fn weights(&self) -> &[WeightLine] {
        &self.weights
    }
}

/// The layers behind the accumulators.
pub(crate) struct Layers {
    pub(crate) hidden1: Affine,
    pub(crate) hidden2: Affine,
    pub(crate) output: Affine,
}

impl Layers {
    /// Reads the later section of a file, whose length is known to fit; `input_at` is the file's number of the
    /// first layer's input that comes at a place.
    pub(crate) fn from_bytes(
        architecture: Architecture,
        bytes: &[u8],
        input_at: impl Fn(usize) -> usize,
    ) -> Layers {
        let [first, second, output] = architecture.layers();
        let (first_bytes, rest) = bytes.split_at(first.bytes());
        let (second_bytes, output_bytes) = rest.split_at(second.bytes());
        Layers {
            hidden1: Affine::from_bytes(first, first_bytes, input_at),
            hidden2: Affine::from_bytes(second, second_bytes, |input| input),
            output: Affine::from_bytes(output, output_bytes, |input| input),
        }
    }
}
