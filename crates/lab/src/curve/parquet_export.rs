//! The same positions as a Parquet file. A feature of its own, on by default, since the crate behind it is a fifth of
//! the build.

use std::fmt::Write as _;
use std::io::Write;
use std::sync::Arc;

use parquet::basic::Compression;
use parquet::data_type::{ByteArray, ByteArrayType, DoubleType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::parser::parse_message_type;

use super::export::{sfen, value_names};
use super::input::Sample;
use super::run::Outcome;
use eval::features::{Feature, FeatureSource as _};

/// Rows of one group.
const GROUP: usize = 100_000;

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
