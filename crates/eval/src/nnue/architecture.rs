//! The shapes of net that can be loaded, and what their files must weigh.

use std::fmt;

/// How a position is turned into rows of the first layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum FeatureSet {
    /// Pieces and both kings, each by itself.
    KP,
    /// Every piece together with the zone of the own king, left and right exchanged when that king is on the left.
    ZoneKP,
    /// Every piece together with the own king's square.
    HalfKP,
}

/// Rows for pieces and hands, without kings: one bucket of HalfKP.
pub const PIECE_ROWS: usize = 1548;
/// Rows for pieces, hands and the two kings.
pub const PIECE_AND_KING_ROWS: usize = PIECE_ROWS + 2 * 81;
/// Zones of the own king in ZoneKP.
pub(crate) const ZONES: usize = 12;

impl FeatureSet {
    /// How many rows the first layer has.
    #[must_use]
    pub const fn rows(self) -> usize {
        match self {
            FeatureSet::KP => PIECE_AND_KING_ROWS,
            FeatureSet::ZoneKP => ZONES * PIECE_AND_KING_ROWS,
            FeatureSet::HalfKP => 81 * PIECE_ROWS,
        }
    }

    /// How many views of the board there are, by the own king's square.
    pub(crate) const fn views(self) -> usize {
        match self {
            FeatureSet::KP => 1,
            FeatureSet::ZoneKP => 2 * ZONES,
            FeatureSet::HalfKP => 81,
        }
    }

    const fn hash(self) -> u32 {
        match self {
            FeatureSet::KP => 0x3F57_17FF,
            FeatureSet::ZoneKP => 0x596F_6D69,
            FeatureSet::HalfKP => 0x5D69_D5B8,
        }
    }
}

impl fmt::Display for FeatureSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FeatureSet::KP => "K-P",
            FeatureSet::ZoneKP => "ZoneKP",
            FeatureSet::HalfKP => "HalfKP",
        })
    }
}

/// The shape of a net: features, accumulator, two hidden layers, one output.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Architecture {
    /// What the rows of the first layer mean.
    pub features: FeatureSet,
    /// Values of one perspective's accumulator.
    pub accumulator: usize,
    /// Outputs of the first hidden layer.
    pub hidden1: usize,
    /// Outputs of the second hidden layer.
    pub hidden2: usize,
}

/// The word that every file begins with.
pub const VERSION: u32 = 0x7AF3_2F16;

/// Inputs of a layer are stored in rows padded to this many bytes.
const ROW_PADDING: usize = 32;

impl Architecture {
    /// Every shape that can be loaded, smallest file first.
    pub const ALL: [Architecture; 6] = [
        Architecture::KP_256,
        Architecture::ZONE_KP_256,
        Architecture::HALF_KP_256,
        Architecture::new(FeatureSet::HalfKP, 512, 16, 32),
        Architecture::new(FeatureSet::HalfKP, 1024, 8, 32),
        Architecture::new(FeatureSet::HalfKP, 1024, 8, 64),
    ];

    /// K-P 256x2-32-32, the smallest that engines share.
    pub const KP_256: Architecture = Architecture::new(FeatureSet::KP, 256, 32, 32);
    /// ZoneKP 256x2-32-32, a shape of our own that learns much from few games.
    pub const ZONE_KP_256: Architecture = Architecture::new(FeatureSet::ZoneKP, 256, 32, 32);
    /// HalfKP 256x2-32-32, the one that nearly every engine loads.
    pub const HALF_KP_256: Architecture = Architecture::new(FeatureSet::HalfKP, 256, 32, 32);

    const fn new(features: FeatureSet, accumulator: usize, hidden1: usize, hidden2: usize) -> Self {
        Architecture { features, accumulator, hidden1, hidden2 }
    }

    /// The bytes of all parameters, without header and section hashes.
    #[must_use]
    pub const fn payload_bytes(self) -> usize {
        let transformer = 2 * self.accumulator * (1 + self.features.rows());
        let [first, second, output] = self.layers();
        transformer + first.bytes() + second.bytes() + output.bytes()
    }

    /// The three layers behind the accumulators, in the order of the file.
    pub(crate) const fn layers(self) -> [LayerShape; 3] {
        [
            LayerShape { inputs: 2 * self.accumulator, outputs: self.hidden1 },
            LayerShape { inputs: self.hidden1, outputs: self.hidden2 },
            LayerShape { inputs: self.hidden2, outputs: 1 },
        ]
    }

    /// The hash in front of the first layer's parameters.
    #[must_use]
    pub const fn transformer_hash(self) -> u32 {
        self.features.hash() ^ (2 * self.accumulator) as u32
    }

    /// The hash in front of the other layers' parameters.
    #[must_use]
    pub const fn network_hash(self) -> u32 {
        let [first, second, output] = self.layers();
        let mut hash = 0xEC42_E90D ^ first.inputs as u32;
        hash = rectified(affine(hash, first.outputs));
        hash = rectified(affine(hash, second.outputs));
        affine(hash, output.outputs)
    }

    /// The hash in the header.
    #[must_use]
    pub const fn file_hash(self) -> u32 {
        self.transformer_hash() ^ self.network_hash()
    }
}

const fn affine(before: u32, outputs: usize) -> u32 {
    0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ before.rotate_right(1)
}

const fn rectified(before: u32) -> u32 {
    0x538D_24C7_u32.wrapping_add(before)
}

/// Such as `HalfKP 512x2-16-32`.
impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x2-{}-{}", self.features, self.accumulator, self.hidden1, self.hidden2)
    }
}

/// The size of one layer of weights and biases.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct LayerShape {
    pub(crate) inputs: usize,
    pub(crate) outputs: usize,
}

impl LayerShape {
    /// How many weights of the file belong to one output.
    pub(crate) const fn row_bytes(self) -> usize {
        self.inputs.next_multiple_of(ROW_PADDING)
    }

    /// Biases of four bytes, then one row of weights for each output.
    pub(crate) const fn bytes(self) -> usize {
        self.outputs * (4 + self.row_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_hashes_are_those_of_the_published_nets() {
        let published = Architecture::ALL.into_iter().filter(|&a| a != Architecture::ZONE_KP_256);
        let facts: Vec<_> = published
            .map(|a| (a.payload_bytes(), a.transformer_hash(), a.network_hash(), a.file_hash()))
            .collect();
        assert_eq!(
            facts,
            [
                (893_917 - 12 - 165 - 8, 0x3F57_15FF, 0x6333_7156, 0x5C64_64A9),
                (64_216_868, 0x5D69_D7B8, 0x6333_7156, 0x3E5A_A6EE),
                (128_415_972, 0x5D69_D1B8, 0x6333_76CA, 0x3E5A_A772),
                (256_814_276, 0x5D69_DDB8, 0x6333_6A54, 0x3E5A_B7EC),
                (256_815_460, 0x5D69_DDB8, 0x6333_6A24, 0x3E5A_B79C),
            ]
        );
    }

    #[test]
    fn no_two_shapes_fit_the_same_payload_even_without_section_hashes() {
        for (i, a) in Architecture::ALL.iter().enumerate() {
            for b in &Architecture::ALL[..i] {
                assert!(a.payload_bytes().abs_diff(b.payload_bytes()) > 8, "{a} and {b}");
            }
        }
    }
}
