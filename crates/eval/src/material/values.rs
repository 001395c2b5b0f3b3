//! What a piece is worth by its kind and its square. The unit is a hundredth of a pawn.

use shogi::{Color, Piece, PieceKind, Square};

/// In the order of [`PieceKind::ALL`].
const KIND: [i32; PieceKind::COUNT] = [100, 290, 310, 460, 760, 920, 520, 0, 510, 490, 490, 510, 1040, 1220];

/// A piece in hand is worth a little more than on a bad square: it can go anywhere. In the order of
/// [`PieceKind::HAND`]; the eighth entry only makes the table easy to index.
pub(super) const HAND: [i32; PieceKind::COUNT] = [112, 305, 325, 490, 800, 980, 560, 0, 0, 0, 0, 0, 0, 0];

/// `[kind][rank]` as the owner sees it, farthest rank first.
const BY_RANK: [[i32; 9]; PieceKind::COUNT] = [
    [0, 40, 34, 26, 16, 8, 0, 0, 0],               // pawn
    [0, -30, -25, -20, -15, -10, -5, 0, 5],        // lance
    [0, 0, 30, 25, 5, -20, 5, -5, 0],              // knight
    [-30, -5, 15, 25, 25, 20, 12, 5, -8],          // silver
    [30, 30, 25, 20, 15, 5, 5, 10, -10],           // bishop
    [40, 60, 60, 30, 15, 10, 0, 15, 5],            // rook
    [-30, 0, 10, 10, 5, 0, 5, 10, 0],              // gold
    [-60, -70, -90, -110, -110, -90, -60, -10, 0], // king
    [-20, 15, 30, 25, 10, 0, -20, -40, -60],       // promoted pawn
    [-20, 15, 30, 25, 10, 0, -20, -40, -60],       // promoted lance
    [-20, 15, 30, 25, 10, 0, -20, -40, -60],       // promoted knight
    [-20, 15, 30, 25, 10, 0, -20, -40, -60],       // promoted silver
    [20, 25, 25, 20, 20, 15, 15, 20, 0],           // horse
    [20, 30, 30, 20, 5, 0, 0, 0, -10],             // dragon
];

/// For the king, by the distance of its file from the middle one: castles stand at the sides.
const KING_BY_FILE: [i32; 5] = [-25, -10, 15, 35, 15];
/// For silver and gold, by the distance of the file from the middle one: they are wanted in the middle or at
/// the king, hardly at the edge.
const GENERAL_BY_FILE: [i32; 5] = [6, 8, 5, 0, -15];

/// `[piece.index()][square]`, for the owner.
static BOARD: [[i16; Square::COUNT]; Piece::INDEX_COUNT] = {
    let mut table = [[0; Square::COUNT]; Piece::INDEX_COUNT];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let mut square = 0;
        while square < Square::COUNT {
            let kind_of = PieceKind::ALL[kind];
            let from_middle = (square / 9).abs_diff(4);
            let file = match kind_of {
                PieceKind::King => KING_BY_FILE[from_middle],
                PieceKind::Silver | PieceKind::Gold => GENERAL_BY_FILE[from_middle],
                _ => 0,
            };
            let value = (KIND[kind] + BY_RANK[kind][square % 9] + file) as i16;
            table[Piece::new(Color::Black, kind_of).index()][square] = value;
            table[Piece::new(Color::White, kind_of).index()][80 - square] = value;
            square += 1;
        }
        kind += 1;
    }
    table
};

/// What a piece on a square is worth to its owner.
#[inline(always)]
pub(super) fn board_value(piece: Piece, square: Square) -> i32 {
    i32::from(BOARD[piece.index()][square.index()])
}
