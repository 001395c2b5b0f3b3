//! `yomi study`: the experiments of a file, and one page of what came of them.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context as _, bail};
use clap::{Args, ValueHint};
use lab::study::{DoneStep, Plan, PlannedStep, Run, Scale, StudyFile, report_of};
use runs::{Header, RunDir, is_interrupted};
use serde::Serialize;

use crate::command_line::{bad_value, whole_number};
use crate::interrupt;
use crate::output::{self, note};

/// Run the experiments of a file one after the other, and make one page of their tables, figures and commands.
///
/// A study names players, and steps that are commands of this program: match, selfplay, curve, fit and tune, and rank, which compares the
/// numbers of a curve with the ratings of a match. The files are TOML; those in the folder 'studies' repeat the experiments of the papers that
/// Yomi is built from. '{NAME}' in a step stands for the folder of another step, as in records = "{games}".
///
/// The folder keeps a folder for each step, report.html, and report.md with its figures. The same command goes on after any
/// crash or Ctrl-C, and a step that is done is not done again, unless its folder is removed.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Study {
    /// The file
    #[arg(value_name = "FILE.toml", value_hint = ValueHint::FilePath)]
    file: PathBuf,

    /// The folder of the study, new or to be continued
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_unless_present = "dry_run")]
    out: Option<PathBuf>,

    /// Say what would be run, how many games and how long, and run nothing
    #[arg(long)]
    dry_run: bool,

    /// The share of games and steps that are played, at least two of each
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share)]
    scale: f64,

    /// The share of the time or the nodes for each move and position
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share)]
    effort: f64,

    /// Games or positions at a time
    #[arg(long, value_name = "N", default_value = "1", value_parser = whole_number(1..=1024))]
    concurrency: u32,

    /// Run only these steps; the page is of all that are done
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    only: Vec<String>,
}

const EXAMPLES: &str = "\
Examples:
  yomi study studies/softmax.toml --dry-run --concurrency 2
  yomi study studies/softmax.toml --scale 0.1 --concurrency 2 --out runs/softmax
  yomi study studies/curves.toml --only games,draws --out runs/curves";

/// The log of the steps that are done.
const STEPS: &str = "steps.jsonl";
/// The folder of the figures beside the text.
const FIGURES: &str = "figures";

/// What a study's results depend on, besides its file.
#[derive(Serialize)]
struct Manifest {
    #[serde(flatten)]
    header: Header,
    scale: f64,
    effort: f64,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share: &f64| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| "expected a number above 0, up to 1".to_owned())
}

impl Study {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let text = std::fs::read_to_string(&self.file)
            .map_err(|error| wrong(format!("cannot read {}: {error}", self.file.display())))?;
        let study =
            StudyFile::parse(&text).map_err(|error| wrong(format!("{}: {error}", self.file.display())))?;
        let out = self.out.clone().unwrap_or_else(|| PathBuf::from("OUT"));
        let scale = Scale { amount: self.scale, effort: self.effort };
        let plan = Plan::new(&study, &out, scale, self.concurrency as usize);
        if let Some(unknown) = self.only.iter().find(|name| plan.steps.iter().all(|p| p.step.name != **name))
        {
            let names: Vec<&str> = plan.steps.iter().map(|planned| planned.step.name.as_str()).collect();
            return Err(
                wrong(format!("there is no step '{unknown}'; the steps are {}", names.join(", "))).into()
            );
        }
        if self.dry_run {
            return output::print(&dry_run(&plan));
        }
        let manifest = Manifest { header: Header::new("study"), scale: self.scale, effort: self.effort };
        let dir = interrupt::open_run(&out, &manifest)?;
        let done = self.run_steps(&plan, &dir)?;
        write_report(&plan, &done, &dir)?;
        output::print(&format!(
            "{} of {} steps are done: {}\n",
            done.len(),
            plan.steps.iter().filter(|planned| planned.step.run != Run::Rank).count(),
            out.join("report.html").display()
        ))?;
        interrupt::say_how_to_go_on(&dir, true);
        Ok(())
    }

    /// Runs what is not done yet; the steps that are done then.
    fn run_steps(&self, plan: &Plan<'_>, dir: &RunDir) -> anyhow::Result<Vec<DoneStep>> {
        let mut done: Vec<DoneStep> = dir.read_log(STEPS)?;
        // A step whose folder was removed is to be done again.
        done.retain(|step| plan.steps.iter().any(|p| p.step.name == step.name && p.folder.exists()));
        let mut log = dir.append_to(STEPS)?;
        for planned in plan.steps.iter().filter(|planned| planned.step.run != Run::Rank) {
            let name = &planned.step.name;
            if dir.is_stopped() || is_interrupted() {
                break;
            }
            if !self.only.is_empty() && !self.only.contains(name) {
                continue;
            }
            if let Some(known) = done.iter().find(|step| step.name == *name) {
                let (known, wanted) = (without_workers(&known.command), without_workers(&planned.command()));
                if known != wanted {
                    bail!(
                        "step '{name}' was done by another command, '{known}': remove {} to do it again",
                        planned.folder.display()
                    );
                }
                continue;
            }
            note(&format!("step '{name}': {}", planned.command()));
            let began = Instant::now();
            if !perform(planned)? {
                break;
            }
            let step = DoneStep {
                name: name.clone(),
                command: planned.command(),
                seconds: began.elapsed().as_secs_f64(),
            };
            log.append(&step)?;
            done.push(step);
            // The page grows while the study goes on.
            write_report(plan, &done, dir)?;
        }
        Ok(done)
    }
}

/// A command but for how many work on it, which changes no result.
fn without_workers(command: &str) -> String {
    let mut words = command.split(' ');
    let mut kept = Vec::new();
    while let Some(word) = words.next() {
        if word == "--concurrency" || word == "--threads" {
            words.next();
        } else {
            kept.push(word);
        }
    }
    kept.join(" ")
}

/// Runs the command of a step by this very program; whether it came to its end and was not interrupted.
fn perform(planned: &PlannedStep<'_>) -> anyhow::Result<bool> {
    let program = std::env::current_exe().context("cannot find this program")?;
    let status = Command::new(program)
        .args(&planned.arguments)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .status()
        .context("cannot run this program")?;
    if is_interrupted() || planned.folder.join(runs::STOP).exists() {
        return Ok(false);
    }
    if !status.success() {
        bail!("step '{}' failed: {}", planned.step.name, planned.command());
    }
    Ok(true)
}

fn write_report(plan: &Plan<'_>, done: &[DoneStep], dir: &RunDir) -> anyhow::Result<()> {
    let report = report_of(plan, done)?;
    dir.write("report.html", report.html().as_bytes())?;
    dir.write("report.md", report.markdown(FIGURES).as_bytes())?;
    for figure in report.sections.iter().flat_map(|section| &section.figures) {
        let name = Path::new(FIGURES).join(&figure.name);
        dir.write(&name.display().to_string(), figure.svg.as_bytes())?;
    }
    Ok(())
}

/// What would be run.
fn dry_run(plan: &Plan<'_>) -> String {
    let mut text = String::new();
    let (mut games, mut seconds, mut unknown) = (0, 0.0, 0);
    for planned in plan.steps.iter().filter(|planned| planned.step.run != Run::Rank) {
        let cost = planned.cost;
        let played = if cost.games > 0 { format!("{} games, ", cost.games) } else { String::new() };
        let hours =
            cost.seconds.map_or("who knows how long".to_owned(), |s| format!("about {:.2} h", s / 3600.0));
        text += &format!("{}: {played}{hours}\n  {}\n", planned.step.name, planned.command());
        games += cost.games;
        seconds += cost.seconds.unwrap_or(0.0);
        unknown += usize::from(cost.seconds.is_none());
    }
    let besides =
        if unknown > 0 { format!(", and {unknown} steps of unknown length") } else { String::new() };
    text + &format!("{games} games in all, about {:.1} h{besides}\n", seconds / 3600.0)
}

fn wrong(message: impl std::fmt::Display) -> clap::Error {
    bad_value("study", message)
}
