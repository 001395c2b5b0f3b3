//! `yomi learn`: nets from data sets.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, Subcommand, ValueHint};
use learn::data::DataFiles;
use learn::nnue::{Arch, CHECKPOINT, LOG, Level, Manifest, NET, Outcome, Settings, Target, Training, Watch};
use runs::cores;

use super::learn_mate::LearnMate;
use crate::command_line::{bad_value, whole_number};
use crate::progress::StepProgress;
use crate::{interrupt, output};

/// Learn from games: nets, alone, turn by turn with games and matches, or by the trees of softmax search, linear weights, the shortcuts of the
/// search and when it should end, first guesses about mates.
#[derive(Args)]
pub(crate) struct Learn {
    #[command(subcommand)]
    learner: Learner,
}

#[derive(Subcommand)]
// One value per process: its size does not matter.
#[allow(clippy::large_enum_variant)]
enum Learner {
    Nnue(Nnue),
    Linear(super::learn_linear::LearnLinear),
    Loop(super::learn_loop::LearnLoop),
    Mate(LearnMate),
    Search(super::learn_search::Search),
    Softmax(super::learn_softmax::LearnSoftmaxArgs),
    Time(super::learn_time::Time),
}

/// Train a net on the CPU, from data sets that 'yomi data' made.
///
/// The net is to say how likely the side to move is to win: a blend of what the search thought (its share is --lambda)
/// and of how the game ended. Learns by lazy Adam with a slow start and a cosine after it; weights decay, and stay within what
/// quantisation can hold; about half of the positions are turned over, left to right. After each epoch the net is
/// quantised and judged on games that it has not learned from, and the best one is kept as nn.bin, in the format of the
/// shogi community (FV_SCALE 16).
///
/// Nets to train: kp256 (K-P 256x2-32-32); zonekp256, a shape of our own that tells twelve zones of the own king apart;
/// halfkp256 (HalfKP 256x2-32-32), which tells all squares apart; halfkp256f, a HalfKP for little data, whose file is one
/// of HalfKP. In zonekp256 and halfkp256f rows share what is known of a piece wherever the king stands. Other engines load
/// all but zonekp256.
///
/// The folder keeps manifest.json, log.jsonl, checkpoint.bin, nn.bin, loss.svg and result.json. The same command goes on
/// after any crash; a file 'stop' in the folder ends it. The same seed gives the same net, on any number of threads.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
struct Nnue {
    /// Folders that 'yomi data' made, or psv files
    #[arg(long, value_name = "PATH", required = true, num_args = 1.., value_hint = ValueHint::AnyPath)]
    data: Vec<PathBuf>,

    /// Judge by these psv files; those of the folders unless given
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    validation: Vec<PathBuf>,

    /// The net: kp256, zonekp256, halfkp256 or halfkp256f
    #[arg(long, default_value_t = Arch::Kp256)]
    arch: Arch,

    /// Begin with the last net of another run of the same kind (its folder), or with a net (nn.bin)
    #[arg(long, value_name = "DIR|FILE", value_hint = ValueHint::AnyPath)]
    from: Option<PathBuf>,

    /// Times to go through the data, at most
    #[arg(long, value_name = "N", default_value = "20", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    epochs: u64,

    /// The share of the search's score in what is learned; the rest is the result's
    #[arg(long, default_value = "0.7", value_parser = within::<0, 1>)]
    lambda: f64,

    #[command(flatten)]
    how: LearningInput,

    /// Threads; as many as there are cores unless given
    #[arg(long, value_name = "T", value_parser = whole_number(1..=1024))]
    threads: Option<u32>,

    /// The seed
    #[arg(long, default_value = "1")]
    seed: u64,

    /// The folder of the run, new or to be continued
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,

    /// End with one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// How a net learns: what 'nnue' and 'loop' have in common.
#[derive(Args)]
pub(super) struct LearningInput {
    /// The score that wins 73 of 100 games (logistic scale)
    #[arg(long, value_name = "CP", default_value = "600", value_parser = within::<1, 10_000>)]
    pub(super) scale: f64,

    /// The highest rate of learning
    #[arg(long, value_name = "RATE", default_value = "0.002", value_parser = within::<0, 1>)]
    lr: f64,

    /// Steps until that rate is reached
    #[arg(long, value_name = "STEPS", default_value = "100")]
    warm_up: u64,

    /// How fast weights decay, as a multiple of the rate; holds back learning by heart
    #[arg(long, value_name = "DECAY", default_value = "0.3", value_parser = within::<0, 10>)]
    decay: f64,

    /// Positions of a step, a multiple of 64
    #[arg(long, value_name = "N", default_value = "4096", value_parser = batch)]
    batch: u32,

    /// Do not turn positions over
    #[arg(long)]
    no_mirror: bool,

    /// Epochs without a better net after which it is enough
    #[arg(long, value_name = "EPOCHS", default_value = "5", value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,
}

impl LearningInput {
    /// The settings of a training with so many epochs, this share of the search's score, and this seed.
    pub(super) fn settings(&self, epochs: u64, lambda: f64, seed: u64) -> anyhow::Result<Settings> {
        if self.lr <= 0.0 {
            return Err(bad_value("learn", "--lr must be larger than 0").into());
        }
        Ok(Settings {
            epochs,
            target: Target { lambda, scale: self.scale },
            rate: self.lr,
            warm_up: self.warm_up,
            decay: self.decay,
            batch: self.batch as usize,
            mirror: !self.no_mirror,
            patience: self.patience,
            seed,
        })
    }
}

const EXAMPLES: &str = "\
Examples:
  yomi learn nnue --data runs/data-1 --out runs/net-1
  yomi learn nnue --data runs/data-1 runs/data-2 --arch zonekp256 --epochs 10 --lambda 0.5 --out runs/net-2
  yomi match --player 'alphabeta(net=runs/net-1/nn.bin)' --player 'alphabeta(eval=material)' --time-ms 200";

/// Reads a number within whole bounds.
pub(super) fn within<const LOW: u32, const HIGH: u32>(text: &str) -> Result<f64, String> {
    let (low, high) = (f64::from(LOW), f64::from(HIGH));
    let number = text.parse().ok().filter(|number| (low..=high).contains(number));
    number.ok_or_else(|| format!("expected a number from {LOW} to {HIGH}"))
}

/// Reads a size of batches, which must come out even.
fn batch(text: &str) -> Result<u32, String> {
    let number = whole_number(64..=1 << 24)(text)?;
    if number.is_multiple_of(64) {
        return Ok(number);
    }
    let below = number / 64 * 64;
    Err(format!("expected a multiple of 64, as {below} or {}", below + 64))
}

impl Learn {
    pub(super) fn run(self) -> anyhow::Result<()> {
        match self.learner {
            Learner::Nnue(nnue) => nnue.run(),
            Learner::Linear(linear) => linear.run(),
            Learner::Loop(turns) => turns.run(),
            Learner::Mate(mate) => mate.run(),
            Learner::Search(search) => search.run(),
            Learner::Softmax(softmax) => softmax.run(),
            Learner::Time(time) => time.run(),
        }
    }
}

/// Shows the progress of a training with its losses.
pub(super) struct Meter {
    progress: StepProgress,
    began: Instant,
    positions: usize,
    validated: String,
}

impl Meter {
    pub(super) fn new() -> Meter {
        Meter {
            progress: StepProgress::new(0),
            began: Instant::now(),
            positions: 0,
            validated: String::new(),
        }
    }
}

impl Watch for Meter {
    fn step(&mut self, step: u64, steps: u64, positions: usize, loss: f64) {
        self.positions += positions;
        let rate = self.positions as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        self.progress.expect(steps);
        self.progress.show(step, || format!("loss {loss:.5}{}, {rate:.0} positions/s", self.validated));
    }

    fn validated(&mut self, epoch: u64, loss: f64, is_best: bool) {
        let mark = if is_best { ", the best so far" } else { "" };
        self.validated = format!(", epoch {epoch} at {loss:.5}{mark}");
    }
}

impl Nnue {
    fn run(self) -> anyhow::Result<()> {
        let settings = self.how.settings(self.epochs, self.lambda, self.seed)?;
        let files = DataFiles::of(&self.data, &self.validation)?;
        let manifest = Manifest::of(self.arch, &files, self.from.as_deref(), settings)?;
        let dir = interrupt::open_run(&self.out, &manifest)?;
        let run = Training {
            manifest: &manifest,
            arch: self.arch,
            training: &files.training,
            validation: &files.validation,
            from: self.from.as_deref(),
            dir: &dir,
            threads: self.threads.map_or_else(cores::count, |threads| threads as usize),
            level: Level::best(),
        };
        let mut meter = Meter::new();
        let result = run.run(&mut meter);
        meter.progress.finish();
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) => {
                // Bad data are no reason to refuse the corrected command.
                if !dir.path().join(CHECKPOINT).exists() {
                    dir.withdraw(&[LOG]);
                }
                return Err(error.into());
            }
        };
        output::print(&if self.json {
            serde_json::to_string(&outcome)? + "\n"
        } else {
            text(&outcome, &self.out.join(NET))
        })?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }
}

fn text(outcome: &Outcome, net: &Path) -> String {
    let Outcome { is_complete, epochs, steps, best, floor, positions, seconds } = outcome;
    let how = if *is_complete { "complete" } else { "stopped" };
    let best = best.map_or_else(String::new, |(loss, epoch)| {
        format!(
            "validation   {loss:.5} after epoch {epoch}, {:.5} above the least possible\nnet          {}\n",
            loss - floor,
            net.display()
        )
    });
    let rate = *positions as f64 / seconds.max(1e-9);
    format!(
        "training     {how}, {epochs} epochs, {steps} steps\n{best}\
         this time    {positions} positions in {seconds:.1} s, {rate:.0} a second\n"
    )
}
