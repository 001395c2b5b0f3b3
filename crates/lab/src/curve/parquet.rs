//! Flat tables as Parquet files: one plain page a column and group, compressed by Snappy. The format's own description
//! (Apache Parquet, `parquet.thrift`) needs no more for a table that is only written, and a general writer with what it
//! brings along would be an eighth of the build.
//!
//! A file is the magic, the pages of all groups, the footer (where they are and what they hold), its length, the magic.
//! Headers are in Thrift's compact protocol.

use std::io::{self, Write};

const MAGIC: &[u8; 4] = b"PAR1";
const CREATED_BY: &str = concat!("yomi ", env!("CARGO_PKG_VERSION"));

/// The cells of one column.
pub(super) enum Cells {
    /// Whole numbers.
    Integers(Vec<i32>),
    /// Texts in UTF-8.
    Texts(Vec<String>),
    /// Numbers, or null.
    Numbers(Vec<Option<f64>>),
}

/// The numbers that the format gives things.
mod code {
    pub(super) const INT32: i64 = 1;
    pub(super) const DOUBLE: i64 = 5;
    pub(super) const BYTE_ARRAY: i64 = 6;
    pub(super) const REQUIRED: i64 = 0;
    pub(super) const OPTIONAL: i64 = 1;
    pub(super) const UTF8: i64 = 0;
    pub(super) const PLAIN: i64 = 0;
    pub(super) const RLE: i64 = 3;
    pub(super) const SNAPPY: i64 = 1;
    pub(super) const DATA_PAGE: i64 = 0;
}

impl Cells {
    fn len(&self) -> usize {
        match self {
            Cells::Integers(cells) => cells.len(),
            Cells::Texts(cells) => cells.len(),
            Cells::Numbers(cells) => cells.len(),
        }
    }

    fn kind(&self) -> Kind {
        match self {
            Cells::Integers(_) => Kind { physical: code::INT32, repetition: code::REQUIRED },
            Cells::Texts(_) => Kind { physical: code::BYTE_ARRAY, repetition: code::REQUIRED },
            Cells::Numbers(_) => Kind { physical: code::DOUBLE, repetition: code::OPTIONAL },
        }
    }

    /// The page before it is compressed: which cells are there, then those.
    fn page(&self) -> Vec<u8> {
        match self {
            Cells::Integers(cells) => cells.iter().flat_map(|cell| cell.to_le_bytes()).collect(),
            Cells::Texts(cells) => {
                let mut page = Vec::new();
                for cell in cells {
                    page.extend((cell.len() as u32).to_le_bytes());
                    page.extend(cell.as_bytes());
                }
                page
            }
            Cells::Numbers(cells) => {
                let mut runs = Vec::new();
                for run in cells.chunk_by(|a, b| a.is_some() == b.is_some()) {
                    varint(&mut runs, (run.len() as u64) << 1);
                    runs.push(u8::from(run[0].is_some()));
                }
                let mut page = (runs.len() as u32).to_le_bytes().to_vec();
                page.extend(runs);
                page.extend(cells.iter().flatten().flat_map(|cell| cell.to_le_bytes()));
                page
            }
        }
    }
}

#[derive(Clone, Copy)]
struct Kind {
    physical: i64,
    repetition: i64,
}

/// Where the cells of a column are.
struct Chunk {
    kind: Kind,
    offset: u64,
    rows: usize,
    /// With headers.
    plain_bytes: usize,
    bytes: usize,
}

/// A table being written.
pub(super) struct ParquetWriter<W> {
    out: W,
    written: u64,
    names: Vec<String>,
    groups: Vec<Vec<Chunk>>,
}

impl<W: Write> ParquetWriter<W> {
    /// A table with these columns.
    pub(super) fn new(mut out: W, names: Vec<String>) -> io::Result<ParquetWriter<W>> {
        out.write_all(MAGIC)?;
        Ok(ParquetWriter { out, written: MAGIC.len() as u64, names, groups: Vec::new() })
    }

    /// Adds rows; `columns` are in the order of the names, of the same kinds in every group and equally long.
    pub(super) fn group(&mut self, columns: &[Cells]) -> io::Result<()> {
        let is_table = columns.len() == self.names.len()
            && columns.windows(2).all(|pair| pair[0].len() == pair[1].len());
        if !is_table {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "columns of different lengths"));
        }
        let mut chunks = Vec::new();
        for cells in columns {
            let page = cells.page();
            let packed = snap::raw::Encoder::new().compress_vec(&page).map_err(io::Error::other)?;
            let mut header = Thrift::default();
            header.integer(1, code::DATA_PAGE).integer(2, page.len() as i64).integer(3, packed.len() as i64);
            header.structure(5, |page| {
                page.integer(1, cells.len() as i64).integer(2, code::PLAIN);
                page.integer(3, code::RLE).integer(4, code::RLE);
            });
            let header = header.end();
            self.out.write_all(&header)?;
            self.out.write_all(&packed)?;
            let (plain_bytes, bytes) = (header.len() + page.len(), header.len() + packed.len());
            let (kind, rows, offset) = (cells.kind(), cells.len(), self.written);
            chunks.push(Chunk { kind, offset, rows, plain_bytes, bytes });
            self.written += bytes as u64;
        }
        self.groups.push(chunks);
        Ok(())
    }

    /// Writes the footer; a table needs one group at least.
    pub(super) fn finish(mut self) -> io::Result<()> {
        let footer = self.footer();
        self.out.write_all(&footer)?;
        self.out.write_all(&(footer.len() as u32).to_le_bytes())?;
        self.out.write_all(MAGIC)?;
        self.out.flush()
    }

    fn footer(&self) -> Vec<u8> {
        let rows = |group: &[Chunk]| group.first().map_or(0, |chunk| chunk.rows as i64);
        let mut footer = Thrift::default();
        footer.integer(1, 1);
        let kinds = self.groups.first().map_or(&[][..], Vec::as_slice);
        footer.structures(2, 1 + kinds.len(), |index, element| match index.checked_sub(1) {
            None => {
                element.text(4, "positions").integer(5, kinds.len() as i64);
            }
            Some(column) => {
                let kind = kinds[column].kind;
                element.integer(1, kind.physical).integer(3, kind.repetition).text(4, &self.names[column]);
                if kind.physical == code::BYTE_ARRAY {
                    element.integer(6, code::UTF8);
                }
            }
        });
        footer.long(3, self.groups.iter().map(|group| rows(group)).sum());
        footer.structures(4, self.groups.len(), |index, element| {
            let group = &self.groups[index];
            element.structures(1, group.len(), |column, element| {
                element.long(2, group[column].offset as i64);
                element.structure(3, |chunk| group[column].describe(&self.names[column], chunk));
            });
            element.long(2, group.iter().map(|chunk| chunk.plain_bytes as i64).sum()).long(3, rows(group));
        });
        footer.text(6, CREATED_BY);
        footer.end()
    }
}

impl Chunk {
    fn describe(&self, name: &str, chunk: &mut Thrift) {
        chunk.integer(1, self.kind.physical).integers(2, &[code::PLAIN, code::RLE]).texts(3, &[name]);
        chunk.integer(4, code::SNAPPY).long(5, self.rows as i64);
        chunk.long(6, self.plain_bytes as i64).long(7, self.bytes as i64).long(9, self.offset as i64);
    }
}

fn varint(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// A struct in Thrift's compact protocol: fields by ascending number, each with the distance from the last.
#[derive(Default)]
struct Thrift {
    bytes: Vec<u8>,
    last: u8,
}

/// Types of fields and of the elements of lists.
mod wire {
    pub(super) const I32: u8 = 5;
    pub(super) const I64: u8 = 6;
    pub(super) const BINARY: u8 = 8;
    pub(super) const LIST: u8 = 9;
    pub(super) const STRUCT: u8 = 12;
}

impl Thrift {
    fn field(&mut self, number: u8, wire: u8) {
        self.bytes.push((number - self.last) << 4 | wire);
        self.last = number;
    }

    fn zigzag(&mut self, number: i64) {
        varint(&mut self.bytes, (number << 1 ^ number >> 63) as u64);
    }

    fn binary(&mut self, text: &str) {
        varint(&mut self.bytes, text.len() as u64);
        self.bytes.extend(text.as_bytes());
    }

    fn integer(&mut self, number: u8, value: i64) -> &mut Thrift {
        self.field(number, wire::I32);
        self.zigzag(value);
        self
    }

    fn long(&mut self, number: u8, value: i64) -> &mut Thrift {
        self.field(number, wire::I64);
        self.zigzag(value);
        self
    }

    fn text(&mut self, number: u8, value: &str) -> &mut Thrift {
        self.field(number, wire::BINARY);
        self.binary(value);
        self
    }

    fn list(&mut self, number: u8, wire: u8, len: usize) {
        const LONG: usize = 15;
        self.field(number, wire::LIST);
        self.bytes.push((len.min(LONG) as u8) << 4 | wire);
        if len >= LONG {
            varint(&mut self.bytes, len as u64);
        }
    }

    fn integers(&mut self, number: u8, values: &[i64]) -> &mut Thrift {
        self.list(number, wire::I32, values.len());
        values.iter().for_each(|&value| self.zigzag(value));
        self
    }

    fn texts(&mut self, number: u8, values: &[&str]) -> &mut Thrift {
        self.list(number, wire::BINARY, values.len());
        values.iter().for_each(|value| self.binary(value));
        self
    }

    fn structure(&mut self, number: u8, fill: impl FnOnce(&mut Thrift)) -> &mut Thrift {
        self.field(number, wire::STRUCT);
        self.nested(fill);
        self
    }

    fn structures(&mut self, number: u8, len: usize, mut fill: impl FnMut(usize, &mut Thrift)) {
        self.list(number, wire::STRUCT, len);
        (0..len).for_each(|index| self.nested(|element| fill(index, element)));
    }

    fn nested(&mut self, fill: impl FnOnce(&mut Thrift)) {
        let mut inner = Thrift::default();
        fill(&mut inner);
        self.bytes.extend(inner.end());
    }

    fn end(mut self) -> Vec<u8> {
        self.bytes.push(0);
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    /// As another reader sees it: the names, then every row.
    fn read(bytes: Vec<u8>) -> (Vec<String>, Vec<Vec<Field>>) {
        let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
        let schema = reader.metadata().file_metadata().schema_descr_ptr();
        let names = schema.columns().iter().map(|column| column.name().to_owned()).collect();
        let rows = reader.get_row_iter(None).unwrap();
        let row = |row: parquet::record::Row| row.get_column_iter().map(|(_, cell)| cell.clone()).collect();
        (names, rows.map(|each| row(each.unwrap())).collect())
    }

    #[test]
    fn another_reader_finds_every_cell() {
        let names: Vec<String> = (0..20).map(|number| format!("column{number}")).collect();
        let mut bytes = Vec::new();
        let mut writer = ParquetWriter::new(&mut bytes, names.clone()).unwrap();
        let mut expected = Vec::new();
        for group in [1, 1000_i32] {
            let number = |row: i32, column: i32| (row % 7 != column).then_some(f64::from(row * column) / 3.0);
            let mut columns = vec![
                Cells::Integers((0..group).map(|row| row - 5).collect()),
                Cells::Texts((0..group).map(|row| "将棋".repeat(row as usize % 40)).collect()),
            ];
            columns.extend(
                (2..20).map(|column| Cells::Numbers((0..group).map(|row| number(row, column)).collect())),
            );
            writer.group(&columns).unwrap();
            for row in 0..group {
                let mut cells = vec![Field::Int(row - 5), Field::Str("将棋".repeat(row as usize % 40))];
                cells.extend((2..20).map(|column| number(row, column).map_or(Field::Null, Field::Double)));
                expected.push(cells);
            }
        }
        writer.finish().unwrap();
        let (found_names, found) = read(bytes);
        assert_eq!(found_names, names);
        assert!(found == expected, "{:?}", found.iter().zip(&expected).find(|(a, b)| a != b));
    }

    #[test]
    fn columns_of_different_lengths_are_refused() {
        let names = vec!["a".to_owned(), "b".to_owned()];
        let mut writer = ParquetWriter::new(Vec::new(), names).unwrap();
        let columns = [Cells::Integers(vec![1]), Cells::Integers(vec![1, 2])];
        assert!(writer.group(&columns).is_err() && writer.group(&columns[..1]).is_err());
    }
}
