//! A whole training: epochs over the data, checkpoints, validation, the best net kept.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eval::nnue::{DEFAULT_FV_SCALE, NetError, NetParameters};
use plot::Kind;
use records::whole_file::{Existing, WholeFile};
use runs::{Header, Log, RunDir, RunDirError, fingerprint};
use serde::{Deserialize, Serialize};

use super::adam::{Moments, Step};
use super::arch::Arch;
use super::batch::{Batch, Recipe, Target};
use super::checkpoint::{self, State};
use super::model::Model;
use super::pass::{GRAIN, Trainer};
use super::quantise::{Quantised, model_of};
use super::schedule::Schedule;
use super::simd::Level;
use super::stream::{Records, StreamError};
use super::validation::Validation;
use crate::data::DataFiles;
use crate::step_chart::{Curve, chart};

/// The best net of a run.
pub const NET: &str = "nn.bin";
/// The losses of a run.
pub const LOG: &str = "log.jsonl";
/// All that the next step depends on.
pub const CHECKPOINT: &str = "checkpoint.bin";
/// What came of a run so far.
pub const RESULT: &str = "result.json";
const PLOT: &str = "loss.svg";

/// Checkpoints come at least so far apart, and so many times as far as writing one takes.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(15);
const CHECKPOINT_SHARE: u32 = 20;
/// A row of the training loss comes after so many steps.
const LOG_STEPS: u64 = 50;

/// All that a net depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The kind of net.
    pub arch: String,
    /// The files to learn from, each with its SHA-256.
    pub training: Vec<(String, String)>,
    /// The files to judge by, each with its SHA-256.
    pub validation: Vec<(String, String)>,
    /// The checkpoint of another run or the net that is the beginning, with its SHA-256.
    pub from: Option<(String, String)>,
    /// How it learns.
    #[serde(flatten)]
    pub settings: Settings,
}

/// How a net learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Epochs at most.
    pub epochs: u64,
    /// What the net is to say.
    pub target: Target,
    /// The highest rate of learning.
    pub rate: f64,
    /// Steps until it is reached.
    pub warm_up: u64,
    /// The decay of weights, as a multiple of the rate.
    pub decay: f64,
    /// Positions of a step.
    pub batch: usize,
    /// Whether about half of the positions are turned over, left to right.
    pub mirror: bool,
    /// Epochs without a better validation after which it is enough.
    pub patience: u64,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "learn nnue";

    /// The manifest of a training with these files, and perhaps with the net of another run or of a file to begin with. Reads them
    /// all.
    pub fn of(
        arch: Arch,
        files: &DataFiles,
        from: Option<&Path>,
        settings: Settings,
    ) -> Result<Manifest, TrainError> {
        let prints = |paths: &[PathBuf]| paths.iter().map(|path| print(path)).collect::<Result<_, _>>();
        Ok(Manifest {
            header: Header::new(Manifest::KIND),
            arch: arch.to_string(),
            training: prints(&files.training)?,
            validation: prints(&files.validation)?,
            from: from.map(|from| print(&beginning(from))).transpose()?,
            settings,
        })
    }
}

/// The file that a training begins with: the checkpoint of a run's folder, or a net.
fn beginning(from: &Path) -> PathBuf {
    if from.is_dir() { from.join(CHECKPOINT) } else { from.to_owned() }
}

/// A file with its SHA-256.
fn print(path: &Path) -> Result<(String, String), TrainError> {
    let print =
        fingerprint::of_file(path).map_err(|error| TrainError::File { path: path.to_owned(), error })?;
    Ok((path.display().to_string(), print))
}

/// Why there is no net.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum TrainError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Stream(#[from] StreamError),
    #[error("{what}: record {number} is no position with both kings and all pieces accounted for")]
    Record { what: &'static str, number: usize },
    #[error("{}: {error}", path.display())]
    Checkpoint { path: PathBuf, error: io::Error },
    #[error("cannot read {}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("there is no position to judge by; say --validation FILE or use a folder that 'yomi data' made")]
    NoValidation,
    #[error(transparent)]
    Net(#[from] NetError),
    #[error("{} is no net of the shape {arch}", path.display())]
    OtherNet { path: PathBuf, arch: String },
    #[error("a step is made of a multiple of {GRAIN} positions, not of {batch}")]
    Batch { batch: usize },
}

/// A line of the log: a training loss since the line before, or a validation loss.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogRow {
    /// Steps made.
    pub step: u64,
    /// Epochs completed.
    pub epoch: u64,
    /// Cross entropy in training.
    pub training: Option<f64>,
    /// Cross entropy of the quantised net on the validation set.
    pub validation: Option<f64>,
    /// The rate of learning.
    pub rate: f64,
}

/// Watches how a training goes.
pub trait Watch {
    /// Another step was made, over so many positions, with this loss.
    fn step(&mut self, step: u64, steps: u64, positions: usize, loss: f64);
    /// The quantised net of an epoch has this loss.
    fn validated(&mut self, epoch: u64, loss: f64, is_best: bool);
}

/// A training, ready to run.
pub struct Training<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// The kind of net.
    pub arch: Arch,
    /// The files to learn from.
    pub training: &'a [PathBuf],
    /// The files to judge by.
    pub validation: &'a [PathBuf],
    /// The folder of a run, or the net, that is the beginning.
    pub from: Option<&'a Path>,
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// Threads; they change nothing about the net.
    pub threads: usize,
    /// Instructions to use.
    pub level: Level,
}

/// What came of a training.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether it came to its end, or was stopped.
    pub is_complete: bool,
    /// Epochs completed.
    pub epochs: u64,
    /// Steps made.
    pub steps: u64,
    /// The best validation loss, and its epoch.
    pub best: Option<(f64, u64)>,
    /// The entropy of the validation targets, below which no net can go.
    pub floor: f64,
    /// Positions learned from by this process, and its seconds of training.
    pub positions: u64,
    /// Seconds of this process's training, validation left out.
    pub seconds: f64,
}

/// A training under way.
struct Course<'a> {
    training: &'a Training<'a>,
    trainer: Trainer,
    state: State,
    schedule: Schedule,
    recipe: Recipe,
    batch: Batch,
    log: Log,
    last_checkpoint: Instant,
    checkpoint_took: Duration,
    positions: u64,
    busy: Duration,
}

impl Training<'_> {
    /// Trains; blocks until the epochs are over, the net gets no better, or somebody stops the run.
    pub fn run(&self, watch: &mut dyn Watch) -> Result<Outcome, TrainError> {
        let manifest = self.manifest;
        let records = Records::new(self.training)?;
        let batch = manifest.settings.batch;
        if !batch.is_multiple_of(GRAIN) {
            return Err(TrainError::Batch { batch });
        }
        let steps_per_epoch = records.count() / batch as u64;
        if steps_per_epoch == 0 {
            return Err(StreamError::TooFew { records: records.count(), batch }.into());
        }
        let recipe =
            Recipe { arch: self.arch, target: manifest.settings.target, mirror: None, threads: self.threads };
        let for_validation = Records::new(self.validation)?.all()?;
        if for_validation.is_empty() {
            return Err(TrainError::NoValidation);
        }
        let validation = Validation::new(&recipe, &for_validation)
            .map_err(|number| TrainError::Record { what: "validation set", number })?;
        let schedule = Schedule {
            peak: manifest.settings.rate,
            warm_up: manifest.settings.warm_up,
            steps: manifest.settings.epochs * steps_per_epoch,
        };
        let (state, model, moments) = self.begin()?;
        let mut course = Course {
            training: self,
            trainer: Trainer::new(model, moments, self.level, self.threads),
            state,
            schedule,
            recipe,
            batch: Batch::default(),
            log: self.dir.append_to(LOG)?,
            last_checkpoint: Instant::now(),
            checkpoint_took: Duration::ZERO,
            positions: 0,
            busy: Duration::ZERO,
        };
        let is_complete = course.epochs(&records, batch, &validation, watch)?;
        let outcome = Outcome {
            is_complete,
            epochs: course.state.epoch,
            steps: course.state.step,
            best: course.state.best,
            floor: validation.floor(),
            positions: course.positions,
            seconds: course.busy.as_secs_f64(),
        };
        self.dir.write_json(RESULT, &outcome)?;
        Ok(outcome)
    }

    /// The last checkpoint of this run, or the beginning.
    fn begin(&self) -> Result<(State, Model, Moments), TrainError> {
        let own = self.dir.path().join(CHECKPOINT);
        if own.exists() {
            return read_checkpoint(&own, self.arch);
        }
        let model = match self.from {
            Some(from) if from.is_dir() => read_checkpoint(&beginning(from), self.arch)?.1,
            Some(net) => read_net(net, self.arch)?,
            None => Model::new(self.arch, self.manifest.settings.seed),
        };
        let moments = Moments::new(&model);
        Ok((State::default(), model, moments))
    }
}

fn read_checkpoint(path: &Path, arch: Arch) -> Result<(State, Model, Moments), TrainError> {
    let read = || checkpoint::read(&mut BufReader::with_capacity(1 << 20, File::open(path)?), arch);
    read().map_err(|error| TrainError::Checkpoint { path: path.to_owned(), error })
}

/// A model that rounds to the net of a file.
fn read_net(path: &Path, arch: Arch) -> Result<Model, TrainError> {
    let bytes = std::fs::read(path).map_err(|error| TrainError::File { path: path.to_owned(), error })?;
    let model = model_of(&NetParameters::from_file(&bytes, path)?);
    let fits = model.filter(|model| model.arch == arch);
    fits.ok_or_else(|| TrainError::OtherNet { path: path.to_owned(), arch: arch.to_string() })
}

/// One whole centipawn of the engine's value at the usual scale, as logarithm of odds.
fn slope_of_value(target: &Target) -> f64 {
    1.0 / target.scale
}

/// The engine's value of one unit of the quantised output.
fn value_of_output() -> f64 {
    1.0 / f64::from(DEFAULT_FV_SCALE)
}

impl Course<'_> {
    /// Whether the training came to its end.
    fn epochs(
        &mut self,
        records: &Records,
        batch: usize,
        validation: &Validation,
        watch: &mut dyn Watch,
    ) -> Result<bool, TrainError> {
        let manifest = self.training.manifest;
        while self.state.epoch < manifest.settings.epochs {
            if self
                .state
                .best
                .is_some_and(|(_, epoch)| self.state.epoch >= epoch + manifest.settings.patience)
            {
                break;
            }
            let mut epoch = records.epoch(manifest.settings.seed, self.state.epoch);
            for _ in 0..self.state.step_in_epoch {
                epoch.next(batch)?;
            }
            while let Some(records) = epoch.next(batch)? {
                self.step(&records, watch)?;
                if self.training.dir.is_stopped() {
                    self.write_checkpoint()?;
                    return Ok(false);
                }
            }
            self.state.epoch += 1;
            self.state.step_in_epoch = 0;
            self.validate(validation, watch)?;
            self.write_checkpoint()?;
        }
        Ok(true)
    }

    fn step(&mut self, records: &[[u8; 40]], watch: &mut dyn Watch) -> Result<(), TrainError> {
        let began = Instant::now();
        let manifest = self.training.manifest;
        let mirror =
            manifest.settings.mirror.then_some(manifest.settings.seed.rotate_left(17) ^ self.state.step);
        Recipe { mirror, ..self.recipe }
            .prepare(records, &mut self.batch)
            .map_err(|number| TrainError::Record { what: "training set", number })?;
        let rate = self.schedule.rate(self.state.step);
        let slope = slope_of_value(&manifest.settings.target) * value_of_output() * 127.0 * 64.0;
        let loss = self.trainer.step(
            &self.batch,
            Step::new(self.state.step + 1, rate, manifest.settings.decay),
            slope as f32,
        );
        let state = &mut self.state;
        state.step += 1;
        state.step_in_epoch += 1;
        state.running = (state.running.0 + loss, state.running.1 + 1);
        if state.running.1 == LOG_STEPS {
            let training = Some(state.running.0 / LOG_STEPS as f64);
            state.running = (0.0, 0);
            let (step, epoch) = (state.step, state.epoch);
            self.log.append(&LogRow { step, epoch, training, validation: None, rate })?;
        }
        self.busy += began.elapsed();
        self.positions += records.len() as u64;
        watch.step(self.state.step, self.schedule.steps, records.len(), loss);
        if self.last_checkpoint.elapsed() > CHECKPOINT_EVERY.max(self.checkpoint_took * CHECKPOINT_SHARE) {
            self.write_checkpoint()?;
        }
        Ok(())
    }

    /// Judges the quantised net, and keeps it if it is the best so far.
    fn validate(&mut self, validation: &Validation, watch: &mut dyn Watch) -> Result<(), TrainError> {
        let net = Quantised::of(&self.trainer.model);
        let slope = slope_of_value(&self.training.manifest.settings.target) * value_of_output();
        let loss = validation.loss(&net, slope);
        let (step, epoch) = (self.state.step, self.state.epoch);
        let is_best = self.state.best.is_none_or(|(best, _)| loss < best);
        if is_best {
            self.training.dir.write(NET, &net.to_file())?;
            self.state.best = Some((loss, epoch));
        }
        let rate = self.schedule.rate(step);
        self.log.append(&LogRow { step, epoch, training: None, validation: Some(loss), rate })?;
        self.training.dir.write(PLOT, plot(&self.training.dir.read_log(LOG)?).as_bytes())?;
        watch.validated(epoch, loss, is_best);
        Ok(())
    }

    fn write_checkpoint(&mut self) -> Result<(), TrainError> {
        let began = Instant::now();
        let path = self.training.dir.path().join(CHECKPOINT);
        let write = || {
            let mut file = WholeFile::begin(&path)?;
            checkpoint::write(&mut file, &self.state, &self.trainer.model, &self.trainer.moments)?;
            file.complete_unsynced(Existing::Replace)
        };
        write().map_err(|error| TrainError::Checkpoint { path: path.clone(), error })?;
        self.last_checkpoint = Instant::now();
        self.checkpoint_took = began.elapsed();
        Ok(())
    }
}

/// Both losses over the steps.
fn plot(rows: &[LogRow]) -> String {
    let curve = |name, kind, value: fn(&LogRow) -> Option<f64>| {
        let values = rows.iter().filter_map(|row| Some((row.step, value(row)?))).collect();
        Curve { name, kind, values }
    };
    let curves = vec![
        curve("training", Kind::Trace, |row| row.training),
        curve("validation, quantised", Kind::Line, |row| row.validation),
    ];
    chart("Loss", "cross entropy per position", "loss", curves)
}
