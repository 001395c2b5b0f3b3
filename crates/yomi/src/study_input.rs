//! What `curve` and `fit` have in common: records, players, and the values they give.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use clap::{Args, ValueHint};
use contract::Effort;
use lab::curve::{Expression, Judging, Material, Samples, Source, Study, StudyManifest, Target, Watch};
use records::convert::FileFormat;
use runs::{Pool, RunDir};

use crate::command_line::{bad_value, whole_number};
use crate::output::warn;
use crate::progress::LateBar;

/// Where positions and values come from.
#[derive(Args)]
pub(crate) struct StudyInput {
    /// Games in any format, or positions with results (psv, hcpe): files or folders
    #[arg(long, value_name = "PATH", num_args = 1.., required = true, value_hint = ValueHint::AnyPath)]
    records: Vec<PathBuf>,

    /// The format of all records; by their names or their text unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name)]
    from: Option<FileFormat>,

    /// Use only the first N games, or packed positions; all unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Take the evaluations that the records hold
    #[arg(long)]
    stored: bool,

    /// A player; its effort may follow: 'alphabeta@nodes=1000', 'alphabeta@static'
    #[arg(long = "player", value_name = "SPEC")]
    players: Vec<String>,

    /// Nodes for each position
    #[arg(long, value_name = "N", group = "effort", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// Depth for each position
    #[arg(long, value_name = "PLIES", group = "effort", value_parser = whole_number(1..=100))]
    depth: Option<u32>,

    /// Milliseconds for each position
    #[arg(long, value_name = "MS", group = "effort", value_parser = whole_number(1..=86_400_000))]
    time_ms: Option<u32>,

    /// No search: the static evaluation
    #[arg(long = "static", group = "effort")]
    is_static: bool,

    /// The static evaluation after captures
    #[arg(long, alias = "quiescence", group = "effort")]
    settled: bool,

    /// A condition over features, with a curve of its own and a test of its shift
    #[arg(long, value_name = "EXPR")]
    when: Vec<Expression>,

    /// Use only positions that meet this condition
    #[arg(long, value_name = "EXPR")]
    only: Vec<Expression>,

    /// Width of the intervals in centipawns, the same for all players; by the range of values and the number of games unless given
    #[arg(long, value_name = "CP", value_parser = positive)]
    delta: Option<f64>,

    /// Leave out intervals with fewer positions
    #[arg(long, value_name = "N", default_value = "100", value_parser = whole_number(1..=u32::MAX))]
    least: u32,

    /// Values beyond this count as this in curves, means and fits
    #[arg(long, value_name = "CP", default_value = "3000", value_parser = positive)]
    clip: f64,

    /// Count draws as half a win; without it they are left out
    #[arg(long)]
    draws: bool,

    /// Nodes to look for a mate in each position, the first proof deciding the game; 0 for never
    #[arg(long, value_name = "N", default_value = "10000")]
    mate_nodes: u64,

    /// Positions at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=1024))]
    concurrency: u32,

    /// Where values are kept for the next time; in the run's folder unless given
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    cache: Option<PathBuf>,
}

/// So many files that cannot be read are shown one by one.
const SHOWN: usize = 10;

/// Shows how the reading and the judging go.
struct Meter {
    bar: Mutex<LateBar>,
}

impl Meter {
    fn bar(&self) -> MutexGuard<'_, LateBar> {
        self.bar.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for Meter {
    fn game(&self, games: usize) {
        self.bar().expect(games);
        self.bar().advance();
    }

    fn read(&self, samples: &Samples) {
        self.bar().finish();
        samples.refused.iter().take(SHOWN).for_each(|refused| warn(refused));
        if samples.refused.len() > SHOWN {
            warn(&format!("{} more could not be read", samples.refused.len() - SHOWN));
        }
    }

    fn begin(&self, positions: usize) {
        *self.bar() = LateBar::new();
        self.bar().expect(positions);
    }

    fn position(&self) {
        self.bar().advance();
    }

    fn end(&self) {
        self.bar().finish();
    }
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

impl StudyInput {
    fn judging(&self) -> Judging {
        let chosen = [
            self.nodes.map(Effort::Nodes).map(Judging::Search),
            self.depth.map(Effort::Depth).map(Judging::Search),
            self.time_ms.map(|ms| Judging::Search(Effort::Time(Duration::from_millis(ms.into())))),
            self.settled.then_some(Judging::Quiescence),
        ];
        // What --static says, and what is meant if nothing is said.
        chosen.into_iter().flatten().next().unwrap_or(Judging::Static)
    }

    /// The players of a command.
    pub(crate) fn targets(&self, command: &str) -> Result<Vec<Target>, clap::Error> {
        let mut targets: Vec<Target> = if self.stored { vec![Target::stored()] } else { Vec::new() };
        for text in &self.players {
            targets.push(Target::read(text, self.judging()).map_err(|error| bad_value(command, error))?);
        }
        if targets.is_empty() {
            return Err(bad_value(command, "nobody gives values: say --stored, or --player SPEC, or both"));
        }
        if self.is_static && self.players.is_empty() {
            return Err(bad_value(command, "--static is about players: say --player SPEC"));
        }
        Ok(targets)
    }

    fn source<'a>(&'a self, folder: &Path, is_stopped: &'a (dyn Fn() -> bool + Sync)) -> Source<'a> {
        Source {
            records: &self.records,
            from: self.from,
            most: self.games.map(|games| games as usize),
            mate_nodes: self.mate_nodes,
            only: &self.only,
            cache: self.cache.clone().unwrap_or_else(|| folder.join("cache")),
            pool: Pool::new(self.concurrency as usize).until(is_stopped),
        }
    }

    /// What the values depend on.
    pub(crate) fn manifest(&self, kind: &str, targets: &[Target]) -> StudyManifest {
        self.source(Path::new(""), &|| false).manifest(kind, targets)
    }

    /// How curves are made.
    pub(crate) fn study(&self) -> Study {
        Study {
            conditions: self.when.clone(),
            delta: self.delta,
            least: self.least as usize,
            clip: self.clip,
            draws: self.draws,
        }
    }

    /// Reads the records and lets every player judge, until somebody stops the run; blocks meanwhile.
    pub(crate) fn gather(&self, targets: Vec<Target>, dir: &RunDir) -> anyhow::Result<Material> {
        let is_stopped = || dir.is_stopped();
        let source = self.source(dir.path(), &is_stopped);
        Ok(source.gather(targets, &Meter { bar: Mutex::new(LateBar::new()) })?)
    }
}
