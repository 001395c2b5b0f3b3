//! A whole run: epochs over the data, checkpoints, judgements, the best weights kept.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use eval::linear::LinearError;
use eval::{LinearTables, LinearWeights};
use records::whole_file::{Existing, WholeFile};
use runs::{Header, Log, RunDir, RunDirError, fingerprint};
use serde::{Deserialize, Serialize};

use super::checkpoint::{self, State};
use super::judge::{self, Judgement};
use super::model::Model;
use super::{bonanza, plots, values};
use crate::data::DataFiles;
use crate::nnue::batch::RecordBytes;
use crate::nnue::schedule::Schedule;
use crate::nnue::stream::Records;
use crate::nnue::{StreamError, Target};

/// The best weights of a run.
pub const WEIGHTS: &str = "linear.weights";
/// Losses and judgements.
pub const LOG: &str = "log.jsonl";
/// All that the next step depends on.
pub const CHECKPOINT: &str = "checkpoint.bin";

/// Checkpoints come at least so far apart, and so many times as far as writing one takes.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(15);
const CHECKPOINT_SHARE: u32 = 20;
/// A row of the loss comes after so many positions, or a step.
const LOG_POSITIONS: usize = 1 << 18;

/// What is learned from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Values and results, by logistic regression.
    Values,
    /// The moves of records against their siblings.
    Bonanza,
}

/// How weights are learned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// What is learned from.
    pub method: Method,
    /// Epochs at most.
    pub epochs: u64,
    /// What values and results stand for; also what judgements go by.
    pub target: Target,
    /// How far weights go at most, in centipawns.
    pub rate: f64,
    /// Positions of a step.
    pub batch: usize,
    /// Judgements without a better one after which it is enough.
    pub patience: u64,
    /// Features that occur less often are worth nothing.
    pub least_seen: u32,
    /// Weights are multiples of so many sixteenths of a centipawn.
    pub unit: u32,
    /// Bonanza: the width of the sigmoid in centipawns.
    pub width: f64,
    /// Bonanza: siblings farther away are not compared, in centipawns.
    pub window: i32,
    /// Bonanza: how strongly weights are held back.
    pub penalty: f64,
    /// Bonanza: steps with the same lines.
    pub updates: u32,
    /// The seed.
    pub seed: u64,
}

/// All that weights depend on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The files to learn from, each with its SHA-256.
    pub training: Vec<(String, String)>,
    /// The files to judge by, each with its SHA-256.
    pub validation: Vec<(String, String)>,
    /// The weights to begin with, with their SHA-256; round numbers for pieces if none.
    pub from: Option<(String, String)>,
    /// How they are learned.
    #[serde(flatten)]
    pub settings: Settings,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "learn linear";

    /// The manifest of a run with these files. Reads them all.
    pub fn of(
        files: &DataFiles,
        from: Option<&Path>,
        settings: Settings,
    ) -> Result<Manifest, LinearLearnError> {
        let prints = |paths: &[PathBuf]| paths.iter().map(|path| print(path)).collect::<Result<_, _>>();
        Ok(Manifest {
            header: Header::new(Manifest::KIND),
            training: prints(&files.training)?,
            validation: prints(&files.validation)?,
            from: from.map(print).transpose()?,
            settings,
        })
    }
}

/// A file with its SHA-256.
fn print(path: &Path) -> Result<(String, String), LinearLearnError> {
    let print = fingerprint::of_file(path)
        .map_err(|error| LinearLearnError::File { path: path.to_owned(), error })?;
    Ok((path.display().to_string(), print))
}

/// Why there are no weights.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LinearLearnError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Stream(#[from] StreamError),
    #[error(transparent)]
    Weights(#[from] LinearError),
    #[error(
        "training set: record {number} of a batch is no position with both kings and all pieces accounted for"
    )]
    Record { number: usize },
    #[error("no position of a batch has a legal move of its game: the Bonanza method cannot learn from it")]
    NoMoves,
    #[error("{}: {error}", path.display())]
    Checkpoint { path: PathBuf, error: io::Error },
    #[error("cannot read {}: {error}", path.display())]
    File { path: PathBuf, error: io::Error },
    #[error("there is no position to judge by; say --validation FILE or use a folder that 'yomi data' made")]
    NoValidation,
}

/// A line of the log: a loss since the line before, or a judgement.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogRow {
    /// Steps made.
    pub step: u64,
    /// Epochs completed.
    pub epoch: u64,
    /// The loss in learning: cross entropy, or J of the Bonanza method.
    pub loss: Option<f64>,
    /// How good the weights are on other games.
    pub judged: Option<Judgement>,
    /// How far weights went.
    pub rate: f64,
}

/// Watches how a run goes.
pub trait Watch {
    /// Another step was made, over so many positions, with this loss.
    fn step(&mut self, step: u64, steps: u64, positions: u64, loss: f64);
    /// The weights of an epoch were judged.
    fn judged(&mut self, epoch: u64, judged: &Judgement, is_best: bool);
}

/// A run, ready to go.
pub struct Learning<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// The files.
    pub files: &'a DataFiles,
    /// The weights to begin with; round numbers for pieces if none.
    pub from: Option<&'a Path>,
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// Threads; they change nothing about the weights.
    pub threads: usize,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Outcome {
    /// Whether it came to its end, or was stopped.
    pub is_complete: bool,
    /// Epochs completed.
    pub epochs: u64,
    /// Steps made.
    pub steps: u64,
    /// The best judgement, and its epoch.
    pub best: Option<(Judgement, u64)>,
    /// Positions of records that this process learned from.
    pub positions: u64,
    /// Positions whose features it found for that: with the Bonanza method those at the ends of all lines.
    pub leaves: u64,
    /// Seconds that this took, judgements left out.
    pub seconds: f64,
}

/// A run under way.
struct Course<'a> {
    learning: &'a Learning<'a>,
    model: Model,
    state: State,
    schedule: Schedule,
    judging: Vec<RecordBytes>,
    log: Log,
    last_checkpoint: Instant,
    checkpoint_took: Duration,
    outcome: Outcome,
}

impl Learning<'_> {
    /// Learns; blocks until the epochs are over, the weights get no better, or somebody stops the run.
    pub fn run(&self, watch: &mut dyn Watch) -> Result<Outcome, LinearLearnError> {
        let settings = &self.manifest.settings;
        let records = Records::new(&self.files.training)?;
        let steps_per_epoch = records.count() / settings.batch as u64;
        if steps_per_epoch == 0 {
            return Err(StreamError::TooFew { records: records.count(), batch: settings.batch }.into());
        }
        let judging = Records::new(&self.files.validation)?.all()?;
        if judging.is_empty() {
            return Err(LinearLearnError::NoValidation);
        }
        let (state, model) = self.begin()?;
        let steps = settings.epochs * steps_per_epoch;
        let schedule = Schedule { peak: settings.rate, warm_up: steps.min(20), steps };
        let outcome = Outcome {
            is_complete: false,
            epochs: 0,
            steps: 0,
            best: None,
            positions: 0,
            leaves: 0,
            seconds: 0.0,
        };
        let log = self.dir.append_to(LOG)?;
        let (last_checkpoint, checkpoint_took) = (Instant::now(), Duration::ZERO);
        let mut course = Course {
            learning: self,
            model,
            state,
            schedule,
            judging,
            log,
            last_checkpoint,
            checkpoint_took,
            outcome,
        };
        let is_complete = course.epochs(&records, watch)?;
        let State { epoch: epochs, step: steps, best, .. } = course.state;
        let outcome = Outcome { is_complete, epochs, steps, best, ..course.outcome };
        self.dir.write_json("result.json", &outcome)?;
        Ok(outcome)
    }

    /// The last checkpoint of this run, or the beginning.
    fn begin(&self) -> Result<(State, Model), LinearLearnError> {
        let path = self.dir.path().join(CHECKPOINT);
        if path.exists() {
            let read = || checkpoint::read(BufReader::with_capacity(1 << 20, File::open(&path)?));
            return read().map_err(|error| LinearLearnError::Checkpoint { path: path.clone(), error });
        }
        let weights = match self.from {
            Some(file) => LinearWeights::load(file)?,
            None => LinearWeights::of_material(),
        };
        Ok((State::default(), Model::of(&weights)))
    }
}

impl Course<'_> {
    fn settings(&self) -> &Settings {
        &self.learning.manifest.settings
    }

    /// Whether the run came to its end.
    fn epochs(&mut self, records: &Records, watch: &mut dyn Watch) -> Result<bool, LinearLearnError> {
        let Settings { epochs, batch, patience, seed, .. } = *self.settings();
        while self.state.epoch < epochs {
            if self.state.best.is_some_and(|(_, epoch)| self.state.epoch >= epoch + patience) {
                break;
            }
            let mut epoch = records.epoch(seed, self.state.epoch);
            for _ in 0..self.state.step_in_epoch {
                epoch.next(batch)?;
            }
            while let Some(records) = epoch.next(batch)? {
                self.step(&records, watch)?;
                if self.learning.dir.is_stopped() {
                    self.write_checkpoint()?;
                    return Ok(false);
                }
            }
            self.state.epoch += 1;
            self.state.step_in_epoch = 0;
            self.judge(watch)?;
            self.write_checkpoint()?;
        }
        Ok(true)
    }

    fn step(&mut self, records: &[RecordBytes], watch: &mut dyn Watch) -> Result<(), LinearLearnError> {
        let began = Instant::now();
        let rate = self.schedule.rate(self.state.step);
        let loss = match self.settings().method {
            Method::Values => self.step_by_values(records, rate)?,
            Method::Bonanza => self.step_by_moves(records, rate)?,
        };
        self.outcome.seconds += began.elapsed().as_secs_f64();
        self.outcome.positions += records.len() as u64;
        let state = &mut self.state;
        state.step += 1;
        state.step_in_epoch += 1;
        state.running = (state.running.0 + loss, state.running.1 + 1);
        if state.running.1 as usize * records.len() >= LOG_POSITIONS || state.running.1 == 50 {
            let loss = Some(state.running.0 / state.running.1 as f64);
            state.running = (0.0, 0);
            let (step, epoch) = (state.step, state.epoch);
            self.log.append(&LogRow { step, epoch, loss, judged: None, rate })?;
        }
        watch.step(self.state.step, self.schedule.steps, records.len() as u64, loss);
        if self.last_checkpoint.elapsed() > CHECKPOINT_EVERY.max(self.checkpoint_took * CHECKPOINT_SHARE) {
            self.write_checkpoint()?;
        }
        Ok(())
    }

    fn step_by_values(&mut self, records: &[RecordBytes], rate: f64) -> Result<f64, LinearLearnError> {
        let recipe = values::Recipe { target: self.settings().target, rate, threads: self.learning.threads };
        self.outcome.leaves += records.len() as u64;
        values::step(&mut self.model, records, &recipe).map_err(|number| LinearLearnError::Record { number })
    }

    fn step_by_moves(&mut self, records: &[RecordBytes], rate: f64) -> Result<f64, LinearLearnError> {
        let Settings { width, window, penalty, updates, .. } = *self.settings();
        let recipe = bonanza::Recipe {
            width,
            window,
            penalty: penalty as f32,
            step: rate as f32,
            updates,
            threads: self.learning.threads,
        };
        let tally = bonanza::step(&mut self.model, records, &recipe);
        if tally.positions == 0 {
            return Err(LinearLearnError::NoMoves);
        }
        self.outcome.leaves += tally.leaves;
        Ok(tally.loss)
    }

    /// Judges the weights as a player has them, and keeps them if they are the best so far.
    fn judge(&mut self, watch: &mut dyn Watch) -> Result<(), LinearLearnError> {
        let Settings { method, target, least_seen, unit, .. } = *self.settings();
        let mut settled = self.model.clone();
        settled.settle();
        let (step, epoch) = (self.state.step, self.state.epoch);
        let note = format!("yomi learn linear, {method:?} method, {epoch} epochs, {step} steps");
        let weights = settled.to_weights(least_seen, unit, &note.to_lowercase());
        let bytes = weights.to_bytes();
        let judged = judge::judge(&LinearTables::new(weights), &self.judging, target, self.learning.threads);
        let is_better = |best: &Judgement| match method {
            Method::Values => judged.loss < best.loss,
            Method::Bonanza => judged.first > best.first,
        };
        let is_best = self.state.best.as_ref().is_none_or(|(best, _)| is_better(best));
        let dir = self.learning.dir;
        if is_best {
            dir.write(WEIGHTS, &bytes)?;
            self.state.best = Some((judged, epoch));
        }
        let rate = self.schedule.rate(step);
        self.log.append(&LogRow { step, epoch, loss: None, judged: Some(judged), rate })?;
        let rows = dir.read_log(LOG)?;
        dir.write("loss.svg", plots::loss(&rows).as_bytes())?;
        dir.write("moves.svg", plots::moves(&rows).as_bytes())?;
        watch.judged(epoch, &judged, is_best);
        Ok(())
    }

    fn write_checkpoint(&mut self) -> Result<(), LinearLearnError> {
        let began = Instant::now();
        let path = self.learning.dir.path().join(CHECKPOINT);
        let write = || {
            let mut file = WholeFile::begin(&path)?;
            checkpoint::write(&mut file, &self.state, &self.model)?;
            file.complete_unsynced(Existing::Replace)
        };
        write().map_err(|error| LinearLearnError::Checkpoint { path: path.clone(), error })?;
        self.last_checkpoint = Instant::now();
        self.checkpoint_took = began.elapsed();
        Ok(())
    }
}
