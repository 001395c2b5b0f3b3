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
