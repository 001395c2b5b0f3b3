//! A training under way, on disk: everything that the next step depends on.
//!
//! Little endian: a magic word, the length of the state as JSON, the state, then the model, the first and the second
//! moments, each as all blocks and the parts of the small layers.

use std::io::{self, Read, Write};

use serde::{Deserialize, Serialize};

use super::adam::Moments;
use super::arch::Arch;
use super::model::{ColumnBlock, Dense, Model};

const MAGIC: &[u8; 8] = b"YOMILRN1";

/// Where a training stands.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct State {
    /// Steps made.
    pub(super) step: u64,
    /// Steps made in the current epoch.
    pub(super) step_in_epoch: u64,
    /// Epochs completed.
    pub(super) epoch: u64,
    /// The best validation loss so far, and its epoch.
    pub(super) best: Option<(f64, u64)>,
    /// The training loss since the last row of the log: sum and number of steps.
    pub(super) running: (f64, u64),
}

/// Writes a checkpoint.
pub(super) fn write(out: &mut dyn Write, state: &State, model: &Model, moments: &Moments) -> io::Result<()> {
    let text = serde_json::to_vec(state)?;
    out.write_all(MAGIC)?;
    out.write_all(&(text.len() as u64).to_le_bytes())?;
    out.write_all(&text)?;
    let [mean, square] =
        [0, 1].map(|i| moments.blocks.iter().map(move |moment| &moment[i]).collect::<Vec<_>>());
    write_part(out, &model.blocks.iter().collect::<Vec<_>>(), &model.dense)?;
    write_part(out, &mean, &moments.dense[0])?;
    write_part(out, &square, &moments.dense[1])
}

fn write_part(out: &mut dyn Write, blocks: &[&ColumnBlock], dense: &Dense) -> io::Result<()> {
    let parts = blocks.iter().map(|block| block.as_flattened());
    for values in parts.chain(dense.parts().map(|(values, _)| values)) {
        let mut bytes = Vec::with_capacity(4 * values.len());
        bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
        out.write_all(&bytes)?;
    }
    Ok(())
}

/// Reads a checkpoint of a net of this kind.
pub(super) fn read(source: &mut dyn Read, arch: Arch) -> io::Result<(State, Model, Moments)> {
    read_whole(source, arch).map_err(|error| match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            io::Error::new(error.kind(), "it ends too soon: cut off, or a checkpoint of another kind of net")
        }
        _ => error,
    })
}

fn read_whole(source: &mut dyn Read, arch: Arch) -> io::Result<(State, Model, Moments)> {
    let invalid = |words: &str| io::Error::new(io::ErrorKind::InvalidData, words.to_owned());
    let (mut magic, mut length) = ([0; 8], [0; 8]);
    source.read_exact(&mut magic)?;
    source.read_exact(&mut length)?;
    let length = u64::from_le_bytes(length);
    if &magic != MAGIC || length > 1 << 16 {
        return Err(invalid("not a checkpoint of a training"));
    }
    let mut text = vec![0; length as usize];
    source.read_exact(&mut text)?;
    let state = serde_json::from_slice(&text)?;
    let mut model = Model::new(arch, 0);
    let mut moments = Moments::new(&model);
    read_part(source, model.blocks.iter_mut().collect(), &mut model.dense)?;
    for i in 0..2 {
        let blocks = moments.blocks.iter_mut().map(|moment| &mut moment[i]).collect();
        read_part(source, blocks, &mut moments.dense[i])?;
    }
    if source.read(&mut [0])? != 0 {
        return Err(invalid("a checkpoint of another kind of net"));
    }
    Ok((state, model, moments))
}

/// What is written of the checkpoint that the bytes are, or why they are none: what is read is written as it was.
pub fn rewritten_checkpoint(mut bytes: &[u8], arch: Arch) -> io::Result<Vec<u8>> {
    let (state, model, moments) = read(&mut bytes, arch)?;
    let mut written = Vec::new();
    write(&mut written, &state, &model, &moments)?;
    Ok(written)
}

fn read_part(source: &mut dyn Read, blocks: Vec<&mut ColumnBlock>, dense: &mut Dense) -> io::Result<()> {
    let parts = blocks.into_iter().map(|block| block.as_flattened_mut());
    for values in parts.chain(dense.parts_mut()) {
        let mut bytes = vec![0; 4 * values.len()];
        source.read_exact(&mut bytes)?;
        for (value, bytes) in values.iter_mut().zip(bytes.as_chunks().0) {
            *value = f32::from_le_bytes(*bytes);
        }
    }
    Ok(())
}
