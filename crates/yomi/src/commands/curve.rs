//! `yomi curve`: how often values came true in played games.

use clap::Args;
use lab::curve::{Feature, MEANINGS};

use crate::curve_text;
use crate::run_output::RunOutput;
use crate::study_input::StudyInput;

/// Draw evaluation curves: the share of games won over the value of their positions.
///
/// Every position of a record carries the record's winner, unless a mate on the board proves another. Positions are
/// grouped into intervals of values; the curve is the share of each that Black won. A good evaluation has a rising
/// curve, and curves of single kinds of positions (--when) that lie on it: where they do not, that kind is misjudged.
///
/// Players are compared by the positions to which all of them give a value. Values are kept per player and position, so that a broken run goes
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
    text += "Differences are Black's less White's. What is not known makes a condition false.\n\nNumbers:\n";
    for (name, meaning) in MEANINGS {
        text += &format!("  {name:<18} {meaning}\n");
    }
    text += "\n\
        Files: curves.svg, win_rates.svg if the values of a player are win rates, conditions-N.svg for player N, report.html, result.json, manifest.json, and every position \
        with its values (value1 for the first player, …) as positions.csv and positions.parquet.";
    text
}

impl Curve {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let targets = self.input.targets("curve")?;
        let folder = self.output.open(&self.input.manifest("curve", &targets))?;
        let material = self.input.gather(targets, &folder.dir)?;
        let result = material.curves(&self.input.study());
        if folder.is_kept() {
            result.write(&material, &folder.dir)?;
        }
        self.output.print(&result, || curve_text::summary(&result.remarks(), &result.players))
    }
}
