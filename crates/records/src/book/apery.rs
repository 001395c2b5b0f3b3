//! Apery's `book.bin`: entries of 16 bytes {key u64, move u16, count u16, score i32}, sorted by key.
//!
//! The key is a Zobrist hash of numbers from `mt19937_64` in this order: for each of 31 pieces (0 none, 1 to
//! 14 Black's, 17 to 30 White's) and each of 81 squares; for each of the seven kinds in hand (pawn, lance,
//! knight, silver, gold, bishop, rook) and each count from 0 to 18; for White to move. Only the mover's hand
//! counts. Keys cannot be inverted, so such a book answers lookups and cannot become a [`Book`](super::Book).

use std::io::{self, Read};
use std::path::Path;
use std::sync::LazyLock;

use shogi::{Color, Piece, PieceKind, Position, Square};

use super::memory::sort_moves;
use super::twister::Twister;
use super::{BookMove, Found};
use crate::packed::{AperyMove, AperyMoveError};

const ENTRY: usize = 16;

/// A book of Apery's.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AperyBook {
    /// Sorted by key.
    entries: Vec<(u64, BookMove)>,
}

/// Why bytes are no book of Apery's.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum AperyBookError {
    #[error(transparent)]
    Io(#[from] io::Error),
    #[error("{length} bytes are not a multiple of 16")]
    Length { length: usize },
    #[error("byte {offset}: the key {found:#018x} is smaller than the one before it")]
    Unsorted { offset: usize, found: u64 },
    #[error("byte {offset}: {error}")]
    Move { offset: usize, error: AperyMoveError },
    #[error("byte {offset}: an entry without a move")]
    NoMove { offset: usize },
}

impl AperyBook {
    /// Reads a book from a file.
    pub fn load(path: &Path) -> Result<AperyBook, AperyBookError> {
        Self::from_bytes(&std::fs::read(path)?)
    }

    /// Reads a book to the end of `source`.
    pub fn read(mut source: impl Read) -> Result<AperyBook, AperyBookError> {
        let mut bytes = Vec::new();
        source.read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes)
    }

    fn from_bytes(bytes: &[u8]) -> Result<AperyBook, AperyBookError> {
        let (entries, rest) = bytes.as_chunks::<ENTRY>();
        if !rest.is_empty() {
            return Err(AperyBookError::Length { length: bytes.len() });
        }
        let mut last = 0;
        let mut read = |(index, entry): (usize, &[u8; ENTRY])| {
            let offset = index * ENTRY;
            let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, c0, c1, score @ ..] = *entry;
            let key = u64::from_le_bytes([k0, k1, k2, k3, k4, k5, k6, k7]);
            if key < last {
                return Err(AperyBookError::Unsorted { offset, found: key });
            }
            last = key;
            let m = AperyMove(u16::from_le_bytes([m0, m1])).to_move();
            let m = m.map_err(|error| AperyBookError::Move { offset, error })?;
            let found = BookMove {
                value: Some(i32::from_le_bytes(score)),
                count: u64::from(u16::from_le_bytes([c0, c1])),
                ..BookMove::new(m.ok_or(AperyBookError::NoMove { offset })?)
            };
            Ok((key, found))
        };
        let entries = entries.iter().enumerate().map(&mut read).collect::<Result<_, _>>()?;
        Ok(AperyBook { entries })
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What the book has for a position; the ply never counts. Two positions with the same key look alike, so
    /// illegal moves mean that this is not the position.
    #[must_use]
    pub fn look_up(&self, position: &Position) -> Found {
        let key = apery_key(position);
        let first = self.entries.partition_point(|entry| entry.0 < key);
        let same = self.entries[first..].iter().take_while(|entry| entry.0 == key);
        let mut found = Found::in_position(position, same.map(|entry| entry.1));
        sort_moves(&mut found.moves);
        found
    }
}

struct Numbers {
    /// `[piece][square]`
    board: Vec<[u64; 81]>,
    /// `[kind in the order of PieceKind::WEAKEST_FIRST][count]`
    hand: [[u64; 19]; 7],
    white: u64,
}

static NUMBERS: LazyLock<Numbers> = LazyLock::new(|| {
    let mut twister = Twister::new(Twister::DEFAULT_SEED);
    Numbers {
        board: (0..31).map(|_| std::array::from_fn(|_| twister.draw())).collect(),
        hand: std::array::from_fn(|_| std::array::from_fn(|_| twister.draw())),
        white: twister.draw(),
    }
});

/// Apery's number of a piece: its kinds are ours plus one.
fn apery_piece(piece: Piece) -> usize {
    piece.kind().index() + 1 + if piece.color() == Color::White { 16 } else { 0 }
}

/// The key of a position in Apery's books.
#[must_use]
pub fn apery_key(position: &Position) -> u64 {
    let numbers = &*NUMBERS;
    let mut key = if position.side() == Color::White { numbers.white } else { 0 };
    for square in Square::all() {
        if let Some(piece) = position.piece(square) {
            key ^= numbers.board[apery_piece(piece)][square.index()];
        }
    }
    let hand = position.hand(position.side());
    for (kind, counts) in PieceKind::WEAKEST_FIRST.into_iter().zip(&numbers.hand) {
        key ^= counts[usize::from(hand.count(kind))];
    }
    key
}
