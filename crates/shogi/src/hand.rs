//! Pieces in hand.

use std::fmt;

use crate::PieceKind;

/// The pieces that one side holds, in one word with a spare bit above each count, so that two hands are
/// compared kind by kind in one subtraction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Hand(u32);

/// Where each kind's count begins, in the order of [`PieceKind::HAND`].
const SHIFT: [u32; 8] = [0, 6, 10, 14, 18, 21, 24, 28];
/// The largest count that fits, in the order of [`PieceKind::HAND`].
const MASK: [u32; 8] = [31, 7, 7, 7, 3, 3, 7, 0];
/// The spare bits.
const SPARE: u32 = SPARE_OF_FIVE | SPARE_OF_THREE | SPARE_OF_TWO;
/// Spare bits by the width of the counts below them.
const SPARE_OF_FIVE: u32 = 1 << 5;
const SPARE_OF_THREE: u32 = 1 << 9 | 1 << 13 | 1 << 17 | 1 << 27;
const SPARE_OF_TWO: u32 = 1 << 20 | 1 << 23;

impl Hand {
    /// How many bits a hand takes.
    pub const BITS: u32 = 27;
    /// No pieces.
    pub const EMPTY: Hand = Hand(0);

    /// How many of `kind` are held; 0 for the king and promoted kinds.
    #[inline(always)]
    #[must_use]
    pub const fn count(self, kind: PieceKind) -> u8 {
        if kind.is_promoted() {
            return 0;
        }
        (self.0 >> SHIFT[kind as usize & 7] & MASK[kind as usize & 7]) as u8
    }

    /// Whether at least one of `kind` is held.
    #[inline(always)]
    #[must_use]
    pub const fn has(self, kind: PieceKind) -> bool {
        self.count(kind) != 0
    }

    /// Whether nothing is held.
    #[inline(always)]
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The same hand with `count` of `kind`, at most a full set.
    ///
    /// ```
    /// use shogi::{Hand, PieceKind};
    /// let hand = Hand::EMPTY.with(PieceKind::Pawn, 3).with(PieceKind::Gold, 9);
    /// assert_eq!((hand.count(PieceKind::Pawn), hand.count(PieceKind::Gold)), (3, 4));
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn with(self, kind: PieceKind, count: u8) -> Hand {
        let (shift, mask) = (SHIFT[kind.index() & 7], MASK[kind.index() & 7]);
        let count = u32::from(count.min(kind.full_count())) & mask;
        Hand(self.0 & !(mask << shift) | count << shift)
    }

    /// One more of `kind`. The caller keeps the count within a full set.
    #[inline(always)]
    pub(crate) fn add(&mut self, kind: PieceKind) {
        debug_assert!(self.count(kind) < kind.full_count());
        self.0 += 1 << SHIFT[kind.index() & 7];
    }

    /// One fewer of `kind`, which must be held.
    #[inline(always)]
    pub(crate) fn remove(&mut self, kind: PieceKind) {
        debug_assert!(self.has(kind));
        self.0 -= 1 << SHIFT[kind.index() & 7];
    }

    /// Whether this hand holds at least as many of every kind as `other`.
    #[inline(always)]
    #[must_use]
    pub const fn covers(self, other: Hand) -> bool {
        (self.0 | SPARE).wrapping_sub(other.0) & SPARE == SPARE
    }

    /// The count of every kind that is greater of the two.
    #[inline]
    #[must_use]
    pub const fn greater_counts(self, other: Hand) -> Hand {
        let chosen = self.not_less(other);
        Hand(self.0 & chosen | other.0 & !chosen)
    }

    /// The count of every kind that is less of the two.
    #[inline]
    #[must_use]
    pub const fn lesser_counts(self, other: Hand) -> Hand {
        let chosen = self.not_less(other);
        Hand(other.0 & chosen | self.0 & !chosen)
    }

    /// All bits of the kinds of which this hand holds at least as many as `other`.
    const fn not_less(self, other: Hand) -> u32 {
        let spare = (self.0 | SPARE).wrapping_sub(other.0) & SPARE;
        // Each spare bit spreads over the count below it: five bits, three or two.
        let wide = (spare & SPARE_OF_FIVE) - ((spare & SPARE_OF_FIVE) >> 5);
        let middle = (spare & SPARE_OF_THREE) - ((spare & SPARE_OF_THREE) >> 3);
        let narrow = (spare & SPARE_OF_TWO) - ((spare & SPARE_OF_TWO) >> 2);
        wide | middle | narrow
    }

    /// The counts in one word of [`Hand::BITS`] bits, for tables.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The hand of such a word; bits that belong to no count are left out.
    #[inline(always)]
    #[must_use]
    pub const fn from_bits(bits: u32) -> Hand {
        Hand(bits & ((1 << Self::BITS) - 1) & !SPARE)
    }

    /// The kinds held with their counts, pawns first.
    pub fn iter(self) -> impl Iterator<Item = (PieceKind, u8)> {
        PieceKind::HAND.into_iter().map(move |kind| (kind, self.count(kind))).filter(|&(_, n)| n > 0)
    }

    /// A hand of counts in the order of [`PieceKind::HAND`]; `None` if one is more than a full set.
    #[must_use]
    pub fn from_counts(counts: [u8; 7]) -> Option<Hand> {
        let mut hand = Hand::EMPTY;
        for (kind, count) in PieceKind::HAND.into_iter().zip(counts) {
            if count > kind.full_count() {
                return None;
            }
            hand.0 |= u32::from(count) << SHIFT[kind.index()];
        }
        Some(hand)
    }

    /// The counts in the order of [`PieceKind::HAND`].
    #[must_use]
    pub fn counts(self) -> [u8; 7] {
        PieceKind::HAND.map(|kind| self.count(kind))
    }
}

impl fmt::Debug for Hand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_round_trip_and_overfull_hands_are_refused() {
        let full = PieceKind::HAND.map(PieceKind::full_count);
        assert_eq!(Hand::from_counts(full).map(Hand::counts), Some(full));
        let hand = Hand::from_counts(full).unwrap();
        assert_eq!(Hand::from_bits(hand.bits()), hand);
        for i in 0..7 {
            let mut counts = full;
            counts[i] += 1;
            assert_eq!(Hand::from_counts(counts), None);
        }
    }

    #[test]
    fn covers_means_at_least_as_many_of_every_kind() {
        let hands: Vec<[u8; 7]> =
            (0..2187u32).map(|n| std::array::from_fn(|i| (n / 3u32.pow(i as u32) % 3) as u8)).collect();
        for a in hands.iter().step_by(7) {
            for b in hands.iter().step_by(11) {
                let expected = a.iter().zip(b).all(|(x, y)| x >= y);
                let covers = Hand::from_counts(*a).unwrap().covers(Hand::from_counts(*b).unwrap());
                assert_eq!(covers, expected, "{a:?} {b:?}");
                let each = |choose: fn(u8, u8) -> u8| std::array::from_fn(|i| choose(a[i], b[i]));
                let (a, b) = (Hand::from_counts(*a).unwrap(), Hand::from_counts(*b).unwrap());
                assert_eq!(a.greater_counts(b).counts(), each(u8::max));
                assert_eq!(a.lesser_counts(b).counts(), each(u8::min));
            }
        }
    }
}
