//! Files of random nets, for tests and measurements.

use super::architecture::Architecture;
use super::writing::header;

/// The bytes of a complete file whose weights are random but of a size that keeps every layer busy.
#[must_use]
pub fn random_net_file(architecture: Architecture, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let mut bytes = header(architecture, &format!("random {architecture}"));
    for _ in 0..architecture.accumulator * (1 + architecture.features.rows()) / 4 {
        for byte in random.next().to_le_bytes().as_chunks::<2>().0 {
            bytes.extend((i16::from(byte[0] as i8) / 3).to_le_bytes());
        }
    }
    bytes.extend(architecture.network_hash().to_le_bytes());
    for layer in architecture.layers() {
        for _ in 0..layer.outputs {
            bytes.extend((random.next() as i32 >> 19).to_le_bytes());
        }
        for _ in 0..layer.outputs * layer.row_bytes() / 8 {
            bytes.extend(random.next().to_le_bytes());
        }
    }
    bytes
}

/// SplitMix64: small, fast, and good enough for weights.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}
