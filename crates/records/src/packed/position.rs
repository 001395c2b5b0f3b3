//! Packing a setup into 32 bytes and back, in either encoding.

use shogi::{Color, Piece, PieceKind, Setup, Square};

use super::bits::{BITS, BitReader, BitWriter};
use super::codebook::{Code, Codebook, EMPTY, Encoding, HCP, PACKED_SFEN, Place, RUN, RUN_BITS, tally_shift};

/// A position in YaneuraOu's 32 bytes. The bytes may be anything until they are unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct PackedSfen(pub [u8; 32]);

/// A position in Apery's 32 bytes ("huffman coded position"). The bytes may be anything until they are
/// unpacked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub struct Hcp(pub [u8; 32]);

/// Why a setup cannot be packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum PackError {
    #[error("{color} has no king, which {encoding} cannot express")]
    NoKing { color: Color, encoding: Encoding },
    #[error("{color} has two kings, on {first} and {second}")]
    TwoKings { color: Color, first: Square, second: Square },
    #[error("{count} pieces of kind {kind}, a set has {}", .kind.full_count())]
    TooMany { kind: PieceKind, count: u32 },
    /// An absent king leaves a square more to describe.
    #[error("without a king the last piece no longer fits into 256 bits")]
    NoRoom,
}

/// Why 32 bytes are no position of an encoding. Bits are counted from the lowest of the first byte.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum UnpackError {
    #[error("{encoding}, bit {bit}: the king of {color} stands on square {found}, the last one is 80{}",
        if *.encoding == Encoding::PackedSfen { " (81 for none)" } else { "" })]
    KingSquare { encoding: Encoding, bit: usize, color: Color, found: u8 },
    #[error("{encoding}, bit {bit}: both kings stand on {square}")]
    KingsTogether { encoding: Encoding, bit: usize, square: Square },
    #[error("{encoding}: the board takes {bits} bits, there are 256")]
    BoardTooLong { encoding: Encoding, bits: usize },
    #[error("{encoding}, bit {bit}: {count} pieces of kind {kind}, a set has {}", .kind.full_count())]
    TooMany { encoding: Encoding, bit: usize, kind: PieceKind, count: u32 },
    #[error("{encoding}, bit {bit}: {found:#09b} begins no code of a piece in hand or in the box")]
    Code { encoding: Encoding, bit: usize, found: u8 },
}

/// The square number that stands for an absent king.
const ABSENT: usize = Square::COUNT;

/// Side to move and kings.
const HEAD: u32 = 15;

/// How many runs of squares a window of 57 bits holds at least.
const RUNS_PER_WINDOW: usize = 57 / RUN_BITS;

/// `[length of a code][count]`: a one where each of so many codes in a row begins, to multiply the code with.
const PLACES: [[u64; 19]; 8] = {
    let mut places = [[0; 19]; 8];
    let mut len = 1;
    while len < 8 {
        let mut count = 1;
        while count < 19 && len * count < 64 {
            places[len][count] = places[len][count - 1] << len | 1;
            count += 1;
        }
        len += 1;
    }
    places
};

/// How many pieces a set has besides the kings.
const PIECES: u32 = 38;

impl PackedSfen {
    /// Packs a setup; missing pieces go into the piece box, the ply is not stored.
    ///
    /// ```
    /// use records::packed::PackedSfen;
    /// let start = shogi::Position::start().setup();
    /// assert_eq!(PackedSfen::pack(&start).unwrap().unpack().unwrap(), start);
    /// ```
    pub fn pack(setup: &Setup) -> Result<PackedSfen, PackError> {
        pack(&PACKED_SFEN, setup).map(PackedSfen)
    }

    /// The setup, with ply 1; kings may be absent.
    pub fn unpack(&self) -> Result<Setup, UnpackError> {
        unpack(&PACKED_SFEN, &self.0)
    }
}

impl Hcp {
    /// Packs a setup; missing pieces go into the piece box, the ply is not stored.
    pub fn pack(setup: &Setup) -> Result<Hcp, PackError> {
        pack(&HCP, setup).map(Hcp)
    }

    /// The setup, with ply 1.
    pub fn unpack(&self) -> Result<Setup, UnpackError> {
        unpack(&HCP, &self.0)
    }
}

#[inline(always)]
fn pack(book: &Codebook, setup: &Setup) -> Result<[u8; 32], PackError> {
    let kings = find_kings(setup)?;
    if book.encoding == Encoding::Hcp
        && let Some(color) = Color::ALL.into_iter().find(|color| kings[color.index()] == ABSENT)
    {
        return Err(PackError::NoKing { color, encoding: book.encoding });
    }
    let mut writer = BitWriter::new();
    writer.put((setup.side.index() | kings[0] << 1 | kings[1] << 8) as u64, HEAD);
    let tally = write_board(book, setup, &mut writer);
    let mut missing = [0; 7];
    for kind in PieceKind::HAND {
        let held = setup.hands.iter().map(|hand| u32::from(hand[kind.index()])).sum::<u32>();
        let count = count_in(tally, kind) + held;
        missing[kind.index()] =
            u32::from(kind.full_count()).checked_sub(count).ok_or(PackError::TooMany { kind, count })? as u8;
    }
    for color in Color::ALL {
        write_rest(&book.hand[color.index()], &setup.hands[color.index()], &mut writer);
    }
    write_rest(&book.boxed, &missing, &mut writer);
    writer.finish().ok_or(PackError::NoRoom)
}

/// The square numbers of the kings, Black's first.
#[inline(always)]
fn find_kings(setup: &Setup) -> Result<[usize; 2], PackError> {
    let mut kings = [ABSENT; 2];
    for (index, piece) in setup.board.iter().enumerate() {
        let Some(piece) = piece.filter(|piece| piece.kind() == PieceKind::King) else { continue };
        let color = piece.color();
        let before = std::mem::replace(&mut kings[color.index()], index);
        if let (Some(first), Some(second)) = (Square::from_index(before), Square::from_index(index)) {
            return Err(PackError::TwoKings { color, first, second });
        }
    }
    Ok(kings)
}

/// Writes all squares but the kings' and returns a tally of them. A file of nine squares fits into a word
/// with any pieces that a set has (four of eight bits, five of six); with others the bits are garbage and
/// the tally says so.
#[inline(always)]
fn write_board(book: &Codebook, setup: &Setup, writer: &mut BitWriter) -> u64 {
    let mut tally = 0;
    for squares in setup.board.as_chunks::<9>().0 {
        let (mut bits, mut len) = (0, 0);
        for &piece in squares {
            let entry = &book.board[piece.map_or(EMPTY, Piece::index)];
            bits |= u64::from(entry.code.bits).wrapping_shl(len);
            len += u32::from(entry.code.len);
            tally += entry.increment;
        }
        writer.put(bits, len);
    }
    tally
}

/// Writes each kind as often as `counts` says, which is within a set.
#[inline(always)]
fn write_rest(codes: &[Code; 7], counts: &[u8; 7], writer: &mut BitWriter) {
    if *counts == [0; 7] {
        return;
    }
    for kind in PieceKind::WEAKEST_FIRST {
        let (code, count) = (codes[kind.index()], u32::from(counts[kind.index()]));
        let len = u32::from(code.len) * count;
        let places = PLACES[usize::from(code.len % 8)][count as usize % 19];
        writer.put(places * u64::from(code.bits), len);
    }
}

/// How many pieces of the kind a tally has counted.
#[inline(always)]
fn count_in(tally: u64, kind: PieceKind) -> u32 {
    (tally >> tally_shift(Some(kind)) & 0xFF) as u32
}

#[inline(always)]
fn unpack(book: &Codebook, packed: &[u8; 32]) -> Result<Setup, UnpackError> {
    let encoding = book.encoding;
    let mut reader = BitReader::new(packed);
    let side = Color::ALL[reader.take(1)];
    let kings = read_kings(encoding, &mut reader)?;
    let mut setup = Setup { side, ..Setup::empty() };
    let mut tally = read_board(book, &mut reader, kings, &mut setup.board);
    if reader.at() > BITS {
        return Err(UnpackError::BoardTooLong { encoding, bits: reader.at() });
    }
    let mut pieces = 0;
    for kind in PieceKind::HAND {
        let count = count_in(tally, kind);
        if count > u32::from(kind.full_count()) {
            return Err(UnpackError::TooMany { encoding, bit: reader.at(), kind, count });
        }
        pieces += count;
    }
    // [place][kind]
    let mut held = [[0; 7]; 3];
    // Every piece of the set has a code; together they end at bit 256, and behind that for absent kings.
    while pieces < PIECES {
        let (bit, found) = (reader.at(), (reader.window() & 0x7F) as u8);
        let symbol = book.read_rest[usize::from(found)].ok_or(UnpackError::Code { encoding, bit, found })?;
        let kind = symbol.kind;
        tally += 1 << tally_shift(Some(kind));
        let count = count_in(tally, kind);
        if count > u32::from(kind.full_count()) {
            return Err(UnpackError::TooMany { encoding, bit, kind, count });
        }
        held[symbol.place as usize][kind.index()] += 1;
        reader.skip(usize::from(symbol.len));
        pieces += 1;
    }
    setup.hands = [held[Place::BlackHand as usize], held[Place::WhiteHand as usize]];
    Ok(setup)
}

#[inline(always)]
fn read_kings(encoding: Encoding, reader: &mut BitReader) -> Result<[usize; 2], UnpackError> {
    let mut kings = [ABSENT; 2];
    for color in Color::ALL {
        let bit = reader.at();
        let found = reader.take(7);
        if found > ABSENT || found == ABSENT && encoding == Encoding::Hcp {
            return Err(UnpackError::KingSquare { encoding, bit, color, found: found as u8 });
        }
        kings[color.index()] = found;
    }
    match Square::from_index(kings[0]) {
        Some(square) if kings[0] == kings[1] => {
            Err(UnpackError::KingsTogether { encoding, bit: reader.at() - 7, square })
        }
        _ => Ok(kings),
    }
}

/// Reads all squares but the kings', puts the kings in between, and tallies the others.
#[inline(always)]
fn read_board(
    book: &Codebook,
    reader: &mut BitReader,
    kings: [usize; 2],
    board: &mut [Option<Piece>; 81],
) -> u64 {
    let mut others = [None; 81];
    let count = 81 - kings.iter().filter(|&&king| king != ABSENT).count();
    let tally = read_squares(book, reader, &mut others[..count]);
    let (low, high) = (kings[0].min(kings[1]), kings[0].max(kings[1]));
    board[..low].copy_from_slice(&others[..low]);
    if low < ABSENT {
        board[low + 1..high].copy_from_slice(&others[low..high - 1]);
    }
    if high < ABSENT {
        board[high + 1..].copy_from_slice(&others[high - 1..79]);
    }
    for color in Color::ALL {
        if let Some(square) = board.get_mut(kings[color.index()]) {
            *square = Some(Piece::new(color, PieceKind::King));
        }
    }
    tally
}

#[inline(always)]
fn read_squares(book: &Codebook, reader: &mut BitReader, squares: &mut [Option<Piece>]) -> u64 {
    let mut tally = 0;
    let mut at = 0;
    while at + RUN <= squares.len() {
        let mut window = reader.window();
        let mut taken = 0;
        for _ in 0..RUNS_PER_WINDOW {
            let Some(place) = squares[at..].first_chunk_mut::<RUN>() else { break };
            let run = &book.read_runs[window as usize % (1 << RUN_BITS)];
            *place = run.pieces;
            at += usize::from(run.count);
            tally += run.tally;
            window >>= run.len;
            taken += usize::from(run.len);
        }
        reader.skip(taken);
    }
    for square in &mut squares[at..] {
        let symbol = book.read_board[(reader.window() & 0xFF) as usize];
        *square = symbol.piece;
        tally += 1 << symbol.shift;
        reader.skip(usize::from(symbol.len));
    }
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    fn setup(sfen: &str) -> Setup {
        sfen.parse().unwrap()
    }

    #[test]
    fn known_bytes_of_each_encoding_are_the_same_position() {
        let packed = [
            0x58, 0xA4, 0x51, 0x22, 0x0C, 0xEB, 0x67, 0x12, 0x7E, 0x96, 0xF3, 0x4D, 0x84, 0x83, 0x44, 0x78,
            0x24, 0xC2, 0x2B, 0x11, 0x9E, 0x53, 0x12, 0x1C, 0xEB, 0x6F, 0x22, 0x3E, 0x96, 0x91, 0x24, 0x0C,
        ];
        let hcp = [
            0x58, 0xA4, 0x49, 0x21, 0x0C, 0xD7, 0x57, 0x11, 0x7E, 0x8E, 0xED, 0x2D, 0x84, 0x85, 0x42, 0x78,
            0x14, 0xC2, 0xAB, 0x10, 0x9E, 0x4D, 0x11, 0x2C, 0xD7, 0x5F, 0x21, 0x3E, 0x8E, 0x89, 0x22, 0x0C,
        ];
        let position = setup("lnsgk1snl/1r4gb1/1pppppppp/p8/9/2P4P1/PP1PPPP1P/1B5R1/LNSGKGSNL b - 1");
        assert_eq!(PackedSfen::pack(&position), Ok(PackedSfen(packed)));
        assert_eq!(Hcp::pack(&position), Ok(Hcp(hcp)));
    }

    #[test]
    fn missing_pieces_and_extra_hands_round_trip() {
        for sfen in [
            "4k4/9/9/9/9/9/9/9/4K4 b - 1",
            "4k4/9/9/9/9/9/9/9/4K4 w 2R2B4G4S4N4L18P 1",
            "4k4/9/9/9/9/9/9/9/4K4 w 2r2b4g4s4n4l18p 1",
            "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1",
            "4k4/1+p+l+n+s+b+r2/9/9/9/9/9/1+P+L+N+S+B+R2/4K4 b GSgs 1",
        ] {
            let setup = setup(sfen);
            assert_eq!(PackedSfen::pack(&setup).unwrap().unpack(), Ok(setup.clone()), "{sfen}");
            assert_eq!(Hcp::pack(&setup).unwrap().unpack(), Ok(setup), "{sfen}");
        }
    }

    #[test]
    fn an_absent_king_is_expressed_by_packed_sfen_only() {
        let problem = setup("4k4/9/4P4/9/9/9/9/9/9 b Gr 1");
        assert_eq!(PackedSfen::pack(&problem).unwrap().unpack(), Ok(problem.clone()));
        let expected = PackError::NoKing { color: Color::Black, encoding: Encoding::Hcp };
        assert_eq!(Hcp::pack(&problem), Err(expected));
        let full = setup("4k4/9/9/9/9/9/9/9/9 b 2r2b4g4s4n4l18p 1");
        assert_eq!(PackedSfen::pack(&full), Err(PackError::NoRoom));
    }

    #[test]
    fn setups_with_too_many_pieces_are_refused() {
        let kings = setup("4k4/9/9/9/9/9/4K4/9/4K4 b - 1");
        assert!(matches!(PackedSfen::pack(&kings), Err(PackError::TwoKings { color: Color::Black, .. })));
        let dragons = setup("k8/+R8/+R8/+R8/+R8/+R8/+R8/+R8/+R7K b - 1");
        let expected = PackError::TooMany { kind: PieceKind::Rook, count: 8 };
        assert_eq!((PackedSfen::pack(&dragons), Hcp::pack(&dragons)), (Err(expected), Err(expected)));
        let rooks = setup("4k4/9/9/9/9/9/9/9/+R3K4 b 2R 1");
        let expected = PackError::TooMany { kind: PieceKind::Rook, count: 3 };
        assert_eq!((PackedSfen::pack(&rooks), Hcp::pack(&rooks)), (Err(expected), Err(expected)));
    }

    #[test]
    fn broken_bytes_name_the_bit() {
        let encoding = Encoding::PackedSfen;
        let mut bytes = [0; 32];
        let together = UnpackError::KingsTogether { encoding, bit: 8, square: Square::new(0, 0) };
        assert_eq!(PackedSfen(bytes).unpack(), Err(together));
        bytes[0] = 82 << 1;
        let outside = UnpackError::KingSquare { encoding, bit: 1, color: Color::Black, found: 82 };
        assert_eq!(PackedSfen(bytes).unpack(), Err(outside));
        assert!(matches!(
            Hcp([81 << 1; 32]).unpack(),
            Err(UnpackError::KingSquare { bit: 1, found: 81, .. })
        ));
        let mut rooks = [0xFF; 32];
        rooks[..2].copy_from_slice(&[2, 0]);
        assert!(matches!(PackedSfen(rooks).unpack(), Err(UnpackError::BoardTooLong { .. })));
        // Two kings on an otherwise empty board, then black pawns in hand without end.
        bytes[..2].copy_from_slice(&[2, 0]);
        let pawns =
            UnpackError::TooMany { encoding, bit: 15 + 79 + 18 * 3, kind: PieceKind::Pawn, count: 19 };
        assert_eq!(PackedSfen(bytes).unpack(), Err(pawns));
        // The bits 0, 1, 1 would be a promoted pawn in White's hand.
        bytes[11] |= 0b1000_0000;
        bytes[12] |= 1;
        let code = UnpackError::Code { encoding, bit: 94, found: 0b110 };
        assert_eq!(PackedSfen(bytes).unpack(), Err(code));
    }
}
