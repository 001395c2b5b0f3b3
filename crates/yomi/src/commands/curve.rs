//! `yomi curve`: how often values came true in played games.

use std::fs::File;
use std::io::{BufWriter, Write as _};
use std::path::Path;

use anyhow::Context as _;
use clap::Args;
use lab::curve::{self, Feature, PlayerCurve, analyse, curve_chart, page, split_chart};
use runs::RunDir;
use serde::Serialize;

use crate::curve_text;
use crate::run_output::RunOutput;
use crate::study_input::{Material, StudyInput};

/// Draw evaluation curves: the share of games won over the value of their positions.
///
/// Every position of a record carries the record's winner, unless a mate on the board proves another. Positions are
/// grouped into intervals of values; the curve is the share of each that Black won. A good evaluation has a rising
/// curve, and curves of single kinds of positions (--when) that lie on it: where they do not, that kind is misjudged.
///
/// Values are kept per player and position, so that a broken run goes
/// on and another condition costs nothing.
#[derive(Args)]
#[command(after_help = EXAMPLES, after_long_help = long_help())]
pub(crate) struct Curve {
    #[command(flatten)]
    input: StudyInput,

    #[command(flatten)]
    output: RunOutput,
}

const EXAMPLES: &str = "\
Examples:
  yomi curve --records games/ --stored --out curves
  yomi curve --records games/ --player alphabeta@static --player alphabeta@nodes=1000 --concurrency 4 --out curves
  yomi curve --records games/ --player alphabeta --when 'ply < 60' --when 'king_safety < -5' --out curves
  yomi curve --records games/ --player 'alphabeta(net=nn.bin)' --player usi:./other --depth 3 --json";

/// The examples, what can be said in conditions, and what files there will be.
fn long_help() -> String {
    let mut text = format!(
        "{EXAMPLES}\n\nConditions: numbers, + - * / < <= > >= == != && || !, abs(x), min(x, y), max(x, y), and\n"
    );
    for (_, name, meaning) in Feature::ALL {
        text += &format!("  {name:<18} {meaning}\n");
    }
    text += "Differences are Black's less White's. What is not known makes a condition false.\n\n\
        Files: curves.svg, conditions-N.svg for player N, report.html, result.json, manifest.json, and every position \
        with its values (value1 for the first player, …) as positions.csv and positions.parquet.";
    text
}

/// What came of it.
#[derive(Serialize)]
struct CurveResult<'a> {
    games: u32,
    positions: usize,
    corrected: u32,
    undecided: u32,
    refused: usize,
    players: &'a [PlayerCurve],
}

impl Curve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let targets = self.input.targets("curve")?;
        let manifest = self.input.manifest("curve", &targets);
        let folder = self.output.open(&manifest)?;
        let material = self.input.gather(targets, folder.dir.path())?;
        let study = self.input.study();
        let samples = &material.samples;
        let players: Vec<PlayerCurve> = material
            .targets
            .iter()
            .zip(&material.values)
            .map(|(target, values)| analyse(&target.name, &samples.all, values, &study))
            .collect();
        let result = CurveResult {
            games: samples.games,
            positions: samples.all.len(),
            corrected: samples.corrected,
            undecided: samples.undecided,
            refused: samples.refused.len(),
            players: &players,
        };
        let remarks = remarks(&material, study.draws);
        if folder.is_kept() {
            folder.dir.write_json("result.json", &result)?;
            write_pictures(&folder.dir, &remarks, &players)?;
            write_positions(&folder.dir, &material)?;
        }
        self.output.print(&result, || curve_text::summary(&remarks, &players))
    }
}

/// What a reader of curves must know about the positions.
fn remarks(material: &Material, draws: bool) -> Vec<String> {
    let samples = &material.samples;
    let draws = if draws { "draws count as halves" } else { "draws are left out" };
    vec![
        format!("{} positions of {} games; {draws}", samples.all.len(), samples.games),
        format!(
            "{} games decided by a proven mate and not by their record, {} without any result",
            samples.corrected, samples.undecided
        ),
    ]
}

fn write_pictures(dir: &RunDir, remarks: &[String], players: &[PlayerCurve]) -> anyhow::Result<()> {
    dir.write("curves.svg", curve_chart(players).to_file().as_bytes())?;
    for (number, player) in (1..).zip(players).filter(|(_, player)| !player.splits.is_empty()) {
        let name = format!("conditions-{number}.svg");
        dir.write(&name, split_chart(player).to_file().as_bytes())?;
    }
    let html = page("Evaluation curves", remarks, players);
    dir.write("report.html", html.as_bytes())?;
    Ok(())
}

fn write_positions(dir: &RunDir, material: &Material) -> anyhow::Result<()> {
    let create = |path: &Path| {
        File::create(path).map(BufWriter::new).with_context(|| format!("cannot write {}", path.display()))
    };
    let path = dir.path().join("positions.csv");
    let mut file = create(&path)?;
    curve::csv(&mut file, &material.samples.all, &material.values)
        .and_then(|()| file.flush())
        .with_context(|| format!("cannot write {}", path.display()))?;
    let path = dir.path().join("positions.parquet");
    #[cfg(feature = "parquet")]
    curve::parquet(create(&path)?, &material.samples.all, &material.values)
        .with_context(|| format!("cannot write {}", path.display()))?;
    #[cfg(not(feature = "parquet"))]
    crate::output::warn(&format!(
        "{} is not written: this program was built without parquet",
        path.display()
    ));
    Ok(())
}
