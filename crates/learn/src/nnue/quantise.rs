//! From floating point to the whole numbers of a net file, and what that net says.

use contract::Rng;
use eval::nnue::{LayerParameters, NetParameters};

use super::arch::Arch;
use super::model::{ACCUMULATOR, COLUMNS, HIDDEN, INPUTS, Model};

/// An activation of 1, and a row of 1.
const ONE: f32 = 127.0;
/// A weight of 1 in the small layers.
const WEIGHT_ONE: f32 = 64.0;
const HIDDEN_SHIFT: i32 = 6;

/// A net of whole numbers, as engines compute it.
pub(super) struct Quantised {
    parameters: NetParameters,
}

impl Quantised {
    /// Rounds a model; what rows share with others is added to each of them.
    pub(super) fn of(model: &Model) -> Quantised {
        let rows = model.arch.rows();
        let real = model.arch.architecture().features.rows();
        let at = |row: usize, column: usize| model.blocks[column / COLUMNS][row][column % COLUMNS];
        let short = |value: f32| (value * ONE).round().clamp(i16::MIN.into(), i16::MAX.into()) as i16;
        let folded = |row: usize, column: usize| {
            at(row, column) + model.arch.factor_of(row).map_or(0.0, |factor| at(factor, column))
        };
        let accumulator_bias = (0..ACCUMULATOR).map(|column| short(at(rows, column))).collect();
        let rows = (0..real).flat_map(|row| (0..ACCUMULATOR).map(move |column| (row, column)));
        let rows = rows.map(|(row, column)| short(folded(row, column))).collect();
        let dense = &model.dense;
        let layers = [
            layer(&dense.bias1, |input| &dense.weights1[input], INPUTS),
            layer(&dense.bias2, |input| &dense.weights2[input], HIDDEN),
            LayerParameters {
                bias: vec![(dense.bias3[0] * ONE * WEIGHT_ONE).round() as i32],
                weights: dense.weights3.iter().map(|&weight| byte(weight)).collect(),
            },
        ];
        let architecture = model.arch.architecture();
        Quantised { parameters: NetParameters { architecture, accumulator_bias, rows, layers } }
    }

    /// The bytes of the file.
    pub(super) fn to_file(&self) -> Vec<u8> {
        self.parameters.to_file()
    }

    /// The output before it is divided, for the rows of the side to move and of the other side. Rows that only learning
    /// knows are passed over.
    pub(super) fn output(&self, own: &[u32], other: &[u32]) -> i32 {
        let [first, second, output] = &self.parameters.layers;
        let mut inputs = [0; INPUTS];
        for (inputs, rows) in inputs.chunks_exact_mut(ACCUMULATOR).zip([own, other]) {
            inputs.copy_from_slice(&self.accumulate(rows).map(|sum| sum.clamp(0, ONE as i16)));
        }
        let hidden1: [i16; HIDDEN] = hidden(first, &inputs);
        let hidden2: [i16; HIDDEN] = hidden(second, &hidden1);
        output.bias[0] + dot(&hidden2, &output.weights)
    }

    fn accumulate(&self, rows: &[u32]) -> [i16; ACCUMULATOR] {
        let mut sums: [i16; ACCUMULATOR] =
            std::array::from_fn(|column| self.parameters.accumulator_bias[column]);
        for &row in rows {
            let first = row as usize * ACCUMULATOR;
            let Some(row) = self.parameters.rows.get(first..first + ACCUMULATOR) else { continue };
            for (sum, &value) in sums.iter_mut().zip(row) {
                *sum = sum.wrapping_add(value);
            }
        }
        sums
    }
}

/// How far a parameter is moved by chance before rounding brings it back; half a unit would not.
const SPREAD: f64 = 0.49;

/// A model that rounds to these parameters; none if their shape cannot be trained. Rows that are shared are zero. Each parameter lies anywhere
/// between those that round to others: steps of one size would otherwise bring them all over that edge at the same time.
pub(super) fn model_of(parameters: &NetParameters) -> Option<Model> {
    let arch = Arch::of(parameters.architecture)?;
    let mut model = Model::new(arch, 0);
    let mut rng = Rng::new(0);
    let mut about = |value: f64| (value + SPREAD * (2.0 * rng.unit() - 1.0)) as f32;
    let mut put = |row: usize, values: &[i16]| {
        for (column, &value) in values.iter().enumerate() {
            model.blocks[column / COLUMNS][row][column % COLUMNS] = about(value.into()) / ONE;
        }
    };
    let real = arch.architecture().features.rows();
    parameters.rows.chunks_exact(ACCUMULATOR).enumerate().for_each(|(row, values)| put(row, values));
    put(arch.rows(), &parameters.accumulator_bias);
    for block in &mut model.blocks {
        block[real..arch.rows()].fill([0.0; COLUMNS]);
    }
    let [first, second, output] = &parameters.layers;
    let mut weight = |layer: &LayerParameters, inputs: usize, input: usize| -> [f32; HIDDEN] {
        std::array::from_fn(|k| about(layer.weights[k * inputs + input].into()) / WEIGHT_ONE)
    };
    let bias = |layer: &LayerParameters, k: usize| layer.bias[k] as f32 / (ONE * WEIGHT_ONE);
    let dense = &mut model.dense;
    for (input, weights) in dense.weights1.iter_mut().enumerate() {
        *weights = weight(first, INPUTS, input);
    }
    for (input, weights) in dense.weights2.iter_mut().enumerate() {
        *weights = weight(second, HIDDEN, input);
    }
    dense.weights3 = std::array::from_fn(|input| about(output.weights[input].into()) / WEIGHT_ONE);
    dense.bias1 = std::array::from_fn(|k| bias(first, k));
    dense.bias2 = std::array::from_fn(|k| bias(second, k));
    dense.bias3 = [bias(output, 0)];
    Some(model)
}

fn byte(weight: f32) -> i8 {
    (weight * WEIGHT_ONE).round().clamp(-127.0, 127.0) as i8
}

fn layer<'a>(
    bias: &[f32; HIDDEN],
    weights: impl Fn(usize) -> &'a [f32; HIDDEN],
    inputs: usize,
) -> LayerParameters {
    LayerParameters {
        bias: bias.iter().map(|value| (value * ONE * WEIGHT_ONE).round() as i32).collect(),
        weights: (0..HIDDEN)
            .flat_map(|output| (0..inputs).map(move |input| (output, input)))
            .map(|(output, input)| byte(weights(input)[output]))
            .collect(),
    }
}

fn dot(inputs: &[i16], weights: &[i8]) -> i32 {
    inputs.iter().zip(weights).map(|(&x, &w)| i32::from(x) * i32::from(w)).sum()
}

fn hidden(layer: &LayerParameters, inputs: &[i16]) -> [i16; HIDDEN] {
    std::array::from_fn(|output| {
        let weights = &layer.weights[output * inputs.len()..][..inputs.len()];
        let sum = layer.bias[output] + dot(inputs, weights);
        (sum >> HIDDEN_SHIFT).clamp(0, ONE as i32) as i16
    })
}
