//! `yomi learn time`: when a search should end, learned from searches that went on.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use engine::{EvalSource, Nets, scale_of, search_model};
use learn::time::{CARD, LONGER, LearnTime, MODEL, Manifest, Outcome};
use runs::{Header, OpeningSet, cores};

use super::learn_search::print;
use crate::progress::StepProgress;
use crate::{interrupt, output};

/// Learn when a search should end.
///
/// The search plays games against itself. Now and then it is given eight times the nodes of a usual move, and its iterations are
/// logged. What going on is worth (will another move be best at four times the nodes, and how open is the game?) is fitted to what
/// is known after an iteration: how long the best move has stood, how often it changed, its share of the nodes, how the value moves,
/// and more. With 'judge=1' a search with a clock gives each move time in proportion to that. Rules to stop by are compared at equal mean
/// nodes on games apart, one in four.
///
/// The folder keeps manifest.json, searches.jsonl, alphabeta.model (the model that was searched with, and the new judge),
/// result.json and card.html. The same command goes on after any crash, a larger --games adds to the log, and a file 'stop' in the
/// folder ends it. The same seed gives the same model, on any number of threads.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Time {
    /// Games to play
    #[arg(long, value_name = "N", default_value = "100", value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,

    /// Nodes of a long search; the others have an eighth
    #[arg(long, value_name = "N", default_value = "160000", value_parser = clap::value_parser!(u64).range(800..))]
    nodes: u64,

    /// One search in so many is long
    #[arg(long, value_name = "N", default_value = "4", value_parser = clap::value_parser!(u64).range(1..))]
    share: u64,

    /// The net that evaluates; the one inside the program unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    net: Option<PathBuf>,

    /// The model that is searched with; the one inside the program unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    from: Option<PathBuf>,

    /// Games at a time; all cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    threads: Option<u32>,

    /// The seed of all that is left to chance
    #[arg(long, default_value = "1")]
    seed: u64,

    /// The folder of the run
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,

    /// The outcome as JSON
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi learn time --games 200 --out runs/time-1
  yomi match --player 'alphabeta(judge=1, search=runs/time-1/alphabeta.model)' --player alphabeta --tc 10+0.1";

impl Time {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let net = Nets::default().load(self.net.as_deref(), None)?;
        let source = self.net.as_ref().map_or(EvalSource::OwnNet, |file| EvalSource::NetFile(file.into()));
        let openings = OpeningSet::own()?;
        let manifest = Manifest {
            header: Header::of_this_program(Manifest::KIND),
            net: print(self.net.as_deref())?,
            from: print(self.from.as_deref())?,
            nodes: self.nodes,
            share: self.share,
            seed: self.seed,
        };
        let dir = interrupt::open_run(&self.out, &manifest)?;
        let run = LearnTime {
            manifest: &manifest,
            net,
            scale: scale_of(&source),
            from: search_model(self.from.as_deref())?,
            openings: &openings,
            dir: &dir,
            games: self.games,
            threads: self.threads.map_or_else(cores::count, |threads| threads as usize),
        };
        let mut meter = StepProgress::new(self.games);
        let outcome = run.run(&mut |games| meter.show(games, || "games".to_owned()))?;
        meter.finish();
        let text =
            if self.json { serde_json::to_string(&outcome)? + "\n" } else { text(&outcome, &self.out) };
        output::print(&text)?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }
}

fn text(outcome: &Outcome, out: &Path) -> String {
    let Outcome { games, searches, fitted } = outcome;
    let mut text =
        format!("log          {games} games, {searches} searches of {LONGER} times the usual nodes\n");
    let Some(fitted) = fitted else { return text };
    text += &format!(
        "going on     log loss {:.5} on {} iterations of games apart, {:.5} by the mean alone\n",
        fitted.loss, fitted.judged, fitted.loss_of_mean
    );
    for rule in &fitted.rules {
        text += &format!(
            "{:<24}{:>6.2} % of the moves differ from those of the long searches, {:.3} of the usual nodes\n",
            rule.rule,
            100.0 * rule.misses,
            rule.nodes
        );
    }
    text + &format!("model        {}\ncard         {}\n", out.join(MODEL).display(), out.join(CARD).display())
}
