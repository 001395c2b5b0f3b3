//! The 81 squares.

use std::fmt;
use std::str::FromStr;

use crate::Color;

/// A square, numbered file by file: 1a (1一) is 0, 1b is 1, … 9i (9九) is 80.
///
/// ```
/// use shogi::Square;
/// let square: Square = "7g".parse().unwrap();
/// assert_eq!((square.file(), square.rank()), (6, 6));
/// assert_eq!(square.to_string(), "7g");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// Why a text is not a square.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a square; squares run from 1a to 9i")]
pub struct SquareError(pub String);

impl Square {
    /// How many squares there are.
    pub const COUNT: usize = 81;

    /// The square on a file (0 is file 1) and a rank (0 is rank a).
    ///
    /// # Panics
    /// If either is above 8; see [`Square::try_new`] for values from outside.
    #[inline(always)]
    #[must_use]
    pub const fn new(file: u8, rank: u8) -> Square {
        assert!(file < 9 && rank < 9);
        Square(file * 9 + rank)
    }

    /// The square on a file and a rank, if both are below 9.
    #[must_use]
    pub const fn try_new(file: u8, rank: u8) -> Option<Square> {
        if file < 9 && rank < 9 { Some(Square(file * 9 + rank)) } else { None }
    }

    /// The square with this number, if it is below 81.
    #[inline(always)]
    #[must_use]
    pub const fn from_index(index: usize) -> Option<Square> {
        if index < Self::COUNT { Some(Square(index as u8)) } else { None }
    }

    /// For indices that come out of a bitboard or a move and so are below 81 already.
    #[inline(always)]
    pub(crate) const fn from_raw(index: u8) -> Square {
        debug_assert!((index as usize) < Self::COUNT);
        Square(index)
    }

    /// The number of the square, 0 to 80.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file 1 (Black's right edge) to 8 for file 9.
    #[inline(always)]
    #[must_use]
    pub const fn file(self) -> u8 {
        self.0 / 9
    }

    /// 0 for rank a (White's back rank) to 8 for rank i.
    #[inline(always)]
    #[must_use]
    pub const fn rank(self) -> u8 {
        self.0 % 9
    }

    /// The rank as `color` sees it: 0 is the farthest rank, 8 the own back rank.
    #[inline(always)]
    #[must_use]
    pub const fn rank_from(self, color: Color) -> u8 {
        match color {
            Color::Black => self.rank(),
            Color::White => 8 - self.rank(),
        }
    }

    /// Whether the square lies in the promotion zone of `color`, the three farthest ranks.
    #[inline(always)]
    #[must_use]
    pub const fn in_zone(self, color: Color) -> bool {
        self.rank_from(color) < 3
    }

    /// The square after turning the board by 180 degrees.
    #[inline(always)]
    #[must_use]
    pub const fn rotated(self) -> Square {
        Square(80 - self.0)
    }

    /// The square after exchanging left and right.
    #[inline(always)]
    #[must_use]
    pub const fn mirrored(self) -> Square {
        Square((8 - self.file()) * 9 + self.rank())
    }

    /// All squares, 1a first, file by file.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..Self::COUNT as u8).map(Square)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'1' + self.file()) as char, (b'a' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = SquareError;

    fn from_str(text: &str) -> Result<Self, SquareError> {
        let error = || SquareError(text.to_owned());
        let &[file, rank] = text.as_bytes() else { return Err(error()) };
        Square::try_new(file.wrapping_sub(b'1'), rank.wrapping_sub(b'a')).ok_or_else(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_round_trips_for_every_square() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
    }

    #[test]
    fn text_outside_the_board_is_refused() {
        for text in ["", "7", "0a", "1j", "a1", "7gg", "七g"] {
            assert_eq!(text.parse::<Square>(), Err(SquareError(text.to_owned())));
        }
    }

    #[test]
    fn turning_and_mirroring_twice_change_nothing() {
        for square in Square::all() {
            assert_eq!(square.rotated().rotated(), square);
            assert_eq!(square.mirrored().mirrored(), square);
            assert_eq!(square.mirrored().rank(), square.rank());
        }
    }
}
