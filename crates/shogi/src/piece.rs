//! Kinds of pieces, and pieces as a side's.

use std::fmt;
use std::num::NonZeroU8;

use crate::Color;

/// What a piece is, regardless of whose it is. Promotion adds 8 to the number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum PieceKind {
    Pawn = 0,
    Lance = 1,
    Knight = 2,
    Silver = 3,
    Bishop = 4,
    Rook = 5,
    Gold = 6,
    King = 7,
    /// Tokin.
    ProPawn = 8,
    ProLance = 9,
    ProKnight = 10,
    ProSilver = 11,
    /// Promoted bishop.
    Horse = 12,
    /// Promoted rook.
    Dragon = 13,
}

use PieceKind::*;

impl PieceKind {
    /// How many kinds there are, promoted ones included.
    pub const COUNT: usize = 14;

    /// Every kind in the order of its number.
    pub const ALL: [PieceKind; 14] = [
        Pawn, Lance, Knight, Silver, Bishop, Rook, Gold, King, ProPawn, ProLance, ProKnight, ProSilver,
        Horse, Dragon,
    ];

    /// The kinds that can be held in hand, in the order of their numbers.
    pub const HAND: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Bishop, Rook, Gold];

    /// The kinds that can be held in hand from the weakest to the strongest: the order of file formats.
    pub const WEAKEST_FIRST: [PieceKind; 7] = [Pawn, Lance, Knight, Silver, Gold, Bishop, Rook];

    /// The kinds that can be held in hand from the strongest to the weakest: the order of SFEN and diagrams.
    pub const STRONGEST_FIRST: [PieceKind; 7] = [Rook, Bishop, Gold, Silver, Knight, Lance, Pawn];

    /// The number of the kind, 0 to 13.
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The kind with this number, if it is below 14.
    #[must_use]
    pub const fn from_index(index: usize) -> Option<PieceKind> {
        if index < Self::COUNT { Some(Self::ALL[index]) } else { None }
    }

    /// The low four bits as a kind; compiles to at most one comparison.
    #[inline(always)]
    pub(crate) const fn from_bits(bits: u8) -> PieceKind {
        match bits & 15 {
            0 => Pawn,
            1 => Lance,
            2 => Knight,
            3 => Silver,
            4 => Bishop,
            5 => Rook,
            6 => Gold,
            7 => King,
            8 => ProPawn,
            9 => ProLance,
            10 => ProKnight,
            11 => ProSilver,
            12 => Horse,
            _ => Dragon,
        }
    }

    /// The kind on the other side of the piece, if it has one and is not turned yet.
    #[inline(always)]
    #[must_use]
    pub const fn promoted(self) -> Option<PieceKind> {
        match self {
            Pawn | Lance | Knight | Silver | Bishop | Rook => Some(Self::from_bits(self as u8 | 8)),
            _ => None,
        }
    }

    /// The kind that a captured piece becomes in the hand; the kind itself if it is not promoted.
    #[inline(always)]
    #[must_use]
    pub const fn unpromoted(self) -> PieceKind {
        Self::from_bits(self as u8 & 7)
    }

    /// Whether this is the turned side of a piece.
    #[inline(always)]
    #[must_use]
    pub const fn is_promoted(self) -> bool {
        self as u8 & 8 != 0
    }

    /// Whether the kind moves as a gold: the gold and the four promoted minor pieces.
    #[inline(always)]
    #[must_use]
    pub const fn is_goldlike(self) -> bool {
        matches!(self, Gold | ProPawn | ProLance | ProKnight | ProSilver)
    }

    /// How many pieces of this (unpromoted) kind a full set has.
    #[must_use]
    pub const fn full_count(self) -> u8 {
        match self.unpromoted() {
            Pawn => 18,
            Bishop | Rook | King => 2,
            _ => 4,
        }
    }

    /// How many of the farthest ranks the kind may not stand on, because it could never move again.
    #[inline(always)]
    #[must_use]
    pub const fn forbidden_ranks(self) -> u8 {
        match self {
            Pawn | Lance => 1,
            Knight => 2,
            _ => 0,
        }
    }

    /// The letter of the unpromoted kind in SFEN and USI, upper case.
    #[must_use]
    pub const fn letter(self) -> char {
        match self.unpromoted() {
            Pawn => 'P',
            Lance => 'L',
            Knight => 'N',
            Silver => 'S',
            Bishop => 'B',
            Rook => 'R',
            Gold => 'G',
            _ => 'K',
        }
    }

    /// The unpromoted kind of an upper-case letter of SFEN and USI.
    #[must_use]
    pub const fn from_letter(letter: char) -> Option<PieceKind> {
        match letter {
            'P' => Some(Pawn),
            'L' => Some(Lance),
            'N' => Some(Knight),
            'S' => Some(Silver),
            'B' => Some(Bishop),
            'R' => Some(Rook),
            'G' => Some(Gold),
            'K' => Some(King),
            _ => None,
        }
    }

    /// The one-character Japanese name, as printed on boards.
    #[must_use]
    pub const fn kanji(self) -> char {
        match self {
            Pawn => '歩',
            Lance => '香',
            Knight => '桂',
            Silver => '銀',
            Bishop => '角',
            Rook => '飛',
            Gold => '金',
            King => '玉',
            ProPawn => 'と',
            ProLance => '杏',
            ProKnight => '圭',
            ProSilver => '全',
            Horse => '馬',
            Dragon => '龍',
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pawn => "pawn",
            Lance => "lance",
            Knight => "knight",
            Silver => "silver",
            Bishop => "bishop",
            Rook => "rook",
            Gold => "gold",
            King => "king",
            ProPawn => "promoted pawn",
            ProLance => "promoted lance",
            ProKnight => "promoted knight",
            ProSilver => "promoted silver",
            Horse => "horse",
            Dragon => "dragon",
        })
    }
}

/// A piece of one side. One byte, and so is `Option<Piece>`.
///
/// Bits 0 to 3 hold the kind, bit 4 the colour; bit 6 is always set, which leaves zero for "no piece".
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(NonZeroU8);

impl Piece {
    /// One more than the largest [`Piece::index`].
    pub const INDEX_COUNT: usize = 32;

    const TAG: u8 = 0x40;

    /// A kind as a piece of `color`.
    #[inline(always)]
    #[must_use]
    pub const fn new(color: Color, kind: PieceKind) -> Piece {
        Self::from_bits(((color as u8) << 4) | kind as u8)
    }

    #[inline(always)]
    const fn from_bits(bits: u8) -> Piece {
        match NonZeroU8::new(bits | Self::TAG) {
            Some(code) => Piece(code),
            None => unreachable!(),
        }
    }

    /// A dense-enough number for tables: kind + 16 for White, below [`Piece::INDEX_COUNT`].
    #[inline(always)]
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0.get() & 31) as usize
    }

    /// The number of its kind, known to be below 16 without a comparison: tables indexed by it have 16 rows.
    #[inline(always)]
    pub(crate) const fn kind_index(self) -> usize {
        (self.0.get() & 15) as usize
    }

    /// What it is.
    #[inline(always)]
    #[must_use]
    pub const fn kind(self) -> PieceKind {
        PieceKind::from_bits(self.0.get())
    }

    /// Whose it is.
    #[inline(always)]
    #[must_use]
    pub const fn color(self) -> Color {
        if self.0.get() & 16 == 0 { Color::Black } else { Color::White }
    }

    /// The piece turned over; the caller knows that its kind promotes.
    #[inline(always)]
    pub(crate) const fn turned(self) -> Piece {
        Self::from_bits(self.0.get() | 8)
    }

    /// The piece turned back.
    #[inline(always)]
    pub(crate) const fn turned_back(self) -> Piece {
        Self::from_bits(self.0.get() & !8)
    }

    /// The same kind as the other side's piece.
    #[inline(always)]
    #[must_use]
    pub const fn flipped(self) -> Piece {
        Self::from_bits(self.0.get() ^ 16)
    }

    /// The SFEN letter without the `+`: upper case for Black, lower case for White.
    #[must_use]
    pub const fn letter(self) -> char {
        let letter = self.kind().letter();
        match self.color() {
            Color::Black => letter,
            Color::White => letter.to_ascii_lowercase(),
        }
    }
}

/// SFEN notation, e.g. `P`, `+r`.
impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.kind().is_promoted() { "+" } else { "" }, self.letter())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_keep_kind_and_color() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!((piece.color(), piece.kind()), (color, kind));
                assert_eq!(piece.flipped(), Piece::new(!color, kind));
            }
        }
        assert_eq!(size_of::<Option<Piece>>(), 1);
    }

    #[test]
    fn promotion_and_capture_are_inverse() {
        for kind in PieceKind::ALL {
            match kind.promoted() {
                Some(promoted) => assert!(promoted.is_promoted() && promoted.unpromoted() == kind),
                None => assert!(kind.is_promoted() || matches!(kind, Gold | King)),
            }
        }
    }
}
