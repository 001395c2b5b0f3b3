//! Which positions a book shall have: those that were met often enough.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use records::book::db2016::{self, BookError};
use records::convert::{FileFormat, SourceFormat, each_game, gather};
use runs::{OpeningError, OpeningSet, is_interrupted};
use shogi::{Color, Move, Position, Setup};

/// What the files are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Games in any format.
    Records,
    /// Openings, a line each.
    Openings,
    /// Other books.
    Books,
}

/// Which positions are taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The last ply, counted from 1 at the usual start.
    pub plies: u16,
    /// How often a position must have been met; of books, how often its moves were played.
    pub least: u64,
}

/// A position that was met.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    /// The position at the earliest ply it was met at.
    pub setup: Setup,
    /// How often it was met.
    pub count: u64,
    /// The moves played there, the most frequent first.
    pub moves: Vec<(Move, u64)>,
}

/// The positions of some files.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Collected {
    /// Those met often enough, the most frequent first.
    pub positions: Vec<Met>,
    /// Games, openings, or positions of books, that were read.
    pub read: u64,
    /// Games that could not be read, with the reason.
    pub refused: Vec<String>,
}

/// Why there are no positions.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum CollectError {
    #[error(transparent)]
    Openings(#[from] OpeningError),
    #[error("{}: {error}", path.display())]
    Book { path: PathBuf, error: BookError },
    #[error("nothing could be read: {0}")]
    Nothing(String),
    #[error("of {read} that were read, no position up to ply {plies} was met {least} times or more")]
    Seldom { read: u64, plies: u16, least: u64 },
    #[error("stopped before the end")]
    Stopped,
}

/// Keys of positions are random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&byte| self.0 = self.0.rotate_left(8) ^ u64::from(byte));
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

type ByKey<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// What happens to each position: where it is, what was played there, and how often.
type Visit<'a> = dyn FnMut(&Position, Option<Move>, u64) + 'a;

/// Reads the files and finds the positions that were met often enough. `each` is called for every game, opening or position
/// of a book, twice: first positions are counted, by their keys alone, then only those that count are kept.
pub fn collect(
    origin: Origin,
    paths: &[PathBuf],
    bounds: Bounds,
    each: &mut dyn FnMut(),
) -> Result<Collected, CollectError> {
    let mut counts: ByKey<u64> = ByKey::default();
    let mut reading = Reading { origin, plies: bounds.plies, read: 0, refused: Vec::new(), each };
    reading.visit_all(paths, &mut |position, _, times| {
        *counts.entry(position.key()).or_default() += times;
    })?;
    let (read, refused) = (reading.read, std::mem::take(&mut reading.refused));
    if read == 0 {
        let why = refused.first().cloned().unwrap_or_else(|| "the files hold no games".to_owned());
        return Err(CollectError::Nothing(why));
    }
    counts.retain(|_, count| *count >= bounds.least);
    let mut met: ByKey<Met> = ByKey::default();
    reading.visit_all(paths, &mut |position, m, times| {
        let key = position.key();
        if let Some(&count) = counts.get(&key) {
            let met =
                met.entry(key).or_insert_with(|| Met { setup: position.setup(), count, moves: Vec::new() });
            met.add(position.ply(), m, times);
        }
    })?;
    let mut positions: Vec<Met> = met.into_values().filter(Met::is_playable).collect();
    if positions.is_empty() {
        let Bounds { plies, least } = bounds;
        return Err(CollectError::Seldom { read, plies, least });
    }
    for position in &mut positions {
        position.moves.sort_by_key(|&(m, count)| (std::cmp::Reverse(count), m.bits()));
    }
    positions.sort_by_cached_key(|met| (std::cmp::Reverse(met.count), met.setup.ply, met.setup.to_string()));
    Ok(Collected { positions, read, refused })
}

impl Met {
    fn add(&mut self, ply: u16, m: Option<Move>, times: u64) {
        self.setup.ply = self.setup.ply.min(ply);
        let Some(m) = m else { return };
        match self.moves.iter_mut().find(|(known, _)| *known == m) {
            Some((_, count)) => *count += times,
            None => self.moves.push((m, times)),
        }
    }

    /// Whether a player can be asked what to play.
    fn is_playable(&self) -> bool {
        Position::new(&self.setup).is_ok_and(|position| {
            position.has_legal_move() && Color::ALL.into_iter().all(|side| position.king(side).is_some())
        })
    }
}

/// Files being read.
struct Reading<'a> {
    origin: Origin,
    plies: u16,
    read: u64,
    refused: Vec<String>,
    each: &'a mut dyn FnMut(),
}

impl Reading<'_> {
    fn visit_all(&mut self, paths: &[PathBuf], visit: &mut Visit<'_>) -> Result<(), CollectError> {
        match self.origin {
            Origin::Records => self.visit_records(paths, visit),
            Origin::Openings => paths.iter().try_for_each(|path| self.visit_openings(path, visit)),
            Origin::Books => paths.iter().try_for_each(|path| self.visit_book(path, visit)),
        }
    }

    fn visit_records(&mut self, paths: &[PathBuf], visit: &mut Visit<'_>) -> Result<(), CollectError> {
        for source in gather(paths, None) {
            let format = match source.format {
                Ok(SourceFormat::Known(format)) => Some(format),
                Ok(SourceFormat::AnyText) => None,
                Err(reason) => {
                    self.refused.push(format!("{}: {reason}", source.path.display()));
                    continue;
                }
            };
            self.visit_games(&source.path, format, visit);
            if is_interrupted() {
                return Err(CollectError::Stopped);
            }
        }
        Ok(())
    }

    fn visit_games(&mut self, path: &Path, format: Option<FileFormat>, visit: &mut Visit<'_>) {
        let shown = each_game(path, format, &mut |number, game| {
            match game {
                Ok(game) => self.visit_line(game.start, game.moves.iter().map(|played| played.m), visit),
                Err(reason) => self.refused.push(format!("{}, game {number}: {reason}", path.display())),
            }
            if is_interrupted() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if let Err(error) = shown {
            self.refused.push(format!("{}: {error}", path.display()));
        }
    }

    fn visit_openings(&mut self, path: &Path, visit: &mut Visit<'_>) -> Result<(), CollectError> {
        for opening in OpeningSet::read(path)?.all {
            // It was checked when it was read.
            let Ok(start) = Position::new(&opening.start) else { continue };
            self.visit_line(start, opening.moves.into_iter(), visit);
        }
        Ok(())
    }

    /// The positions of a line of play, one that comes again within it once.
    fn visit_line(&mut self, start: Position, moves: impl Iterator<Item = Move>, visit: &mut Visit<'_>) {
        self.read += 1;
        (self.each)();
        let (mut position, mut moves) = (start, moves);
        while position.ply() <= self.plies {
            let m = moves.next();
            if position.occurrences() == 1 {
                visit(&position, m, 1);
            }
            let Some(m) = m else { break };
            position.play(m);
        }
    }

    fn visit_book(&mut self, path: &Path, visit: &mut Visit<'_>) -> Result<(), CollectError> {
        let book = db2016::load(path).map_err(|error| CollectError::Book { path: path.to_owned(), error })?;
        for (setup, entries) in book.iter() {
            let Ok(position) = Position::new(&setup) else { continue };
            self.read += 1;
            (self.each)();
            if position.ply() > self.plies {
                continue;
            }
            for entry in entries.iter().flat_map(|entry| &entry.moves) {
                let legal = position.is_legal(entry.m).then_some(entry.m);
                visit(&position, legal, entry.count.max(1));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn collected(origin: Origin, name: &str, text: &str, bounds: Bounds) -> Result<Collected, CollectError> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        collect(origin, &[path], bounds, &mut || ())
    }

    fn moves(met: &Met) -> Vec<(String, u64)> {
        met.moves.iter().map(|(m, count)| (m.to_string(), *count)).collect()
    }

    const LINES: &str = "7g7f 3c3d 2g2f\n2g2f 3c3d 7g7f\n7g7f 8c8d\n";

    #[test]
    fn positions_met_often_enough_are_kept_whatever_way_led_there() {
        let bounds = Bounds { plies: 10, least: 2 };
        let found = collected(Origin::Openings, "a.sfen", LINES, bounds).unwrap();
        assert_eq!(found.read, 3);
        let seen: Vec<(u16, u64)> = found.positions.iter().map(|met| (met.setup.ply, met.count)).collect();
        assert_eq!(seen, [(1, 3), (2, 2), (4, 2)], "the start, after 7g7f, and where two ways meet");
        assert_eq!(moves(&found.positions[0]), [("7g7f".to_owned(), 2), ("2g2f".to_owned(), 1)]);
        let short = collected(Origin::Openings, "a.sfen", LINES, Bounds { plies: 2, least: 2 }).unwrap();
        assert_eq!(short.positions.len(), 2);
        let none = collected(Origin::Openings, "a.sfen", LINES, Bounds { plies: 9, least: 9 });
        assert!(matches!(none, Err(CollectError::Seldom { read: 3, .. })), "{none:?}");
    }

    #[test]
    fn a_position_that_comes_again_in_a_game_is_met_once() {
        let text = "2h3h 8b7b 3h2h 7b8b 2h3h\n";
        let found = collected(Origin::Openings, "a.sfen", text, Bounds { plies: 9, least: 1 }).unwrap();
        assert!(found.positions.iter().all(|met| met.count == 1));
        assert_eq!(found.positions.len(), 4);
    }

    #[test]
    fn games_and_books_are_read_too() {
        let bounds = Bounds { plies: 10, least: 1 };
        let game = "V2.2\nPI\n+\n+7776FU\n-3334FU\n%TORYO\n/\nV2.2\nPI\n+\n+7776FU\n-7776FU\n%TORYO\n";
        let found = collected(Origin::Records, "a.csa", game, bounds).unwrap();
        assert_eq!((found.positions.len(), found.refused.len()), (3, 1), "{:?}", found.refused);
        let start = Position::start();
        let book =
            format!("#YANEURAOU-DB2016 1.00\nsfen {start}\n7g7f none none none 8\n2g2f none none none 3\n");
        let found = collected(Origin::Books, "a.db", &book, Bounds { plies: 10, least: 11 }).unwrap();
        assert_eq!(moves(&found.positions[0]), [("7g7f".to_owned(), 8), ("2g2f".to_owned(), 3)]);
    }

    #[test]
    fn what_cannot_be_read_is_an_error_that_says_why() {
        let bounds = Bounds { plies: 10, least: 1 };
        let error = |origin, text| collected(origin, "a.x", text, bounds).unwrap_err().to_string();
        assert!(error(Origin::Openings, "7g7f 7g7f").contains("line 1: move 2, 7g7f, is not legal"));
        assert!(error(Origin::Books, "nonsense").contains("instead of the header"));
        assert!(error(Origin::Records, "nonsense").contains("nothing could be read: "));
        let missing = collect(Origin::Records, &["no/such".into()], bounds, &mut || ());
        assert!(matches!(missing, Err(CollectError::Nothing(_))), "{missing:?}");
    }
}
