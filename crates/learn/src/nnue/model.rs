//! The parameters of a net as they are learned, in floating point.
//!
//! Units are those of the quantised net: an activation of 1 is 127 there, a row of 1 as well, a weight of 1 is 64, and
//! an output of 1 is 127 * 64.

use contract::Rng;

use super::arch::Arch;

/// Values of one side's accumulator.
pub(super) const ACCUMULATOR: usize = 256;
/// Inputs of the first small layer: both sides' accumulators.
pub(super) const INPUTS: usize = 2 * ACCUMULATOR;
/// Outputs of both hidden layers.
pub(super) const HIDDEN: usize = 32;
/// Columns of the first layer that belong together.
pub(super) const COLUMNS: usize = 32;
/// Column blocks of the first layer.
pub(super) const COLUMN_BLOCKS: usize = ACCUMULATOR / COLUMNS;

/// The part of a row that belongs to one block.
pub(super) type BlockRow = [f32; COLUMNS];

/// Quantised weights of the small layers are whole numbers up to 127, 64 of which are 1.
pub(super) const WEIGHT_LIMIT: f32 = 127.0 / 64.0;
/// Forty rows of this size still fit into sixteen bits.
pub(super) const ROW_LIMIT: f32 = 6.0;

/// The columns of the first layer that one thread works on: a piece of every row, and behind them one of the bias.
pub(super) type ColumnBlock = Vec<BlockRow>;

/// The small layers, or their gradient.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Dense {
    /// `[input][output]`
    pub(super) weights1: Vec<[f32; HIDDEN]>,
    pub(super) bias1: [f32; HIDDEN],
    /// `[input][output]`
    pub(super) weights2: [[f32; HIDDEN]; HIDDEN],
    pub(super) bias2: [f32; HIDDEN],
    pub(super) weights3: [f32; HIDDEN],
    pub(super) bias3: [f32; 1],
}

impl Dense {
    /// Nothing but zeros.
    pub(super) fn zero() -> Dense {
        Dense {
            weights1: vec![[0.0; HIDDEN]; INPUTS],
            bias1: [0.0; HIDDEN],
            weights2: [[0.0; HIDDEN]; HIDDEN],
            bias2: [0.0; HIDDEN],
            weights3: [0.0; HIDDEN],
            bias3: [0.0],
        }
    }

    /// Each set of parameters, with the limit that quantisation sets it.
    pub(super) fn parts(&self) -> [(&[f32], f32); 6] {
        [
            (self.weights1.as_flattened(), WEIGHT_LIMIT),
            (&self.bias1, f32::INFINITY),
            (self.weights2.as_flattened(), WEIGHT_LIMIT),
            (&self.bias2, f32::INFINITY),
            (&self.weights3, WEIGHT_LIMIT),
            (&self.bias3, f32::INFINITY),
        ]
    }

    /// As [`Dense::parts`], to be changed.
    pub(super) fn parts_mut(&mut self) -> [&mut [f32]; 6] {
        [
            self.weights1.as_flattened_mut(),
            &mut self.bias1,
            self.weights2.as_flattened_mut(),
            &mut self.bias2,
            &mut self.weights3,
            &mut self.bias3,
        ]
    }

    /// Adds another one.
    pub(super) fn add(&mut self, other: &Dense) {
        for (sums, (values, _)) in self.parts_mut().into_iter().zip(other.parts()) {
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }
}

/// A net that learns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Model {
    pub(super) arch: Arch,
    pub(super) blocks: Vec<ColumnBlock>,
    pub(super) dense: Dense,
}

impl Model {
    /// Random parameters of a size that keeps every layer busy. Where rows are shared, only these: what a bucket adds
    /// begins at zero, and stays there for a piece that it never meets.
    pub(super) fn new(arch: Arch, seed: u64) -> Model {
        let mut rng = Rng::new(seed);
        let mut uniform = |size: f32| (rng.unit() as f32 * 2.0 - 1.0) * size;
        let shared = arch.architecture().features.rows()..arch.rows();
        let blocks = (0..COLUMN_BLOCKS)
            .map(|_| {
                let row = |number: usize| -> BlockRow {
                    match number {
                        bias if bias == arch.rows() => [0.5; COLUMNS],
                        row if !shared.is_empty() && !shared.contains(&row) => [0.0; COLUMNS],
                        _ => std::array::from_fn(|_| uniform(0.1)),
                    }
                };
                (0..=arch.rows()).map(row).collect()
            })
            .collect();
        let mut dense = Dense::zero();
        dense.weights1.as_flattened_mut().fill_with(|| uniform((1.0 / INPUTS as f32).sqrt() * 1.7));
        dense.weights2.as_flattened_mut().fill_with(|| uniform((1.0 / HIDDEN as f32).sqrt() * 1.7));
        dense.weights3.fill_with(|| uniform((1.0 / HIDDEN as f32).sqrt() * 1.7));
        dense.bias1 = [0.2; HIDDEN];
        dense.bias2 = [0.2; HIDDEN];
        Model { arch, blocks, dense }
    }
}
