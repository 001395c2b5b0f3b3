//! `yomi learn linear`: the weights of linear evaluation.

use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueEnum, ValueHint};
use learn::data::DataFiles;
use learn::linear::{
    CHECKPOINT, Judgement, LOG, Learning, Manifest, Method, Outcome, Settings, WEIGHTS, Watch,
};
use learn::nnue::Target;
use runs::cores;

use super::learn::within;
use crate::command_line::{bad_value, whole_number};
use crate::progress::StepProgress;
use crate::{interrupt, output};

/// Learn the weights of linear evaluation (eval=linear), from data sets that 'yomi data' made.
///
/// Linear evaluation adds up the weights of all features of a position: material and hands, lines, pawns, cover, distances,
/// pins, places and what is around the kings, some two million features with a weight for each of four stages of the game.
///
/// --method values learns them as nets are learned: by logistic regression on a blend of what the search thought (its share is
/// --lambda) and how the game ended. Weights go far at first and less far the more they were asked for (AdaGrad).
///
/// --method bonanza compares the move of the record with every other legal move: each is played, captures are played out, and the
/// positions at the ends of these lines are compared through a sigmoid. All weights that make a difference go by the same step,
/// which gets smaller; a penalty holds back those that are not asked for, and the worth of all pieces together stays what it was.
/// After --updates steps the lines are searched anew. It needs positions as they come: make the data with 'yomi data --keep-noisy
/// --keep-checks'. Begin with weights that know what pieces are worth; round numbers unless --from is given.
///
/// After each epoch the weights are rounded as a player has them and judged on games that they were not learned from: the cross
/// entropy of values, and how often the move of the record comes first. The best are kept as linear.weights, by the entropy or,
/// with bonanza, by the moves.
///
/// The folder keeps manifest.json, log.jsonl, checkpoint.bin, linear.weights, loss.svg, moves.svg and result.json. The same command
/// goes on after any crash; a file 'stop' in the folder ends it. The same seed gives the same weights, on any number of threads.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LearnLinear {
    /// Folders that 'yomi data' made, or psv files
    #[arg(long, value_name = "PATH", required = true, num_args = 1.., value_hint = ValueHint::AnyPath)]
    data: Vec<PathBuf>,

    /// Judge by these psv files; those of the folders unless given
    #[arg(long, value_name = "FILE", num_args = 1.., value_hint = ValueHint::FilePath)]
    validation: Vec<PathBuf>,

    /// What to learn from
    #[arg(long, value_enum, default_value_t = MethodName::Values)]
    method: MethodName,

    /// Begin with these weights; with round numbers for pieces unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,

    /// Times to go through the data, at most
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    epochs: u64,

    /// The share of the search's score in what is learned; the rest is the result's
    #[arg(long, default_value = "0.7", value_parser = within::<0, 1>)]
    lambda: f64,

    /// The score that wins 73 of 100 games (logistic scale)
    #[arg(long, value_name = "CP", default_value = "600", value_parser = within::<1, 10_000>)]
    scale: f64,

    /// How far weights go in the longest step, in centipawns [default: 1.5 with values, 0.5 with bonanza]
    #[arg(long, value_name = "CP", value_parser = within::<0, 1000>)]
    lr: Option<f64>,

    /// Positions of a step [default: 4096 with values, 16384 with bonanza]
    #[arg(long, value_name = "N", value_parser = whole_number(1..=1 << 24))]
    batch: Option<u32>,

    /// Epochs without better weights after which it is enough
    #[arg(long, value_name = "EPOCHS", default_value = "3", value_parser = clap::value_parser!(u64).range(1..))]
    patience: u64,

    /// Features seen less often are worth nothing; keeps the file small
    #[arg(long, value_name = "N", default_value = "30")]
    least_seen: u32,

    /// Round weights to multiples of so many sixteenths of a centipawn; larger ones make smaller files
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..=1024))]
    unit: u32,

    /// bonanza: the width of the sigmoid
    #[arg(long, value_name = "CP", default_value = "40", value_parser = within::<1, 10_000>)]
    width: f64,

    /// bonanza: moves that are better or worse by more are not compared
    #[arg(long, value_name = "CP", default_value = "250", value_parser = clap::value_parser!(i32).range(1..=20_000))]
    window: i32,

    /// bonanza: how strongly weights are held back
    #[arg(long, value_name = "W", default_value = "0.001", value_parser = within::<0, 10>)]
    penalty: f64,

    /// bonanza: steps with the same lines
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u32).range(1..=1000))]
    updates: u32,

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

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum MethodName {
    /// Values and results of positions
    Values,
    /// Moves of games against their siblings
    Bonanza,
}

const EXAMPLES: &str = "\
Examples:
  yomi learn linear --data runs/data-1 --out runs/linear-1
  yomi learn linear --data runs/data-1 --method bonanza --from runs/linear-1/linear.weights --out runs/linear-2
  yomi match --player 'alphabeta(eval=linear, linear=runs/linear-1/linear.weights)' --player 'alphabeta(eval=material)' --nodes 20000";

struct Meter {
    progress: StepProgress,
    began: Instant,
    positions: u64,
    judged: String,
}

impl Watch for Meter {
    fn step(&mut self, step: u64, steps: u64, positions: u64, loss: f64) {
        self.positions += positions;
        let rate = self.positions as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
        self.progress.expect(steps);
        self.progress.show(step, || format!("loss {loss:.5}{}, {rate:.0} positions/s", self.judged));
    }

    fn judged(&mut self, epoch: u64, judged: &Judgement, is_best: bool) {
        let mark = if is_best { ", the best so far" } else { "" };
        let Judgement { loss, first, .. } = judged;
        self.judged = format!(", epoch {epoch} at {loss:.5} and {:.1} % of moves{mark}", 100.0 * first);
    }
}

impl LearnLinear {
    pub(super) fn run(self) -> anyhow::Result<()> {
        if self.lr.is_some_and(|rate| rate <= 0.0) {
            return Err(bad_value("learn", "--lr must be larger than 0").into());
        }
        let files = DataFiles::of(&self.data, &self.validation)?;
        let manifest = Manifest::of(&files, self.from.as_deref(), self.settings())?;
        let dir = interrupt::open_run(&self.out, &manifest)?;
        let run = Learning {
            manifest: &manifest,
            files: &files,
            from: self.from.as_deref(),
            dir: &dir,
            threads: self.threads.map_or_else(cores::count, |threads| threads as usize),
        };
        let mut meter = Meter {
            progress: StepProgress::new(0),
            began: Instant::now(),
            positions: 0,
            judged: String::new(),
        };
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
            text(&outcome, &self.out.join(WEIGHTS))
        })?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }

    fn settings(&self) -> Settings {
        let (method, rate, batch) = match self.method {
            MethodName::Values => (Method::Values, 1.5, 4096),
            MethodName::Bonanza => (Method::Bonanza, 0.5, 16_384),
        };
        Settings {
            method,
            epochs: self.epochs,
            target: Target { lambda: self.lambda, scale: self.scale },
            rate: self.lr.unwrap_or(rate),
            batch: self.batch.unwrap_or(batch) as usize,
            patience: self.patience,
            least_seen: self.least_seen,
            unit: self.unit,
            width: self.width,
            window: self.window,
            penalty: self.penalty,
            updates: self.updates,
            seed: self.seed,
        }
    }
}

fn text(outcome: &Outcome, weights: &Path) -> String {
    let Outcome { is_complete, epochs, steps, best, positions, leaves, seconds } = outcome;
    let how = if *is_complete { "complete" } else { "stopped" };
    let best = best.map_or_else(String::new, |(judged, epoch)| {
        let Judgement { loss, first, among_three, positions, moves } = judged;
        format!(
            "values       loss {loss:.5} over {positions} positions of other games, after epoch {epoch}\n\
             moves        {:.1} % first, {:.1} % among the first three, of {moves}\n\
             weights      {}\n",
            100.0 * first,
            100.0 * among_three,
            weights.display()
        )
    });
    let a_second = |count: u64| count as f64 / seconds.max(1e-9);
    format!(
        "learning     {how}, {epochs} epochs, {steps} steps\n{best}\
         this time    {positions} positions in {seconds:.1} s, {:.0} a second; {:.0} a second with the ends of lines\n",
        a_second(*positions),
        a_second(*leaves)
    )
}
