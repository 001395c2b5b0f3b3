//! Every position with its features and values as CSV and as Parquet, for other programs.

use std::io::Write;

use super::input::Sample;
use super::parquet::{Cells, ParquetWriter};
use super::run::Outcome;
use eval::features::{Feature, FeatureSource as _};

/// Rows of one group of a Parquet file.
const GROUP: usize = 100_000;

/// The names of the players' columns; their order is that of the players.
fn value_names(players: usize) -> Vec<String> {
    (1..=players).map(|number| format!("value{number}")).collect()
}

fn names(players: usize) -> Vec<String> {
    let facts = ["game", "sfen", "result"].into_iter().map(str::to_owned);
    let features = Feature::ALL.iter().map(|(_, name, _)| (*name).to_owned());
    facts.chain(features).chain(value_names(players)).collect()
}

fn known(number: f64) -> Option<f64> {
    Some(number).filter(|number| !number.is_nan())
}

fn sfen(sample: &Sample) -> String {
    sample.position().map_or(String::new(), |position| position.to_string())
}

/// Writes all positions as CSV: the game, the position, Black's result, the features, each player's value. What is
/// not known is empty.
pub fn csv(out: &mut dyn Write, samples: &[Sample], values: &[Outcome]) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    writer.write_record(names(values.len()))?;
    for (i, sample) in samples.iter().enumerate() {
        let facts = [sample.game.to_string(), sfen(sample), sample.result.to_string()];
        let features = Feature::ALL.iter().map(|(feature, ..)| known(sample.features().get(*feature)));
        let numbers = features.chain(values.iter().map(|column| column[i]));
        let cells = numbers.map(|number| number.map_or_else(String::new, |number| number.to_string()));
        writer.write_record(facts.into_iter().chain(cells))?;
    }
    writer.flush()
}

/// Writes all positions as Parquet, with the same columns; what is not known is null.
pub fn parquet(out: impl Write, samples: &[Sample], values: &[Outcome]) -> std::io::Result<()> {
    let mut writer = ParquetWriter::new(out, names(values.len()))?;
    for first in (0..samples.len().max(1)).step_by(GROUP) {
        let rows = first..samples.len().min(first + GROUP);
        let samples = &samples[rows.clone()];
        let mut columns = vec![
            Cells::Integers(samples.iter().map(|sample| sample.game as i32).collect()),
            Cells::Texts(samples.iter().map(sfen).collect()),
            Cells::Numbers(samples.iter().map(|sample| Some(sample.result)).collect()),
        ];
        columns.extend(Feature::ALL.iter().map(|(feature, ..)| {
            Cells::Numbers(samples.iter().map(|sample| known(sample.features().get(*feature))).collect())
        }));
        columns.extend(values.iter().map(|column| Cells::Numbers(column[rows.clone()].to_vec())));
        writer.group(&columns)?;
    }
    writer.finish()
}
