//! Where converted games and positions go.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::{Content, ConvertError, FileFormat, Job, Reason, Source};
use crate::book::{Book, db2016};
use crate::compact::{Durability, GameWriter, Replay, Sample, StoredGame, WriteError};
use crate::game::{Game, SideResult};
use crate::packed::{Hcp, Hcpe, PackedSfen, Psv, PsvMove, Record};
use crate::text::{Format, write_game};
use crate::whole_file::{Existing, WholeFile, is_occupied};

/// The file or files being written.
pub(super) enum Output {
    Text(TextFile),
    Folder(Folder),
    Compact { file: WholeFile, writer: GameWriter, path: PathBuf },
    Packed(PackedFile),
    Book { book: Book, path: PathBuf },
}

/// Games one after the other.
pub(super) struct TextFile {
    file: WholeFile,
    path: PathBuf,
    format: Format,
    games: u64,
}

/// A file for each game.
pub(super) struct Folder {
    names: GameFiles,
    format: Format,
    existing: Existing,
}

/// Names for a file for each game, below one folder.
#[derive(Debug)]
pub struct GameFiles {
    root: PathBuf,
    extension: &'static str,
    taken: HashSet<PathBuf>,
}

/// Records of fixed length.
pub(super) struct PackedFile {
    file: WholeFile,
    path: PathBuf,
    as_hcpe: bool,
    /// The records of the game at hand: it is written whole or not at all.
    game: Vec<u8>,
}

/// A position of a packed file, validated.
pub(super) struct PackedPosition {
    pub(super) position: shogi::Position,
    pub(super) best: PsvMove,
    pub(super) score_for_mover: i16,
    pub(super) result_for_mover: SideResult,
}

/// What became of a game or position.
pub(super) enum Taken {
    Written { count: u64, left_out: u64 },
    Refused(Reason),
}

/// Which game of which file.
pub(super) struct GameName<'a> {
    pub(super) source: &'a Source,
    pub(super) number: u64,
    /// The only one of its file.
    pub(super) is_only: bool,
}

const ONE: Taken = Taken::Written { count: 1, left_out: 0 };

impl Output {
    pub(super) fn begin(job: &Job) -> Result<Output, ConvertError> {
        let path = job.out.clone();
        let begin = || WholeFile::begin(&job.out).map_err(failed(&job.out));
        if let FileFormat::Text(format) = job.to
            && wants_folder(job)
        {
            return Folder::begin(job, format).map(Output::Folder);
        }
        if job.out.is_dir() {
            return Err(ConvertError::Folder { path, to: job.to });
        }
        if job.existing == Existing::Keep && is_occupied(&job.out) {
            return Err(ConvertError::Exists { path });
        }
        Ok(match job.to {
            FileFormat::Text(format) => Output::Text(TextFile { file: begin()?, path, format, games: 0 }),
            FileFormat::Compact => {
                let file = begin()?;
                let (writer, _) = GameWriter::append(file.path_until_complete(), Durability::Process)
                    .map_err(|error| failed(&path)(as_io(error)))?;
                Output::Compact { file, writer, path }
            }
            FileFormat::Psv | FileFormat::Hcpe => {
                let as_hcpe = job.to == FileFormat::Hcpe;
                Output::Packed(PackedFile { file: begin()?, path, as_hcpe, game: Vec::new() })
            }
            FileFormat::Db2016 => Output::Book { book: Book::new(), path },
        })
    }

    /// Takes a game of a text record.
    pub(super) fn take_game(&mut self, game: &Game, name: &GameName<'_>) -> Result<Taken, ConvertError> {
        match self {
            Output::Text(file) => file.take(game, name),
            Output::Folder(folder) => folder.take(game, name),
            _ => match StoredGame::of(game) {
                Ok(stored) => self.take_stored(&stored, name),
                Err(error) => Ok(Taken::Refused(Reason::Start { number: name.number, error })),
            },
        }
    }

    /// Takes a stored game, whose moves have not been checked yet.
    pub(super) fn take_stored(
        &mut self,
        game: &StoredGame,
        name: &GameName<'_>,
    ) -> Result<Taken, ConvertError> {
        match self {
            Output::Packed(file) => file.take_game(game),
            Output::Compact { writer, path, .. } => {
                if let Err(error) = check(game) {
                    return Ok(Taken::Refused(error));
                }
                match writer.write(game) {
                    Ok(()) => Ok(ONE),
                    Err(error @ WriteError::TooLong { .. }) => {
                        Ok(Taken::Refused(Reason::TooLong { number: name.number, error }))
                    }
                    Err(error) => Err(failed(path)(as_io(error))),
                }
            }
            _ => match game.to_game() {
                Ok(game) => self.take_game(&game, name),
                Err(error) => Ok(Taken::Refused(error.into())),
            },
        }
    }

    /// Takes a position of a packed file.
    pub(super) fn take_position(
        &mut self,
        packed: PackedPosition,
        name: &GameName<'_>,
    ) -> Result<Taken, ConvertError> {
        match self {
            Output::Packed(file) => file.take_position(&packed),
            _ => {
                let mut game = Game::new(packed.position);
                packed.best.played().into_iter().for_each(|m| game.push(m));
                self.take_game(&game, name)
            }
        }
    }

    /// The book to merge others into.
    pub(super) fn book(&mut self) -> Option<&mut Book> {
        if let Output::Book { book, .. } = self { Some(book) } else { None }
    }

    /// Puts the file in its place.
    pub(super) fn complete(self, existing: Existing) -> Result<(), ConvertError> {
        match self {
            Output::Folder(_) => Ok(()),
            Output::Text(TextFile { file, path, .. }) | Output::Packed(PackedFile { file, path, .. }) => {
                file.complete(existing).map_err(failed(&path))
            }
            Output::Compact { file, writer, path } => {
                writer.finish().map_err(as_io).and_then(|()| file.complete(existing)).map_err(failed(&path))
            }
            Output::Book { book, path } => WholeFile::begin(&path)
                .and_then(|mut file| {
                    db2016::write(&book, &mut file)?;
                    file.complete(existing)
                })
                .map_err(failed(&path)),
        }
    }
}

/// Whether each game gets its own file: the path is a folder or says so, or the format has no other way. What is there and
/// no folder (a file, a link, a pipe, a device) is written to.
fn wants_folder(job: &Job) -> bool {
    let says_so = job.out.as_os_str().as_encoded_bytes().ends_with(b"/") || job.out.is_dir();
    let is_game_file = FileFormat::of_path(&job.out).is_ok_and(|format| format.content() == Content::Games);
    says_so || !job.to.holds_many() && !is_game_file && fs::symlink_metadata(&job.out).is_err()
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> ConvertError {
    let path = path.to_owned();
    |error| match error.kind() {
        io::ErrorKind::AlreadyExists => ConvertError::Exists { path },
        _ => ConvertError::Write { path, error },
    }
}

fn as_io(error: WriteError) -> io::Error {
    match error {
        WriteError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Replays a game without keeping anything.
fn check(game: &StoredGame) -> Result<(), Reason> {
    let mut replay = Replay::new(game)?;
    while replay.advance()?.is_some() {}
    Ok(())
}

impl TextFile {
    fn take(&mut self, game: &Game, name: &GameName<'_>) -> Result<Taken, ConvertError> {
        let is_csa = matches!(self.format, Format::Csa | Format::CsaV3);
        if self.games > 0 && !FileFormat::Text(self.format).holds_many() {
            return Ok(Taken::Refused(Reason::SecondGame { number: name.number }));
        }
        let between: &[u8] = if is_csa && self.games > 0 { b"/\n" } else { b"" };
        self.file
            .write_all(between)
            .and_then(|()| self.file.write_all(&write_game(game, self.format)))
            .map_err(failed(&self.path))?;
        self.games += 1;
        Ok(ONE)
    }
}

impl Folder {
    fn begin(job: &Job, format: Format) -> Result<Folder, ConvertError> {
        let root = job.out.clone();
        let is_full = fs::read_dir(&root).is_ok_and(|mut entries| entries.next().is_some());
        if job.existing == Existing::Keep && (is_full || root.is_file()) {
            return Err(ConvertError::Exists { path: root });
        }
        fs::create_dir_all(&root).map_err(failed(&root))?;
        let names = GameFiles::new(&root, FileFormat::Text(format).extension());
        Ok(Folder { names, format, existing: job.existing })
    }

    fn take(&mut self, game: &Game, name: &GameName<'_>) -> Result<Taken, ConvertError> {
        let path = self.names.free_path(&name.source.name, (!name.is_only).then_some(name.number));
        let written = path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| {
            let mut file = WholeFile::begin(&path)?;
            file.write_all(&write_game(game, self.format))?;
            file.complete_unsynced(self.existing)
        });
        match written {
            Ok(()) => Ok(ONE),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Ok(Taken::Refused(Reason::Exists { number: name.number, path }))
            }
            Err(error) => Err(ConvertError::Write { path, error }),
        }
    }
}

impl GameFiles {
    /// Files in this folder, which end like this.
    #[must_use]
    pub fn new(root: &Path, extension: &'static str) -> GameFiles {
        GameFiles { root: root.to_owned(), extension, taken: HashSet::new() }
    }

    /// The source's name, with the game's number if there are several; made different from all names before.
    pub fn free_path(&mut self, source: &Path, number: Option<u64>) -> PathBuf {
        let source = source.to_string_lossy();
        let number = number.map_or_else(String::new, |number| format!("-{number:05}"));
        let extension = self.extension;
        let mut relative = PathBuf::from(format!("{source}{number}.{extension}"));
        let mut copy = 2;
        while !self.taken.insert(relative.clone()) {
            relative = PathBuf::from(format!("{source}{number}.{copy}.{extension}"));
            copy += 1;
        }
        self.root.join(relative)
    }
}

impl PackedFile {
    fn take_game(&mut self, game: &StoredGame) -> Result<Taken, ConvertError> {
        self.game.clear();
        match self.pack_game(game) {
            Ok((count, left_out)) => {
                self.file.write_all(&self.game).map_err(failed(&self.path))?;
                Ok(Taken::Written { count, left_out })
            }
            Err(reason) => Ok(Taken::Refused(reason)),
        }
    }

    /// Replays the game into its records; how many there are and how many plies could not be expressed.
    fn pack_game(&mut self, game: &StoredGame) -> Result<(u64, u64), Reason> {
        let mut replay = Replay::new(game)?;
        let (mut count, mut left_out) = (0, 0);
        while let Some(sample) = replay.advance()? {
            match self.pack(&sample) {
                Some(()) => count += 1,
                None => left_out += 1,
            }
        }
        Ok((count, left_out))
    }

    #[inline]
    fn pack(&mut self, sample: &Sample<'_>) -> Option<()> {
        if self.as_hcpe {
            self.game.extend(sample.to_hcpe()?.to_bytes());
        } else {
            self.game.extend(sample.to_psv()?.to_bytes());
        }
        Some(())
    }

    fn take_position(&mut self, packed: &PackedPosition) -> Result<Taken, ConvertError> {
        let PackedPosition { position, best, score_for_mover, result_for_mover } = packed;
        let setup = position.setup();
        let (score_for_mover, best, result_for_mover) = (*score_for_mover, *best, *result_for_mover);
        let written = if self.as_hcpe {
            let Ok(position) = Hcp::pack(&setup) else { return Ok(Taken::Written { count: 0, left_out: 1 }) };
            let result = result_for_mover.of(setup.side);
            let record = Hcpe { position, score_for_mover, best: best.played(), result };
            self.file.write_all(&record.to_bytes())
        } else {
            let Ok(position) = PackedSfen::pack(&setup) else {
                return Ok(Taken::Written { count: 0, left_out: 1 });
            };
            let record = Psv { position, score_for_mover, best, ply: setup.ply, result_for_mover };
            self.file.write_all(&record.to_bytes())
        };
        written.map_err(failed(&self.path))?;
        Ok(ONE)
    }
}
