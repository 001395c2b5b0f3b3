//! What a book is like.

use std::collections::{BTreeMap, HashSet};

use records::book::{Book, PlyMatch};
use serde::Serialize;
use shogi::Position;

/// What a book is like.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BookStats {
    /// Its positions.
    pub positions: usize,
    /// Their moves.
    pub moves: usize,
    /// Positions at each ply, the smallest of each.
    pub by_ply: BTreeMap<u16, usize>,
    /// Positions by the number of their moves.
    pub by_width: BTreeMap<usize, usize>,
    /// Moves that have a value.
    pub with_value: usize,
    /// How deep these were searched, on average.
    pub mean_depth: Option<f64>,
    /// Moves that are illegal where they stand.
    pub illegal: usize,
    /// Positions that the book's own moves reach from the usual start.
    pub reachable: usize,
    /// The longest line of the book's moves from the usual start without repetition, as far as the first way to each position goes.
    pub longest_line: usize,
}

/// What a book is like; of a position that is there at several plies the first is meant.
#[must_use]
pub fn stats(book: &Book) -> BookStats {
    let mut stats = BookStats {
        positions: book.len(),
        moves: 0,
        by_ply: BTreeMap::new(),
        by_width: BTreeMap::new(),
        with_value: 0,
        mean_depth: None,
        illegal: 0,
        reachable: 0,
        longest_line: 0,
    };
    let mut depths: Vec<u32> = Vec::new();
    for (setup, entries) in book.iter() {
        let Some(entry) = entries.first() else { continue };
        stats.moves += entry.moves.len();
        *stats.by_ply.entry(entry.ply).or_default() += 1;
        *stats.by_width.entry(entry.moves.len()).or_default() += 1;
        stats.with_value += entry.moves.iter().filter(|known| known.value.is_some()).count();
        depths.extend(entry.moves.iter().filter_map(|known| known.depth));
        let position = Position::new(&setup).ok();
        let is_illegal = |m| position.as_ref().is_none_or(|position| !position.is_legal(m));
        stats.illegal += entry.moves.iter().filter(|known| is_illegal(known.m)).count();
    }
    let sum: f64 = depths.iter().map(|&depth| f64::from(depth)).sum();
    stats.mean_depth = (!depths.is_empty()).then(|| sum / depths.len() as f64);
    (stats.reachable, stats.longest_line) = walk(book);
    stats
}

/// How many positions the book's moves reach from the usual start, and after how many plies the farthest of them.
fn walk(book: &Book) -> (usize, usize) {
    let mut seen = HashSet::new();
    let mut layer = vec![Position::start()];
    let (mut reachable, mut plies) = (0, 0);
    for ply in 0.. {
        let mut next = Vec::new();
        for position in layer {
            let Some(entry) = book.entry(&position.setup(), PlyMatch::Any) else { continue };
            if !seen.insert(position.key()) {
                continue;
            }
            (reachable, plies) = (reachable + 1, ply + 1);
            for known in entry.moves.iter().filter(|known| position.is_legal(known.m)) {
                let mut after = position.clone();
                after.play(known.m);
                next.push(after);
            }
        }
        if next.is_empty() {
            break;
        }
        layer = next;
    }
    (reachable, plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use records::book::db2016;

    #[test]
    fn a_book_is_counted_and_walked() {
        let after = |moves: &str| {
            let mut position = Position::start();
            moves.split_whitespace().for_each(|m| {
                position.play(m.parse().unwrap());
            });
            position
        };
        let text = format!(
            "#YANEURAOU-DB2016 1.00\nsfen {}\n7g7f none 30 10 1\n2g2f\n9i1i\nsfen {}\n3c3d none 0 20 1\nsfen {}\n1g1f\n",
            after(""),
            after("7g7f"),
            after("9g9f 1c1d"),
        );
        let stats = stats(&db2016::read(text.as_bytes()).unwrap());
        assert_eq!((stats.positions, stats.moves, stats.with_value, stats.illegal), (3, 5, 2, 1));
        assert_eq!((stats.mean_depth, stats.reachable, stats.longest_line), (Some(15.0), 2, 2));
        assert_eq!(stats.by_ply, BTreeMap::from([(1, 1), (2, 1), (3, 1)]));
        assert_eq!(stats.by_width, BTreeMap::from([(1, 2), (3, 1)]));
    }
}
