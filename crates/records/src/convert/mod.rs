//! From any format of games, positions or books to any other that makes sense.
//!
//! | from \ to | games (text, compact) | positions (psv, hcpe) | book (db) |
//! |---|---|---|---|
//! | games | yes | the plies that have an evaluation, of games that have a result | no |
//! | positions | as lines `sfen … moves best` only | yes | no |
//! | book | no | no | merged and in order |
//!
//! [`run`] goes through files one by one. Packed positions and compact games stream: a file of any size takes the
//! same memory. Whatever cannot be read is handed to [`Watch::refused`] with place and reason, and the rest
//! goes on. Every move of what is written has been checked. Output appears complete or not at all.

mod format;
mod output;
mod reading;
mod source;

use std::io;
use std::path::{Path, PathBuf};

pub use format::{Content, FileFormat, FormatError, Impossible};
pub use output::GameFiles;
pub use reading::{OpenError, each_game, game_at};
pub use source::{Source, SourceFormat, gather};

use crate::book::db2016::BookError;
use crate::compact::{ReadError, ReplayError, TornTail, WriteError};
use crate::packed::{HcpeError, PackError, PsvError, StreamError, UnpackError};
use crate::text::RecordError;
use crate::whole_file::Existing;
use output::Output;

/// What to convert into what.
#[derive(Debug)]
pub struct Job {
    /// The files, in this order.
    pub sources: Vec<Source>,
    /// The file or folder to make.
    pub out: PathBuf,
    /// The format to write.
    pub to: FileFormat,
    /// What becomes of files that are in the way.
    pub existing: Existing,
}

/// What a conversion came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Games, positions or book positions read whole.
    pub read: u64,
    /// Games, positions or book positions written.
    pub written: u64,
    /// Games, positions, blocks or files that were refused.
    pub refused: u64,
    /// Positions of good games without the evaluation, the result or the king that the format demands.
    pub left_out: u64,
}

/// Watches how a conversion goes.
pub trait Watch {
    /// So many more bytes have been read.
    fn advanced(&mut self, bytes: u64);
    /// Something was refused.
    fn refused(&mut self, path: &Path, reason: &Reason);
}

/// Why a file, or something in it, was refused.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum Reason {
    #[error("cannot be read: {0}")]
    Read(io::Error),
    #[error(transparent)]
    Format(#[from] FormatError),
    #[error(transparent)]
    Impossible(#[from] Impossible),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Games(#[from] ReadError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
    #[error("game {number}: the start cannot be packed: {error}")]
    Start { number: u64, error: PackError },
    #[error("the last {} bytes, from byte {} on, are a torn block", .0.bytes, .0.offset)]
    Torn(TornTail),
    #[error(transparent)]
    Psv(#[from] StreamError<PsvError>),
    #[error(transparent)]
    Hcpe(#[from] StreamError<HcpeError>),
    #[error("record at byte {offset}: {error}")]
    Position { offset: u64, error: PositionError },
    #[error(transparent)]
    Book(#[from] BookError),
    #[error("game {number}: {error}")]
    TooLong { number: u64, error: WriteError },
    #[error("game {number}: the file to write holds one game; a folder would get a file for each")]
    SecondGame { number: u64 },
    #[error("game {number}: {path} is already there")]
    Exists { number: u64, path: PathBuf },
}

/// Why a packed position cannot be kept.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum PositionError {
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    #[error("not a legal position: {0}")]
    Setup(#[from] shogi::SetupError),
    #[error("{m} is illegal in {sfen}")]
    Illegal { m: shogi::Move, sfen: String },
    #[error(transparent)]
    Pack(#[from] PackError),
}

/// Why nothing could be written.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ConvertError {
    #[error("{} is already there", .path.display())]
    Exists { path: PathBuf },
    #[error("{} is a folder; {to} goes into one file", .path.display())]
    Folder { path: PathBuf, to: FileFormat },
    #[error("cannot write {}: {error}", .path.display())]
    Write { path: PathBuf, error: io::Error },
}

/// Converts. The error is for output that cannot be written; what cannot be read is reported to `watch` instead.
/// If nothing at all can be written, no file is made.
pub fn run(job: &Job, watch: &mut dyn Watch) -> Result<Summary, ConvertError> {
    let mut output = Output::begin(job)?;
    let mut summary = Summary::default();
    for source in &job.sources {
        let mut conversion =
            reading::Conversion { job, source, output: &mut output, watch, summary: &mut summary };
        conversion.convert()?;
    }
    if summary.written > 0 {
        output.complete(job.existing)?;
    }
    Ok(summary)
}
