//! `yomi learn softmax`: a net moved by the trees that are searched with it.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use engine::PlayerSpec;
use learn::softmax::{LearnSoftmax, Manifest, Mix, NET, Outcome, Settings, resolved};
use runs::{Header, OpeningSet, cores};

use super::learn::within;
use super::learn_search::print;
use crate::command_line::bad_value;
use crate::progress::StepProgress;
use crate::{interrupt, output};

/// Move a net by the trees that softmax or mcss searches with it.
///
/// In such a tree the value of the root is an expectation over its leaves, so that it can be told how every loss of the tree hangs on the
/// net. A step plays some games, with moves drawn from the policy at the root, and then moves the net by Adam against the mean of three
/// losses, each as it counts: --regression (the value of the root towards the result of the game), --bootstrap (the value of a node
/// itself towards that of the tree behind it, at all probable nodes of the tree) and --policy (policy gradient: drawn moves of
/// games that went better than the value said become more probable, and less in those that went worse).
///
/// The losses that are told are of games that nothing has been learned from yet.
///
/// The folder keeps manifest.json, log.jsonl (a row for each step), checkpoint.bin, nn.bin, loss.svg and result.json. The same command goes on
/// after any crash, more --steps go on from there, and a file 'stop' in the folder ends it. Two runs of one
/// seed may differ after the first step.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct LearnSoftmaxArgs {
    /// Who plays: softmax or mcss, without a net
    #[arg(long, value_name = "PLAYER", default_value = "softmax")]
    player: PlayerSpec,

    /// The net to begin with; the one inside the program unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,

    /// Steps to make
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(1..))]
    steps: u64,

    /// Games of a step
    #[arg(long, value_name = "N", default_value = "32", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    games: u64,

    /// Positions that are visited for each move
    #[arg(long, value_name = "N", default_value = "3000", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// How much the results of games count
    #[arg(long, value_name = "WEIGHT", default_value = "1", value_parser = within::<0, 1000>)]
    regression: f64,

    /// How much the values of trees count for their nodes
    #[arg(long, value_name = "WEIGHT", default_value = "1", value_parser = within::<0, 1000>)]
    bootstrap: f64,

    /// How much it counts that good moves become more probable
    #[arg(long, value_name = "WEIGHT", default_value = "0", value_parser = within::<0, 1000>)]
    policy: f64,

    /// The temperature by which moves are drawn, in centipawns
    #[arg(long, value_name = "CP", default_value = "20", value_parser = within::<1, 10_000>)]
    temperature: f64,

    /// The score that wins 73 of 100 games (logistic scale)
    #[arg(long, value_name = "CP", default_value = "600", value_parser = within::<1, 10_000>)]
    scale: f64,

    /// Leaves with a smaller share in a value are left out
    #[arg(long, value_name = "SHARE", default_value = "0.02", value_parser = within::<0, 1>)]
    least: f64,

    /// The rate of learning
    #[arg(long, value_name = "RATE", default_value = "0.0003", value_parser = within::<0, 1>)]
    lr: f64,

    /// How fast weights decay, as a multiple of the rate
    #[arg(long, value_name = "DECAY", default_value = "0", value_parser = within::<0, 10>)]
    decay: f64,

    /// Games at a time; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,

    /// The seed of all that is left to chance
    #[arg(long, default_value = "1")]
    seed: u64,

    /// The folder of the run, new or to be continued
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,

    /// The outcome as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi learn softmax --steps 200 --out runs/soft-1
  yomi learn softmax --player 'mcss(Ts=30)' --regression 0 --bootstrap 0 --policy 1 --out runs/soft-2
  yomi learn softmax --from runs/net-1/nn.bin --nodes 10000 --policy 0.05 --out runs/soft-3
  yomi match --player 'softmax(net=runs/soft-1/nn.bin)' --player softmax --nodes 20000";

impl LearnSoftmaxArgs {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let wrong = |words: &str| Err(bad_value("learn", words).into());
        let PlayerSpec::Own(player) = &self.player else {
            return wrong("only players of our own have trees to learn from");
        };
        if player.eval.is_some() || player.net.is_some() || player.said("fv_scale").is_some() {
            return wrong(
                "the player evaluates by the net that is learned: say --from FILE for the first one",
            );
        }
        if [self.regression, self.bootstrap, self.policy].iter().all(|weight| *weight == 0.0) {
            return wrong("one of --regression, --bootstrap and --policy must be above 0");
        }
        let manifest = Manifest {
            header: Header::of_this_program(Manifest::KIND),
            from: print(self.from.as_deref())?,
            player: resolved(player).to_string(),
            settings: self.settings(),
        };
        let openings = OpeningSet::own()?;
        let dir = interrupt::open_run(&self.out, &manifest)?;
        let run = LearnSoftmax {
            manifest: &manifest,
            player,
            from: self.from.as_deref(),
            openings: &openings,
            dir: &dir,
            steps: self.steps,
            threads: self.threads.map_or_else(cores::count, |threads| threads as usize),
        };
        let mut meter = StepProgress::new(self.steps);
        let result = run.run(&mut |row| {
            meter.show(row.step, || format!("steps, {} trees, loss {:.5}", row.lessons, row.loss));
        });
        meter.finish();
        let outcome = match result {
            Ok(outcome) => outcome,
            Err(error) => {
                // A wrong player or net is no reason to refuse the corrected command.
                if !dir.path().join(NET).exists() {
                    dir.withdraw(&[learn::softmax::LOG]);
                }
                return Err(error.into());
            }
        };
        output::print(&if self.json {
            serde_json::to_string(&outcome)? + "\n"
        } else {
            text(&outcome, &self.out)
        })?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }

    fn settings(&self) -> Settings {
        Settings {
            nodes: self.nodes,
            games: self.games,
            mix: Mix { regression: self.regression, bootstrap: self.bootstrap, policy: self.policy },
            temperature: self.temperature,
            scale: self.scale,
            least: self.least,
            rate: self.lr,
            decay: self.decay,
            seed: self.seed,
        }
    }
}

fn text(outcome: &Outcome, out: &Path) -> String {
    let Outcome { is_complete, steps, games, first, last } = outcome;
    let how = if *is_complete { "complete" } else { "stopped" };
    let row = |name: &str, before: f64, after: f64| format!("{name:<13}{before:.5} became {after:.5}\n");
    format!(
        "learning     {how}, {steps} steps, {games} games\n{}{}{}net          {}\n",
        row("regression", first.regression, last.regression),
        row("bootstrap", first.bootstrap, last.bootstrap),
        row("policy", first.policy, last.policy),
        out.join(NET).display()
    )
}
