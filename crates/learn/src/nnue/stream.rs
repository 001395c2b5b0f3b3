//! Records of data sets in a new order every epoch, read a window at a time.
//!
//! The files are shuffled already; the order of the windows and the order within each differ from epoch to epoch.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use contract::Rng;

use super::batch::RecordBytes;

const RECORD: u64 = size_of::<RecordBytes>() as u64;
/// Records of a window.
const WINDOW: u64 = 1 << 18;

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StreamError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{} has {bytes} bytes, which is no number of whole psv records", path.display())]
    Length { path: PathBuf, bytes: u64 },
    #[error("there are {records} positions to learn from, fewer than a batch of {batch}")]
    TooFew { records: u64, batch: usize },
}

/// Files of records.
#[derive(Clone, Debug)]
pub(crate) struct Records {
    files: Vec<(PathBuf, u64)>,
}

impl Records {
    /// Looks at the files.
    pub(crate) fn new(paths: &[PathBuf]) -> Result<Records, StreamError> {
        let files = paths.iter().map(|path| {
            let found = std::fs::metadata(path);
            let bytes = found.map_err(|error| StreamError::Read { path: path.clone(), error })?.len();
            if !bytes.is_multiple_of(RECORD) {
                return Err(StreamError::Length { path: path.clone(), bytes });
            }
            Ok((path.clone(), bytes / RECORD))
        });
        Ok(Records { files: files.collect::<Result<_, _>>()? })
    }

    /// How many there are.
    pub(crate) fn count(&self) -> u64 {
        self.files.iter().map(|(_, records)| records).sum()
    }

    /// All of them, in the order of the files.
    pub(crate) fn all(&self) -> Result<Vec<RecordBytes>, StreamError> {
        let mut records = Vec::new();
        for (path, count) in &self.files {
            read(path, 0, *count, &mut records)?;
        }
        Ok(records)
    }

    /// The records in the order of an epoch.
    pub(crate) fn epoch(&self, seed: u64, epoch: u64) -> Epoch<'_> {
        let mut rng = Rng::new(seed ^ epoch.wrapping_mul(0xD134_2543_DE82_EF95));
        let mut windows: Vec<(&Path, u64, u64)> = Vec::new();
        for (path, count) in &self.files {
            let firsts = (0..*count).step_by(WINDOW as usize);
            windows.extend(firsts.map(|first| (path.as_path(), first, WINDOW.min(count - first))));
        }
        shuffle(&mut windows, &mut rng);
        Epoch { windows, rng, waiting: Vec::new() }
    }
}

/// One epoch under way.
pub(crate) struct Epoch<'a> {
    /// Files, first records and numbers of records; the next one is the last.
    windows: Vec<(&'a Path, u64, u64)>,
    rng: Rng,
    waiting: Vec<RecordBytes>,
}

impl Epoch<'_> {
    /// The next batch; `None` if there are not enough records left.
    pub(crate) fn next(&mut self, batch: usize) -> Result<Option<Vec<RecordBytes>>, StreamError> {
        while self.waiting.len() < batch {
            let Some((path, first, count)) = self.windows.pop() else { return Ok(None) };
            let begins = self.waiting.len();
            read(path, first, count, &mut self.waiting)?;
            shuffle(&mut self.waiting[begins..], &mut self.rng);
            // Batches are taken from the end; what was left over comes first.
            self.waiting.rotate_left(begins);
        }
        Ok(Some(self.waiting.split_off(self.waiting.len() - batch)))
    }
}

fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, (rng.draw() % (i as u64 + 1)) as usize);
    }
}

fn read(path: &Path, first: u64, count: u64, records: &mut Vec<RecordBytes>) -> Result<(), StreamError> {
    let read = || {
        let mut file = File::open(path)?;
        file.seek(SeekFrom::Start(first * RECORD))?;
        let mut bytes = vec![0; (count * RECORD) as usize];
        file.read_exact(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| StreamError::Read { path: path.to_owned(), error })?;
    records.extend(bytes.as_chunks().0);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_epoch_shows_every_record_once_and_every_epoch_in_another_order() {
        let folder = tempfile::tempdir().unwrap();
        let paths: Vec<PathBuf> = ["a.psv", "b.psv"].map(|name| folder.path().join(name)).to_vec();
        for (number, path) in (0u8..).zip(&paths) {
            let bytes: Vec<u8> = (0..50u8).flat_map(|record| [number * 100 + record; 40]).collect();
            std::fs::write(path, bytes).unwrap();
        }
        let records = Records::new(&paths).unwrap();
        assert_eq!((records.count(), records.all().unwrap().len()), (100, 100));
        let order = |epoch: u64| {
            let mut stream = records.epoch(1, epoch);
            let mut seen = Vec::new();
            while let Some(batch) = stream.next(10).unwrap() {
                assert_eq!(batch.len(), 10);
                seen.extend(batch.iter().map(|record| record[0]));
            }
            seen
        };
        let (first, again, second) = (order(0), order(0), order(1));
        assert_eq!(first, again);
        assert_ne!(first, second);
        let mut sorted = second;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..50).chain(100..150).collect::<Vec<u8>>());
    }
}
