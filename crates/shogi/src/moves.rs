//! A move in sixteen bits, and its USI text.

use std::fmt;
use std::num::NonZeroU16;
use std::str::FromStr;

use arrayvec::ArrayVec;

use crate::{PieceKind, Square};

/// A move: bits 0 to 6 the target, bits 7 to 13 the origin (or the dropped kind + 1), bit 14 set for a
/// drop, bit 15 for a promotion. Never zero, so `Option<Move>` is two bytes too.
///
/// Which piece moves is not stored: every reader has the position at hand, and a 16-bit move goes into the
/// hash table, history tables and files as it is.
///
/// ```
/// use shogi::{Move, PieceKind};
/// let m: Move = "8h2b+".parse().unwrap();
/// assert!(m.is_promotion() && !m.is_drop());
/// assert_eq!("P*5e".parse::<Move>().unwrap().dropped(), Some(PieceKind::Pawn));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Move(NonZeroU16);

/// The most legal moves any position has.
pub const MAX_LEGAL_MOVES: usize = 593;

/// Room for every move of a position, also of pseudo-legal ones.
pub type MoveList = ArrayVec<Move, 640>;

/// Why a text is not a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a USI move; moves look like 7g7f, 8h2b+ or P*5e")]
pub struct MoveTextError(pub String);

const DROP: u16 = 1 << 14;
const PROMOTION: u16 = 1 << 15;

impl Move {
    /// A piece on the board goes from one square to another.
    ///
    /// # Panics
    /// If the two squares are the same.
    #[inline(always)]
    #[must_use]
    pub const fn board(from: Square, to: Square, promote: bool) -> Move {
        Self::pack((from.index() as u16) << 7 | to.index() as u16 | if promote { PROMOTION } else { 0 })
    }

    /// A piece in hand is dropped.
    ///
    /// # Panics
    /// If the kind is a king or promoted.
    #[inline(always)]
    #[must_use]
    pub const fn drop(kind: PieceKind, to: Square) -> Move {
        debug_assert!((kind as u8) < 7);
        Self::pack(DROP | (kind as u16 + 1) << 7 | to.index() as u16)
    }

    #[inline(always)]
    const fn pack(bits: u16) -> Move {
        match NonZeroU16::new(bits) {
            Some(bits) => Move(bits),
            None => panic!("a move from 1a to 1a"),
        }
    }

    /// Where the piece goes.
    #[inline(always)]
    #[must_use]
    pub const fn to(self) -> Square {
        Square::from_raw((self.0.get() & 0x7F) as u8)
    }

    /// Where the piece comes from; `None` for a drop.
    #[inline(always)]
    #[must_use]
    pub const fn from(self) -> Option<Square> {
        if self.is_drop() { None } else { Some(self.origin()) }
    }

    /// The origin of a move that is known not to be a drop.
    #[inline(always)]
    pub(crate) const fn origin(self) -> Square {
        debug_assert!(!self.is_drop());
        Square::from_raw((self.0.get() >> 7 & 0x7F) as u8)
    }

    /// The kind that is dropped; `None` for a move on the board.
    #[inline(always)]
    #[must_use]
    pub const fn dropped(self) -> Option<PieceKind> {
        if self.is_drop() { Some(PieceKind::from_bits((self.0.get() >> 7 & 15) as u8 - 1)) } else { None }
    }

    /// Whether a piece in hand is dropped.
    #[inline(always)]
    #[must_use]
    pub const fn is_drop(self) -> bool {
        self.0.get() & DROP != 0
    }

    /// Whether the piece is turned over.
    #[inline(always)]
    #[must_use]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// The sixteen bits, for tables and files.
    #[inline(always)]
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// The move of sixteen bits from a table or a file, if they are one.
    #[inline]
    #[must_use]
    pub fn from_bits(bits: u16) -> Option<Move> {
        let code = NonZeroU16::new(bits)?;
        let to = usize::from(bits & 0x7F);
        let from = usize::from(bits >> 7 & 0x7F);
        let valid = if bits & DROP != 0 {
            (1..=7).contains(&from) && bits & PROMOTION == 0
        } else {
            from < Square::COUNT && from != to
        };
        (valid && to < Square::COUNT).then_some(Move(code))
    }

    /// The same move on the board turned by 180 degrees.
    #[must_use]
    pub fn rotated(self) -> Move {
        self.map_squares(Square::rotated)
    }

    /// The same move with left and right exchanged.
    #[must_use]
    pub fn mirrored(self) -> Move {
        self.map_squares(Square::mirrored)
    }

    fn map_squares(self, map: fn(Square) -> Square) -> Move {
        match self.dropped() {
            Some(kind) => Move::drop(kind, map(self.to())),
            None => Move::board(map(self.origin()), map(self.to()), self.is_promotion()),
        }
    }
}

/// USI notation.
impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.dropped() {
            Some(kind) => write!(f, "{}*{}", kind.letter(), self.to()),
            None => {
                write!(f, "{}{}{}", self.origin(), self.to(), if self.is_promotion() { "+" } else { "" })
            }
        }
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Move {
    type Err = MoveTextError;

    fn from_str(text: &str) -> Result<Move, MoveTextError> {
        let error = || MoveTextError(text.to_owned());
        if !text.is_ascii() || !(4..=5).contains(&text.len()) {
            return Err(error());
        }
        let to = text[2..4].parse().map_err(|_| error())?;
        if text.as_bytes()[1] == b'*' {
            let kind = PieceKind::from_letter(text.as_bytes()[0] as char)
                .filter(|&kind| kind != PieceKind::King && text.len() == 4)
                .ok_or_else(error)?;
            return Ok(Move::drop(kind, to));
        }
        let from: Square = text[..2].parse().map_err(|_| error())?;
        let promote = match &text[4..] {
            "" => false,
            "+" => true,
            _ => return Err(error()),
        };
        if from == to { Err(error()) } else { Ok(Move::board(from, to, promote)) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn every_move() -> impl Iterator<Item = Move> {
        (0..=u16::MAX).filter_map(Move::from_bits)
    }

    #[test]
    fn text_and_bits_round_trip_for_every_move() {
        for m in every_move() {
            assert_eq!(m.to_string().parse(), Ok(m));
            assert_eq!(Move::from_bits(m.bits()), Some(m));
            assert_eq!(m.rotated().rotated(), m);
            assert_eq!(m.mirrored().mirrored(), m);
        }
        assert_eq!(every_move().count(), 81 * 80 * 2 + 81 * 7);
        assert_eq!(size_of::<Option<Move>>(), 2);
    }

    #[test]
    fn text_that_is_no_move_is_refused() {
        for text in
            ["", "7g", "7g7", "7g7f*", "7g7g", "K*5e", "p*5e", "P*5e+", "0a1a", "+P*5e", "歩5e", "resign"]
        {
            assert_eq!(text.parse::<Move>(), Err(MoveTextError(text.to_owned())), "{text}");
        }
    }
}
