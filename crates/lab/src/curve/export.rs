//! Every position with its features and values as CSV, for other programs.

use std::io::Write;

use super::input::Sample;
use super::run::Outcome;
use eval::features::{Feature, FeatureSource as _};

/// The names of the players' columns; their order is that of the players.
pub(super) fn value_names(players: usize) -> Vec<String> {
    (1..=players).map(|number| format!("value{number}")).collect()
}

pub(super) fn sfen(sample: &Sample) -> String {
    sample.position().map_or(String::new(), |position| position.to_string())
}

/// Writes all positions as CSV: the game, the position, Black's result, the features, each player's value. What is
/// not known is empty.
pub fn csv(out: &mut dyn Write, samples: &[Sample], values: &[Outcome]) -> std::io::Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    let head = ["game", "sfen", "result"].into_iter().map(str::to_owned);
    let features = Feature::ALL.iter().map(|(_, name, _)| (*name).to_owned());
    writer.write_record(head.chain(features).chain(value_names(values.len())))?;
    for (i, sample) in samples.iter().enumerate() {
        let facts = [sample.game.to_string(), sfen(sample), sample.result.to_string()];
        let features = Feature::ALL.iter().map(|(feature, ..)| {
            let number = sample.features().get(*feature);
            Some(number).filter(|number| !number.is_nan())
        });
        let numbers = features.chain(values.iter().map(|column| column[i]));
        let cells = numbers.map(|number| number.map_or_else(String::new, |number| number.to_string()));
        writer.write_record(facts.into_iter().chain(cells))?;
    }
    writer.flush()
}
