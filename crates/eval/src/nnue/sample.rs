//! Files of random nets, for tests and measurements.

use contract::Rng;

use super::architecture::Architecture;
use super::writing::header;

/// The bytes of a complete file whose weights are random but of a size that keeps every layer busy.
#[must_use]
pub fn random_net_file(architecture: Architecture, seed: u64) -> Vec<u8> {
    let mut rng = Rng::new(seed);
    let mut bytes = header(architecture, &format!("random {architecture}"));
    for _ in 0..architecture.accumulator * (1 + architecture.features.rows()) / 4 {
        for byte in rng.draw().to_le_bytes().as_chunks::<2>().0 {
            bytes.extend((i16::from(byte[0] as i8) / 3).to_le_bytes());
        }
    }
    bytes.extend(architecture.network_hash().to_le_bytes());
    for layer in architecture.layers() {
        for _ in 0..layer.outputs {
            bytes.extend((rng.draw() as i32 >> 19).to_le_bytes());
        }
        for _ in 0..layer.outputs * layer.row_bytes() / 8 {
            bytes.extend(rng.draw().to_le_bytes());
        }
    }
    bytes
}
