//! What the steps of a study left behind, as rows and pictures.

use std::fs;
use std::path::{Path, PathBuf};

use plot::Chart;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::file::{Run, Step};
use super::plan::{Plan, PlannedStep};
use super::report::{Figure, Section, StudyReport, Table};
use crate::stats::{rank_correlation, score_of_elo};

/// A step that is done, as the log of a study keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DoneStep {
    /// Its name.
    pub name: String,
    /// The command that did it.
    pub command: String,
    /// How long it took, from when it was last begun.
    pub seconds: f64,
}

/// Why a report cannot be made.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ResultError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("{} is no result: {error}", path.display())]
    Json { path: PathBuf, error: serde_json::Error },
    #[error("step '{step}' compares '{other}', which is no step of that kind")]
    NoSuchStep { step: String, other: String },
}

type Found<T> = Result<T, ResultError>;

/// The report of a study as far as it is done.
pub fn report_of(plan: &Plan<'_>, done: &[DoneStep]) -> Found<StudyReport> {
    let mut sections: Vec<Section> = Vec::new();
    for planned in &plan.steps {
        let heading = &planned.step.section;
        if sections.iter().all(|section| section.heading != *heading) {
            sections.push(Section { heading: heading.clone(), ..Section::default() });
        }
        let Some(section) = sections.iter_mut().find(|section| section.heading == *heading) else { continue };
        let is_done = planned.step.run == Run::Rank || done.iter().any(|step| step.name == planned.step.name);
        if is_done {
            add_step(section, plan, planned)?;
        } else {
            section.notes.push(format!("{}: not run yet.", planned.step.name));
        }
        if planned.step.run != Run::Rank {
            section.commands.push(planned.command());
        }
    }
    sections.iter_mut().for_each(draw_scores);
    let (title, about) = (plan.study.title.clone(), plan.study.about.clone());
    Ok(StudyReport { title, about, sections })
}

fn json(path: &Path) -> Found<Value> {
    let bytes = fs::read(path).map_err(|error| ResultError::Read { path: path.to_owned(), error })?;
    serde_json::from_slice(&bytes).map_err(|error| ResultError::Json { path: path.to_owned(), error })
}

fn add_step(section: &mut Section, plan: &Plan<'_>, planned: &PlannedStep<'_>) -> Found<()> {
    let step = planned.step;
    let result = || json(&planned.folder.join("result.json"));
    match step.run {
        Run::Match if step.players.len() == 2 => add_match(section, step, &result()?),
        Run::Match => add_ratings(section, &result()?),
        Run::Selfplay => {
            let summary = json(&planned.folder.join("summary.json"))?;
            section.notes.push(format!("{}: {} games.", step.name, summary["games"]));
        }
        Run::Curve => add_curve(section, planned, &result()?)?,
        Run::Fit => add_fit(section, &result()?),
        Run::Tune => add_tune(section, step, &result()?),
        Run::Rank => add_ranks(section, plan, step)?,
    }
    Ok(())
}

/// The table with these headings, which is made if it is not there.
fn table<'a>(section: &'a mut Section, head: &[&str]) -> &'a mut Table {
    let place = section.tables.iter().position(|table| table.head == head).unwrap_or_else(|| {
        let head = head.iter().map(|cell| (*cell).to_owned()).collect();
        section.tables.push(Table { head, rows: Vec::new() });
        section.tables.len() - 1
    });
    &mut section.tables[place]
}

fn text(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// A number with so many digits; a dash where there is none.
fn number(value: &Value, digits: usize) -> String {
    value.as_f64().map_or("-".to_owned(), |number| format!("{number:.digits$}"))
}

const SCORES: [&str; 9] =
    ["player", "opponent", "games", "won", "lost", "drawn", "score", "Elo, 95 % interval", "in the paper"];

fn add_match(section: &mut Section, step: &Step, result: &Value) {
    let score = result["score"].as_f64().unwrap_or(0.5) * 100.0;
    let interval = match (result["elo_low"].as_f64(), result["elo_high"].as_f64()) {
        (Some(low), Some(high)) => format!("{} ({low:+.0} to {high:+.0})", number(&result["elo"], 0)),
        _ => "-".to_owned(),
    };
    let row = vec![
        step.label.clone().unwrap_or_else(|| text(&result["player"])),
        text(&result["opponents"][0]),
        text(&result["games"]),
        text(&result["wins"]),
        text(&result["losses"]),
        text(&result["draws"]),
        format!("{score:.1} % ± {:.1}", score_error(result)),
        interval,
        step.paper.clone().unwrap_or_else(|| "-".to_owned()),
    ];
    table(section, &SCORES).rows.push(row);
}

/// Half of the 95 % interval of the score, in percent.
fn score_error(result: &Value) -> f64 {
    match (result["elo_low"].as_f64(), result["elo_high"].as_f64()) {
        (Some(low), Some(high)) => (score_of_elo(high) - score_of_elo(low)) * 50.0,
        _ => 50.0,
    }
}

/// A picture of the scores of a section's matches.
fn draw_scores(section: &mut Section) {
    let Some(scores) = section.tables.iter().find(|table| table.head == SCORES) else { return };
    let bar = |row: &Vec<String>| {
        let (score, error) = row[6].split_once(" % ± ")?;
        Some((row[0].clone(), score.parse().ok()?, error.parse().ok()))
    };
    let bars: Vec<(String, f64, Option<f64>)> = scores.rows.iter().filter_map(bar).collect();
    if bars.len() > 1 {
        let chart = Chart::bars(&section.heading, "score, %", &bars);
        let name = format!("{}.svg", file_name(&section.heading));
        section.figures.insert(0, Figure { name, svg: chart.to_file() });
    }
}

fn file_name(heading: &str) -> String {
    let letters =
        heading.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
    letters.collect::<String>().split('-').filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

fn add_ratings(section: &mut Section, result: &Value) {
    let rows = result["players"].as_array().cloned().unwrap_or_default();
    for player in rows {
        let games = &player["games"];
        let row = vec![
            text(&player["name"]),
            format!("{} ± {}", number(&player["rating"], 0), number(&player["error"], 0)),
            text(&games["wins"]),
            text(&games["losses"]),
            text(&games["draws"]),
        ];
        table(section, &["player", "rating, 95 %", "won", "lost", "drawn"]).rows.push(row);
    }
}

/// The numbers of curves that tables show, by their names in results and their digits.
const NUMBERS: [(&str, usize); 11] = [
    ("positions", 0),
    ("ACC", 3),
    ("FSC", 3),
    ("LFT", 3),
    ("ROC", 3),
    ("APR", 3),
    ("BEP", 3),
    ("tau", 3),
    ("tau_b", 3),
    ("E_v", 0),
    ("scale", 0),
];

fn add_curve(section: &mut Section, planned: &PlannedStep<'_>, result: &Value) -> Found<()> {
    let players = result["players"].as_array().cloned().unwrap_or_default();
    let head: Vec<&str> =
        std::iter::once("player").chain(NUMBERS.iter().map(|(name, _)| *name)).chain(["E(w)"]).collect();
    for player in &players {
        let mut row = vec![text(&player["name"])];
        row.extend(NUMBERS.iter().map(|(name, digits)| number(&player[*name], *digits)));
        row.push(number(&player["win_rates"]["E_v"], 3));
        table(section, &head).rows.push(row);
    }
    let conditions = ["player", "condition", "positions", "shift", "p", "ACC", "ACC in the phases of all"];
    for player in &players {
        for split in player["splits"].as_array().into_iter().flatten() {
            let shift = split["shift"].as_f64().unwrap_or(0.0) * 100.0;
            let row = vec![
                text(&player["name"]),
                text(&split["condition"]),
                text(&split["positions"]),
                format!("{shift:+.1} %"),
                split["p"].as_f64().map_or("-".to_owned(), |p| format!("{p:.1e}")),
                number(&split["numbers"]["ACC"], 3),
                number(&split["balanced"]["ACC"], 3),
            ];
            table(section, &conditions).rows.push(row);
        }
    }
    let conditioned = (1..=players.len()).map(|number| format!("conditions-{number}.svg"));
    for file in ["curves.svg".to_owned(), "win_rates.svg".to_owned()].into_iter().chain(conditioned) {
        let path = planned.folder.join(&file);
        if path.exists() {
            let svg = fs::read_to_string(&path).map_err(|error| ResultError::Read { path, error })?;
            section.figures.push(Figure { name: format!("{}-{file}", planned.step.name), svg });
        }
    }
    Ok(())
}

fn add_fit(section: &mut Section, results: &Value) {
    for fit in results.as_array().into_iter().flatten() {
        let head = ["player", "loss", "feature", "centipawns a unit, 95 %", "mean loss before", "after"];
        let features = fit["features"].as_array().cloned().unwrap_or_default();
        for (i, feature) in features.iter().enumerate() {
            let weight =
                format!("{} ± {}", number(&fit["weights"][i], 1), number(&fit["weight_errors"][i], 1));
            let row = vec![
                text(&fit["player"]),
                text(&fit["loss"]),
                text(feature),
                weight,
                number(&fit["before"], 5),
                number(&fit["after"], 5),
            ];
            table(section, &head).rows.push(row);
        }
        let after = fit["curve_after"]["splits"].as_array();
        let splits = fit["curve_before"]["splits"].as_array().into_iter().flatten();
        for (before, after) in splits.zip(after.into_iter().flatten()) {
            let shift = |split: &Value| format!("{:+.1} %", split["shift"].as_f64().unwrap_or(0.0) * 100.0);
            let row = vec![
                text(&fit["player"]),
                text(&fit["loss"]),
                text(&before["condition"]),
                shift(before),
                shift(after),
            ];
            table(section, &["player", "loss", "condition", "shift before", "shift after"]).rows.push(row);
        }
    }
}

fn add_tune(section: &mut Section, step: &Step, result: &Value) {
    for (name, value) in result["values"].as_object().into_iter().flatten() {
        let row = vec![step.name.clone(), name.clone(), number(value, 3), text(&result["steps"])];
        table(section, &["step", "parameter", "value", "steps"]).rows.push(row);
    }
}

/// How the numbers of players rank beside their ratings.
fn add_ranks(section: &mut Section, plan: &Plan<'_>, step: &Step) -> Found<()> {
    let other = |key: &str, run: Run| -> Found<Option<Value>> {
        let name = step.option(key).and_then(|names| names.first()).cloned().unwrap_or_default();
        let planned = plan.steps.iter().find(|planned| planned.step.name == name && planned.step.run == run);
        let planned = planned.ok_or(ResultError::NoSuchStep { step: step.name.clone(), other: name })?;
        let path = planned.folder.join("result.json");
        if path.exists() { json(&path).map(Some) } else { Ok(None) }
    };
    let (Some(curve), Some(games)) = (other("curve", Run::Curve)?, other("match", Run::Match)?) else {
        section.notes.push(format!("{}: what it compares is not run yet.", step.name));
        return Ok(());
    };
    let list = |value: &Value| value["players"].as_array().cloned().unwrap_or_default();
    let (judged, rated) = (list(&curve), list(&games));
    let ratings: Vec<f64> = rated.iter().filter_map(|player| player["rating"].as_f64()).collect();
    if judged.len() != ratings.len() {
        section.notes.push(format!(
            "{}: the curve has {} players and the match {}.",
            step.name,
            judged.len(),
            ratings.len()
        ));
        return Ok(());
    }
    for (name, _) in NUMBERS.iter().filter(|(name, _)| !["positions", "scale"].contains(name)) {
        let values: Option<Vec<f64>> = judged.iter().map(|player| player[*name].as_f64()).collect();
        let correlation = values.and_then(|values| rank_correlation(&values, &ratings));
        let row =
            vec![(*name).to_owned(), correlation.map_or("-".to_owned(), |found| format!("{found:+.2}"))];
        let head = ["number", "rank correlation with ratings"];
        table(section, &head).rows.push(row);
    }
    section.notes.push(format!(
        "{}: {} players; Spearman's correlation of ranks, 1 if a number ranks as ratings do.",
        step.name,
        ratings.len()
    ));
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::file::StudyFile;
    use super::super::file::tests::SMALL;
    use super::super::plan::Scale;
    use super::*;

    #[test]
    fn a_report_has_what_is_done_and_says_what_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let study = StudyFile::parse(SMALL).unwrap();
        let plan = Plan::new(&study, folder.path(), Scale::WHOLE, 1);
        let write = |name: &str, value: Value| {
            fs::create_dir_all(folder.path().join(name)).unwrap();
            fs::write(folder.path().join(name).join("result.json"), value.to_string()).unwrap();
        };
        let player =
            |rating: f64| serde_json::json!({"name": "p", "rating": rating, "error": 5, "games": {}});
        write(
            "hot",
            serde_json::json!({"player": "hot", "opponents": ["plain"], "games": 300, "wins": 100, "losses": 190,
                "draws": 10, "score": 0.35, "elo": -107.5, "elo_low": -150.0, "elo_high": -70.0,
                "players": [player(-50.0), player(50.0)]}),
        );
        let judged = |acc: f64| serde_json::json!({"name": "c", "positions": 9, "ACC": acc, "splits": []});
        write("curves", serde_json::json!({"players": [judged(0.6), judged(0.7)]}));
        let done = |name: &str| DoneStep { name: name.to_owned(), command: String::new(), seconds: 1.0 };
        let report = report_of(&plan, &[done("hot"), done("curves")]).unwrap();
        let text = report.markdown("figures");
        for part in [
            "| hot | plain | 300 | 100 | 190 | 10 | 35.0 % ± 5.2 | -108 (-150 to -70) | 36.1 % |",
            "games: not run yet.",
            "| ACC | +1.00 |",
            "yomi match --player 'softmax(T=60)'",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}
