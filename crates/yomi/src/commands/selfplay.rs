//! `yomi selfplay`: games for learning.

use std::path::PathBuf;
use std::time::Instant;

use clap::{Args, ValueHint};
use contract::Effort;
use engine::PlayerSpec;
use learn::selfplay::{Manifest, Openings, Outcome, SelfPlay, Speed, Tally, Watch, Work};
use runs::{OpeningFacts, OpeningSet};
use shogi::DeclarationRule;

use crate::command_line::{bad_value, whole_number};
use crate::progress::StepProgress;
use crate::{interrupt, output};

/// Let a player play against itself, many games at once, and keep every evaluation for learning.
///
/// Each thread plays a game of its own. Games begin from the usual start or a given opening, followed by plies of which
/// some are played at random; openings that are uneven or known are drawn again. Nobody resigns: games end by mate, by
/// repetition, by declaration or at --max-moves. The evaluations are those of the search, as the side to move sees it.
///
/// The folder keeps manifest.json, games.yomi (see 'yomi convert' for other formats) and summary.json. The same command
/// goes on after any crash, with more --games too; a file 'stop' in the folder ends the run after the games under way.
/// The same seed gives the same games, on any number of threads.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Selfplay {
    /// The player
    #[arg(long, value_name = "SPEC", default_value = "alphabeta")]
    player: PlayerSpec,

    /// Nodes for each move; 1000 if nothing is said
    #[arg(long, value_name = "N", group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth of each move
    #[arg(long, value_name = "PLIES", group = "effort", value_parser = whole_number(1..=100))]
    depth: Option<u32>,

    /// How many games there shall be in the folder
    #[arg(long, value_name = "N", default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,

    /// The folder of the run, new or to be continued
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: PathBuf,

    /// Games at a time
    #[arg(long, value_name = "T", default_value = "1", value_parser = whole_number(1..=1024))]
    threads: u32,

    /// The seed
    #[arg(long, value_name = "S", default_value = "1")]
    seed: u64,

    /// Begin from these openings instead of the usual start
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    openings: Option<PathBuf>,

    /// The most plies after the start that are played at random or after a shallow search
    #[arg(long, value_name = "PLIES", default_value = "20", value_parser = whole_number(0..=200))]
    opening_plies: u32,

    /// How far from even an opening may be
    #[arg(long, value_name = "CP", default_value = "300", value_parser = whole_number(0..=10_000))]
    balance: u32,

    /// After this ply the game is a draw
    #[arg(long, value_name = "PLY", default_value = "320", value_parser = clap::value_parser!(u16).range(1..=20_000))]
    max_moves: u16,

    /// The rule about entered kings
    #[arg(long, value_name = "RULE", default_value_t)]
    declaration: DeclarationRule,

    /// End with one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  yomi selfplay --nodes 1000 --games 10000 --threads 2 --out runs/games-1
  yomi selfplay --player 'alphabeta(net=nn.bin)' --depth 8 --games 5000 --seed 2 --out runs/games-2
  yomi selfplay --openings openings.sfen --opening-plies 6 --games 1000 --out runs/games-3
  yomi data runs/games-1 --out runs/data-1";

impl Selfplay {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let OpeningSet { all: given, facts } = match &self.openings {
            Some(path) => OpeningSet::read(path).map_err(|error| bad_value("selfplay", error))?,
            None => OpeningSet::none(),
        };
        let openings = Openings { given, plies: self.opening_plies, balance: self.balance as i32 };
        let manifest = self.manifest(facts);
        let dir = interrupt::open_run(&self.out, &manifest)?;
        let run = SelfPlay {
            manifest: &manifest,
            player: &self.player,
            openings: &openings,
            dir: &dir,
            games: self.games,
            threads: self.threads as usize,
        };
        let mut watch = Meter::new(self.games);
        let Outcome { tally, speed, .. } = run.run(&mut watch)?;
        watch.progress.finish();
        output::print(&if self.json {
            let mut object = serde_json::to_value(tally.summary())?;
            object["speed"] = serde_json::to_value(speed)?;
            format!("{object}\n")
        } else {
            summary_text(&tally) + &speed_text(&speed)
        })?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }

    fn manifest(&self, openings: OpeningFacts) -> Manifest {
        let effort = match self.depth {
            Some(depth) => Effort::Depth(depth),
            None => Effort::Nodes(self.nodes.unwrap_or(1000)),
        };
        Manifest {
            openings,
            opening_plies: self.opening_plies,
            balance: self.balance as i32,
            declaration: self.declaration,
            max_moves: self.max_moves,
            ..Manifest::usual(&self.player, effort, self.seed)
        }
    }
}

/// Shows the progress with its speed.
pub(super) struct Meter {
    progress: StepProgress,
    began: Instant,
    /// Positions that were there before the first game of this process.
    before: Option<u64>,
}

impl Meter {
    /// The progress of so many games.
    pub(super) fn new(games: u64) -> Meter {
        Meter { progress: StepProgress::new(games), began: Instant::now(), before: None }
    }
}

impl Watch for Meter {
    fn game(&mut self, tally: &Tally, work: &Work) {
        let before = *self.before.get_or_insert(tally.positions());
        let seconds = self.began.elapsed().as_secs_f64().max(1e-9);
        let rate = (tally.positions() - before) as f64 / seconds;
        let nps = work.nodes as f64 / seconds;
        self.progress.show(tally.games(), || {
            format!("{} positions, {rate:.0} positions/s, {nps:.0} nodes/s", tally.positions())
        });
    }
}

fn speed_text(speed: &Speed) -> String {
    if speed.positions == 0 {
        return String::new();
    }
    format!(
        "this time    {} positions, {:.0} a second; {:.0} nodes a second and thread\n\
         search       {:.1} % of the time, {:.1} % of its nodes for openings\n",
        speed.positions,
        speed.positions_per_second,
        speed.nodes_per_second_and_thread,
        100.0 * speed.search_share,
        100.0 * speed.opening_share
    )
}

fn summary_text(tally: &Tally) -> String {
    let summary = tally.summary();
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    let ends: Vec<String> = summary.ends.iter().map(|(end, games)| format!("{end} {games}")).collect();
    let diversity: Vec<String> =
        summary.diversity.iter().map(|(ply, share)| format!("{} at ply {ply}", percent(*share))).collect();
    format!(
        "games        {}\npositions    {}\nlength       {:.1} plies\nresults      Black {}, White {}, draws {}\n\
         ends         {}\nmate scores  {}\ndifferent    {}\n",
        summary.games,
        summary.positions,
        summary.mean_plies,
        percent(summary.black_wins),
        percent(summary.white_wins),
        percent(summary.draws),
        ends.join(", "),
        percent(summary.mate_scores),
        diversity.join(", "),
    )
}
