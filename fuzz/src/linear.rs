//! Weights of linear evaluation in files.

use eval::linear::{LinearWeights, ROWS, STAGES};

/// Bytes are refused, or are weights that are written and read again as they were.
pub fn is_read_back_or_refused(bytes: &[u8]) {
    if let Ok(weights) = LinearWeights::from_bytes(bytes) {
        assert_eq!(weights.rows().len(), ROWS);
        let again = LinearWeights::from_bytes(&weights.to_bytes());
        assert_eq!(again.expect("our own file is one of weights"), weights);
    }
}

/// Bytes with the checksum that belongs to them: damage that only the rest of the reader can find.
pub fn with_checksum(bytes: &[u8]) -> Vec<u8> {
    let body = &bytes[..bytes.len().saturating_sub(4)];
    [body, &crc32fast::hash(body).to_le_bytes()].concat()
}

/// Weights by these bytes, four rows apart.
pub fn weights_of(bytes: &[u8]) -> LinearWeights {
    let mut rows = vec![[0; STAGES]; ROWS];
    for (place, &byte) in bytes.iter().enumerate() {
        let row = &mut rows[place * 997 % ROWS];
        row[usize::from(byte) % STAGES] = i16::from(byte) * 128 - 16_000;
    }
    LinearWeights::new(rows, 1 + bytes.len() as u32 % 64, "by bytes")
}
