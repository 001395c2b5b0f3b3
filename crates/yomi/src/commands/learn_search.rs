//! `yomi learn search`: the bets of alpha-beta search, learned from its own trees.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::{Args, ValueHint};
use engine::{Nets, search_model};
use learn::search::{CARD, LearnSearch, MODEL, Manifest, Outcome, Record, Watch};
use runs::{Header, OpeningSet, cores, fingerprint};
use search::alphabeta::Model;

use crate::progress::StepProgress;
use crate::{interrupt, output};

/// Learn the shortcuts of alpha-beta search from its own trees.
///
/// Every shortcut of a search (leave a move out, look less deep, cut a node by its evaluation) is a bet that the full search
/// would have said the same. The search plays games against itself, plays a random share of its bets out, and logs what it
/// knew and what it found. Fitted to that log: how far searched values lie from evaluations, by depth and game progress; what
/// pieces are worth in exchanges; the order of moves, from nodes whose moves are tried in an order by chance; and how likely a
/// move raises alpha, by which it is reduced. At the end it says how often each shortcut was wrong where it was played out, and
/// what it saves. One game in ten is kept for judging.
///
/// The folder keeps manifest.json, bets.log, alphabeta.model, result.json, shortcuts.json, shortcuts-by-stage.json (the same by
/// game progress, drops apart) and card.html with plots. The same command goes on after any crash, a larger --games adds to the log, and a file 'stop' in the folder ends it. The same seed
/// gives the same model, on any number of threads.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Search {
    /// Games to play
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u64).range(2..))]
    games: u64,

    /// Nodes for each move
    #[arg(long, value_name = "N", default_value = "20000", value_parser = clap::value_parser!(u64).range(100..))]
    nodes: u64,

    /// The net that evaluates; the one inside the program unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    net: Option<PathBuf>,

    /// The model that the games are searched with; the one inside the program unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "from_guess")]
    from: Option<PathBuf>,

    /// Begin with round numbers instead of a model, so that nothing but the program, the net and the seed tells the outcome
    #[arg(long)]
    from_guess: bool,

    /// One node in so many has its moves played out, at depth 0; twice as many with every ply
    #[arg(long, value_name = "N", default_value = "8192")]
    move_share: u32,

    /// One node in so many is searched with an open window, at depth 0; twice as many with every ply
    #[arg(long, value_name = "N", default_value = "32768")]
    value_share: u32,

    /// One shortcut in so many is played out instead of taken, to see how often it is wrong and what it saves; 0 for none
    #[arg(long, value_name = "N", default_value = "256")]
    shortcut_share: u32,

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

/// Deeper nodes than this are mostly of games that are over; they are in shortcuts.json, as are bets that the search just does not take.
const SHOWN: u8 = 10;
/// What a manifest names the model of round numbers.
const GUESS: &str = "first guess";

const EXAMPLES: &str = "\
Examples:
  yomi learn search --games 400 --from-guess --out runs/bets-1
  yomi learn search --games 400 --from runs/bets-1/alphabeta.model --out runs/bets-2
  yomi match --player 'alphabeta(search=runs/bets-2/alphabeta.model)' --player alphabeta --nodes 20000";

struct Meter(StepProgress, u64);

impl Watch for Meter {
    fn games(&mut self, games: u64, bets: u64) {
        self.0.expect(self.1);
        self.0.show(games, || format!("games, {bets} bets played out"));
    }

    fn epoch(&mut self, epoch: u32, loss: f64) {
        self.0.show(self.1, || format!("games; fit, epoch {epoch}: loss {loss:.5}"));
    }
}

impl Search {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let net = Nets::default().load(self.net.as_deref(), None)?;
        let from = match self.from_guess {
            true => Arc::new(Model::first_guess()),
            false => search_model(self.from.as_deref())?,
        };
        let openings = OpeningSet::own()?;
        let manifest = Manifest {
            header: Header::of_this_program(Manifest::KIND),
            net: print(self.net.as_deref())?,
            from: if self.from_guess { GUESS.to_owned() } else { print(self.from.as_deref())? },
            nodes: self.nodes,
            move_share: self.move_share,
            value_share: self.value_share,
            shortcut_share: self.shortcut_share,
            seed: self.seed,
        };
        let dir = interrupt::open_run(&self.out, &manifest)?;
        let threads = self.threads.map_or_else(cores::count, |threads| threads as usize);
        let run = LearnSearch {
            manifest: &manifest,
            net,
            from,
            openings: &openings,
            dir: &dir,
            games: self.games,
            threads,
        };
        let mut meter = Meter(StepProgress::new(self.games), self.games);
        let outcome = run.run(&mut meter)?;
        meter.0.finish();
        let text =
            if self.json { serde_json::to_string(&outcome)? + "\n" } else { text(&outcome, &self.out) };
        output::print(&text)?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }
}

pub(super) fn print(path: Option<&Path>) -> anyhow::Result<String> {
    let Some(path) = path else { return Ok(String::new()) };
    fingerprint::of_file(path).with_context(|| format!("cannot read {}", path.display()))
}

fn text(outcome: &Outcome, out: &Path) -> String {
    let Outcome { games, moves, values, shortcuts, fitted } = outcome;
    let mut log = format!("log          {games} games, {moves} moves and {values} values played out\n");
    if !shortcuts.is_empty() {
        log += &format!(
            "\n{:<16}{:>6}{:>10}{:>9}{:>12}\n",
            "shortcut", "plies", "tried", "wrong", "nodes saved"
        );
    }
    for Record { shortcut, plies, count, wrong, saved, .. } in
        shortcuts.iter().filter(|record| record.is_taken && record.plies < SHOWN)
    {
        let share = 100.0 * *wrong as f64 / *count as f64;
        log += &format!("{shortcut:<16}{plies:>6}{count:>10}{share:>8.2}%{saved:>12.0}\n");
    }
    let Some(fitted) = fitted else { return log };
    format!(
        "{log}p(raise)     log loss {:.5} on games apart, {:.5} before, {:.5} by the mean alone\n\
         model        {}\ncard         {}\n",
        fitted.loss,
        fitted.loss_before,
        fitted.loss_of_mean,
        out.join(MODEL).display(),
        out.join(CARD).display()
    )
}
