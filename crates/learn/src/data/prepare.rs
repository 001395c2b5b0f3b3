//! Making a data set: read, filter, split by game, shuffle, write.

use std::io;
use std::path::{Path, PathBuf};

use contract::Rng;
use records::convert::FileFormat;
use records::whole_file::{Existing, WholeFile};
use runs::{Header, RunDir, RunDirError};
use serde::{Deserialize, Serialize};

use super::filter::{Filter, Verdict};
use super::reading::{Reading, Scores};
use super::shuffle::Shuffle;
use super::source::{InputError, Origin, examine};
use super::stats::{Stats, StatsReport};

/// The positions to learn from.
pub const TRAINING: &str = "train.psv";
/// The positions to judge by, from other games.
pub const VALIDATION: &str = "validation.psv";
/// What a data set is; written last, when it is complete.
pub const STATS: &str = "stats.json";

/// The files of data sets that a learner reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFiles {
    /// To learn from.
    pub training: Vec<PathBuf>,
    /// To judge by.
    pub validation: Vec<PathBuf>,
}

impl DataFiles {
    /// The files of folders that [`prepare`] made, and single ones; the folders' own validation sets unless others are
    /// given.
    pub fn of(data: &[PathBuf], validation: &[PathBuf]) -> Result<DataFiles, NoDataSet> {
        let mut files = DataFiles { training: Vec::new(), validation: validation.to_vec() };
        for path in data {
            if !path.is_dir() {
                if FileFormat::of_path(path).is_ok_and(|format| format != FileFormat::Psv) {
                    return Err(NoDataSet { path: path.clone() });
                }
                files.training.push(path.clone());
                continue;
            }
            if !path.join(TRAINING).is_file() {
                return Err(NoDataSet { path: path.clone() });
            }
            files.training.push(path.join(TRAINING));
            if validation.is_empty() {
                files.validation.push(path.join(VALIDATION));
            }
        }
        Ok(files)
    }
}

/// What was named is no data set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{name} holds no data set; 'yomi data {name} --out DIR' makes one of its games or positions, and '--data DIR' takes it", name = path.display())]
pub struct NoDataSet {
    path: PathBuf,
}

/// All that a data set depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The files read, with their lengths.
    pub inputs: Vec<(String, u64)>,
    /// What was done with scores.
    pub scores: Scores,
    /// What was left out.
    pub filter: Filter,
    /// The share of the games that go into the validation set.
    pub validation: f64,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "data";

    /// The manifest of a data set made of these files.
    #[must_use]
    pub fn of(origins: &[Origin], scores: Scores, filter: Filter, validation: f64, seed: u64) -> Manifest {
        let inputs = origins.iter().map(|origin| (origin.path().display().to_string(), origin.bytes()));
        Manifest {
            header: Header::new(Manifest::KIND),
            inputs: inputs.collect(),
            scores,
            filter,
            validation,
            seed,
        }
    }
}

/// Why there is no data set.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum DataError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
    #[error("stopped before the end; the same command begins again")]
    Stopped,
    #[error("nothing is left to learn from: {kept} positions kept, {refused} games or records refused")]
    Nothing { kept: u64, refused: u64 },
}

/// Watches how the reading goes.
pub trait Watch {
    /// So many positions have been looked at.
    fn positions(&mut self, done: u64);
}

/// What a data set is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Prepared {
    /// Positions to learn from.
    pub training: u64,
    /// Positions to judge by.
    pub validation: u64,
    /// Positions that came more than once and were written once.
    pub doubles: u64,
    /// Games and records that could not be read.
    pub refused: u64,
    /// How the scores of each file were read.
    pub readings: Vec<(String, Reading)>,
    /// What was looked at and kept.
    pub stats: StatsReport,
}

/// Progress is reported after so many positions.
const REPORT_EVERY: u64 = 1 << 14;

/// What a data set of these files would be like, and how many games and records cannot be read; blocks meanwhile.
pub fn look(
    origins: &[Origin],
    scores: &Scores,
    filter: &Filter,
    watch: &mut dyn Watch,
) -> Result<(StatsReport, u64), DataError> {
    let (mut stats, mut refused, mut seen) = (Stats::default(), 0, 0);
    for origin in origins {
        let reading = Reading::of(origin, scores)?;
        refused += examine(origin, &reading, |label, is_first| {
            if is_first {
                stats.game();
            }
            stats.add(&filter.judge(label));
            seen += 1;
            watch.positions(seen);
            Ok(())
        })?;
    }
    Ok((stats.report(), refused))
}

/// Makes the data set of a manifest in its directory; blocks meanwhile. The two files appear complete.
pub fn prepare(
    manifest: &Manifest,
    origins: &[Origin],
    dir: &RunDir,
    watch: &mut dyn Watch,
) -> Result<Prepared, DataError> {
    let expected: u64 = origins.iter().map(Origin::positions).sum();
    let path = dir.path();
    let begin = |name: &str, records, seed| {
        let folder = path.join(format!("buckets-{name}"));
        Shuffle::begin(&folder, records, seed).map_err(|error| DataError::Write { path: folder, error })
    };
    let mut training = begin("training", expected, manifest.seed)?;
    let for_validation = (expected as f64 * manifest.validation) as u64;
    let mut validation = begin("validation", for_validation, manifest.seed ^ 1)?;
    let mut rng = Rng::new(manifest.seed);
    let (mut stats, mut refused, mut seen, mut validates) = (Stats::default(), 0, 0, false);
    let mut readings = Vec::new();
    for origin in origins {
        let reading = Reading::of(origin, &manifest.scores)?;
        let examined = examine(origin, &reading, |label, is_first| {
            if is_first {
                stats.game();
                validates = rng.unit() < manifest.validation;
            }
            seen += 1;
            if u64::is_multiple_of(seen, REPORT_EVERY) {
                watch.positions(seen);
                if dir.is_stopped() {
                    return Err(io::ErrorKind::Interrupted.into());
                }
            }
            let verdict = manifest.filter.judge(label);
            stats.add(&verdict);
            let Verdict::Kept(psv) = verdict else { return Ok(()) };
            if validates { validation.add(&psv) } else { training.add(&psv) }
        });
        refused +=
            examined.map_err(|error| if dir.is_stopped() { DataError::Stopped } else { error.into() })?;
        readings.push((origin.path().display().to_string(), reading));
    }
    let [training, validation] =
        [(training, TRAINING), (validation, VALIDATION)].map(|(set, name)| write(set, &path.join(name)));
    let (training, validation) = (training?, validation?);
    if training.0 == 0 {
        return Err(DataError::Nothing { kept: validation.0, refused });
    }
    let prepared = Prepared {
        training: training.0,
        validation: validation.0,
        doubles: training.1 + validation.1,
        refused,
        readings,
        stats: stats.report(),
    };
    dir.write_json(STATS, &prepared)?;
    Ok(prepared)
}

/// Records written, and doubles left out.
fn write(set: Shuffle, path: &Path) -> Result<(u64, u64), DataError> {
    let written = || {
        let mut file = WholeFile::begin(path)?;
        let shuffled = set.finish(&mut file)?;
        file.complete(Existing::Replace)?;
        Ok((shuffled.written, shuffled.doubles))
    };
    written().map_err(|error| DataError::Write { path: path.to_owned(), error })
}
