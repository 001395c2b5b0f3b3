//! `yomi fit`: weights for what an evaluation lacks.

use std::fmt::Write as _;

use anyhow::Context as _;
use clap::Args;
use lab::curve::{Expression, Fit as Data, Fitted, Loss, Outcome, PlayerCurve, analyse, fit_weights, page};
use serde::Serialize;

use crate::run_output::RunOutput;
use crate::study_input::{Material, StudyInput};

/// Fit weights of features to the results of games, on top of a player's values.
///
/// The win probability is 1 / (1 + exp(-(value + sum of weight × feature) / scale)). MLM makes the results most
/// likely, LS the squared error least. A weight says how many centipawns one unit of its feature is worth; without
/// --add only the scale is fitted, which a player needs to tell win rates. Curves before and after show whether a split has shrunk.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Fit {
    #[command(flatten)]
    input: StudyInput,

    /// A feature to add, as an expression: 'progress * king_safety'
    #[arg(long, value_name = "EXPR")]
    add: Vec<Expression>,

    /// What to minimise: mlm (likelihood) or ls (least squares)
    #[arg(long, value_name = "LOSS", default_value = "mlm")]
    loss: Loss,

    #[command(flatten)]
    output: RunOutput,
}

const EXAMPLES: &str = "\
Examples:
  yomi fit --records games/ --stored
  yomi fit --records games/ --player alphabeta@static --add 'progress * king_safety' --when 'king_safety >= 3' --out runs/fit
  yomi fit --records train.psv --stored --add castle --loss ls --json";

#[derive(Serialize)]
struct FitResult {
    player: String,
    loss: Loss,
    features: Vec<String>,
    #[serde(flatten)]
    fitted: Fitted,
    curve_before: PlayerCurve,
    curve_after: PlayerCurve,
}

impl Fit {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let targets = self.input.targets("fit")?;
        let manifest = self.input.manifest("fit", &targets);
        let folder = self.output.open(&manifest)?;
        let material = self.input.gather(targets, folder.dir.path())?;
        let mut results = Vec::new();
        for (target, values) in material.targets.iter().zip(&material.values) {
            results.push(self.fit(&target.name, &material, values)?);
        }
        if folder.is_kept() {
            folder.dir.write_json("result.json", &results)?;
            let curves: Vec<PlayerCurve> = results
                .iter()
                .flat_map(|result| [result.curve_before.clone(), result.curve_after.clone()])
                .collect();
            let remarks: Vec<String> = results.iter().map(text).collect();
            folder.dir.write("fit.html", page("Fitted weights", &remarks, &curves).as_bytes())?;
        }
        self.output.print(&results, || results.iter().map(text).collect())
    }

    fn fit(&self, name: &str, material: &Material, values: &Outcome) -> anyhow::Result<FitResult> {
        let study = self.input.study();
        let samples = &material.samples.all;
        let clip = |value: f64| value.clamp(-study.clip, study.clip);
        let mut data = Data::default();
        for (sample, value) in samples.iter().zip(values) {
            let (Some(value), true) = (value, study.draws || sample.result != 0.5) else { continue };
            let mut row = vec![clip(*value)];
            row.extend(self.add.iter().map(|feature| feature.value(sample.features())));
            if row.iter().all(|number| number.is_finite()) {
                data.rows.push(row);
                data.results.push(sample.result);
            }
        }
        let fitted = fit_weights(&data, self.loss).with_context(|| {
            format!(
                "{name}: the {} positions do not determine the weights; fewer or other --add would do",
                data.rows.len()
            )
        })?;
        let improved: Outcome = samples
            .iter()
            .zip(values)
            .map(|(sample, value)| {
                let added: f64 = self
                    .add
                    .iter()
                    .zip(&fitted.weights)
                    .map(|(feature, weight)| weight * feature.value(sample.features()))
                    .sum();
                (*value).map(|value| value + added).filter(|value| value.is_finite())
            })
            .collect();
        Ok(FitResult {
            player: name.to_owned(),
            loss: self.loss,
            features: self.add.iter().map(ToString::to_string).collect(),
            curve_before: analyse(&format!("{name}, before"), samples, values, &study),
            curve_after: analyse(&format!("{name}, after"), samples, &improved, &study),
            fitted,
        })
    }
}

fn text(result: &FitResult) -> String {
    let Fitted { scale, weights, before, after } = &result.fitted;
    let mut text =
        format!("{}\n  scale {scale:.1}, mean loss {before:.6} before, {after:.6} after\n", result.player);
    let _ = writeln!(text, "  for win rates: win_rate_scale={scale:.0} in a spec, WinRateScale in USI");
    for (feature, weight) in result.features.iter().zip(weights) {
        let _ = writeln!(text, "  {feature}: {weight:+.2} centipawns a unit");
    }
    for (before, after) in result.curve_before.splits.iter().zip(&result.curve_after.splits) {
        let [was, is] = [before, after].map(|split| split.shift * 100.0);
        let _ = writeln!(
            text,
            "  when {}: shift {was:+.1} % before, {is:+.1} % after (p {:.2e})",
            before.condition, after.p
        );
    }
    text
}
