//! Whole studies: from records and players to curves and fitted weights, and into a run's directory.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use eval::features::Expression;
use records::convert::FileFormat;
use runs::{Header, Pool, RunDir, RunDirError};
use serde::Serialize;

use super::export;
use super::fit::{Fit, Fitted, Loss, fit_weights};
use super::input::{Correction, InputError, Sample, Samples, read_samples};
use super::judge::Target;
use super::pictures::{curve_chart, fit_page, page, split_chart, win_rate_chart};
use super::run::{EvaluateError, Outcome, PlayerCurve, Study, analyse, evaluate};
use crate::matches::PlayerFacts;

/// All that values depend on.
#[derive(Clone, Debug, Serialize)]
pub struct StudyManifest {
    /// The kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The files and folders of records.
    pub records: Vec<PathBuf>,
    /// Nodes to look for a mate in each position.
    pub mate_nodes: u64,
    /// The players by name; no facts for the evaluations in the records.
    pub players: Vec<(String, Option<PlayerFacts>)>,
}

/// Where positions and values come from.
pub struct Source<'a> {
    /// The files and folders of records.
    pub records: &'a [PathBuf],
    /// The format of all of them; by their names or their text if not given.
    pub from: Option<FileFormat>,
    /// The most games, or packed positions, that are read; all if not given.
    pub most: Option<usize>,
    /// Nodes to look for a mate in each position; 0 for never.
    pub mate_nodes: u64,
    /// Use only positions that meet these conditions.
    pub only: &'a [Expression],
    /// Where values are kept.
    pub cache: PathBuf,
    /// Who computes.
    pub pool: Pool<'a>,
}

/// Samples with the values of every player.
pub struct Material {
    /// The positions.
    pub samples: Samples,
    /// The players.
    pub targets: Vec<Target>,
    /// The values of each player.
    pub values: Vec<Outcome>,
}

/// Watches how the gathering goes.
pub trait Watch: Sync {
    /// A game was read, of so many.
    fn game(&self, games: usize);
    /// All was read.
    fn read(&self, samples: &Samples);
    /// A player begins with so many positions.
    fn begin(&self, positions: usize);
    /// A position has its value.
    fn position(&self);
    /// The player is done.
    fn end(&self);
}

/// Why a study has no result.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StudyError {
    #[error(transparent)]
    Input(#[from] InputError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    RunDir(#[from] RunDirError),
    #[error("no position meets --only")]
    NoPosition,
    #[error("{name}: no position has a value")]
    NoValue { name: String },
    #[error("{name}: the {positions} positions do not determine the weights; fewer or other --add would do")]
    Undetermined { name: String, positions: usize },
    #[error("cannot write {}: {error}", path.display())]
    Write { path: PathBuf, error: io::Error },
}

impl Source<'_> {
    /// What the values of these players depend on.
    #[must_use]
    pub fn manifest(&self, kind: &str, targets: &[Target]) -> StudyManifest {
        StudyManifest {
            header: Header::new(kind),
            records: self.records.to_vec(),
            mate_nodes: self.mate_nodes,
            players: targets.iter().map(|target| (target.name.clone(), target.facts())).collect(),
        }
    }

    /// Reads the records and lets every player judge; blocks meanwhile.
    pub fn gather(&self, targets: Vec<Target>, watch: &dyn Watch) -> Result<Material, StudyError> {
        let Source { mate_nodes, pool, .. } = *self;
        let correction = Correction { mate_nodes, cache: self.cache.clone(), pool };
        let mut samples =
            read_samples(self.records, self.from, self.most, &correction, &|games| watch.game(games))?;
        watch.read(&samples);
        samples.all.retain(|sample| self.only.iter().all(|only| only.holds(sample.features())));
        if samples.all.is_empty() {
            return Err(StudyError::NoPosition);
        }
        let mut values = Vec::new();
        for target in &targets {
            watch.begin(samples.all.len());
            let found = evaluate(target, &samples.all, &self.cache, &pool, &|| watch.position());
            watch.end();
            let found = found?;
            if found.iter().all(Option::is_none) {
                return Err(StudyError::NoValue { name: target.name.clone() });
            }
            values.push(found);
        }
        Ok(Material { samples, targets, values })
    }
}

/// The curves of all players.
#[derive(Clone, Debug, Serialize)]
pub struct CurveResult {
    /// Games with a result.
    pub games: u32,
    /// Positions.
    pub positions: usize,
    /// Those with a value by every player, which are compared; all that have any if there are none.
    pub compared: usize,
    /// Games that a proven mate decided, and not their record.
    pub corrected: u32,
    /// Games without any result.
    pub undecided: u32,
    /// Files or games that could not be read.
    pub refused: usize,
    /// The width of the intervals of all curves.
    pub delta: f64,
    /// The players.
    pub players: Vec<PlayerCurve>,
    /// Whether draws count, as halves.
    #[serde(skip)]
    draws: bool,
}

/// The weights fitted to one player's values.
#[derive(Clone, Debug, Serialize)]
pub struct FitResult {
    /// The player.
    pub player: String,
    /// What was minimised.
    pub loss: Loss,
    /// What was added, as expressions.
    pub features: Vec<String>,
    /// The weights, and what they are good for.
    #[serde(flatten)]
    pub fitted: Fitted,
    /// The player's curve.
    pub curve_before: PlayerCurve,
    /// The curve of the values with what was added.
    pub curve_after: PlayerCurve,
}

impl Material {
    /// The curves of all players.
    #[must_use]
    pub fn curves(&self, study: &Study) -> CurveResult {
        let samples = &self.samples;
        let compared = self.known_to_all();
        let is_compared = |place: usize| compared.is_empty() || compared.contains(&place);
        let of_compared = |values: &Outcome| -> Outcome {
            let places = values.iter().enumerate();
            places.map(|(place, value)| value.filter(|_| is_compared(place))).collect()
        };
        let values: Vec<Outcome> = self.values.iter().map(of_compared).collect();
        let delta = study.width(&samples.all, &values);
        let curve = |(target, values): (&Target, &Outcome)| {
            analyse(&target.name, &samples.all, values, study, delta, target.win_rate_scale())
        };
        CurveResult {
            games: samples.games,
            positions: samples.all.len(),
            compared: compared.len(),
            corrected: samples.corrected,
            undecided: samples.undecided,
            refused: samples.refused.len(),
            players: self.targets.iter().zip(&values).map(curve).collect(),
            delta,
            draws: study.draws,
        }
    }

    /// The positions to which every player gave a value: what players are compared by.
    fn known_to_all(&self) -> HashSet<usize> {
        let is_known = |place: &usize| self.values.iter().all(|values| values[*place].is_some());
        (0..self.samples.all.len()).filter(is_known).collect()
    }

    /// The weights of features on top of each player's values.
    pub fn fits(&self, add: &[Expression], loss: Loss, study: &Study) -> Result<Vec<FitResult>, StudyError> {
        let players = self.targets.iter().zip(&self.values);
        players.map(|(target, values)| self.fit(&target.name, values, add, loss, study)).collect()
    }

    fn fit(
        &self,
        name: &str,
        values: &Outcome,
        add: &[Expression],
        loss: Loss,
        study: &Study,
    ) -> Result<FitResult, StudyError> {
        let samples = &self.samples.all;
        let data = rows(samples, values, add, study);
        let fitted = fit_weights(&data, loss)
            .ok_or_else(|| StudyError::Undetermined { name: name.to_owned(), positions: data.rows.len() })?;
        let added = |sample: &Sample| -> f64 {
            add.iter().zip(&fitted.weights).map(|(f, weight)| weight * f.value(sample.features())).sum()
        };
        let improved: Outcome = samples
            .iter()
            .zip(values)
            .map(|(sample, value)| (*value).map(|v| v + added(sample)).filter(|v| v.is_finite()))
            .collect();
        // One width for both curves and all players.
        let delta = study.width(samples, &self.values);
        Ok(FitResult {
            player: name.to_owned(),
            loss,
            features: add.iter().map(ToString::to_string).collect(),
            curve_before: analyse(&format!("{name}, before"), samples, values, study, delta, None),
            curve_after: analyse(&format!("{name}, after"), samples, &improved, study, delta, None),
            fitted,
        })
    }

    /// Writes every position with its values.
    fn write_positions(&self, folder: &Path) -> Result<(), StudyError> {
        let create = |path: &Path| {
            let file = File::create(path).map(BufWriter::new);
            file.map_err(|error| StudyError::Write { path: path.to_owned(), error })
        };
        let (samples, values) = (&self.samples.all, &self.values);
        let path = folder.join("positions.csv");
        let mut file = create(&path)?;
        export::csv(&mut file, samples, values)
            .and_then(|()| file.flush())
            .map_err(|error| StudyError::Write { path, error })?;
        let path = folder.join("positions.parquet");
        export::parquet(create(&path)?, samples, values).map_err(|error| StudyError::Write { path, error })
    }
}

/// The numbers that a fit is made of: value and features of every position that has them all.
fn rows(samples: &[Sample], values: &Outcome, add: &[Expression], study: &Study) -> Fit {
    let mut data = Fit::default();
    for (sample, value) in samples.iter().zip(values) {
        let (Some(value), true) = (value, study.draws || sample.result != 0.5) else { continue };
        let mut row = vec![value.clamp(-study.clip, study.clip)];
        row.extend(add.iter().map(|feature| feature.value(sample.features())));
        if row.iter().all(|number| number.is_finite()) {
            data.rows.push(row);
            data.results.push(sample.result);
            data.games.push(sample.game);
        }
    }
    data
}

impl CurveResult {
    /// What a reader of curves must know about the positions.
    #[must_use]
    pub fn remarks(&self) -> Vec<String> {
        let draws = if self.draws { "draws count as halves" } else { "draws are left out" };
        let compared = match (self.players.len(), self.compared) {
            (..=1, _) => "those with a value are judged".to_owned(),
            (_, 0) => "no position has a value by every player: each is judged by its own".to_owned(),
            (_, compared) => format!("players are compared by the {compared} that all of them gave a value"),
        };
        let one_sided = self.players.iter().any(|player| player.metrics.roc.is_nan()).then(|| {
            "one side won every game: there is nothing to compare won positions with, so that some numbers are not known".to_owned()
        });
        let remarks = vec![
            format!("{} positions of {} games; {draws}; {compared}", self.positions, self.games),
            format!("intervals of {} centipawns, the same for all players", self.delta),
            format!(
                "{} games decided by a proven mate and not by their record, {} without any result",
                self.corrected, self.undecided
            ),
        ];
        remarks.into_iter().chain(one_sided).collect()
    }

    /// Writes result, pictures, page and positions.
    pub fn write(&self, material: &Material, dir: &RunDir) -> Result<(), StudyError> {
        dir.write_json("result.json", self)?;
        dir.write("curves.svg", curve_chart(&self.players).to_file().as_bytes())?;
        if let Some(chart) = win_rate_chart(&self.players) {
            dir.write("win_rates.svg", chart.to_file().as_bytes())?;
        }
        for (number, player) in (1..).zip(&self.players).filter(|(_, player)| !player.splits.is_empty()) {
            dir.write(&format!("conditions-{number}.svg"), split_chart(player).to_file().as_bytes())?;
        }
        let html = page("Evaluation curves", &self.remarks(), &self.players);
        dir.write("report.html", html.as_bytes())?;
        material.write_positions(dir.path())
    }
}

impl FitResult {
    /// The weights and what became of the splits, for people.
    #[must_use]
    pub fn text(&self) -> String {
        let Fitted { scale, scale_error, weights, weight_errors, before, after } = &self.fitted;
        let mut text = format!(
            "{}\n  scale {scale:.1} ± {scale_error:.1}, mean loss {before:.6} before, {after:.6} after\n",
            self.player
        );
        let _ = writeln!(text, "  for win rates: win_rate_scale={scale:.0} in a spec, WinRateScale in USI");
        for (feature, (weight, error)) in self.features.iter().zip(weights.iter().zip(weight_errors)) {
            let _ = writeln!(text, "  {feature}: {weight:+.2} ± {error:.2} centipawns a unit");
        }
        for (before, after) in self.curve_before.splits.iter().zip(&self.curve_after.splits) {
            let [was, is] = [before, after].map(|split| split.shift * 100.0);
            let _ = writeln!(
                text,
                "  when {}: shift {was:+.1} % before, {is:+.1} % after (p {:.2e})",
                before.condition, after.p
            );
        }
        text
    }

    /// Writes the results of all players and their page.
    pub fn write_all(results: &[FitResult], dir: &RunDir) -> Result<(), StudyError> {
        dir.write_json("result.json", &results)?;
        dir.write("fit.html", fit_page(results).as_bytes())?;
        Ok(())
    }
}
