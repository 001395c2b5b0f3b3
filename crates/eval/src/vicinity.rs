//! The squares near a square.

use shogi::{Bitboard, Square};

/// The squares at most two files and two ranks away, the square itself included.
pub(crate) static WITHIN_TWO: [Bitboard; Square::COUNT] = within(2);
/// The squares at most three files and three ranks away.
pub(crate) static WITHIN_THREE: [Bitboard; Square::COUNT] = within(3);

const fn within(steps: usize) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::ALL; Square::COUNT];
    let mut square = 0;
    while square < Square::COUNT {
        // What is farther away is taken off the full board.
        let mut line = 0;
        while line < 9 {
            if (square / 9).abs_diff(line) > steps {
                table[square] = table[square].minus(Bitboard::file(line as u8));
            }
            if (square % 9).abs_diff(line) > steps {
                table[square] = table[square].minus(Bitboard::rank(line as u8));
            }
            line += 1;
        }
        square += 1;
    }
    table
}
