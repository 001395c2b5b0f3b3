//! Files of random nets, for tests and measurements.

use super::architecture::{Architecture, VERSION};

/// The bytes of a complete file whose weights are random but of a size that keeps every layer busy.
#[must_use]
pub fn random_net_file(architecture: Architecture, seed: u64) -> Vec<u8> {
    let mut random = Random(seed);
    let text = format!("random {architecture}");
    let mut bytes = Vec::with_capacity(20 + text.len() + architecture.payload_bytes());
    let word = |bytes: &mut Vec<u8>, word: u32| bytes.extend(word.to_le_bytes());
    word(&mut bytes, VERSION);
    word(&mut bytes, architecture.file_hash());
    word(&mut bytes, text.len() as u32);
    bytes.extend(text.as_bytes());
    word(&mut bytes, architecture.transformer_hash());
    for _ in 0..architecture.accumulator * (1 + architecture.features.rows()) / 4 {
        for byte in random.next().to_le_bytes().as_chunks::<2>().0 {
            bytes.extend((i16::from(byte[0] as i8) / 3).to_le_bytes());
        }
    }
    word(&mut bytes, architecture.network_hash());
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
