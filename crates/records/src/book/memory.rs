//! A book in memory.

use std::cmp::Reverse;
use std::collections::HashMap;

use shogi::{Move, Position, Setup};

use crate::packed::{PackError, PackedSfen};

/// What a book says about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BookMove {
    /// The move.
    pub m: Move,
    /// The reply it expects.
    pub ponder: Option<Move>,
    /// Its value in centipawns, as the side to move sees it.
    pub value: Option<i32>,
    /// How deep the search for the value was.
    pub depth: Option<u32>,
    /// How often it was played, or another weight; 1 where a book does not say.
    pub count: u64,
}

/// The moves of a position at a ply, the most played first, then by value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The number of the next move.
    pub ply: u16,
    /// The moves, never two the same.
    pub moves: Vec<BookMove>,
}

/// Positions with their moves. A position may be in it once for each ply.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Book {
    /// For each position its entries, the smallest ply first.
    positions: HashMap<PackedSfen, Vec<Entry>>,
}

/// Whether the ply of a position counts when it is looked up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlyMatch {
    /// Only an entry of the same ply is found.
    Exact,
    /// The entry with the smallest ply is found.
    Any,
}

/// Whether a position is also looked up as the other side sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rotation {
    /// As it is.
    Never,
    /// Turned by 180 degrees if it is not there as it is.
    Also,
}

/// What a book has for a position.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// The legal moves, the most played first; empty if the position is not in the book.
    pub moves: Vec<BookMove>,
    /// Moves of the book that are illegal here, for a message.
    pub illegal: Vec<Move>,
}

impl BookMove {
    /// A move that the book says nothing more about.
    #[must_use]
    pub fn new(m: Move) -> BookMove {
        BookMove { m, ponder: None, value: None, depth: None, count: 1 }
    }

    /// The same move on the board turned by 180 degrees.
    #[must_use]
    pub fn rotated(self) -> BookMove {
        BookMove { m: self.m.rotated(), ponder: self.ponder.map(Move::rotated), ..self }
    }
}

impl Entry {
    fn unite(&mut self, new: BookMove) {
        let Some(old) = self.moves.iter_mut().find(|old| old.m == new.m) else {
            self.moves.push(new);
            return;
        };
        match (old.value, new.value) {
            (None, None) => {
                let count = old.count.saturating_add(new.count);
                *old = BookMove { count, ponder: new.ponder.or(old.ponder), ..*old };
            }
            (Some(_), None) => {}
            (None, Some(_)) => *old = new,
            (Some(_), Some(_)) if new.depth >= old.depth => *old = new,
            (Some(_), Some(_)) => {}
        }
    }
}

impl Found {
    /// Sorts out what is illegal in `position`.
    pub(super) fn in_position(position: &Position, moves: impl Iterator<Item = BookMove>) -> Found {
        let (moves, illegal): (Vec<_>, Vec<_>) = moves.partition(|entry| position.is_legal(entry.m));
        Found { moves, illegal: illegal.into_iter().map(|entry| entry.m).collect() }
    }
}

/// The most played first, then the best valued; the order of the book decides the rest.
pub(super) fn sort_moves(moves: &mut [BookMove]) {
    moves.sort_by_key(|entry| Reverse((entry.count, entry.value)));
}

impl Book {
    /// A book without positions.
    #[must_use]
    pub fn new() -> Book {
        Book::default()
    }

    /// Adds moves to a position at its ply. A move that is there already is replaced.
    pub fn add(&mut self, setup: &Setup, moves: impl IntoIterator<Item = BookMove>) -> Result<(), PackError> {
        self.add_packed(PackedSfen::pack(setup)?, setup.ply, moves);
        Ok(())
    }

    fn add_packed(&mut self, packed: PackedSfen, ply: u16, moves: impl IntoIterator<Item = BookMove>) {
        let entries = self.positions.entry(packed).or_default();
        let at = match entries.binary_search_by_key(&ply, |entry| entry.ply) {
            Ok(at) => at,
            Err(at) => {
                entries.insert(at, Entry { ply, moves: Vec::new() });
                at
            }
        };
        let known = &mut entries[at].moves;
        for new in moves {
            match known.iter_mut().find(|old| old.m == new.m) {
                Some(old) => *old = new,
                None => known.push(new),
            }
        }
        sort_moves(known);
    }

    /// Adds all that another book has; its word stands where both have the same move at the same ply.
    pub fn merge(&mut self, other: &Book) {
        for (packed, entries) in &other.positions {
            for entry in entries {
                self.add_packed(*packed, entry.ply, entry.moves.iter().copied());
            }
        }
    }

    /// One book of several. The moves of a position stand together at its smallest ply, whatever plies they had. Of a move
    /// that several books have, what was searched deepest stands, among equals the later; where none of them has a value
    /// the counts are added up.
    ///
    /// ```
    /// use records::book::{Book, BookMove, PlyMatch};
    /// let start = shogi::Position::start().setup();
    /// let played = |count| {
    ///     let mut book = Book::new();
    ///     book.add(&start, [BookMove { count, ..BookMove::new("7g7f".parse().unwrap()) }]).unwrap();
    ///     book
    /// };
    /// let both = Book::united([&played(3), &played(4)]);
    /// assert_eq!(both.entry(&start, PlyMatch::Exact).unwrap().moves[0].count, 7);
    /// ```
    #[must_use]
    pub fn united<'a>(books: impl IntoIterator<Item = &'a Book>) -> Book {
        let mut united = Book::new();
        for (packed, entries) in books.into_iter().flat_map(|book| &book.positions) {
            let Some(first) = entries.first() else { continue };
            let known = united.positions.entry(*packed).or_default();
            if known.is_empty() {
                known.push(Entry { ply: first.ply, moves: Vec::new() });
            }
            known[0].ply = known[0].ply.min(first.ply);
            entries.iter().flat_map(|entry| &entry.moves).for_each(|new| known[0].unite(*new));
            sort_moves(&mut known[0].moves);
        }
        united
    }

    /// How many positions there are, whatever their plies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// The entry of a setup as it is in the book; its moves are not checked.
    ///
    /// ```
    /// use records::book::{Book, BookMove, PlyMatch};
    /// let mut book = Book::new();
    /// let start = shogi::Position::start().setup();
    /// book.add(&start, [BookMove::new("7g7f".parse().unwrap())]).unwrap();
    /// assert_eq!(book.entry(&start, PlyMatch::Exact).unwrap().moves.len(), 1);
    /// ```
    #[must_use]
    pub fn entry(&self, setup: &Setup, ply: PlyMatch) -> Option<&Entry> {
        let entries = self.positions.get(&PackedSfen::pack(setup).ok()?)?;
        match ply {
            PlyMatch::Any => entries.first(),
            PlyMatch::Exact => entries.iter().find(|entry| entry.ply == setup.ply),
        }
    }

    /// What the book has for a position.
    #[must_use]
    pub fn look_up(&self, position: &Position, ply: PlyMatch, rotation: Rotation) -> Found {
        let setup = position.setup();
        if let Some(entry) = self.entry(&setup, ply) {
            return Found::in_position(position, entry.moves.iter().copied());
        }
        if rotation == Rotation::Also
            && let Some(entry) = self.entry(&setup.rotated(), ply)
        {
            return Found::in_position(position, entry.moves.iter().map(|entry| entry.rotated()));
        }
        Found::default()
    }

    /// All positions with their entries, in no particular order; the setups have the smallest ply.
    pub fn iter(&self) -> impl Iterator<Item = (Setup, &[Entry])> {
        self.positions.iter().filter_map(|(packed, entries)| {
            let setup = packed.unpack().ok()?;
            Some((Setup { ply: entries.first()?.ply, ..setup }, &entries[..]))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(text: &str, value: Option<i32>, depth: Option<u32>, count: u64) -> BookMove {
        BookMove { value, depth, count, ..BookMove::new(text.parse().unwrap()) }
    }

    fn book(ply: u16, moves: &[BookMove]) -> Book {
        let mut book = Book::new();
        book.add(&Setup { ply, ..Position::start().setup() }, moves.iter().copied()).unwrap();
        book
    }

    #[test]
    fn of_several_books_the_deepest_word_stands_and_counts_add_up() {
        let a = book(5, &[entry("7g7f", Some(30), Some(20), 1), entry("2g2f", None, None, 3)]);
        let b = book(3, &[entry("7g7f", Some(-10), Some(12), 1), entry("2g2f", None, None, 4)]);
        let c = book(9, &[entry("7g7f", None, None, 90), entry("1g1f", Some(5), None, 1)]);
        let united = Book::united([&a, &b, &c]);
        let start = Position::start().setup();
        let found = united.entry(&Setup { ply: 3, ..start }, PlyMatch::Exact).unwrap();
        let expected = [
            entry("2g2f", None, None, 7),
            entry("7g7f", Some(30), Some(20), 1),
            entry("1g1f", Some(5), None, 1),
        ];
        assert_eq!((found.moves.as_slice(), united.len()), (&expected[..], 1));
        let other = Book::united([&b, &a]);
        assert_eq!(other.entry(&Position::start().setup(), PlyMatch::Any).unwrap().moves[1].value, Some(30));
    }
}
