//! Random numbers for the keys of positions.

use crate::{Color, Hand, Piece, PieceKind, Square};

/// The SplitMix64 sequence: tables from a fixed seed, the same in every build.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut z = state;
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (state, z ^ (z >> 31))
}

/// `[piece][square]`
static BOARD: [[u64; 81]; Piece::INDEX_COUNT] = {
    let mut table = [[0; 81]; Piece::INDEX_COUNT];
    let mut state = 0x796F_6D69;
    let mut i = 0;
    while i < 81 * Piece::INDEX_COUNT {
        let (next, value) = split_mix(state);
        table[i / 81][i % 81] = value;
        state = next;
        i += 1;
    }
    table
};

/// `[color][kind]`: added once for each piece in hand.
static HAND: [[u64; 8]; 2] = {
    let mut table = [[0; 8]; 2];
    let mut state = 0x6D6F_6368_6967_6F6D;
    let mut i = 0;
    while i < 16 {
        let (next, value) = split_mix(state);
        table[i / 8][i % 8] = value;
        state = next;
        i += 1;
    }
    table
};

/// Part of the board key when White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = split_mix(0x676F_7465).1;

/// A piece on a square, for the board key and the pawn key (XOR).
#[inline(always)]
pub(crate) fn board(piece: Piece, square: Square) -> u64 {
    BOARD[piece.index()][square.index()]
}

/// One piece in hand, for the hand key (wrapping addition).
#[inline(always)]
pub(crate) fn hand(color: Color, kind: PieceKind) -> u64 {
    HAND[color.index()][kind.index() & 7]
}

/// The hand key of both hands from scratch.
pub(crate) fn hands(hands: [Hand; 2]) -> u64 {
    let mut key = 0u64;
    for color in Color::ALL {
        for (kind, count) in hands[color.index()].iter() {
            key = key.wrapping_add(hand(color, kind).wrapping_mul(u64::from(count)));
        }
    }
    key
}
