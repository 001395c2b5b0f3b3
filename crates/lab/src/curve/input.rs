//! From files of games or positions to samples: positions with features and with who won.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use eval::features::Features;
use records::compact::{GameReader, StoredGame};
use records::convert::{FileFormat, Reason, Source, SourceFormat, gather};
use records::game::{Game, GameResult, SideResult};
use records::packed::{Hcpe, PackedSfen, Psv, RecordReader};
use records::text::read_each;
use runs::{Pool, PoolError, fingerprint};
use shogi::{Color, Position, Setup};

use super::cache::ValueCache;
use super::judge::number_of;
use super::phases::phase_of;
use crate::mate_proof;

/// A position of a game. There may be millions: the position is packed, and what can be found from it is found
/// when somebody asks.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The game's number.
    pub game: u32,
    packed: PackedSfen,
    ply: u16,
    /// Moves that were still played.
    left: u16,
    /// Black's and White's; NaN where the record tells none.
    ratings: [f32; 2],
    features: OnceLock<Box<Features>>,
    /// 1 if Black won, 0 if White did, a half for a draw.
    pub result: f64,
    /// What the record says it is worth, for Black.
    pub stored: Option<f64>,
}

/// All that was read.
#[derive(Clone, Debug, Default)]
pub struct Samples {
    /// The positions.
    pub all: Vec<Sample>,
    /// Games with a result.
    pub games: u32,
    /// Games whose winner a proven mate decided otherwise than the record, or at all.
    pub corrected: u32,
    /// Games without a result, and no proof of one.
    pub undecided: u32,
    /// Files or games that could not be read, with the reason.
    pub refused: Vec<String>,
}

/// How results are found.
#[derive(Clone)]
pub struct Correction<'a> {
    /// Nodes to look for a mate in every position; 0 for not at all.
    pub mate_nodes: u64,
    /// Where proofs are kept.
    pub cache: PathBuf,
    /// Who looks for mates.
    pub pool: Pool<'a>,
}

/// Why nothing could be read.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum InputError {
    #[error("no games or positions with results in {}", .0.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", "))]
    Nothing(Vec<PathBuf>),
    #[error("cannot keep what was found: {0}")]
    Cache(#[from] io::Error),
    #[error(transparent)]
    Pool(#[from] PoolError),
}

impl Sample {
    /// The position, without its past; `None` if it cannot be, or is a problem where a king is missing.
    #[must_use]
    pub fn position(&self) -> Option<Position> {
        let mut setup = self.packed.unpack().ok()?;
        setup.ply = self.ply;
        Position::new(&setup).ok().filter(has_kings)
    }

    /// The phase of the game, by its move number.
    pub(super) fn phase(&self) -> usize {
        phase_of(self.ply)
    }

    /// What can be said about it by name.
    #[must_use]
    pub fn features(&self) -> &Features {
        self.features.get_or_init(|| {
            let known = self.position().map(|p| Features::of(&p, self.left.into(), self.ratings));
            Box::new(known.unwrap_or(Features::UNKNOWN))
        })
    }

    fn new(game: u32, packed: PackedSfen, ply: u16, result: f64, stored: Option<f64>) -> Sample {
        let (left, ratings, features) = (0, [f32::NAN; 2], OnceLock::new());
        Sample { game, packed, ply, left, ratings, features, result, stored }
    }
}

fn has_kings(position: &Position) -> bool {
    Color::ALL.into_iter().all(|side| position.king(side).is_some())
}

/// Reads all games and positions below these paths, or the first so many of each; `each` is called after each game, with how many there
/// are.
pub fn read_samples(
    paths: &[PathBuf],
    from: Option<FileFormat>,
    most: Option<usize>,
    correction: &Correction<'_>,
    each: &(dyn Fn(usize) + Sync),
) -> Result<Samples, InputError> {
    let mut samples = Samples::default();
    let mut games = Vec::new();
    for source in gather(paths, from) {
        read_source(source, &mut games, &mut samples);
    }
    if let Some(most) = most {
        games.truncate(most);
        samples.all.truncate(most);
    }
    take_games(games, correction, &mut samples, each)?;
    if samples.all.is_empty() {
        let mut named = paths.to_vec();
        named.extend(samples.refused.iter().take(3).map(PathBuf::from));
        return Err(InputError::Nothing(named));
    }
    Ok(samples)
}

fn read_source(source: Source, games: &mut Vec<Game>, samples: &mut Samples) {
    let path = source.path;
    let outcome = match source.format {
        Err(reason) => Err(reason.to_string()),
        Ok(SourceFormat::AnyText) => read_text(&path, None, games, samples),
        Ok(SourceFormat::Known(FileFormat::Text(format))) => read_text(&path, Some(format), games, samples),
        Ok(SourceFormat::Known(FileFormat::Compact)) => read_compact(&path, games),
        Ok(SourceFormat::Known(FileFormat::Psv)) => read_psv(&path, samples),
        Ok(SourceFormat::Known(FileFormat::Hcpe)) => read_hcpe(&path, samples),
        Ok(SourceFormat::Known(FileFormat::Db2016)) => Err("a book has no results".to_owned()),
    };
    if let Err(reason) = outcome {
        samples.refused.push(format!("{}: {reason}", path.display()));
    }
}

fn read_text(
    path: &Path,
    format: Option<records::text::Format>,
    games: &mut Vec<Game>,
    samples: &mut Samples,
) -> Result<(), String> {
    let bytes = std::fs::read(path).map_err(|error| Reason::Read(error).to_string())?;
    for game in read_each(&bytes, format).map_err(|error| error.to_string())? {
        match game {
            Ok(game) => games.push(game),
            Err(error) => samples.refused.push(format!("{}: {error}", path.display())),
        }
    }
    Ok(())
}

fn read_compact(path: &Path, games: &mut Vec<Game>) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    let mut reader = GameReader::new(io::BufReader::new(file)).map_err(|error| error.to_string())?;
    let mut game = StoredGame::empty();
    while reader.read_into(&mut game).map_err(|error| error.to_string())? {
        games.push(game.to_game().map_err(|error| error.to_string())?);
    }
    Ok(())
}

fn read_psv(path: &Path, samples: &mut Samples) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    for record in RecordReader::<_, Psv>::new(file) {
        let record = record.map_err(|error| error.to_string())?;
        let packed = record.setup().map(|setup| (setup, record.position)).map_err(|error| error.to_string());
        take_position(samples, packed, record.score_for_mover, record.result_for_mover);
    }
    Ok(())
}

fn read_hcpe(path: &Path, samples: &mut Samples) -> Result<(), String> {
    let file = File::open(path).map_err(|error| error.to_string())?;
    for record in RecordReader::<_, Hcpe>::new(file) {
        let record = record.map_err(|error| error.to_string())?;
        let setup = record.position.unpack();
        let result = setup.as_ref().map_or(SideResult::Draw, |setup| record.result.seen_by(setup.side));
        let packed = setup.map_err(|error| error.to_string()).and_then(|setup| {
            let packed = PackedSfen::pack(&setup).map_err(|error| error.to_string())?;
            Ok((setup, packed))
        });
        take_position(samples, packed, record.score_for_mover, result);
    }
    Ok(())
}

/// A packed position is a game of its own: it does not say which other ones it belongs to. Whether it can be at all
/// is seen when it is looked at.
fn take_position(
    samples: &mut Samples,
    packed: Result<(Setup, PackedSfen), String>,
    score: i16,
    result: SideResult,
) {
    match packed {
        Ok((setup, packed)) => {
            let sign = if setup.side == Color::Black { 1.0 } else { -1.0 };
            let (result, stored) = (number(result.of(setup.side)), Some(f64::from(score) * sign));
            samples.all.push(Sample::new(samples.games, packed, setup.ply, result, stored));
            samples.games += 1;
        }
        Err(reason) => samples.refused.push(reason),
    }
}

fn number(result: GameResult) -> f64 {
    match result {
        GameResult::Win(Color::Black) => 1.0,
        GameResult::Win(Color::White) => 0.0,
        GameResult::Draw => 0.5,
    }
}

/// What became of one game.
struct Taken {
    samples: Vec<Sample>,
    corrected: bool,
    decided: bool,
}

fn take_games(
    games: Vec<Game>,
    correction: &Correction<'_>,
    samples: &mut Samples,
    each: &(dyn Fn(usize) + Sync),
) -> Result<(), InputError> {
    // Whether a proof is found depends on this very program.
    let program: String = fingerprint::of_this_program().chars().take(16).collect();
    let name = format!("mates-{}-{program}.values", correction.mate_nodes);
    let cache = Mutex::new(ValueCache::open(&correction.cache.join(name))?);
    let (first, total) = (samples.games, games.len());
    let taken = correction.pool.map(
        (first..).zip(games),
        || Ok(()),
        |(), (number, game)| {
            let taken = take_game(*number, game, correction.mate_nodes, &cache)?;
            each(total);
            Ok::<_, InputError>(taken)
        },
    );
    cache.into_inner().unwrap_or_else(PoisonError::into_inner).flush()?;
    for taken in taken? {
        samples.games += u32::from(taken.decided);
        samples.undecided += u32::from(!taken.decided);
        samples.corrected += u32::from(taken.corrected);
        samples.all.extend(taken.samples);
    }
    Ok(())
}

fn take_game(number: u32, game: &Game, mate_nodes: u64, cache: &Mutex<ValueCache>) -> io::Result<Taken> {
    let recorded = game.outcome.as_ref().and_then(|outcome| outcome.result);
    let proven = if mate_nodes == 0 { None } else { first_proof(game, mate_nodes, cache)? };
    let result = proven.map(GameResult::Win).or(recorded);
    let Some(result) = result else {
        return Ok(Taken { samples: Vec::new(), corrected: false, decided: false });
    };
    let mut samples = Vec::with_capacity(game.moves.len() + 1);
    let mut position = game.start.clone();
    let mut stored = None;
    let ratings = game.info.ratings.map(|rating| rating.map_or(f32::NAN, |rating| rating as f32));
    for ply in 0..=game.moves.len() {
        // Where there is no move there is nothing to foretell; a missing king is a problem, not a game.
        if position.has_legal_move()
            && has_kings(&position)
            && let Ok(packed) = PackedSfen::pack(&position.setup())
        {
            let sample = Sample::new(number, packed, position.ply(), self::number(result), stored);
            let left = (game.moves.len() - ply).try_into().unwrap_or(u16::MAX);
            samples.push(Sample { left, ratings, ..sample });
        }
        if let Some(played) = game.moves.get(ply) {
            position.play(played.m);
            stored = played.evaluation.map(number_of);
        }
    }
    Ok(Taken { samples, corrected: proven.is_some() && recorded != Some(result), decided: true })
}

/// The first position, from the start, whose winner is proven decides the game.
fn first_proof(game: &Game, nodes: u64, cache: &Mutex<ValueCache>) -> io::Result<Option<Color>> {
    for position in game.positions() {
        let lock = || cache.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(position.key());
        let proof = match known {
            Some(proof) => proof.map(|black| if black > 0.5 { Color::Black } else { Color::White }),
            None => {
                let proof = mate_proof::proven_winner(&position, nodes);
                let value = proof.map(|winner| if winner == Color::Black { 1.0 } else { 0.0 });
                lock().put(position.key(), value)?;
                proof
            }
        };
        if proof.is_some() {
            return Ok(proof);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use eval::features::{Feature, FeatureSource as _};

    fn read(text: &str, mate_nodes: u64) -> Result<Samples, InputError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.csa");
        std::fs::write(&path, text).unwrap();
        let correction = Correction { mate_nodes, cache: folder.path().join("cache"), pool: Pool::new(2) };
        read_samples(&[path], None, None, &correction, &|_| ())
    }

    const GAME: &str =
        "V2.2\nN+a\nN-b\n'black_rate:a:2000\nPI\n+\n+7776FU\n'** 55\n-3334FU\n'** -20\n+2726FU\n%TORYO\n";

    #[test]
    fn positions_carry_the_winner_and_what_the_record_says_of_them() {
        let samples = read(GAME, 0).unwrap();
        let found: Vec<(f64, Option<f64>)> = samples.all.iter().map(|s| (s.result, s.stored)).collect();
        assert_eq!(found, [(1.0, None), (1.0, Some(55.0)), (1.0, Some(-20.0)), (1.0, None)]);
        let third = samples.all[2].position().unwrap();
        assert_eq!((third.ply(), third.side()), (3, Color::Black));
        let features = samples.all[2].features();
        assert_eq!((features.get(Feature::Ply), features.get(Feature::Left)), (3.0, 1.0));
        assert!(features.get(Feature::Rating).is_nan(), "only one of them is known");
    }

    #[test]
    fn a_mate_that_was_on_the_board_decides_instead_of_the_record() {
        let start = "V2.2\nP1 *  *  *  * -OU *  *  *  * \nP3 *  *  *  * +FU *  *  *  * \nP9 *  *  *  * +OU *  *  *  * \nP+00KI\n+\n";
        // Black overlooks the mate in one and resigns.
        let game = format!("{start}+5958OU\n-5141OU\n%TORYO\n");
        assert!(read(&game, 0).unwrap().all.iter().all(|sample| sample.result == 0.0));
        let samples = read(&game, 1000).unwrap();
        assert!(samples.all.iter().all(|sample| sample.result == 1.0));
        assert_eq!((samples.games, samples.corrected), (1, 1));
    }

    #[test]
    fn games_without_a_result_are_counted_and_nothing_is_an_error() {
        let error = read("V2.2\nPI\n+\n+7776FU\n%CHUDAN\n", 0).unwrap_err().to_string();
        assert!(error.contains("no games or positions with results in"), "{error}");
        assert!(read("nonsense", 0).is_err());
    }
}
