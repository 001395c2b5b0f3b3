//! The codes of the two encodings, and tables that read them at once.
//!
//! Both write a position as: side to move (1 bit), square of Black's king and of White's (7 bits each), a
//! code for each other square in the order of the squares, a code for each piece in hand, a code for each
//! piece that is missing (the piece box). A piece takes one bit less in hand or in the box than on the board,
//! where it leaves an empty square of one bit behind: so every full set is 256 bits. Codes are prefix-free,
//! and a reader needs no particular order of hands and box.

use std::fmt;

use shogi::{Color, Piece, PieceKind};

/// Which of the two encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Encoding {
    /// YaneuraOu's.
    PackedSfen,
    /// Apery's.
    Hcp,
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Encoding::PackedSfen => "PackedSfen",
            Encoding::Hcp => "hcp",
        })
    }
}

/// Bits in the order of the stream, the first one lowest.
#[derive(Clone, Copy)]
pub(super) struct Code {
    pub(super) bits: u8,
    pub(super) len: u8,
}

const fn code(bits: u8, len: u8) -> Code {
    Code { bits, len }
}

/// The code of what stands on a square.
#[derive(Clone, Copy)]
pub(super) struct BoardCode {
    /// What it adds to a tally of kinds, see [`tally_shift`].
    pub(super) increment: u64,
    pub(super) code: Code,
}

/// What eight bits of the board part begin with.
#[derive(Clone, Copy)]
pub(super) struct BoardSymbol {
    pub(super) piece: Option<Piece>,
    pub(super) len: u8,
    /// Where to add one in a tally of kinds, see [`tally_shift`].
    pub(super) shift: u8,
}

/// How many squares are read at once at most.
pub(super) const RUN: usize = 4;

/// How many bits are looked at for that.
pub(super) const RUN_BITS: usize = 10;

/// The squares that [`RUN_BITS`] bits of the board part describe completely: at least one, at most [`RUN`].
#[derive(Clone, Copy)]
pub(super) struct BoardRun {
    /// A tally of the squares.
    pub(super) tally: u64,
    pub(super) pieces: [Option<Piece>; RUN],
    pub(super) count: u8,
    pub(super) len: u8,
}

/// Where a piece that is not on the board is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    BlackHand,
    WhiteHand,
    /// In nobody's hand: a handicap or a problem.
    Box,
}

/// What seven bits of the part after the board begin with.
#[derive(Clone, Copy)]
pub(super) struct RestSymbol {
    pub(super) place: Place,
    pub(super) kind: PieceKind,
    pub(super) len: u8,
}

/// One encoding.
pub(super) struct Codebook {
    pub(super) encoding: Encoding,
    /// `[piece index]`, and [`EMPTY`]; kings have codes of no length.
    pub(super) board: [BoardCode; Piece::INDEX_COUNT],
    /// `[color][kind]`
    pub(super) hand: [[Code; 7]; 2],
    /// `[kind]`
    pub(super) boxed: [Code; 7],
    /// `[next 8 bits]`; every pattern begins with a code.
    pub(super) read_board: [BoardSymbol; 256],
    /// `[next RUN_BITS bits]`
    pub(super) read_runs: [BoardRun; 1 << RUN_BITS],
    /// `[next 7 bits]`; some patterns are no code.
    pub(super) read_rest: [Option<RestSymbol>; 128],
}

pub(super) static PACKED_SFEN: Codebook = build(Encoding::PackedSfen);
pub(super) static HCP: Codebook = build(Encoding::Hcp);

/// The index of the empty square's code, which no piece has.
pub(super) const EMPTY: usize = 15;

/// A tally counts each kind in a byte of its own; the eighth byte takes kings and empty squares.
pub(super) const fn tally_shift(kind: Option<PieceKind>) -> u8 {
    match kind {
        Some(kind) => kind.unpromoted() as u8 * 8,
        None => 56,
    }
}

/// `[kind]`, the code of a piece on the board before its flags; in the order of [`PieceKind::HAND`].
const fn stems(encoding: Encoding) -> [Code; 7] {
    let (knight, silver) = match encoding {
        Encoding::PackedSfen => (0b1011, 0b0111),
        Encoding::Hcp => (0b0111, 0b1011),
    };
    [
        code(0b01, 2),
        code(0b0011, 4),
        code(knight, 4),
        code(silver, 4),
        code(0b01_1111, 6),
        code(0b11_1111, 6),
        code(0b0_1111, 5),
    ]
}

const fn board_code(encoding: Encoding, piece: Piece) -> Code {
    let kind = piece.kind();
    let stem = stems(encoding)[kind.unpromoted().index()];
    let white = piece.color() as u8;
    if matches!(kind, PieceKind::Gold) {
        return code(stem.bits | white << stem.len, stem.len + 1);
    }
    let promoted = kind.is_promoted() as u8;
    let flags = match encoding {
        Encoding::PackedSfen => promoted | white << 1,
        Encoding::Hcp => white | promoted << 1,
    };
    code(stem.bits | flags << stem.len, stem.len + 2)
}

const fn hand_code(encoding: Encoding, color: Color, kind: PieceKind) -> Code {
    let black = match encoding {
        Encoding::PackedSfen => {
            let stem = stems(encoding)[kind.index()];
            code(stem.bits >> 1, if matches!(kind, PieceKind::Gold) { stem.len } else { stem.len + 1 })
        }
        Encoding::Hcp => {
            [code(0, 3), code(1, 5), code(3, 5), code(5, 5), code(0x1F, 7), code(0x3F, 7), code(7, 5)]
                [kind.index()]
        }
    };
    code(black.bits | (color as u8) << (black.len - 1), black.len)
}

/// `[kind]`
const fn box_codes(encoding: Encoding) -> [Code; 7] {
    match encoding {
        Encoding::PackedSfen => [
            code(0b010, 3),
            code(0b0_1001, 5),
            code(0b0_1101, 5),
            code(0b0_1011, 5),
            code(0b010_1111, 7),
            code(0b011_1111, 7),
            code(0b1_1011, 5),
        ],
        Encoding::Hcp => [
            code(0b010, 3),
            code(0b0_1001, 5),
            code(0b0_1011, 5),
            code(0b0_1101, 5),
            code(0b000_1111, 7),
            code(0b010_1111, 7),
            code(0b1_1101, 5),
        ],
    }
}

const fn build(encoding: Encoding) -> Codebook {
    let mut book = Codebook {
        encoding,
        board: [BoardCode { increment: 0, code: code(0, 0) }; Piece::INDEX_COUNT],
        hand: [[code(0, 0); 7]; 2],
        boxed: box_codes(encoding),
        read_board: [BoardSymbol { piece: None, len: 1, shift: tally_shift(None) }; 256],
        read_runs: [BoardRun { tally: 0, pieces: [None; RUN], count: 0, len: 0 }; 1 << RUN_BITS],
        read_rest: [None; 128],
    };
    book.board[EMPTY].code = code(0, 1);
    let mut color_index = 0;
    while color_index < 2 {
        let color = Color::ALL[color_index];
        let mut i = 0;
        while i < PieceKind::COUNT {
            let kind = PieceKind::ALL[i];
            if !matches!(kind, PieceKind::King) {
                let piece = Piece::new(color, kind);
                let written = board_code(encoding, piece);
                let shift = tally_shift(Some(kind));
                book.board[piece.index()] = BoardCode { increment: 1 << shift, code: written };
                let symbol = BoardSymbol { piece: Some(piece), len: written.len, shift };
                fill_board(&mut book.read_board, written, symbol);
            }
            if i < 7 {
                let written = hand_code(encoding, color, kind);
                book.hand[color_index][i] = written;
                let place = [Place::BlackHand, Place::WhiteHand][color_index];
                fill_rest(&mut book.read_rest, written, place, kind);
                fill_rest(&mut book.read_rest, book.boxed[i], Place::Box, kind);
            }
            i += 1;
        }
        color_index += 1;
    }
    let mut pattern = 0;
    while pattern < book.read_runs.len() {
        book.read_runs[pattern] = run_of(&book.read_board, pattern);
        pattern += 1;
    }
    book
}

/// Reads squares off a pattern as long as their codes lie within it.
const fn run_of(table: &[BoardSymbol; 256], pattern: usize) -> BoardRun {
    let mut run = BoardRun { tally: 0, pieces: [None; RUN], count: 0, len: 0 };
    while (run.count as usize) < RUN {
        let symbol = table[pattern >> run.len & 0xFF];
        if run.len as usize + symbol.len as usize > RUN_BITS {
            break;
        }
        run.pieces[run.count as usize] = symbol.piece;
        run.tally += 1 << symbol.shift;
        run.count += 1;
        run.len += symbol.len;
    }
    run
}

/// Enters a symbol under every pattern that begins with its code.
const fn fill_board(table: &mut [BoardSymbol; 256], written: Code, symbol: BoardSymbol) {
    let mut pattern = written.bits as usize;
    while pattern < table.len() {
        table[pattern] = symbol;
        pattern += 1 << written.len;
    }
}

const fn fill_rest(table: &mut [Option<RestSymbol>; 128], written: Code, place: Place, kind: PieceKind) {
    let mut pattern = written.bits as usize;
    while pattern < table.len() {
        table[pattern] = Some(RestSymbol { place, kind, len: written.len });
        pattern += 1 << written.len;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_of_one_part_begins_another() {
        for book in [&PACKED_SFEN, &HCP] {
            let board: Vec<Code> =
                book.board.iter().map(|entry| entry.code).filter(|code| code.len > 0).collect();
            let rest: Vec<Code> = book.hand.iter().flatten().chain(&book.boxed).copied().collect();
            for codes in [board, rest] {
                for (i, a) in codes.iter().enumerate() {
                    for b in &codes[i + 1..] {
                        let common = (1u16 << a.len.min(b.len)) - 1;
                        assert_ne!(
                            u16::from(a.bits) & common,
                            u16::from(b.bits) & common,
                            "{}",
                            book.encoding
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_piece_off_the_board_takes_one_bit_less() {
        for book in [&PACKED_SFEN, &HCP] {
            for kind in PieceKind::HAND {
                for color in Color::ALL {
                    let on_board = book.board[Piece::new(color, kind).index()].code.len;
                    assert_eq!(book.hand[color.index()][kind.index()].len, on_board - 1);
                    assert_eq!(book.boxed[kind.index()].len, on_board - 1);
                }
            }
        }
    }
}
