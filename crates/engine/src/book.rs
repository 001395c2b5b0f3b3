//! Which book move to play.
//!
//! The rules, in this order: the book is used up to ply `BookMoves` and left aside at random in `BookIgnoreRate` percent of
//! positions; if the best valued move was searched less deeply than `BookDepthLimit`, none is played; moves that
//! are worse than the best by more than `BookEvalDiff`, or worse than the limit of the side to move, are left out; with
//! `NarrowBook` so are moves played less than a tenth as often as the first. Of the rest each is as likely, or
//! as likely as it was played with `ConsiderBookMoveCount`. What a book does not say, it does not forbid.

use std::path::{Path, PathBuf};

use records::book::{AperyBook, Book, BookMove, Found, PlyMatch, Rotation, db2016};
use shogi::{Color, Position};

use crate::options::Settings;
use contract::Rng;

/// A book of either kind.
pub enum OpenBook {
    /// DB2016 text.
    Text(Book),
    /// Apery's.
    Hashed(AperyBook),
}

/// Why a book cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("cannot use the book {}: {reason}; the current folder is {}", path.display(), folder.display())]
pub struct BookFileError {
    path: PathBuf,
    reason: String,
    folder: PathBuf,
}

impl OpenBook {
    /// Reads a book file: Apery's if it ends in `.bin`, else DB2016 text.
    pub fn load(path: &Path) -> Result<OpenBook, BookFileError> {
        let book = if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("bin")) {
            AperyBook::load(path).map(OpenBook::Hashed).map_err(|error| error.to_string())
        } else {
            db2016::load(path).map(OpenBook::Text).map_err(|error| error.to_string())
        };
        let folder = || std::env::current_dir().unwrap_or_default();
        book.map_err(|reason| BookFileError { path: path.to_owned(), reason, folder: folder() })
    }

    /// How many positions or entries it has.
    pub(crate) fn len(&self) -> usize {
        match self {
            OpenBook::Text(book) => book.len(),
            OpenBook::Hashed(book) => book.len(),
        }
    }

    /// What it has for a position.
    #[must_use]
    pub fn look_up(&self, position: &Position, settings: &Settings) -> Found {
        let ply = if settings.ignore_book_ply { PlyMatch::Any } else { PlyMatch::Exact };
        let rotation = if settings.flipped_book { Rotation::Also } else { Rotation::Never };
        match self {
            OpenBook::Text(book) => book.look_up(position, ply, rotation),
            OpenBook::Hashed(book) => book.look_up(position),
        }
    }
}

/// Chooses among the moves of a position.
pub(crate) fn choose(
    moves: &[BookMove],
    position: &Position,
    settings: &Settings,
    rng: &mut Rng,
) -> Option<BookMove> {
    if is_too_late(position, settings) || rng.unit() * 100.0 < settings.book_ignore_rate as f64 {
        return None;
    }
    rng.weighted(&weights(moves, position, settings)).map(|i| moves[i])
}

/// How likely each of a position's moves is to be played from the book, from 0 to 1; what is missing to 1 is left to the search.
#[must_use]
pub fn book_chances(moves: &[BookMove], position: &Position, settings: &Settings) -> Vec<f64> {
    let weights = weights(moves, position, settings);
    let total: f64 = weights.iter().sum();
    let is_used = !is_too_late(position, settings) && total > 0.0;
    let used = if is_used { 1.0 - settings.book_ignore_rate as f64 / 100.0 } else { 0.0 };
    weights.iter().map(|weight| if is_used { used * weight / total } else { 0.0 }).collect()
}

fn is_too_late(position: &Position, settings: &Settings) -> bool {
    i64::from(position.ply()) > settings.book_moves
}

/// How likely each move is beside the others, wherever the book is used; 0 for what the rules leave out.
fn weights(moves: &[BookMove], position: &Position, settings: &Settings) -> Vec<f64> {
    let best = moves.iter().max_by_key(|entry| entry.value);
    let depth = best.and_then(|best| best.depth);
    if depth.is_some_and(|depth| i64::from(depth) < settings.book_depth_limit) {
        return vec![0.0; moves.len()];
    }
    let limit = match position.side() {
        Color::Black => settings.book_eval_black_limit,
        Color::White => settings.book_eval_white_limit,
    };
    let best = best.and_then(|best| best.value);
    let least = best.map(|value| (i64::from(value) - settings.book_eval_diff).max(limit));
    let is_good = |entry: &BookMove| match (entry.value, least) {
        (Some(value), Some(least)) => i64::from(value) >= least,
        _ => true,
    };
    let most = moves.iter().filter(|entry| is_good(entry)).map(|entry| entry.count).max().unwrap_or(0);
    let is_often = |entry: &BookMove| !settings.narrow_book || entry.count * 10 >= most;
    let weight = |entry: &BookMove| if settings.consider_book_count { entry.count as f64 } else { 1.0 };
    let weigh = |entry: &BookMove| if is_good(entry) && is_often(entry) { weight(entry) } else { 0.0 };
    moves.iter().map(weigh).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str, value: i32, depth: u32, count: u64) -> BookMove {
        let m = text.parse().unwrap();
        BookMove { value: Some(value), depth: Some(depth), count, ..BookMove::new(m) }
    }

    fn moves() -> [BookMove; 3] {
        [entry("7g7f", 40, 20, 90), entry("2g2f", 20, 20, 10), entry("9g9f", -80, 20, 1)]
    }

    /// The moves that are chosen in many tries.
    fn chosen(settings: &Settings) -> Vec<String> {
        let (start, mut rng) = (Position::start(), Rng::new(5));
        let tries = std::iter::repeat_with(|| choose(&moves(), &start, settings, &mut rng)).take(300);
        let mut found: Vec<String> = tries.flatten().map(|entry| entry.m.to_string()).collect();
        found.sort();
        found.dedup();
        found
    }

    #[test]
    fn moves_too_bad_for_the_limits_are_left_out() {
        let base = Settings::default();
        assert_eq!(chosen(&base), ["2g2f", "7g7f"]);
        assert_eq!(chosen(&Settings { book_eval_diff: 10, ..base.clone() }), ["7g7f"]);
        let wide = Settings { book_eval_diff: 999, book_eval_black_limit: -999, ..base.clone() };
        assert_eq!(chosen(&wide), ["2g2f", "7g7f", "9g9f"]);
        assert_eq!(chosen(&Settings { narrow_book: true, ..wide }), ["2g2f", "7g7f"]);
        assert!(chosen(&Settings { book_eval_black_limit: 50, ..base }).is_empty());
    }

    #[test]
    fn the_book_ends_at_its_ply_and_needs_depth() {
        let base = Settings::default();
        assert!(chosen(&Settings { book_moves: 0, ..base.clone() }).is_empty());
        assert!(chosen(&Settings { book_ignore_rate: 100, ..base.clone() }).is_empty());
        assert!(chosen(&Settings { book_depth_limit: 21, ..base }).is_empty());
    }

    #[test]
    fn chances_are_those_by_which_moves_are_chosen() {
        let (start, base) = (Position::start(), Settings::default());
        let of = |settings: &Settings| book_chances(&moves(), &start, settings);
        assert_eq!(of(&base), [0.5, 0.5, 0.0]);
        let counted = Settings { consider_book_count: true, ..base.clone() };
        assert_eq!(of(&counted), [0.9, 0.1, 0.0]);
        assert_eq!(of(&Settings { book_ignore_rate: 50, ..counted }), [0.45, 0.05, 0.0]);
        assert_eq!(of(&Settings { book_depth_limit: 21, ..base.clone() }), [0.0; 3]);
        assert_eq!(of(&Settings { book_moves: 0, ..base }), [0.0; 3]);
    }

    #[test]
    fn moves_are_as_likely_as_they_were_played_if_wanted() {
        let settings = Settings { consider_book_count: true, ..Settings::default() };
        let (start, mut rng) = (Position::start(), Rng::new(5));
        let first = moves()[0].m;
        let tries = (0..1000).filter_map(|_| choose(&moves(), &start, &settings, &mut rng));
        let share = tries.filter(|entry| entry.m == first).count();
        assert!((850..950).contains(&share), "{share}");
    }
}
