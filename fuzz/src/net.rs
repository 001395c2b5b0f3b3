//! Nets in files.

use std::path::Path;

use eval::nnue::{Architecture, LayerParameters, NetParameters};
use eval::{Net, NetOptions};
use shogi::Position;

/// The smallest net that there is.
pub const SMALL: Architecture = Architecture::KP_256;

/// Bytes are refused or are a net that can be asked.
pub fn evaluates_or_is_refused(bytes: &[u8]) {
    if let Ok(net) = Net::from_bytes(bytes, Path::new("bytes"), &NetOptions::default()) {
        let _ = net.raw_output(&Position::start());
    }
}

/// A net with these weights, repeated as often as it needs, makes a file that is one of its kind.
pub fn is_read_back(weights: &[u8]) {
    let weights = if weights.is_empty() { &[0] } else { weights };
    let mut bytes = weights.iter().copied().cycle();
    let mut next = || bytes.next().map_or(0, |byte| byte as i8);
    let Architecture { accumulator, hidden1, hidden2, .. } = SMALL;
    let shapes = [(2 * accumulator, hidden1), (hidden1, hidden2), (hidden2, 1)];
    let parameters = NetParameters {
        architecture: SMALL,
        accumulator_bias: (0..SMALL.accumulator).map(|_| next().into()).collect(),
        rows: (0..SMALL.accumulator * SMALL.features.rows()).map(|_| next().into()).collect(),
        layers: shapes.map(|(inputs, outputs)| LayerParameters {
            bias: (0..outputs).map(|_| next().into()).collect(),
            weights: (0..outputs * inputs).map(|_| next()).collect(),
        }),
    };
    let net = Net::from_bytes(&parameters.to_file(), Path::new("bytes"), &NetOptions::default());
    assert_eq!(net.expect("our own file is a net").architecture(), SMALL);
}
