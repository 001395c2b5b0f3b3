//! Where pieces reach.
//!
//! Steps come from tables. Sliders are computed: on a line whose squares lie in different bytes of the
//! 128-bit word (ranks and both diagonals do), `occupied - slider` borrows up to the first blocker, and
//! reversing the bytes does the same downwards; files are a 9-bit lookup. The tables are small enough to
//! stay in the first-level cache, and no CPU-specific instruction is needed (`benches/sliders.rs` compares
//! this with PEXT and magic lookups).

use crate::{Bitboard, Color, Piece, PieceKind, Square};

/// A table with an entry for each square.
type BySquare<T> = [T; 81];

/// Steps of a kind as (file, rank) offsets for Black; White's are turned by 180 degrees.
const fn steps(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Pawn => &[(0, -1)],
        PieceKind::Knight => &[(-1, -2), (1, -2)],
        PieceKind::Silver => &[(0, -1), (-1, -1), (1, -1), (-1, 1), (1, 1)],
        PieceKind::Gold
        | PieceKind::ProPawn
        | PieceKind::ProLance
        | PieceKind::ProKnight
        | PieceKind::ProSilver => &[(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1)],
        PieceKind::King => &[(0, -1), (-1, -1), (1, -1), (-1, 0), (1, 0), (0, 1), (-1, 1), (1, 1)],
        PieceKind::Horse => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        PieceKind::Dragon => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook => &[],
    }
}

/// Directions in which a kind slides, for Black.
const fn slides(kind: PieceKind) -> &'static [(i8, i8)] {
    match kind {
        PieceKind::Lance => &[(0, -1)],
        PieceKind::Bishop | PieceKind::Horse => &[(-1, -1), (1, -1), (-1, 1), (1, 1)],
        PieceKind::Rook | PieceKind::Dragon => &[(0, -1), (-1, 0), (1, 0), (0, 1)],
        _ => &[],
    }
}

const fn stepped(square: usize, step: (i8, i8)) -> Option<usize> {
    let file = (square / 9) as i8 + step.0;
    let rank = (square % 9) as i8 + step.1;
    if file < 0 || file > 8 || rank < 0 || rank > 8 { None } else { Some(file as usize * 9 + rank as usize) }
}

/// All squares from `square` in one direction, up to and including the first one in `occupied`.
const fn ray(square: usize, step: (i8, i8), occupied: u128) -> u128 {
    let mut reached = 0;
    let mut at = square;
    while let Some(next) = stepped(at, step) {
        reached |= 1 << next;
        if occupied & 1 << next != 0 {
            break;
        }
        at = next;
    }
    reached
}

/// What a piece attacks, step by step: slow and obviously right.
const fn attacks_by_steps(piece: Piece, square: usize, occupied: u128) -> u128 {
    let sign = match piece.color() {
        Color::Black => 1,
        Color::White => -1,
    };
    let mut reached = 0;
    let (near, far) = (steps(piece.kind()), slides(piece.kind()));
    let mut i = 0;
    while i < near.len() {
        if let Some(to) = stepped(square, (near[i].0 * sign, near[i].1 * sign)) {
            reached |= 1 << to;
        }
        i += 1;
    }
    i = 0;
    while i < far.len() {
        reached |= ray(square, (far[i].0 * sign, far[i].1 * sign), occupied);
        i += 1;
    }
    reached
}

/// Attacks on an empty board: `[piece][square]`.
#[allow(long_running_const_eval)]
static REACH: [BySquare<Bitboard>; Piece::INDEX_COUNT] = {
    let mut table = [[Bitboard::EMPTY; 81]; Piece::INDEX_COUNT];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < PieceKind::COUNT {
            let piece = Piece::new(Color::ALL[color], PieceKind::ALL[kind]);
            let mut square = 0;
            while square < 81 {
                table[piece.index()][square] = Bitboard(attacks_by_steps(piece, square, 0));
                square += 1;
            }
            kind += 1;
        }
        color += 1;
    }
    table
};

/// One line through a square, prepared for the borrow trick: the other squares of the line, and the square
/// itself as it stands and with its bytes reversed.
#[derive(Clone, Copy)]
struct Line {
    others: u128,
    here: u128,
    here_reversed: u128,
}

const fn lines(step: (i8, i8)) -> BySquare<Line> {
    let mut table = [Line { others: 0, here: 0, here_reversed: 0 }; 81];
    let mut square = 0;
    while square < 81 {
        let here: u128 = 1 << square;
        table[square] = Line {
            others: ray(square, step, 0) | ray(square, (-step.0, -step.1), 0),
            here,
            here_reversed: here.swap_bytes(),
        };
        square += 1;
    }
    table
}

static RANKS: BySquare<Line> = lines((1, 0));
static FALLING: BySquare<Line> = lines((1, 1));
static RISING: BySquare<Line> = lines((1, -1));

/// Attacks along a file: `[rank][inner seven bits of the file's occupancy]`.
static FILE_REACH: [[u16; 128]; 9] = {
    let mut table = [[0; 128]; 9];
    let mut rank = 0;
    while rank < 9 {
        let mut inner = 0;
        while inner < 128 {
            let occupied = (inner as u128) << 1;
            table[rank][inner] = (ray(rank, (0, -1), occupied) | ray(rank, (0, 1), occupied)) as u16;
            inner += 1;
        }
        rank += 1;
    }
    table
};

/// The squares strictly between two squares of one line: `[a][b]`.
#[allow(long_running_const_eval)]
static BETWEEN: BySquare<BySquare<Bitboard>> = {
    let mut table = [[Bitboard::EMPTY; 81]; 81];
    for_each_line_pair(&mut table, false);
    table
};

/// The whole line through two squares, both included; empty if they share none: `[a][b]`.
#[allow(long_running_const_eval)]
static LINE: BySquare<BySquare<Bitboard>> = {
    let mut table = [[Bitboard::EMPTY; 81]; 81];
    for_each_line_pair(&mut table, true);
    table
};

const fn for_each_line_pair(table: &mut BySquare<BySquare<Bitboard>>, whole: bool) {
    let queen = steps(PieceKind::King);
    let mut a = 0;
    while a < 81 {
        let mut d = 0;
        while d < queen.len() {
            let step = queen[d];
            let line = ray(a, step, 0) | ray(a, (-step.0, -step.1), 0) | 1 << a;
            let mut passed = 0;
            let mut at = a;
            while let Some(b) = stepped(at, step) {
                table[a][b] = Bitboard(if whole { line } else { passed });
                passed |= 1 << b;
                at = b;
            }
            d += 1;
        }
        a += 1;
    }
}

/// The squares strictly between two squares of one rank, file or diagonal; empty otherwise.
#[inline(always)]
#[must_use]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares; empty if they share none.
#[inline(always)]
#[must_use]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

/// What `piece` on `square` would attack on an empty board.
#[inline(always)]
#[must_use]
pub fn reach(piece: Piece, square: Square) -> Bitboard {
    REACH[piece.index()][square.index()]
}

/// What a kind that only steps (or the stepping part of none) attacks; exact for non-sliding kinds.
#[inline(always)]
pub(crate) fn step_attacks(color: Color, kind: PieceKind, square: Square) -> Bitboard {
    reach(Piece::new(color, kind), square)
}

#[inline(always)]
fn line_attacks(line: &Line, occupied: Bitboard) -> u128 {
    let blockers = occupied.0 & line.others;
    let up = blockers.wrapping_sub(line.here);
    let down = blockers.swap_bytes().wrapping_sub(line.here_reversed).swap_bytes();
    (up ^ down) & line.others
}

#[inline(always)]
fn file_attacks(square: Square, occupied: Bitboard) -> u128 {
    let shift = FILE_SHIFT[square.index()];
    let inner = (occupied.0 >> shift.start >> 1) as usize & 0x7F;
    u128::from(FILE_REACH[shift.rank as usize][inner]) << shift.start
}

#[derive(Clone, Copy)]
struct FileShift {
    start: u8,
    rank: u8,
}

/// Where a square's file begins in the word, and the square's rank, without dividing.
static FILE_SHIFT: BySquare<FileShift> = {
    let mut table = [FileShift { start: 0, rank: 0 }; 81];
    let mut square = 0;
    while square < 81 {
        table[square] = FileShift { start: (square / 9 * 9) as u8, rank: (square % 9) as u8 };
        square += 1;
    }
    table
};

/// Every square from which a piece that steps can attack the square or one next to it.
#[inline(always)]
pub(crate) fn vicinity(square: Square) -> Bitboard {
    VICINITY[square.index()]
}

/// Every square from which a piece that steps can reach a square to give check to a king here.
#[inline(always)]
pub(crate) fn check_vicinity(king: Square) -> Bitboard {
    CHECK_VICINITY[king.index()]
}

/// Two files to each side and three ranks up and down, where a knight jumps next to the square from.
static VICINITY: BySquare<Bitboard> = boxes(3);
/// One rank more: a knight, two jumps away from the king.
static CHECK_VICINITY: BySquare<Bitboard> = boxes(4);

/// The squares within two files and `ranks` ranks of each square.
const fn boxes(ranks: usize) -> BySquare<Bitboard> {
    let mut table = [Bitboard::EMPTY; 81];
    let mut square = 0usize;
    while square < 81 {
        let mut other = 0usize;
        while other < 81 {
            if (square / 9).abs_diff(other / 9) <= 2 && (square % 9).abs_diff(other % 9) <= ranks {
                table[square].0 |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    table
}

/// What a bishop attacks.
#[inline(always)]
#[must_use]
pub fn bishop_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let i = square.index();
    Bitboard(line_attacks(&FALLING[i], occupied) | line_attacks(&RISING[i], occupied))
}

/// What a rook attacks.
#[inline(always)]
#[must_use]
pub fn rook_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(line_attacks(&RANKS[square.index()], occupied) | file_attacks(square, occupied))
}

/// What a lance of `color` attacks.
#[inline(always)]
#[must_use]
pub fn lance_attacks(color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    Bitboard(file_attacks(square, occupied)) & step_attacks(color, PieceKind::Lance, square)
}

/// What a king on the square attacks.
#[inline(always)]
#[must_use]
pub fn king_attacks(square: Square) -> Bitboard {
    step_attacks(Color::Black, PieceKind::King, square)
}

/// What a piece attacks, own pieces included.
///
/// ```
/// use shogi::{attacks, Bitboard, Color, Piece, PieceKind};
/// let rook = Piece::new(Color::Black, PieceKind::Rook);
/// assert_eq!(attacks::attacks(rook, "5e".parse().unwrap(), Bitboard::EMPTY).count(), 16);
/// ```
#[inline(always)]
#[must_use]
pub fn attacks(piece: Piece, square: Square, occupied: Bitboard) -> Bitboard {
    match piece.kind() {
        PieceKind::Lance => lance_attacks(piece.color(), square, occupied),
        PieceKind::Bishop => bishop_attacks(square, occupied),
        PieceKind::Rook => rook_attacks(square, occupied),
        PieceKind::Horse => bishop_attacks(square, occupied) | king_attacks(square),
        PieceKind::Dragon => rook_attacks(square, occupied) | king_attacks(square),
        _ => reach(piece, square),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pseudo-random occupancies of many densities.
    fn occupancies() -> impl Iterator<Item = Bitboard> {
        let mut state = 0x9E37_79B9_7F4A_7C15_u64;
        let mut next = move || {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state
        };
        (0..400).map(move |i| {
            let mut bits = u128::from(next()) << 64 | u128::from(next());
            for _ in 0..i % 4 {
                bits &= u128::from(next()) << 64 | u128::from(next());
            }
            Bitboard(bits) & Bitboard::ALL
        })
    }

    #[test]
    fn attacks_equal_walking_step_by_step() {
        for occupied in occupancies() {
            for square in Square::all() {
                for color in Color::ALL {
                    for kind in PieceKind::ALL {
                        let piece = Piece::new(color, kind);
                        let expected = Bitboard(attacks_by_steps(piece, square.index(), occupied.0));
                        assert_eq!(
                            attacks(piece, square, occupied),
                            expected,
                            "{piece} on {square}\n{occupied:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn between_and_line_are_symmetric_and_agree_with_rays() {
        for a in Square::all() {
            for b in Square::all() {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
                let queen = rook_attacks(a, Bitboard::EMPTY) | bishop_attacks(a, Bitboard::EMPTY);
                assert_eq!(line(a, b).any(), queen.has(b));
                if a != b && line(a, b).any() {
                    let inner: Vec<_> = Square::all()
                        .filter(|&s| {
                            s != a
                                && s != b
                                && line(a, b).has(s)
                                && between(a, s).minus(Bitboard::of(b)) == between(a, s)
                        })
                        .filter(|&s| between(b, s).minus(Bitboard::of(a)) == between(b, s))
                        .collect();
                    assert_eq!(between(a, b).into_iter().collect::<Vec<_>>(), inner);
                }
            }
        }
    }
}
