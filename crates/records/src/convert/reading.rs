//! Reading what is to be converted, file by file.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;

use shogi::Setup;

use super::output::{GameName, Output, PackedPosition, Taken};
use super::{ConvertError, FileFormat, Job, PositionError, Reason, Source, SourceFormat, Summary, Watch};
use crate::book::db2016;
use crate::compact::{GameReader, StoredGame};
use crate::game::{Game, SideResult, start_of};
use crate::packed::{Hcpe, Psv, PsvMove, Record, RecordReader, StreamError, UnpackError};
use crate::text::{Format, read_each};

/// One file on its way to the output.
pub(super) struct Conversion<'a> {
    pub(super) job: &'a Job,
    pub(super) source: &'a Source,
    pub(super) output: &'a mut Output,
    pub(super) watch: &'a mut dyn Watch,
    pub(super) summary: &'a mut Summary,
}

/// A file that counts what is read of it.
struct Counted<'a> {
    file: File,
    count: &'a Cell<u64>,
}

impl Read for Counted<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.file.read(buffer)?;
        self.count.set(self.count.get() + count as u64);
        Ok(count)
    }
}

impl Conversion<'_> {
    /// Converts the file; what cannot be read of it is reported.
    pub(super) fn convert(&mut self) -> Result<(), ConvertError> {
        match self.readable() {
            Ok(SourceFormat::AnyText) => self.text(None),
            Ok(SourceFormat::Known(FileFormat::Text(format))) => self.text(Some(format)),
            Ok(SourceFormat::Known(FileFormat::Compact)) => self.compact(),
            Ok(SourceFormat::Known(FileFormat::Psv)) => self.packed(psv_fields, Reason::Psv),
            Ok(SourceFormat::Known(FileFormat::Hcpe)) => self.packed(hcpe_fields, Reason::Hcpe),
            Ok(SourceFormat::Known(FileFormat::Db2016)) => {
                self.book();
                Ok(())
            }
            Err(Some(reason)) => {
                self.refuse(&reason);
                Ok(())
            }
            Err(None) => {
                if let Err(reason) = &self.source.format {
                    self.refuse(reason);
                }
                Ok(())
            }
        }
    }

    /// How to read the file, if that can become what is asked for. `Err(None)`: the source says why not.
    fn readable(&self) -> Result<SourceFormat, Option<Reason>> {
        let format = *self.source.format.as_ref().map_err(|_| None)?;
        let known = match format {
            SourceFormat::Known(known) => known,
            SourceFormat::AnyText => FileFormat::Text(Format::Usi),
        };
        known.check_conversion(self.job.to).map_err(|error| Some(error.into()))?;
        Ok(format)
    }

    fn refuse(&mut self, reason: &Reason) {
        self.summary.refused += 1;
        self.watch.refused(&self.source.path, reason);
    }

    /// Counts what became of something that was read.
    fn account(&mut self, taken: Taken) {
        match taken {
            Taken::Written { count, left_out } => {
                self.summary.read += 1;
                self.summary.written += count;
                self.summary.left_out += left_out;
            }
            Taken::Refused(reason) => self.refuse(&reason),
        }
    }

    fn text(&mut self, format: Option<Format>) -> Result<(), ConvertError> {
        let bytes = match fs::read(&self.source.path) {
            Ok(bytes) => bytes,
            Err(error) => {
                self.refuse(&Reason::Read(error));
                return Ok(());
            }
        };
        let mut games = match read_each(&bytes, format) {
            Ok(games) => games.zip(1..).peekable(),
            Err(error) => {
                self.refuse(&error.into());
                return Ok(());
            }
        };
        while let Some((game, number)) = games.next() {
            match game {
                Ok(game) => {
                    let is_only = number == 1 && games.peek().is_none();
                    let name = GameName { source: self.source, number, is_only };
                    let taken = self.output.take_game(&game, &name)?;
                    self.account(taken);
                }
                Err(error) => self.refuse(&error.into()),
            }
        }
        self.watch.advanced(bytes.len() as u64);
        Ok(())
    }

    fn open<'c>(&mut self, count: &'c Cell<u64>) -> Option<Counted<'c>> {
        match File::open(&self.source.path) {
            Ok(file) => Some(Counted { file, count }),
            Err(error) => {
                self.refuse(&Reason::Read(error));
                None
            }
        }
    }

    fn compact(&mut self) -> Result<(), ConvertError> {
        let count = Cell::new(0);
        let Some(file) = self.open(&count) else { return Ok(()) };
        let mut reader = match GameReader::new(file) {
            Ok(reader) => reader,
            Err(error) => {
                self.refuse(&error.into());
                return Ok(());
            }
        };
        let mut game = StoredGame::empty();
        let mut number = 0;
        loop {
            match reader.read_into(&mut game) {
                Ok(true) => {
                    number += 1;
                    let name = GameName { source: self.source, number, is_only: false };
                    match self.output.take_stored(&game, &name)? {
                        Taken::Refused(Reason::Replay(error)) => {
                            self.refuse(&Reason::Replay(error.at(reader.game_offset())));
                        }
                        taken => self.account(taken),
                    }
                }
                Ok(false) => break,
                Err(error) => self.refuse(&error.into()),
            }
            self.report(&count);
        }
        if let Some(torn) = reader.torn_tail() {
            self.refuse(&Reason::Torn(torn));
        }
        Ok(())
    }

    fn report(&mut self, count: &Cell<u64>) {
        match count.take() {
            0 => {}
            bytes => self.watch.advanced(bytes),
        }
    }

    fn packed<T: Record>(
        &mut self,
        fields: fn(&T) -> Result<Fields, UnpackError>,
        reason: fn(StreamError<T::Error>) -> Reason,
    ) -> Result<(), ConvertError> {
        let count = Cell::new(0);
        let Some(file) = self.open(&count) else { return Ok(()) };
        let mut reader = RecordReader::<_, T>::new(file);
        let mut number = 0;
        loop {
            let offset = reader.offset();
            match reader.next() {
                None => break,
                Some(Err(error)) => self.refuse(&reason(error)),
                Some(Ok(record)) => {
                    number += 1;
                    match fields(&record).map_err(PositionError::from).and_then(Fields::validate) {
                        Err(error) => self.refuse(&Reason::Position { offset, error }),
                        Ok(position) => {
                            let name = GameName { source: self.source, number, is_only: false };
                            let taken = self.output.take_position(position, &name)?;
                            self.account(taken);
                        }
                    }
                }
            }
            self.report(&count);
        }
        Ok(())
    }

    fn book(&mut self) {
        match db2016::load(&self.source.path) {
            Err(error) => self.refuse(&error.into()),
            Ok(found) => {
                let Some(book) = self.output.book() else { return };
                let before = book.len();
                book.merge(&found);
                self.summary.written += (book.len() - before) as u64;
                self.summary.read += found.len() as u64;
            }
        }
        self.watch.advanced(self.source.bytes);
    }
}

/// What a packed record says, not checked yet.
struct Fields {
    setup: Setup,
    best: PsvMove,
    score_for_mover: i16,
    result_for_mover: SideResult,
}

fn psv_fields(record: &Psv) -> Result<Fields, UnpackError> {
    let Psv { best, score_for_mover, result_for_mover, .. } = *record;
    Ok(Fields { setup: record.setup()?, best, score_for_mover, result_for_mover })
}

/// The record has no ply; the setup counts from 1.
fn hcpe_fields(record: &Hcpe) -> Result<Fields, UnpackError> {
    let setup = record.position.unpack()?;
    let result_for_mover = record.result.seen_by(setup.side);
    let best = record.best.map_or(PsvMove::None, PsvMove::Play);
    Ok(Fields { setup, best, score_for_mover: record.score_for_mover, result_for_mover })
}

impl Fields {
    fn validate(self) -> Result<PackedPosition, PositionError> {
        let Fields { setup, best, score_for_mover, result_for_mover } = self;
        let position = start_of(&setup)?;
        match best.played() {
            Some(m) if !position.is_legal(m) => Err(PositionError::Illegal { m, sfen: position.to_string() }),
            _ => Ok(PackedPosition { position, best, score_for_mover, result_for_mover }),
        }
    }
}

/// Why a game of a file cannot be had.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum OpenError {
    #[error(transparent)]
    Refused(#[from] Reason),
    #[error("{format} holds {}, not games", .format.content())]
    NoGames { format: FileFormat },
    #[error("there is no game {number}: the file holds {found}")]
    NoSuchGame { number: u64, found: u64 },
}

/// One game of a file of games, counted from 1. The other games may be bad.
pub fn game_at(path: &Path, from: Option<FileFormat>, number: u64) -> Result<Game, OpenError> {
    let mut wanted = None;
    let found = each_game(path, from, &mut |at, game| {
        if at < number {
            return ControlFlow::Continue(());
        }
        wanted = Some(game);
        ControlFlow::Break(())
    })?;
    Ok(wanted.ok_or(OpenError::NoSuchGame { number, found })??)
}

/// Shows every game of a file of games with its number from 1, or why it is none; returns how many were shown.
pub fn each_game(
    path: &Path,
    from: Option<FileFormat>,
    visit: &mut dyn FnMut(u64, Result<Game, Reason>) -> ControlFlow<()>,
) -> Result<u64, OpenError> {
    let source = Source::file(path, from);
    let text = match source.format? {
        SourceFormat::AnyText => None,
        SourceFormat::Known(FileFormat::Text(format)) => Some(format),
        SourceFormat::Known(FileFormat::Compact) => return Ok(each_stored_game(path, visit)?),
        SourceFormat::Known(format) => return Err(OpenError::NoGames { format }),
    };
    let bytes = fs::read(path).map_err(Reason::Read)?;
    let mut shown = 0;
    for game in read_each(&bytes, text).map_err(Reason::from)? {
        shown += 1;
        if visit(shown, game.map_err(Reason::from)).is_break() {
            break;
        }
    }
    Ok(shown)
}

fn each_stored_game(
    path: &Path,
    visit: &mut dyn FnMut(u64, Result<Game, Reason>) -> ControlFlow<()>,
) -> Result<u64, Reason> {
    let file = File::open(path).map_err(Reason::Read)?;
    let mut reader = GameReader::new(file)?;
    let mut stored = StoredGame::empty();
    let mut shown = 0;
    while reader.read_into(&mut stored)? {
        shown += 1;
        let game = stored.to_game().map_err(|error| Reason::Replay(error.at(reader.game_offset())));
        if visit(shown, game).is_break() {
            break;
        }
    }
    Ok(shown)
}
