//! Shuffling more records than fit into memory, in two passes.
//!
//! Each record goes into one of many buckets, by a hash of its position; then one bucket after the other is read,
//! shuffled in memory and written behind the last. A position that comes twice falls into the same bucket both times,
//! so that finding doubles costs no memory to speak of.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use contract::Rng;
use records::packed::{Psv, Record as _};

/// A bucket should not be larger than this, in bytes.
const BUCKET_BYTES: u64 = 128 << 20;
const MOST_BUCKETS: u64 = 512;
const RECORD: usize = 40;
const POSITION: usize = 32;

/// Records on their way into a file in random order.
pub(super) struct Shuffle {
    folder: PathBuf,
    buckets: Vec<BufWriter<File>>,
    seed: u64,
}

/// What came out of a shuffle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shuffled {
    /// Records written.
    pub(super) written: u64,
    /// Records whose position was there already.
    pub(super) doubles: u64,
}

impl Shuffle {
    /// Begins with buckets in a folder of its own, for about so many records.
    pub(super) fn begin(folder: &Path, records: u64, seed: u64) -> io::Result<Shuffle> {
        fs::create_dir_all(folder)?;
        let count = (records * RECORD as u64).div_ceil(BUCKET_BYTES).clamp(1, MOST_BUCKETS);
        let buckets = (0..count)
            .map(|number| {
                Ok(BufWriter::with_capacity(1 << 16, File::create(bucket(folder, number as usize))?))
            })
            .collect::<io::Result<_>>()?;
        Ok(Shuffle { folder: folder.to_owned(), buckets, seed })
    }

    /// Takes a record.
    pub(super) fn add(&mut self, record: &Psv) -> io::Result<()> {
        let hash = hash_of(&record.position.0, self.seed);
        let place = (hash % self.buckets.len() as u64) as usize;
        self.buckets[place].write_all(&record.to_bytes())
    }

    /// Writes all records in random order, each position once, and removes the buckets.
    pub(super) fn finish(mut self, out: &mut dyn Write) -> io::Result<Shuffled> {
        for bucket in &mut self.buckets {
            bucket.flush()?;
        }
        let mut shuffled = Shuffled::default();
        let mut rng = Rng::new(self.seed);
        for number in 0..self.buckets.len() {
            let bytes = fs::read(bucket(&self.folder, number))?;
            let (records, _) = bytes.as_chunks::<RECORD>();
            let mut order: Vec<u32> = (0..records.len() as u32).collect();
            for i in (1..order.len()).rev() {
                order.swap(i, (rng.draw() % (i as u64 + 1)) as usize);
            }
            let mut seen: HashSet<&[u8]> = HashSet::with_capacity(records.len());
            for record in order.into_iter().map(|index| &records[index as usize]) {
                if seen.insert(&record[..POSITION]) {
                    out.write_all(record)?;
                    shuffled.written += 1;
                } else {
                    shuffled.doubles += 1;
                }
            }
        }
        drop(std::mem::take(&mut self.buckets));
        fs::remove_dir_all(&self.folder)?;
        Ok(shuffled)
    }
}

fn bucket(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number:03}"))
}

fn hash_of(position: &[u8; POSITION], seed: u64) -> u64 {
    let words = position.as_chunks::<8>().0.iter().map(|bytes| u64::from_le_bytes(*bytes));
    words.fold(seed, |hash, word| Rng::new(hash ^ word).draw())
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::game::SideResult;
    use records::packed::{PackedSfen, PsvMove};

    fn record(number: u16) -> Psv {
        let mut position = PackedSfen([0; 32]);
        position.0[..2].copy_from_slice(&number.to_le_bytes());
        Psv {
            position,
            score_for_mover: 0,
            best: PsvMove::None,
            ply: number,
            result_for_mover: SideResult::Draw,
        }
    }

    #[test]
    fn every_position_comes_out_once_in_another_order() {
        let folder = tempfile::tempdir().unwrap();
        let many_buckets = 5 * BUCKET_BYTES / RECORD as u64;
        let mut shuffle = Shuffle::begin(&folder.path().join("buckets"), many_buckets, 3).unwrap();
        for number in (0..1000).chain(0..10) {
            shuffle.add(&record(number)).unwrap();
        }
        let mut bytes = Vec::new();
        let shuffled = shuffle.finish(&mut bytes).unwrap();
        assert_eq!(shuffled, Shuffled { written: 1000, doubles: 10 });
        let plies: Vec<u16> =
            bytes.as_chunks().0.iter().map(|bytes| Psv::from_bytes(bytes).unwrap().ply).collect();
        let mut sorted = plies.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1000).collect::<Vec<_>>());
        let in_place = (0..).zip(&plies).filter(|(i, ply)| i == *ply).count();
        assert!(in_place < 20, "{in_place} of 1000 stayed where they were");
        assert!(!folder.path().join("buckets").exists());
    }
}
