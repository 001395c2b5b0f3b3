//! A study as its file says it.

use std::collections::BTreeMap;
use std::fmt;

use toml_edit::{DocumentMut, Item, TableLike, Value};

/// A study.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyFile {
    /// What it is called.
    pub title: String,
    /// What it is about, a paragraph each.
    pub about: Vec<String>,
    /// Players by the names that steps use.
    pub players: BTreeMap<String, String>,
    /// What is done, in this order.
    pub steps: Vec<Step>,
}

/// The command of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Run {
    Match,
    Selfplay,
    Curve,
    Fit,
    Tune,
    /// Nothing is run: a curve's numbers are compared with a match's ratings.
    Rank,
}

impl Run {
    const NAMES: [(Run, &'static str); 6] = [
        (Run::Match, "match"),
        (Run::Selfplay, "selfplay"),
        (Run::Curve, "curve"),
        (Run::Fit, "fit"),
        (Run::Tune, "tune"),
        (Run::Rank, "rank"),
    ];

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        Run::NAMES.iter().find(|(run, _)| *run == self).map_or("", |(_, name)| name)
    }
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One thing that is done.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name, which is also that of its folder.
    pub name: String,
    /// The command.
    pub run: Run,
    /// The heading under which its result stands, with those of other steps of the same heading.
    pub section: String,
    /// What its row is called; its players unless said.
    pub label: Option<String>,
    /// What the paper has there.
    pub paper: Option<String>,
    /// Who takes part: names of the study, or specs.
    pub players: Vec<String>,
    /// The other options of the command, in their order; a flag has no values.
    pub options: Vec<(String, Vec<String>)>,
}

impl Step {
    /// The values of an option.
    #[must_use]
    pub fn option(&self, key: &str) -> Option<&[String]> {
        self.options.iter().find(|(known, _)| known == key).map(|(_, values)| values.as_slice())
    }

    /// The number that an option says.
    #[must_use]
    pub fn number(&self, key: &str) -> Option<u64> {
        self.option(key)?.first()?.parse().ok()
    }
}

/// Why a file is no study.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum StudyFileError {
    #[error("no TOML: {0}")]
    Toml(#[from] toml_edit::TomlError),
    #[error("{place}: {what} is missing")]
    Missing { place: String, what: &'static str },
    #[error("{place}: '{key}' takes {expected}")]
    Kind { place: String, key: String, expected: &'static str },
    #[error("{place}: run = '{found}'; known are match, selfplay, curve, fit, tune and rank")]
    Run { place: String, found: String },
    #[error("two steps are called '{0}'")]
    Twice(String),
    #[error("'{0}' is no name of a step: letters, digits and hyphens")]
    Name(String),
    #[error("there is no '{0}' in a study: known are title, about, players, defaults and step")]
    Unknown(String),
    #[error("a study has steps: [[step]]")]
    Empty,
}

type Read<T> = Result<T, StudyFileError>;

impl StudyFile {
    /// Reads a study.
    pub fn parse(text: &str) -> Read<StudyFile> {
        let document: DocumentMut = text.parse()?;
        let root = document.as_table();
        let known = ["title", "about", "players", "defaults", "step"];
        if let Some((key, _)) = root.iter().find(|(key, _)| !known.contains(key)) {
            return Err(StudyFileError::Unknown(key.to_owned()));
        }
        let top = "the study";
        let title = root.get("title").ok_or_else(|| missing(top, "title"))?;
        let title = text_of(top, "title", title)?;
        let about = root.get("about").map(|item| texts(top, "about", item)).transpose()?.unwrap_or_default();
        let mut players = BTreeMap::new();
        if let Some(named) = root.get("players") {
            for (name, item) in table(top, "players", named)?.iter() {
                players.insert(name.to_owned(), text_of("players", name, item)?);
            }
        }
        let steps = root.get("step").and_then(Item::as_array_of_tables).ok_or(StudyFileError::Empty)?;
        let defaults = root.get("defaults").map(|item| table(top, "defaults", item)).transpose()?;
        let steps = steps.iter().enumerate().map(|(i, step)| read_step(i, step, defaults));
        let steps = steps.collect::<Read<Vec<Step>>>()?;
        if let Some(twice) = (1..steps.len()).find(|&i| steps[..i].iter().any(|s| s.name == steps[i].name)) {
            return Err(StudyFileError::Twice(steps[twice].name.clone()));
        }
        Ok(StudyFile { title, about, players, steps })
    }

    /// The spec that a step means by a name; an effort may follow the name.
    #[must_use]
    pub fn spec(&self, player: &str) -> String {
        let (name, effort) = player.split_once('@').unwrap_or((player, ""));
        match self.players.get(name) {
            Some(spec) if effort.is_empty() => spec.clone(),
            Some(spec) => format!("{spec}@{effort}"),
            None => player.to_owned(),
        }
    }
}

fn missing(place: &str, what: &'static str) -> StudyFileError {
    StudyFileError::Missing { place: place.to_owned(), what }
}

fn wrong(place: &str, key: &str, expected: &'static str) -> StudyFileError {
    StudyFileError::Kind { place: place.to_owned(), key: key.to_owned(), expected }
}

fn table<'a>(place: &str, key: &str, item: &'a Item) -> Read<&'a dyn TableLike> {
    item.as_table_like().ok_or_else(|| wrong(place, key, "a table"))
}

fn text_of(place: &str, key: &str, item: &Item) -> Read<String> {
    item.as_str().map(str::to_owned).ok_or_else(|| wrong(place, key, "a text"))
}

/// A text, a number, or a list of them.
fn texts(place: &str, key: &str, item: &Item) -> Read<Vec<String>> {
    let expected = "a text, a number, true, false, or a list of texts and numbers";
    let one = |value: &Value| match value {
        Value::String(text) => Some(text.value().clone()),
        Value::Integer(number) => Some(number.value().to_string()),
        Value::Float(number) => Some(number.value().to_string()),
        _ => None,
    };
    let values = match item.as_value() {
        Some(Value::Array(list)) => list.iter().map(one).collect(),
        Some(value) => one(value).map(|text| vec![text]),
        None => None,
    };
    values.ok_or_else(|| wrong(place, key, expected))
}

/// Adds the options of a table, those known already aside.
fn add_options(place: &str, from: &dyn TableLike, options: &mut Vec<(String, Vec<String>)>) -> Read<()> {
    for (key, item) in from.iter() {
        if ["name", "run", "section", "label", "paper", "players"].contains(&key)
            || options.iter().any(|(known, _)| known == key)
        {
            continue;
        }
        match item.as_bool() {
            Some(true) => options.push((key.to_owned(), Vec::new())),
            Some(false) => {}
            None => options.push((key.to_owned(), texts(place, key, item)?)),
        }
    }
    Ok(())
}

fn read_step(number: usize, step: &dyn TableLike, defaults: Option<&dyn TableLike>) -> Read<Step> {
    let place = format!("step {}", number + 1);
    let text = |key: &'static str| step.get(key).map(|item| text_of(&place, key, item)).transpose();
    let name = text("name")?.ok_or_else(|| missing(&place, "name"))?;
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-') {
        return Err(StudyFileError::Name(name));
    }
    let place = format!("step '{name}'");
    let run = text("run")?.ok_or_else(|| missing(&place, "run"))?;
    let known = Run::NAMES.iter().find(|(_, known)| *known == run);
    let (run, _) = *known.ok_or(StudyFileError::Run { place: place.clone(), found: run })?;
    let mut options = Vec::new();
    add_options(&place, step, &mut options)?;
    if let Some(defaults) = defaults.and_then(|defaults| defaults.get(run.name())) {
        add_options("defaults", table("defaults", run.name(), defaults)?, &mut options)?;
    }
    let players = step.get("players").map(|item| texts(&place, "players", item)).transpose()?;
    let section = text("section")?.ok_or_else(|| missing(&place, "section"))?;
    let (label, paper) = (text("label")?, text("paper")?);
    Ok(Step { name, run, section, label, paper, players: players.unwrap_or_default(), options })
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(crate) const SMALL: &str = r#"
title = "Small"
about = ["One paragraph."]
[players]
hot = "softmax(T=60)"
plain = "alphabeta(plain=1)"
[defaults.match]
time-ms = 100
resign = "3000,3"
[[step]]
run = "match"
name = "hot"
section = "Table 1"
players = ["hot", "plain"]
games = 300
paper = "36.1 %"
[[step]]
run = "selfplay"
name = "games"
section = "Records"
games = 50
nodes = 1000
[[step]]
run = "curve"
name = "curves"
section = "Curves"
records = "{games}"
players = ["plain@static", "hot@nodes=500"]
when = ["ply < 60", "king_safety < -5"]
draws = true
[[step]]
run = "rank"
name = "ranks"
section = "Ranks"
curve = "curves"
match = "hot"
"#;

    #[test]
    fn a_study_is_read_with_what_it_leaves_to_its_defaults() {
        let study = StudyFile::parse(SMALL).unwrap();
        assert_eq!((study.title.as_str(), study.about.len(), study.steps.len()), ("Small", 1, 4));
        let first = &study.steps[0];
        assert_eq!((first.number("games"), first.number("time-ms")), (Some(300), Some(100)));
        assert_eq!(first.option("resign").unwrap(), ["3000,3"]);
        assert_eq!(study.spec("hot"), "softmax(T=60)");
        assert_eq!(study.spec("hot@nodes=5"), "softmax(T=60)@nodes=5");
        assert_eq!(study.spec("mcss(Ts=5)"), "mcss(Ts=5)");
        assert_eq!(study.steps[2].option("draws"), Some(&[][..]));
    }

    #[test]
    fn what_is_no_study_is_refused_with_the_place() {
        for (from, to, reason) in [
            ("title = \"Small\"", "", "the study: title is missing"),
            ("run = \"rank\"", "run = \"walk\"", "step 'ranks': run = 'walk'; known are match"),
            ("name = \"curves\"", "name = \"hot\"", "two steps are called 'hot'"),
            ("name = \"games\"", "name = \"../x\"", "'../x' is no name of a step"),
            ("section = \"Curves\"", "", "step 'curves': section is missing"),
            ("games = 300", "games = { a = 1 }", "step 'hot': 'games' takes a text"),
            ("[players]", "[player]", "there is no 'player' in a study"),
            ("title = ", "title ", "no TOML"),
        ] {
            let error = StudyFile::parse(&SMALL.replacen(from, to, 1)).unwrap_err().to_string();
            assert!(error.contains(reason), "{to}: {error}");
        }
        assert!(matches!(StudyFile::parse("title = 'x'"), Err(StudyFileError::Empty)));
    }
}
