//! `yomi fit`: weights for what an evaluation lacks.

use clap::Args;
use lab::curve::{Expression, FitResult, Loss};

use crate::run_output::RunOutput;
use crate::study_input::StudyInput;

/// Fit weights of features to the results of games, on top of a player's values.
///
/// The win probability is 1 / (1 + exp(-(value + sum of weight × feature) / scale)). MLM makes the results most
/// likely, LS the squared error least. A weight says how many centipawns one unit of its feature is worth; without
/// --add only the scale is fitted, which a player needs to report win rates. Curves before and after show whether a split has shrunk.
///
/// The weights of a fit of one player can be played with: 'alphabeta(eval=material, weights=runs/fit/result.json)'.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fit {
    #[command(flatten)]
    input: StudyInput,

    /// A feature to add, as an expression: 'progress * king_safety'
    #[arg(long, value_name = "EXPR")]
    add: Vec<Expression>,

    /// Add the king's unsafety by attackers and by defenders, weighted by progress: equation (6) of the paper by Takeuchi,
    /// Kaneko and Yamaguchi; the same as --add 'progress * king_attack' --add 'progress * king_defence'
    #[arg(long)]
    king_unsafety: bool,

    /// What to minimise: mlm (likelihood) or ls (least squares)
    #[arg(long, value_name = "LOSS", default_value = "mlm")]
    loss: Loss,

    #[command(flatten)]
    output: RunOutput,
}

const EXAMPLES: &str = "\
Examples:
  yomi fit --records games/ --stored
  yomi fit --records games/ --player 'alphabeta(eval=material)@static' --king-unsafety --when 'king_safety >= 3' --out runs/fit
  yomi fit --records train.psv --stored --add castle --loss ls --json";

/// What equation (6) adds.
const KING_UNSAFETY: [&str; 2] = ["progress * king_attack", "progress * king_defence"];

impl Fit {
    /// What is added to the values.
    fn features(&self) -> anyhow::Result<Vec<Expression>> {
        let unsafety = if self.king_unsafety { &KING_UNSAFETY[..] } else { &[] };
        let named = unsafety.iter().map(|text| text.parse()).collect::<Result<Vec<Expression>, _>>()?;
        Ok(named.into_iter().chain(self.add.iter().cloned()).collect())
    }

    pub(super) fn run(self) -> anyhow::Result<()> {
        let targets = self.input.targets("fit")?;
        let folder = self.output.open(&self.input.manifest("fit", &targets))?;
        let material = self.input.gather(targets, &folder.dir)?;
        let results = material.fits(&self.features()?, self.loss, &self.input.study())?;
        if folder.is_kept() {
            FitResult::write_all(&results, &folder.dir)?;
        }
        self.output.print(&results, || results.iter().map(FitResult::text).collect())
    }
}
