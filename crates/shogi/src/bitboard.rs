//! Sets of squares.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::{Color, Square};

/// A set of squares: bit n of a 128-bit word is the square with number n, bits 81 and up are zero.
///
/// The 81 bits are contiguous on purpose: the subtraction that finds slider attacks then borrows across the
/// whole board in two instructions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub(crate) u128);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 81 squares.
    pub const ALL: Bitboard = Bitboard((1 << 81) - 1);

    const FILE_1: u128 = 0x1FF;
    const RANK_A: u128 = {
        let mut bits = 0;
        let mut file = 0;
        while file < 9 {
            bits |= 1 << (file * 9);
            file += 1;
        }
        bits
    };

    /// The set of one square.
    #[inline(always)]
    #[must_use]
    pub const fn of(square: Square) -> Bitboard {
        SINGLE[square.index()]
    }

    /// All squares of a file (0 is file 1).
    #[inline(always)]
    #[must_use]
    pub const fn file(file: u8) -> Bitboard {
        Bitboard(Self::FILE_1 << (file * 9))
    }

    /// All squares of a rank (0 is rank a).
    #[inline(always)]
    #[must_use]
    pub const fn rank(rank: u8) -> Bitboard {
        Bitboard(Self::RANK_A << rank)
    }

    /// The `count` ranks farthest from `color`'s own side.
    #[must_use]
    pub const fn far_ranks(color: Color, count: u8) -> Bitboard {
        let mut bits = 0;
        let mut i = 0;
        while i < count {
            bits |= Self::rank(match color {
                Color::Black => i,
                Color::White => 8 - i,
            })
            .0;
            i += 1;
        }
        Bitboard(bits)
    }

    /// The promotion zone of `color`.
    #[inline(always)]
    #[must_use]
    pub const fn zone(color: Color) -> Bitboard {
        const ZONES: [Bitboard; 2] =
            [Bitboard::far_ranks(Color::Black, 3), Bitboard::far_ranks(Color::White, 3)];
        ZONES[color.index()]
    }

    /// Whether the set has no square.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the set has any square.
    #[inline(always)]
    #[must_use]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// Whether the set has two squares or more.
    #[inline(always)]
    #[must_use]
    pub const fn many(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// Whether the set has the square.
    #[inline(always)]
    #[must_use]
    pub const fn has(self, square: Square) -> bool {
        self.0 & SINGLE[square.index()].0 != 0
    }

    /// How many squares the set has.
    #[inline(always)]
    #[must_use]
    pub const fn count(self) -> u32 {
        (self.0 as u64).count_ones() + ((self.0 >> 64) as u64).count_ones()
    }

    /// The square with the lowest number.
    #[inline(always)]
    #[must_use]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::from_raw(self.0.trailing_zeros() as u8)) }
    }

    /// The squares of this set that are not in `other`.
    #[inline(always)]
    #[must_use]
    pub const fn minus(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & !other.0)
    }

    /// Every square moved one rank ahead as `color` sees it. The set must not touch the farthest rank.
    #[inline(always)]
    pub(crate) const fn ahead(self, color: Color) -> Bitboard {
        match color {
            Color::Black => Bitboard(self.0 >> 1),
            Color::White => Bitboard(self.0 << 1),
        }
    }

    /// All squares of the files in which the set has no square: where a pawn may be dropped. The set has at
    /// most one square in each file, as the pawns of one side do.
    #[inline(always)]
    pub(crate) const fn open_files(self) -> Bitboard {
        const RANK_I: u128 = Bitboard::RANK_A << 8;
        // In each file, 256 - pawn keeps its top bit only without a pawn; that bit becomes nine ones.
        let open = (RANK_I - self.0) & RANK_I;
        Bitboard((open << 1) - (open >> 8))
    }
}

const SINGLE: [Bitboard; 81] = {
    let mut table = [Bitboard::EMPTY; 81];
    let mut i = 0;
    while i < 81 {
        table[i] = Bitboard(1 << i);
        i += 1;
    }
    table
};

impl BitAnd for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitand(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 & other.0)
    }
}

impl BitOr for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 | other.0)
    }
}

impl BitXor for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn bitxor(self, other: Bitboard) -> Bitboard {
        Bitboard(self.0 ^ other.0)
    }
}

/// The squares of the board that are not in the set.
impl Not for Bitboard {
    type Output = Bitboard;
    #[inline(always)]
    fn not(self) -> Bitboard {
        Bitboard(self.0 ^ Bitboard::ALL.0)
    }
}

impl BitAndAssign for Bitboard {
    #[inline(always)]
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    #[inline(always)]
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

impl BitXorAssign for Bitboard {
    #[inline(always)]
    fn bitxor_assign(&mut self, other: Bitboard) {
        self.0 ^= other.0;
    }
}

/// The squares of a set in ascending order of their numbers.
#[derive(Clone)]
pub struct Squares {
    low: u64,
    high: u64,
}

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        if self.low != 0 {
            let square = self.low.trailing_zeros();
            self.low &= self.low - 1;
            Some(Square::from_raw(square as u8))
        } else if self.high != 0 {
            let square = 64 + self.high.trailing_zeros();
            self.high &= self.high - 1;
            Some(Square::from_raw(square as u8))
        } else {
            None
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = (self.low.count_ones() + self.high.count_ones()) as usize;
        (count, Some(count))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares { low: self.0 as u64, high: (self.0 >> 64) as u64 }
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, |set, square| set | Bitboard::of(square))
    }
}

/// The board as seen by Black: file 9 on the left, rank a on top.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in 0..9 {
            let row: String =
                (0..9).rev().map(|file| if self.has(Square::new(file, rank)) { '*' } else { '.' }).collect();
            writeln!(f, "{row}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iteration_yields_each_square_once_in_order() {
        let squares: Vec<Square> = Square::all().filter(|s| s.index() % 7 == 3).collect();
        let set: Bitboard = squares.iter().copied().collect();
        assert_eq!(set.count() as usize, squares.len());
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!(Bitboard::ALL.count(), 81);
        assert_eq!((!Bitboard::EMPTY).into_iter().collect::<Vec<_>>(), Square::all().collect::<Vec<_>>());
    }

    #[test]
    fn open_files_are_the_files_without_a_square() {
        assert_eq!(Bitboard::EMPTY.open_files(), Bitboard::ALL);
        for a in Square::all() {
            assert_eq!(Bitboard::of(a).open_files(), !Bitboard::file(a.file()));
            for b in Square::all().filter(|b| b.file() != a.file()) {
                let set = Bitboard::of(a) | Bitboard::of(b);
                assert_eq!(set.open_files(), !(Bitboard::file(a.file()) | Bitboard::file(b.file())));
            }
        }
    }

    #[test]
    fn zones_are_three_ranks() {
        for color in Color::ALL {
            for square in Square::all() {
                assert_eq!(Bitboard::zone(color).has(square), square.in_zone(color));
            }
        }
    }
}
