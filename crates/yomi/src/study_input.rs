//! What `curve` and `fit` have in common: records, players, and the values they give.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use lab::curve::{
    Correction, Effort, Expression, Outcome, Sample, Samples, Study, Target, evaluate, read_samples,
};
use lab::matches::PlayerFacts;
use runs::{Header, Pool, is_interrupted};
use serde::Serialize;

use crate::command_line::{bad_value, whole_number};
use crate::output::warn;
use crate::progress::LateBar;

/// Where positions and values come from.
#[derive(Args)]
pub(crate) struct StudyInput {
    /// Games in any format, or positions with results (psv, hcpe): files or folders
    #[arg(long, value_name = "PATH", num_args = 1.., required = true, value_hint = ValueHint::AnyPath)]
    records: Vec<PathBuf>,

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
    #[arg(long, group = "effort")]
    settled: bool,

    /// A condition over features, with a curve of its own and a test of its shift
    #[arg(long, value_name = "EXPR")]
    when: Vec<Expression>,

    /// Use only positions that meet this condition
    #[arg(long, value_name = "EXPR")]
    only: Vec<Expression>,

    /// Width of the intervals in centipawns; chosen from the data unless given
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

/// All that values depend on.
#[derive(Serialize)]
pub(crate) struct StudyManifest {
    #[serde(flatten)]
    header: Header,
    records: Vec<PathBuf>,
    mate_nodes: u64,
    players: Vec<(String, Option<PlayerFacts>)>,
}

/// So many files that cannot be read are told one by one.
const TOLD: usize = 10;

/// Samples with the values of every player.
pub(crate) struct Material {
    pub(crate) samples: Samples,
    pub(crate) targets: Vec<Target>,
    pub(crate) values: Vec<Outcome>,
}

fn positive(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number: &f64| number.is_finite() && *number > 0.0);
    number.ok_or_else(|| "expected a number above 0".to_owned())
}

impl StudyInput {
    fn effort(&self) -> Effort {
        let chosen = [
            self.nodes.map(Effort::Nodes),
            self.depth.map(Effort::Depth),
            self.time_ms.map(|ms| Effort::TimeMs(ms.into())),
            self.settled.then_some(Effort::Settled),
        ];
        // What --static says, and what is meant if nothing is said.
        chosen.into_iter().flatten().next().unwrap_or(Effort::Static)
    }

    /// The players of a command.
    pub(crate) fn targets(&self, command: &str) -> Result<Vec<Target>, clap::Error> {
        let mut targets: Vec<Target> = if self.stored { vec![Target::stored()] } else { Vec::new() };
        for text in &self.players {
            targets.push(Target::read(text, self.effort()).map_err(|error| bad_value(command, error))?);
        }
        if targets.is_empty() {
            return Err(bad_value(command, "nobody gives values: say --stored, or --player SPEC, or both"));
        }
        if self.is_static && self.players.is_empty() {
            return Err(bad_value(command, "--static is about players: say --player SPEC"));
        }
        Ok(targets)
    }

    /// What the values depend on.
    pub(crate) fn manifest(&self, kind: &str, targets: &[Target]) -> StudyManifest {
        StudyManifest {
            header: Header::new(kind),
            records: self.records.clone(),
            mate_nodes: self.mate_nodes,
            players: targets.iter().map(|target| (target.name.clone(), target.facts())).collect(),
        }
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

    /// Reads the records and lets every player judge; blocks meanwhile.
    pub(crate) fn gather(&self, targets: Vec<Target>, dir: &std::path::Path) -> anyhow::Result<Material> {
        let cache = self.cache.clone().unwrap_or_else(|| dir.join("cache"));
        let pool = Pool::new(self.concurrency as usize).until(&is_interrupted);
        let correction = Correction { mate_nodes: self.mate_nodes, cache: cache.clone(), pool };
        let bar = LateBar::new();
        let mut samples = read_samples(&self.records, &correction, &|games| {
            bar.expect(games);
            bar.advance();
        })?;
        bar.finish();
        samples.refused.iter().take(TOLD).for_each(|refused| warn(refused));
        if samples.refused.len() > TOLD {
            warn(&format!("{} more could not be read", samples.refused.len() - TOLD));
        }
        let meets = |sample: &Sample| self.only.iter().all(|only| only.holds(sample.features()));
        samples.all.retain(meets);
        anyhow::ensure!(!samples.all.is_empty(), "no position meets --only");
        let mut values = Vec::new();
        for target in &targets {
            let bar = LateBar::new();
            bar.expect(samples.all.len());
            let found = evaluate(target, &samples.all, &cache, &pool, &|| bar.advance())?;
            bar.finish();
            anyhow::ensure!(found.iter().any(Option::is_some), "{}: no position has a value", target.name);
            values.push(found);
        }
        Ok(Material { samples, targets, values })
    }
}
