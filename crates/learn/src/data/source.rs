//! Where positions come from: our games, psv and hcpe files, and folders of them.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use records::compact::{Eval, GameReader, ReadError, Replay, ReplayError, StoredGame};
use records::convert::{FileFormat, SourceFormat, gather};
use records::packed::{Hcpe, HcpeReader, Psv, PsvReader};
use shogi::{Move, Position, Setup};

use super::filter::Label;
use super::reading::Reading;

/// Hcpe files do not tell where games begin; so many records are taken for one.
const HCPE_GAME: u64 = 256;

/// A file of positions or games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    path: PathBuf,
    format: FileFormat,
    bytes: u64,
}

/// Why positions cannot be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum InputError {
    #[error("cannot read {}: {error}", path.display())]
    Read { path: PathBuf, error: io::Error },
    #[error("{}: {reason}", path.display())]
    Content { path: PathBuf, reason: String },
    #[error("{} holds no games of ours (.yomi), no .psv and no .hcpe", path.display())]
    Nothing { path: PathBuf },
}

/// The files that are meant: named ones, and in folders all that hold games of ours, psv or hcpe.
pub fn inputs(paths: &[PathBuf]) -> Result<Vec<Origin>, InputError> {
    let mut origins = Vec::new();
    for path in paths {
        if let Err(error) = std::fs::metadata(path) {
            return Err(InputError::Read { path: path.clone(), error });
        }
        let before = origins.len();
        for source in gather(std::slice::from_ref(path), None) {
            if let Ok(SourceFormat::Known(format)) = source.format
                && matches!(format, FileFormat::Compact | FileFormat::Psv | FileFormat::Hcpe)
            {
                origins.push(Origin { path: source.path, format, bytes: source.bytes });
            }
        }
        if origins.len() == before {
            return Err(InputError::Nothing { path: path.clone() });
        }
    }
    Ok(origins)
}

impl Origin {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its length.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// About how many positions it holds.
    #[must_use]
    pub fn positions(&self) -> u64 {
        match self.format {
            FileFormat::Compact => self.bytes / 4,
            FileFormat::Hcpe => self.bytes / 38,
            _ => self.bytes / 40,
        }
    }
}

/// Shows every position of a file that has an evaluation and a result; `true` with the first of each game. Scores
/// are read as asked. What cannot be read is counted in the result, the rest goes on; a torn end is no fault.
pub fn examine(
    origin: &Origin,
    reading: &Reading,
    mut visit: impl FnMut(&Label<'_>, bool) -> io::Result<()>,
) -> Result<u64, InputError> {
    let mut visit =
        |label: &Label<'_>, is_first| visit(&Label { eval: reading.eval(label.eval), ..*label }, is_first);
    let read = |error| InputError::Read { path: origin.path.clone(), error };
    let file = BufReader::with_capacity(1 << 18, File::open(&origin.path).map_err(read)?);
    match origin.format {
        FileFormat::Compact => {
            let content = |error: ReadError| InputError::Content {
                path: origin.path.clone(),
                reason: error.to_string(),
            };
            let mut reader = GameReader::new(file).map_err(content)?;
            let mut game = StoredGame::empty();
            let mut refused = 0;
            loop {
                match reader.read_into(&mut game) {
                    Ok(true) => {
                        reading.look_ahead(&mut game);
                        refused += u64::from(examine_game(&game, &mut visit).map_err(read)?.is_err());
                    }
                    Ok(false) => return Ok(refused),
                    Err(ReadError::Io { error, .. }) => return Err(read(error)),
                    Err(_) => refused += 1,
                }
            }
        }
        FileFormat::Hcpe => examine_hcpe(HcpeReader::new(file), &mut visit).map_err(read),
        _ => examine_psv(PsvReader::new(file), &mut visit).map_err(read),
    }
}

type Visit<'a> = &'a mut dyn FnMut(&Label<'_>, bool) -> io::Result<()>;

/// The inner result is the game's, the outer one the visitor's.
fn examine_game(game: &StoredGame, visit: Visit<'_>) -> io::Result<Result<(), ReplayError>> {
    let mut replay = match Replay::new(game) {
        Ok(replay) => replay,
        Err(error) => return Ok(Err(error)),
    };
    let mut is_first = true;
    loop {
        match replay.advance() {
            Err(error) => return Ok(Err(error)),
            Ok(None) => return Ok(Ok(())),
            Ok(Some(sample)) => {
                let Some(result_for_mover) = sample.result_for_mover else { continue };
                if sample.eval == Eval::NONE {
                    continue;
                }
                let (position, best, eval) = (sample.position, Some(sample.m), sample.eval);
                visit(&Label { position, best, eval, result_for_mover }, is_first)?;
                is_first = false;
            }
        }
    }
}

/// The position of a record, and its best move if it is legal there.
fn placed(setup: &Setup, best: Option<Move>) -> Option<(Position, Option<Move>)> {
    let position = Position::new(setup).ok()?;
    let best = best.filter(|&m| position.is_legal(m));
    Some((position, best))
}

fn examine_psv<R: io::Read>(reader: PsvReader<R>, visit: Visit<'_>) -> io::Result<u64> {
    let mut refused = 0;
    let mut next_ply = None;
    for record in reader {
        let Some((psv, position, best)) = record.ok().and_then(|psv: Psv| {
            let (position, best) = placed(&psv.setup().ok()?, psv.best.played())?;
            Some((psv, position, best))
        }) else {
            refused += 1;
            continue;
        };
        let Some(eval) = Eval::from_bits(psv.score_for_mover.clamp(-32_000, 32_000)) else { continue };
        let label = Label { position: &position, best, eval, result_for_mover: psv.result_for_mover };
        visit(&label, next_ply != Some(psv.ply))?;
        next_ply = psv.ply.checked_add(1);
    }
    Ok(refused)
}

fn examine_hcpe<R: io::Read>(reader: HcpeReader<R>, visit: Visit<'_>) -> io::Result<u64> {
    let mut refused = 0;
    for (number, record) in (0..).zip(reader) {
        let Some((hcpe, position, best)) = record.ok().and_then(|hcpe: Hcpe| {
            let (position, best) = placed(&hcpe.position.unpack().ok()?, hcpe.best)?;
            Some((hcpe, position, best))
        }) else {
            refused += 1;
            continue;
        };
        let Some(eval) = Eval::from_bits(hcpe.score_for_mover.clamp(-32_000, 32_000)) else { continue };
        let result_for_mover = hcpe.result.seen_by(position.side());
        let label = Label { position: &position, best, eval, result_for_mover };
        visit(&label, u64::is_multiple_of(number, HCPE_GAME))?;
    }
    Ok(refused)
}
