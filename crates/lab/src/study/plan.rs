//! From a study to the commands that it runs.

use std::path::{Path, PathBuf};

use super::cost::Cost;
use super::file::{Run, Step, StudyFile};

/// How much of a study is done.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scale {
    /// The share of games and steps.
    pub amount: f64,
    /// The share of the time or the nodes for a move.
    pub effort: f64,
}

impl Scale {
    /// All of it.
    pub const WHOLE: Scale = Scale { amount: 1.0, effort: 1.0 };
}

/// A step with its command.
#[derive(Clone, Debug)]
pub struct PlannedStep<'a> {
    /// The step.
    pub step: &'a Step,
    /// Where its result will be.
    pub folder: PathBuf,
    /// What follows `yomi`; nothing for a comparison of other steps.
    pub arguments: Vec<String>,
    /// What it will take.
    pub cost: Cost,
}

/// What a study will do.
#[derive(Clone, Debug)]
pub struct Plan<'a> {
    /// The study.
    pub study: &'a StudyFile,
    /// In this order.
    pub steps: Vec<PlannedStep<'a>>,
}

/// Fewer games or steps tell nothing at all.
const LEAST_AMOUNT: u64 = 2;
/// Options that say how much is done, and those that say how long is thought.
const AMOUNTS: [&str; 2] = ["games", "steps"];
const EFFORTS: [(&str, u64); 3] = [("time-ms", 1), ("byoyomi", 1), ("nodes", LEAST_NODES)];
const LEAST_NODES: u64 = 20;
/// How a player says that it visits no more nodes, however long it may think.
const NODES_LIMIT: &str = "nodes_limit=";

impl<'a> Plan<'a> {
    /// The commands of a study, below a folder, so many pieces of work at a time.
    #[must_use]
    pub fn new(study: &'a StudyFile, out: &Path, scale: Scale, concurrency: usize) -> Plan<'a> {
        let planned = |step: &'a Step| {
            let scaled = scaled(step, scale);
            PlannedStep {
                step,
                folder: out.join(&step.name),
                arguments: arguments(study, &scaled, out, scale, concurrency),
                cost: Cost::of(study, &scaled, scale, concurrency),
            }
        };
        Plan { study, steps: study.steps.iter().map(planned).collect() }
    }
}

impl PlannedStep<'_> {
    /// The command as a shell takes it.
    #[must_use]
    pub fn command(&self) -> String {
        let words = self.arguments.iter().map(|word| quoted(word));
        std::iter::once("yomi".to_owned()).chain(words).collect::<Vec<_>>().join(" ")
    }
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=,:@+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A share of a number, but no less than so much.
fn times(number: u64, share: f64, least: u64) -> u64 {
    ((number as f64 * share).ceil() as u64).clamp(least.min(number), number.max(1))
}

/// A spec whose own limit of nodes, if it has one, is made smaller.
fn scaled_spec(spec: &str, effort: f64) -> String {
    let Some((before, behind)) = spec.split_once(NODES_LIMIT) else { return spec.to_owned() };
    let end = behind.find(|c: char| !c.is_ascii_digit()).unwrap_or(behind.len());
    match behind[..end].parse() {
        Ok(nodes) if nodes > 0 => {
            format!("{before}{NODES_LIMIT}{}{}", times(nodes, effort, LEAST_NODES), &behind[end..])
        }
        _ => spec.to_owned(),
    }
}

/// The step with its numbers made smaller.
fn scaled(step: &Step, scale: Scale) -> Step {
    let mut step = step.clone();
    for (key, values) in &mut step.options {
        let amount = AMOUNTS.contains(&key.as_str()).then_some((scale.amount, LEAST_AMOUNT));
        let effort = EFFORTS.iter().find(|(known, _)| known == key).map(|(_, least)| (scale.effort, *least));
        if let (Some((share, least)), [number]) = (amount.or(effort), values.as_mut_slice())
            && let Ok(old) = number.parse::<u64>()
            && share < 1.0
        {
            let smaller = times(old, share, least);
            // Pairs of games are what counts.
            let is_pair = step.run == Run::Match && key == "games";
            *number = (if is_pair { smaller.next_multiple_of(2) } else { smaller }).to_string();
        }
    }
    for player in &mut step.players {
        if let Some((name, effort)) = player.split_once('@')
            && let Some((kind, number)) = effort.split_once('=')
            && let Some((_, least)) = EFFORTS.iter().find(|(known, _)| *known == kind)
            && let (Ok(old), true) = (number.parse::<u64>(), scale.effort < 1.0)
        {
            *player = format!("{name}@{kind}={}", times(old, scale.effort, *least));
        }
    }
    step
}

fn arguments(study: &StudyFile, step: &Step, out: &Path, scale: Scale, concurrency: usize) -> Vec<String> {
    if step.run == Run::Rank {
        return Vec::new();
    }
    let in_folders = |text: &str| in_folders(text, study, out);
    let mut words = vec![step.run.name().to_owned()];
    for player in &step.players {
        words.extend(["--player".to_owned(), in_folders(&scaled_spec(&study.spec(player), scale.effort))]);
        if step.run == Run::Match {
            words.extend(["--name".to_owned(), player.clone()]);
        }
    }
    for (key, values) in &step.options {
        if values.is_empty() {
            words.push(format!("--{key}"));
        }
        for value in values {
            words.extend([format!("--{key}"), in_folders(value)]);
        }
    }
    let workers = if step.run == Run::Selfplay { "threads" } else { "concurrency" };
    if step.option(workers).is_none() {
        words.extend([format!("--{workers}"), concurrency.to_string()]);
    }
    words.extend(["--out".to_owned(), out.join(&step.name).display().to_string()]);
    words
}

/// `{name}` becomes the folder of the step of that name.
fn in_folders(text: &str, study: &StudyFile, out: &Path) -> String {
    study.steps.iter().fold(text.to_owned(), |text, step| {
        text.replace(&format!("{{{}}}", step.name), &out.join(&step.name).display().to_string())
    })
}

#[cfg(test)]
mod tests {
    use super::super::file::tests::SMALL;
    use super::*;

    fn commands(scale: Scale) -> Vec<String> {
        let study = StudyFile::parse(SMALL).unwrap();
        let plan = Plan::new(&study, Path::new("out"), scale, 2);
        plan.steps.iter().map(PlannedStep::command).collect()
    }

    #[test]
    fn steps_become_commands_that_a_shell_takes() {
        let commands = commands(Scale::WHOLE);
        assert_eq!(
            commands[0],
            "yomi match --player 'softmax(T=60)' --name hot --player 'alphabeta(plain=1)' --name plain --games 300 \
             --time-ms 100 --resign 3000,3 --concurrency 2 --out out/hot"
        );
        assert_eq!(commands[1], "yomi selfplay --games 50 --nodes 1000 --threads 2 --out out/games");
        assert_eq!(
            commands[2],
            "yomi curve --player 'alphabeta(plain=1)@static' --player 'softmax(T=60)@nodes=500' --records out/games \
             --when 'ply < 60' --when 'king_safety < -5' --draws --concurrency 2 --out out/curves"
        );
        assert_eq!(commands[3], "yomi");
    }

    #[test]
    fn a_scaled_study_has_fewer_games_and_shorter_thoughts_but_never_none() {
        let small = commands(Scale { amount: 0.02, effort: 0.1 });
        assert!(small[0].contains("--games 6 ") && small[0].contains("--time-ms 10 "), "{}", small[0]);
        assert!(small[1].contains("--games 2 ") && small[1].contains("--nodes 100 "), "{}", small[1]);
        assert!(small[2].contains("@nodes=50'"), "{}", small[2]);
        let least = commands(Scale { amount: 0.0001, effort: 0.0001 });
        assert!(least[0].contains("--games 2 ") && least[0].contains("--time-ms 1 "), "{}", least[0]);
        assert!(least[1].contains("--nodes 20 "), "{}", least[1]);
    }

    #[test]
    fn limits_that_players_have_of_themselves_are_scaled_too() {
        for (effort, scaled) in
            [(1.0, "softmax(nodes_limit=5000, T=6)@nodes=9"), (0.1, "softmax(nodes_limit=500, T=6)@nodes=9")]
        {
            assert_eq!(scaled_spec("softmax(nodes_limit=5000, T=6)@nodes=9", effort), scaled);
        }
        assert_eq!(scaled_spec("uct(nodes_limit=50)", 0.1), "uct(nodes_limit=20)");
        for spec in ["alphabeta", "alphabeta(nodes_limit=0)", "usi:x(nodes_limit=many)"] {
            assert_eq!(scaled_spec(spec, 0.1), spec);
        }
    }

    #[test]
    fn words_of_a_shell_are_quoted_where_they_must_be() {
        assert_eq!(
            [quoted("a-b=1"), quoted("a b"), quoted("it's"), quoted("")],
            ["a-b=1", "'a b'", r"'it'\''s'", "''"]
        );
    }
}
