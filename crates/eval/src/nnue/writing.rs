//! Net files written in the layout that every engine of the community reads.

use std::path::Path;

use super::architecture::{Architecture, FeatureSet, VERSION};
use super::file::{self, NetError};

/// All parameters of a net as the file holds them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetParameters {
    /// The shape.
    pub architecture: Architecture,
    /// What an accumulator holds before any row is added.
    pub accumulator_bias: Vec<i16>,
    /// `[feature][accumulator]`
    pub rows: Vec<i16>,
    /// The layers behind the accumulators.
    pub layers: [LayerParameters; 3],
}

/// One layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerParameters {
    /// `[output]`
    pub bias: Vec<i32>,
    /// `[output][input]`
    pub weights: Vec<i8>,
}

impl NetParameters {
    /// The parameters of a net's file; `name` stands for it in messages.
    pub fn from_file(bytes: &[u8], name: &Path) -> Result<NetParameters, NetError> {
        let file::Parameters { architecture, transformer, mut network } = file::recognise(name, bytes)?;
        let numbers: Vec<i16> =
            transformer.as_chunks().0.iter().map(|two| i16::from_le_bytes(*two)).collect();
        let (accumulator_bias, rows) = numbers.split_at(architecture.accumulator);
        let layers = architecture.layers().map(|shape| {
            let (own, rest) = network.split_at(shape.bytes());
            network = rest;
            let (bias, weights) = own.split_at(4 * shape.outputs);
            let rows = weights.chunks_exact(shape.row_bytes());
            LayerParameters {
                bias: bias.as_chunks().0.iter().map(|four| i32::from_le_bytes(*four)).collect(),
                weights: rows.flat_map(|row| &row[..shape.inputs]).map(|&weight| weight as i8).collect(),
            }
        });
        Ok(NetParameters {
            architecture,
            accumulator_bias: accumulator_bias.to_vec(),
            rows: rows.to_vec(),
            layers,
        })
    }

    /// The bytes of the file. Vectors that do not fit the shape make a file that no engine loads.
    #[must_use]
    pub fn to_file(&self) -> Vec<u8> {
        let architecture = self.architecture;
        let mut bytes = header(architecture, &description(architecture));
        bytes.extend(self.accumulator_bias.iter().chain(&self.rows).flat_map(|value| value.to_le_bytes()));
        bytes.extend(architecture.network_hash().to_le_bytes());
        for (shape, layer) in architecture.layers().into_iter().zip(&self.layers) {
            bytes.extend(layer.bias.iter().flat_map(|value| value.to_le_bytes()));
            let padding = vec![0; shape.row_bytes() - shape.inputs];
            for row in layer.weights.chunks(shape.inputs) {
                bytes.extend(row.iter().map(|&weight| weight as u8));
                bytes.extend(&padding);
            }
        }
        bytes
    }
}

/// A file up to the first layer's parameters, with room for all the others.
pub(super) fn header(architecture: Architecture, text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(20 + text.len() + architecture.payload_bytes());
    let words = [VERSION, architecture.file_hash(), text.len() as u32];
    bytes.extend(words.into_iter().flat_map(u32::to_le_bytes));
    bytes.extend(text.as_bytes());
    bytes.extend(architecture.transformer_hash().to_le_bytes());
    bytes
}

/// The text in the header, as other programs write it.
fn description(architecture: Architecture) -> String {
    let Architecture { features, accumulator, hidden1, hidden2 } = architecture;
    let (name, rows, inputs) = (
        match features {
            FeatureSet::KP => "K+P",
            FeatureSet::ZoneKP => "ZoneKP(Friend)",
            FeatureSet::HalfKP => "HalfKP(Friend)",
        },
        features.rows(),
        2 * accumulator,
    );
    format!(
        "Features={name}[{rows}->{accumulator}x2],Network=AffineTransform[1<-{hidden2}](ClippedReLU[{hidden2}]\
         (AffineTransform[{hidden2}<-{hidden1}](ClippedReLU[{hidden1}]\
         (AffineTransform[{hidden1}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))"
    )
}

#[cfg(test)]
mod tests {
    use shogi::Position;

    use super::*;
    use crate::nnue::{Net, NetOptions};

    #[test]
    fn the_text_is_that_of_published_nets() {
        assert_eq!(
            description(Architecture::HALF_KP_256),
            "Features=HalfKP(Friend)[125388->256x2],Network=AffineTransform[1<-32](ClippedReLU[32](AffineTransform\
             [32<-32](ClippedReLU[32](AffineTransform[32<-512](InputSlice[512(0:512)])))))"
        );
        assert_eq!(description(Architecture::HALF_KP_256).len(), 178);
        assert_eq!(description(Architecture::KP_256).len(), 165);
    }

    #[test]
    fn a_written_net_loads_and_computes_what_was_written() {
        let architecture = Architecture::KP_256;
        let layer = |outputs: usize, inputs: usize, weight: i8| LayerParameters {
            bias: vec![64; outputs],
            weights: vec![weight; outputs * inputs],
        };
        let parameters = NetParameters {
            architecture,
            accumulator_bias: vec![-39; 256],
            rows: vec![1; 256 * architecture.features.rows()],
            layers: [layer(32, 512, 1), layer(32, 32, 1), layer(1, 32, 3)],
        };
        let again = NetParameters::from_file(&parameters.to_file(), Path::new("x")).unwrap();
        assert!(again == parameters, "what is written is read again");
        let net = Net::from_bytes(&parameters.to_file(), Path::new("x"), &NetOptions::default()).unwrap();
        // 40 rows of ones less 39 is 1; (512 + 64) >> 6 is 9; (32 * 9 + 64) >> 6 is 5; 32 * 5 * 3 + 64.
        assert_eq!(net.raw_output(&Position::start()), 544);
    }
}
