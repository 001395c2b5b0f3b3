//! A run under way, on disk: everything that the next step depends on.
//!
//! Little endian: a magic word, the length of the state as JSON, the state, then the weights, the squares and the counts of all
//! parts; at the end the CRC-32 of all before.

use std::io::{self, Read, Write};

use eval::LinearWeights;
use eval::linear::STAGES;
use serde::{Deserialize, Serialize};

use super::judge::Judgement;
use super::model::{Model, Part};

const MAGIC: &[u8; 8] = b"YOMILNR1";
const LONGEST_STATE: u64 = 1 << 16;

/// Where a run stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// Steps made.
    pub(super) step: u64,
    /// Steps made in the current epoch.
    pub(super) step_in_epoch: u64,
    /// Epochs completed.
    pub(super) epoch: u64,
    /// The best judgement so far, and its epoch.
    pub(super) best: Option<(Judgement, u64)>,
    /// The loss since the last row of the log: sum and number of steps.
    pub(super) running: (f64, u64),
}

/// Counts what passes through into a checksum.
struct Summed<T> {
    inner: T,
    sum: crc32fast::Hasher,
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.inner.write_all(bytes)?;
        self.sum.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<R: Read> Read for Summed<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let count = self.inner.read(bytes)?;
        self.sum.update(&bytes[..count]);
        Ok(count)
    }
}

/// Writes a checkpoint.
pub(super) fn write(out: impl Write, state: &State, model: &Model) -> io::Result<()> {
    let mut out = Summed { inner: out, sum: crc32fast::Hasher::new() };
    let text = serde_json::to_vec(state)?;
    out.write_all(MAGIC)?;
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(&text)?;
    for Part { weights, squares, seen, .. } in &model.parts {
        for numbers in [weights, squares] {
            let bytes: Vec<u8> =
                numbers.as_flattened().iter().flat_map(|number| number.to_le_bytes()).collect();
            out.write_all(&bytes)?;
        }
        out.write_all(&seen.iter().flat_map(|count| count.to_le_bytes()).collect::<Vec<u8>>())?;
    }
    let sum = out.sum.clone().finalize();
    out.inner.write_all(&sum.to_le_bytes())
}

/// Reads a checkpoint.
pub(super) fn read(source: impl Read) -> io::Result<(State, Model)> {
    let invalid = |words: &str| io::Error::new(io::ErrorKind::InvalidData, words.to_owned());
    let mut source = Summed { inner: source, sum: crc32fast::Hasher::new() };
    let (mut magic, mut length) = ([0; 8], [0; 8]);
    source.read_exact(&mut magic)?;
    source.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if &magic != MAGIC || length > LONGEST_STATE {
        return Err(invalid("not a checkpoint of 'yomi learn linear'"));
    }
    let mut text = vec![0; length as usize];
    source.read_exact(&mut text)?;
    let state = serde_json::from_slice(&text)?;
    let mut model = Model::of(&LinearWeights::zero());
    for Part { weights, squares, seen, .. } in &mut model.parts {
        for numbers in [weights, squares] {
            let mut bytes = vec![0; 4 * STAGES * numbers.len()];
            source.read_exact(&mut bytes)?;
            for (number, bytes) in numbers.as_flattened_mut().iter_mut().zip(bytes.as_chunks().0) {
                *number = f32::from_le_bytes(*bytes);
            }
        }
        let mut bytes = vec![0; 4 * seen.len()];
        source.read_exact(&mut bytes)?;
        for (count, bytes) in seen.iter_mut().zip(bytes.as_chunks().0) {
            *count = u32::from_le_bytes(*bytes);
        }
    }
    let expected = source.sum.clone().finalize();
    let mut sum = [0; 4];
    source.read_exact(&mut sum)?;
    if u32::from_le_bytes(sum) != expected || source.read(&mut [0])? != 0 {
        return Err(invalid("it is damaged, or of other features"));
    }
    Ok((state, model))
}
