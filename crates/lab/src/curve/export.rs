//! Every position with its features and values, for other programs.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::features::Feature;
use super::input::Sample;
use super::run::Outcome;

/// Rows of one group.
const GROUP: usize = 100_000;

/// The names of the players' columns; their order is that of the players.
fn value_names(players: usize) -> Vec<String> {
    (1..=players).map(|number| format!("value{number}")).collect()
}

fn sfen(sample: &Sample) -> String {
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

/// Writes all positions as Parquet, with the same columns; what is not known is null.
pub fn parquet(out: impl Write + Send, samples: &[Sample], values: &[Outcome]) -> Result<(), ParquetError> {
    let mut schema =
        "message positions { REQUIRED INT32 game; REQUIRED BYTE_ARRAY sfen (UTF8); REQUIRED DOUBLE result;"
            .to_owned();
    let names = Feature::ALL.iter().map(|(_, name, _)| (*name).to_owned()).chain(value_names(values.len()));
    names.for_each(|name| {
        let _ = write!(schema, " OPTIONAL DOUBLE {name};");
    });
    schema.push('}');
    let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
    let mut writer =
        SerializedFileWriter::new(out, Arc::new(parse_message_type(&schema)?), Arc::new(properties))?;
    for (number, rows) in samples.chunks(GROUP).enumerate() {
        let mut group = writer.next_row_group()?;
        let games: Vec<i32> = rows.iter().map(|sample| sample.game as i32).collect();
        let texts: Vec<ByteArray> =
            rows.iter().map(|sample| ByteArray::from(sfen(sample).into_bytes())).collect();
        let results: Vec<f64> = rows.iter().map(|sample| sample.result).collect();
        if let Some(mut column) = group.next_column()? {
            column.typed::<Int32Type>().write_batch(&games, None, None)?;
            column.close()?;
        }
        if let Some(mut column) = group.next_column()? {
            column.typed::<ByteArrayType>().write_batch(&texts, None, None)?;
            column.close()?;
        }
        if let Some(mut column) = group.next_column()? {
            column.typed::<DoubleType>().write_batch(&results, None, None)?;
            column.close()?;
        }
        let first = number * GROUP;
        let known = |number: f64| Some(number).filter(|number| !number.is_nan());
        let features = Feature::ALL.iter().map(|(feature, ..)| {
            rows.iter().map(|sample| known(sample.features().get(*feature))).collect::<Vec<_>>()
        });
        let columns = features.chain(values.iter().map(|column| column[first..first + rows.len()].to_vec()));
        for cells in columns {
            let Some(mut column) = group.next_column()? else { break };
            let levels: Vec<i16> = cells.iter().map(|cell| i16::from(cell.is_some())).collect();
            let present: Vec<f64> = cells.into_iter().flatten().collect();
            column.typed::<DoubleType>().write_batch(&present, Some(&levels), None)?;
            column.close()?;
        }
        group.close()?;
    }
    writer.close()?;
    Ok(())
}
