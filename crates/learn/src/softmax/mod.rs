//! Learning under softmax search: a net is moved by the trees that are searched with it.
//!
//! A step plays some games with the net as it is, gathers from every tree how its losses hang on the static values of its leaves
//! ([`lesson`]), and moves the net against their mean. The games of a step are judged before anything is learned from them, so that
//! the losses in the log are of games that the net has not seen.

mod game;
mod lesson;
mod reading;
#[cfg(test)]
mod tests;

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use contract::LogisticScale;
use engine::{Defaults, OwnSpec, ResolvedSpec, STACK_BYTES};
use eval::nnue::{DEFAULT_FV_SCALE, NetError};
use eval::{Net, NetOptions};
use plot::Kind;
use records::whole_file::{Existing, WholeFile};
use runs::{Header, OpeningSet, Pool, PoolError, RunDir, RunDirError, Seeds};
use search::tree::Resources;
use serde::{Deserialize, Serialize};
use shogi::{Color, GameResult};

use crate::nnue::pulled::{Pace, Pull, PulledNet};
use crate::step_chart::{Curve, chart};
use game::{Player, Taught, tree_settings};
pub use lesson::{Losses, Mix};
use reading::Reading;

/// The net of a run.
pub const NET: &str = "nn.bin";
/// A row for each step.
pub const LOG: &str = "log.jsonl";
/// All that the next step depends on.
pub const CHECKPOINT: &str = "checkpoint.bin";
/// What came of a run so far.
pub const RESULT: &str = "result.json";
const PLOT: &str = "loss.svg";

/// All that a net depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind, version and program.
    #[serde(flatten)]
    pub header: Header,
    /// The net to begin with, by its SHA-256; empty for the one inside the program.
    pub from: String,
    /// The player, with nothing left open.
    pub player: String,
    /// How it learns.
    #[serde(flatten)]
    pub settings: Settings,
}

/// How a net learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Positions that are visited for each move.
    pub nodes: u64,
    /// Games of a step.
    pub games: u64,
    /// What each way of learning counts.
    #[serde(flatten)]
    pub mix: Mix,
    /// The temperature by which moves are drawn, in centipawns.
    pub temperature: f64,
    /// The centipawns for which the odds are e to 1.
    pub scale: f64,
    /// Leaves with a smaller share in a value are left out.
    pub least: f64,
    /// The rate of learning.
    pub rate: f64,
    /// The decay of weights, as a multiple of the rate.
    pub decay: f64,
    /// The seed.
    pub seed: u64,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "learn softmax";
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SoftmaxError {
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error(transparent)]
    Pool(#[from] PoolError),
    #[error(transparent)]
    Net(#[from] NetError),
    #[error("{}: {error}", path.display())]
    Checkpoint { path: PathBuf, error: io::Error },
    #[error("a net of this shape cannot be trained; kp256, zonekp256 and halfkp256 can")]
    Shape,
    #[error("'{method}' backs up no expectations over a tree; softmax and mcss do")]
    Method { method: &'static str },
    #[error("a scale of {0} centipawns is none")]
    Scale(f64),
}

/// A row of the log: what the games of a step were like before anything was learned from them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogRow {
    /// Steps made with it.
    pub step: u64,
    /// Games played, won by Black and drawn.
    pub games: u64,
    /// Of these, won by Black.
    pub black: u64,
    /// Of these, drawn.
    pub drawn: u64,
    /// Plies of the games.
    pub plies: u64,
    /// Trees that were learned from.
    pub lessons: u64,
    /// Positions whose values were moved.
    pub positions: u64,
    /// The mean losses over the trees.
    #[serde(flatten)]
    pub losses: Losses,
    /// The same, mixed.
    pub loss: f64,
}

/// What came of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Whether it came to its end, or was stopped.
    pub is_complete: bool,
    /// Steps made.
    pub steps: u64,
    /// Games of all steps.
    pub games: u64,
    /// The mean losses of the first tenth of the steps, and of the last.
    pub first: Losses,
    /// See `first`.
    pub last: Losses,
}

/// A run, ready to go.
pub struct LearnSoftmax<'a> {
    /// What it is.
    pub manifest: &'a Manifest,
    /// The player; its net is that of the run.
    pub player: &'a OwnSpec,
    /// The net to begin with; the one inside the program unless given.
    pub from: Option<&'a Path>,
    /// Where play begins.
    pub openings: &'a OpeningSet,
    /// Where it is kept.
    pub dir: &'a RunDir,
    /// Steps to make.
    pub steps: u64,
    /// Games at a time; changes nothing about them.
    pub threads: usize,
}

/// The player as it plays against itself, with nothing left open.
#[must_use]
pub fn resolved(player: &OwnSpec) -> ResolvedSpec {
    player.resolve(&Defaults::self_play())
}

impl LearnSoftmax<'_> {
    /// Plays and learns; blocks until all steps are made, or somebody stops the run. `watch` hears each row of the log.
    pub fn run(&self, watch: &mut dyn FnMut(&LogRow)) -> Result<Outcome, SoftmaxError> {
        let mut net = self.begin()?;
        let mut log = self.dir.append_to(LOG)?;
        while net.steps() < self.steps && !self.dir.is_stopped() {
            let games = match self.play(&net) {
                Ok(games) => games,
                Err(SoftmaxError::Pool(PoolError::Stopped)) => break,
                Err(error) => return Err(error),
            };
            let row = self.learn(&mut net, games)?;
            log.append(&row)?;
            self.write(&net)?;
            watch(&row);
        }
        let mut rows: Vec<LogRow> = self.dir.read_log(LOG)?;
        // A crash between log and checkpoint makes a row twice; the last one counts.
        rows.reverse();
        rows.sort_by_key(|row| row.step);
        rows.dedup_by_key(|row| row.step);
        self.dir.write(PLOT, plot(&rows).as_bytes())?;
        let outcome = outcome(&rows, self.steps);
        self.dir.write_json(RESULT, &outcome)?;
        Ok(outcome)
    }

    /// The net as the run left it, or as it begins.
    fn begin(&self) -> Result<PulledNet, SoftmaxError> {
        let net = match self.from {
            None => PulledNet::from_file(
                Net::embedded_file(),
                Path::new("the net inside the program"),
                DEFAULT_FV_SCALE,
                self.threads,
            ),
            Some(path) => {
                let fv_scale = Net::load(path, &NetOptions::default())?.fv_scale();
                let bytes =
                    std::fs::read(path).map_err(|source| NetError::Io { path: path.into(), source })?;
                PulledNet::from_file(&bytes, path, fv_scale, self.threads)
            }
        };
        let mut net = net?.ok_or(SoftmaxError::Shape)?;
        let path = self.dir.path().join(CHECKPOINT);
        if path.exists() {
            let read = File::open(&path).and_then(|file| net.read(&mut BufReader::new(file)));
            read.map_err(|error| SoftmaxError::Checkpoint { path, error })?;
        }
        Ok(net)
    }

    fn write(&self, net: &PulledNet) -> Result<(), SoftmaxError> {
        let path = self.dir.path().join(CHECKPOINT);
        let write = || {
            let mut file = WholeFile::begin(&path)?;
            net.write(&mut file)?;
            file.complete_unsynced(Existing::Replace)
        };
        self.dir.write(NET, &net.to_file())?;
        write().map_err(|error| SoftmaxError::Checkpoint { path: path.clone(), error })
    }

    /// The games of the next step.
    fn play(&self, net: &PulledNet) -> Result<Vec<Taught>, SoftmaxError> {
        let settings = &self.manifest.settings;
        let spec = resolved(self.player);
        let method = spec.method.name();
        let leaf = tree_settings(&spec.method).ok_or(SoftmaxError::Method { method })?.leaf();
        let reading = Reading {
            arch: net.arch(),
            leaf,
            mix: settings.mix,
            temperature: settings.temperature,
            least: settings.least,
        };
        let resources = Resources {
            megabytes: spec.settings.hash as usize,
            threads: 1,
            scale: self.scale()?,
            seed: spec.settings.seed.max(1) as u64,
        };
        let options = NetOptions { fv_scale: Some(net.fv_scale()), ..NetOptions::default() };
        let now = Net::from_bytes(&net.to_file(), Path::new(NET), &options)?;
        let seeds = Seeds::of_run(settings.seed);
        let stop = || self.dir.is_stopped();
        let pool = Pool::new(self.threads).with_stack(STACK_BYTES).until(&stop);
        let first = net.steps() * settings.games;
        let player = || {
            let player = Player::new(&now, &spec.method, resources, reading, settings.nodes);
            player.ok_or(SoftmaxError::Method { method })
        };
        pool.map(first..first + settings.games, player, |player, number| {
            Ok(player.play(self.openings, seeds.of_job(*number)))
        })
    }

    fn scale(&self) -> Result<LogisticScale, SoftmaxError> {
        let scale = self.manifest.settings.scale;
        LogisticScale::new(scale).ok_or(SoftmaxError::Scale(scale))
    }

    /// Judges games, and learns from them.
    fn learn(&self, net: &mut PulledNet, games: Vec<Taught>) -> Result<LogRow, SoftmaxError> {
        let (settings, scale) = (&self.manifest.settings, self.scale()?);
        let lessons: usize = games.iter().map(|game| game.lessons.len()).sum();
        let count =
            |result: fn(&GameResult) -> bool| games.iter().filter(|game| result(&game.result)).count();
        let mut row = LogRow {
            step: net.steps() + 1,
            games: games.len() as u64,
            black: count(|result| *result == GameResult::Win(Color::Black)) as u64,
            drawn: count(|result| !matches!(result, GameResult::Win(_))) as u64,
            plies: games.iter().map(|game| game.plies as u64).sum(),
            lessons: lessons as u64,
            positions: 0,
            losses: Losses::default(),
            loss: 0.0,
        };
        let weight = 1.0 / lessons.max(1) as f64;
        let mut pulls: Vec<Pull> = Vec::new();
        for game in games {
            for lesson in game.lessons {
                row.losses.add(lesson.losses(game.result, scale), weight);
                pulls.extend(lesson.pulls(game.result, scale, &settings.mix, weight));
            }
        }
        row.positions = pulls.len() as u64;
        row.loss = row.losses.mixed(&settings.mix);
        net.step(&pulls, Pace { rate: settings.rate, decay: settings.decay });
        Ok(row)
    }
}

fn outcome(rows: &[LogRow], steps: u64) -> Outcome {
    let mean = |rows: &[LogRow]| {
        let mut losses = Losses::default();
        rows.iter().for_each(|row| losses.add(row.losses, 1.0 / rows.len() as f64));
        losses
    };
    let tenth = rows.len().div_ceil(10);
    let made = rows.last().map_or(0, |row| row.step);
    Outcome {
        is_complete: made >= steps,
        steps: made,
        games: rows.iter().map(|row| row.games).sum(),
        first: mean(&rows[..tenth]),
        last: mean(&rows[rows.len() - tenth..]),
    }
}

fn plot(rows: &[LogRow]) -> String {
    let curve = |name, value: fn(&LogRow) -> f64| {
        let values = rows.iter().map(|row| (row.step, value(row))).collect();
        Curve { name, kind: Kind::Trace, values }
    };
    let curves = vec![
        curve("regression", |row| row.losses.regression),
        curve("bootstrapping", |row| row.losses.bootstrap),
        curve("policy", |row| row.losses.policy),
    ];
    chart("Losses", "of each step's games before they are learned from", "loss per tree", curves)
}
