//! Weights in files.
//!
//! Little endian: a magic word, the fingerprint of the layout, the unit of the numbers, the length of a note, the note, the
//! number of rows that are not zero; then each of those: how many rows were left out before it, and its weights, the first
//! itself and the others as differences, in LEB128 with the sign in the lowest bit; at the end the CRC-32 of all before.

use std::io;
use std::path::{Path, PathBuf};

use shogi::PieceKind;

use super::layout::{Block, ROWS, Row, STAGES};

/// Units of a weight in a centipawn.
pub const UNITS: i32 = 16;

const EMBEDDED: &[u8] = include_bytes!("../../weights/linear.weights");

const MAGIC: &[u8; 8] = b"YOMILIN1";
/// Magic word, layout, unit, length of the note.
const HEADER: usize = 20;
const CHECKSUM: usize = 4;
/// Notes are short.
const LONGEST_NOTE: usize = 4096;

/// Why weights were not loaded.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum LinearError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{} ({size} bytes): {reason}", path.display())]
    Refused { path: PathBuf, size: usize, reason: LinearRefusal },
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LinearRefusal {
    #[error("not a file of weights for eval=linear: it should begin with YOMILIN1")]
    Magic,
    #[error("it ends too soon")]
    TooShort,
    #[error("it is damaged: its checksum is {found:08X}, not {expected:08X}")]
    Checksum { expected: u32, found: u32 },
    #[error("its features are others: their layout is {found:08X}, that of this program {expected:08X}")]
    Layout { expected: u32, found: u32 },
    #[error("its unit is {0}, not a number from 1 to 1024")]
    Unit(u32),
    #[error("its note is no text of at most {LONGEST_NOTE} bytes")]
    Note,
    #[error("row {0} is beyond the last")]
    Row(usize),
    #[error("a weight of row {0} is out of range")]
    Weight(usize),
    #[error("{0} bytes follow after the last row")]
    Rest(usize),
}

/// The weights of all features.
#[derive(Clone, PartialEq, Eq)]
pub struct LinearWeights {
    rows: Vec<Row>,
    /// All weights are multiples of this.
    unit: u32,
    note: String,
}

impl std::fmt::Debug for LinearWeights {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "LinearWeights({} rows, {})", self.used_rows(), self.note)
    }
}

impl LinearWeights {
    /// Weights of the features of this program, rounded to multiples of `unit` sixteenths of a centipawn. The note tells where
    /// they come from; what is longer than a few lines is cut.
    ///
    /// # Panics
    /// If there are not [`ROWS`] rows or the unit is not from 1 to 1024.
    #[must_use]
    pub fn new(mut rows: Vec<Row>, unit: u32, note: &str) -> LinearWeights {
        assert_eq!(rows.len(), ROWS, "a row for every feature");
        assert!((1..=1024).contains(&unit), "a unit from 1 to 1024");
        let step = unit as i32;
        let most = i32::from(i16::MAX) / step;
        for weight in rows.iter_mut().flatten() {
            let rounded = (i32::from(*weight) + i32::from(weight.signum()) * step / 2) / step;
            *weight = (rounded.clamp(-most, most) * step) as i16;
        }
        let end = note.char_indices().map(|(at, c)| at + c.len_utf8()).take_while(|&end| end <= LONGEST_NOTE);
        let note = note[..end.last().unwrap_or(0)].to_owned();
        LinearWeights { rows, unit, note }
    }

    /// Nothing is worth anything.
    #[must_use]
    pub fn zero() -> LinearWeights {
        LinearWeights::new(vec![[0; STAGES]; ROWS], 1, "")
    }

    /// Pieces are worth round numbers of centipawns, wherever they are; what learning may begin with.
    #[must_use]
    pub fn of_material() -> LinearWeights {
        const ROUND: [i16; PieceKind::COUNT] =
            [100, 300, 350, 500, 850, 1000, 550, 0, 550, 550, 550, 550, 1150, 1300];
        let mut rows = vec![[0; STAGES]; ROWS];
        let units = |centipawns: i16| [centipawns.saturating_mul(UNITS as i16); STAGES];
        for (kind, worth) in ROUND.into_iter().enumerate() {
            rows[Block::Material.row(kind)] = units(worth);
        }
        for (kind, worth) in ROUND.into_iter().enumerate().take(PieceKind::HAND.len()) {
            for count in 1..=18i16 {
                rows[Block::HandCount.row(kind * 19 + usize::from(count.unsigned_abs()))] =
                    units(worth.saturating_mul(count));
            }
        }
        LinearWeights::new(rows, 1, "round numbers for pieces")
    }

    /// The weights inside the program. Where they come from is told in `docs/linear.md`.
    ///
    /// # Panics
    /// Never: a test reads them.
    #[must_use]
    pub fn embedded() -> LinearWeights {
        LinearWeights::from_bytes(EMBEDDED).expect("the weights inside the program are whole")
    }

    /// Reads a file.
    pub fn load(path: &Path) -> Result<LinearWeights, LinearError> {
        let bytes =
            std::fs::read(path).map_err(|error| LinearError::Read { path: path.to_owned(), error })?;
        LinearWeights::from_bytes(&bytes).map_err(|reason| LinearError::Refused {
            path: path.to_owned(),
            size: bytes.len(),
            reason,
        })
    }

    /// The weights that the bytes of a file are.
    pub fn from_bytes(bytes: &[u8]) -> Result<LinearWeights, LinearRefusal> {
        if !bytes.starts_with(MAGIC) {
            return Err(LinearRefusal::Magic);
        }
        let split = bytes.len().checked_sub(CHECKSUM).filter(|&split| split >= HEADER);
        let (body, checksum) = bytes.split_at(split.ok_or(LinearRefusal::TooShort)?);
        let (expected, found) = (crc32fast::hash(body), word(checksum, 0));
        if found != expected {
            return Err(LinearRefusal::Checksum { expected, found });
        }
        let (expected, found) = (layout_print(), word(body, 8));
        if found != expected {
            return Err(LinearRefusal::Layout { expected, found });
        }
        let unit = word(body, 12);
        if !(1..=1024).contains(&unit) {
            return Err(LinearRefusal::Unit(unit));
        }
        let length = word(body, 16) as usize;
        let note =
            body[HEADER..].get(..length).filter(|_| length <= LONGEST_NOTE).ok_or(LinearRefusal::Note)?;
        let note = std::str::from_utf8(note).map_err(|_| LinearRefusal::Note)?.to_owned();
        let rows = read_rows(&body[HEADER + length..], unit)?;
        Ok(LinearWeights { rows, unit, note })
    }

    /// The bytes of a file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for word in [layout_print(), self.unit, self.note.len() as u32] {
            bytes.extend(word.to_le_bytes());
        }
        bytes.extend(self.note.as_bytes());
        write_number(&mut bytes, self.used_rows() as u64);
        let mut next = 0;
        for (index, row) in self.rows.iter().enumerate().filter(|(_, row)| **row != [0; STAGES]) {
            write_number(&mut bytes, (index - next) as u64);
            next = index + 1;
            let mut before = 0;
            for &weight in row {
                let weight = i64::from(weight) / i64::from(self.unit);
                let change = weight - before;
                write_number(&mut bytes, (change << 1 ^ change >> 63) as u64);
                before = weight;
            }
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// A row of weights for every feature, each weight [`UNITS`] times as large as in centipawns.
    #[inline(always)]
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// Where they come from.
    #[must_use]
    pub fn note(&self) -> &str {
        &self.note
    }

    /// Rows that are not zero.
    #[must_use]
    pub fn used_rows(&self) -> usize {
        self.rows.iter().filter(|row| **row != [0; STAGES]).count()
    }
}

/// What tells layouts apart: which blocks there are, and how many rows each has.
fn layout_print() -> u32 {
    let mut text = format!("{STAGES} stages");
    for block in Block::all() {
        text.push_str(&format!(";{}:{}", block.name(), block.len()));
    }
    crc32fast::hash(text.as_bytes())
}

fn word(bytes: &[u8], at: usize) -> u32 {
    bytes.get(at..).and_then(<[u8]>::first_chunk).map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

fn write_number(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Takes a number off the bytes.
fn read_number(bytes: &mut &[u8]) -> Result<u64, LinearRefusal> {
    let mut number = 0;
    for shift in (0..35).step_by(7) {
        let (&byte, rest) = bytes.split_first().ok_or(LinearRefusal::TooShort)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return Ok(number);
        }
    }
    Err(LinearRefusal::TooShort)
}

fn read_rows(mut bytes: &[u8], unit: u32) -> Result<Vec<Row>, LinearRefusal> {
    let count = read_number(&mut bytes)?;
    let mut rows = vec![[0; STAGES]; ROWS];
    let mut next = 0;
    for _ in 0..count {
        let index = next + read_number(&mut bytes)? as usize;
        let row = rows.get_mut(index).ok_or(LinearRefusal::Row(index))?;
        let mut before = 0;
        for weight in row {
            let coded = read_number(&mut bytes)?;
            before += (coded >> 1) as i64 ^ -((coded & 1) as i64);
            let found = i16::try_from(before * i64::from(unit)).map_err(|_| LinearRefusal::Weight(index))?;
            *weight = found;
        }
        next = index + 1;
    }
    if bytes.is_empty() { Ok(rows) } else { Err(LinearRefusal::Rest(bytes.len())) }
}
