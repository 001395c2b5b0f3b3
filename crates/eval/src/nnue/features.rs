//! Which rows of the first layer a piece activates, seen from either side.
//!
//! A perspective sees its own king's side at the bottom: White's turns every square by 180 degrees. Rows are
//! numbered within one bucket; HalfKP has a bucket for each square of the own king, K-P has only one, in which
//! the kings have rows of their own.

use shogi::{Captured, Color, Delta, Piece, PieceKind, Position, Source, Square};

use super::architecture::{FeatureSet, PIECE_ROWS};

/// The row that stands for each piece missing from a full set, as in handicap games.
pub(crate) const MISSING_ROW: u32 = 0;

/// Pieces of a full set without the kings.
const FULL_SET: u32 = 38;

/// Where the king is taken to stand for a side that has none (the attacker of a mate problem): at home, 5i in
/// the perspective's own coordinates.
const HOME: usize = 44;

/// First row of a kind in hand: `[friend, enemy][kind]` in the order of [`PieceKind::HAND`].
const HAND_ROWS: [[u16; 7]; 2] = [[1, 39, 49, 59, 79, 85, 69], [20, 44, 54, 64, 82, 88, 74]];

/// First row of a friend's kind on the board; an enemy's rows follow 81 later. In the order of
/// [`PieceKind::ALL`]: the promoted minor pieces are golds.
const BOARD_ROWS: [u16; PieceKind::COUNT] =
    [90, 252, 414, 576, 900, 1224, 738, PIECE_ROWS as u16, 738, 738, 738, 738, 1062, 1386];

/// `[perspective][piece.index()]`
static PIECE_FIRST_ROW: [[u16; Piece::INDEX_COUNT]; 2] = {
    let mut table = [[0; Piece::INDEX_COUNT]; 2];
    let mut kind = 0;
    while kind < PieceKind::COUNT {
        let own = BOARD_ROWS[kind];
        let black = Piece::new(Color::Black, PieceKind::ALL[kind]).index();
        let white = Piece::new(Color::White, PieceKind::ALL[kind]).index();
        table[0][black] = own;
        table[0][white] = own + 81;
        table[1][white] = own;
        table[1][black] = own + 81;
        kind += 1;
    }
    table
};

/// A square's number as the perspective sees the board.
#[inline(always)]
fn oriented(perspective: Color, square: Square) -> usize {
    match perspective {
        Color::Black => square.index(),
        Color::White => 80 - square.index(),
    }
}

/// The row of a piece on a square, within a bucket.
#[inline(always)]
pub(crate) fn board_row(perspective: Color, piece: Piece, square: Square) -> u32 {
    let first = PIECE_FIRST_ROW[perspective.index()][piece.index()];
    u32::from(first) + oriented(perspective, square) as u32
}

/// The row of the `nth` piece (from 0) of an unpromoted kind in the hand of `owner`, within a bucket.
#[inline(always)]
pub(crate) fn hand_row(perspective: Color, owner: Color, kind: PieceKind, nth: u8) -> u32 {
    let enemy = usize::from(perspective != owner);
    u32::from(HAND_ROWS[enemy][kind.index() % 7]) + u32::from(nth)
}

/// The rows that a move exchanges in one perspective: row `added[i]` comes, row `removed[i]` goes. Every move
/// of shogi exchanges as many rows as it adds, because no piece leaves the game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Exchange {
    added: [u32; 2],
    removed: [u32; 2],
    len: u8,
}

impl Exchange {
    #[inline(always)]
    fn push(&mut self, added: u32, removed: u32) {
        self.added[usize::from(self.len)] = added;
        self.removed[usize::from(self.len)] = removed;
        self.len += 1;
    }

    /// The rows that come.
    #[inline(always)]
    pub(crate) fn added(&self) -> &[u32] {
        &self.added[..usize::from(self.len)]
    }

    /// The rows that go.
    #[inline(always)]
    pub(crate) fn removed(&self) -> &[u32] {
        &self.removed[..usize::from(self.len)]
    }
}

impl FeatureSet {
    /// The first row of the bucket that the perspective uses now.
    #[inline(always)]
    pub(crate) fn first_row(self, position: &Position, perspective: Color) -> u32 {
        (self.bucket(position, perspective) * PIECE_ROWS) as u32
    }

    /// The bucket that the perspective uses now, below [`FeatureSet::buckets`].
    #[inline(always)]
    pub(crate) fn bucket(self, position: &Position, perspective: Color) -> usize {
        match self {
            FeatureSet::KP => 0,
            FeatureSet::HalfKP => position.king(perspective).map_or(HOME, |king| oriented(perspective, king)),
        }
    }

    /// Whether kings have rows of their own.
    #[inline(always)]
    pub(crate) fn has_king_rows(self) -> bool {
        self == FeatureSet::KP
    }

    /// Whether the move leads to another bucket, so that nothing of the accumulator can be kept.
    #[inline(always)]
    pub(crate) fn changes_bucket(self, delta: &Delta, perspective: Color) -> bool {
        self == FeatureSet::HalfKP && delta.piece == Piece::new(perspective, PieceKind::King)
    }

    /// The rows that a move exchanges, beginning at `first_row` of a bucket that stays the same.
    #[inline(always)]
    pub(crate) fn exchange(self, delta: &Delta, perspective: Color, first_row: u32) -> Exchange {
        let mut exchange = Exchange::default();
        let mover = delta.piece.color();
        let arrives = first_row + board_row(perspective, delta.piece, delta.to);
        match delta.source {
            Source::Board { from, before } => {
                if self.has_king_rows() || before.kind() != PieceKind::King {
                    exchange.push(arrives, first_row + board_row(perspective, before, from));
                }
            }
            Source::Hand { left } => {
                let dropped = hand_row(perspective, mover, delta.piece.kind(), left);
                exchange.push(arrives, first_row + dropped);
            }
        }
        if let Some(Captured { piece, held }) = delta.captured {
            let taken = hand_row(perspective, mover, piece.kind().unpromoted(), held - 1);
            exchange.push(first_row + taken, first_row + board_row(perspective, piece, delta.to));
        }
        exchange
    }

    /// Calls `visit` with every active row, repeated as often as it counts: the definition that all
    /// incremental work is measured against.
    pub fn active(self, position: &Position, perspective: Color, mut visit: impl FnMut(u32)) {
        let first_row = self.first_row(position, perspective);
        for square in position.occupied() {
            let Some(piece) = position.piece(square) else { continue };
            if self.has_king_rows() || piece.kind() != PieceKind::King {
                visit(first_row + board_row(perspective, piece, square));
            }
        }
        for owner in Color::ALL {
            for (kind, count) in position.hand(owner).iter() {
                (0..count).for_each(|nth| visit(first_row + hand_row(perspective, owner, kind, nth)));
            }
        }
        (0..missing(position)).for_each(|_| visit(first_row + MISSING_ROW));
    }
}

/// How many pieces of a full set are missing, kings not counted.
pub(crate) fn missing(position: &Position) -> u32 {
    let kings = position.kind(PieceKind::King).count();
    let held: u32 = Color::ALL.iter().flat_map(|&c| position.hand(c).counts()).map(u32::from).sum();
    (FULL_SET + kings).saturating_sub(position.occupied().count() + held)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(features: FeatureSet, sfen: &str, perspective: Color) -> Vec<u32> {
        let position: Position = sfen.parse().unwrap();
        let mut rows = Vec::new();
        features.active(&position, perspective, |row| rows.push(row));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn both_perspectives_of_the_symmetric_start_are_the_same_rows() {
        for features in [FeatureSet::KP, FeatureSet::HalfKP] {
            let black = rows(features, shogi::START_SFEN, Color::Black);
            assert_eq!(black, rows(features, shogi::START_SFEN, Color::White));
            assert_eq!(black.len(), if features == FeatureSet::KP { 40 } else { 38 });
        }
    }

    #[test]
    fn rows_are_the_published_numbers() {
        // Black's king on 5i (44), White's on 5a (36); a tokin on 1c (2); two pawns and a rook in hand.
        let sfen = "4k4/9/8+P/9/9/9/9/9/4K4 b 2Pr 1";
        let missing = vec![0; 34];
        let kp = [missing.clone(), vec![1, 2, 88, 738 + 2, 1548 + 44, 1629 + 36]].concat();
        assert_eq!(rows(FeatureSet::KP, sfen, Color::Black), kp);
        let first = 44 * 1548;
        let enemy: Vec<u32> = [missing, vec![20, 21, 85, 819 + 78]].concat();
        let enemy: Vec<u32> = enemy.iter().map(|row| row + first).collect();
        assert_eq!(rows(FeatureSet::HalfKP, sfen, Color::White), enemy);
    }

    #[test]
    fn an_exchange_is_the_difference_of_the_active_rows() {
        let mut position = Position::start();
        for text in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "5a6b", "5e2b+", "8b2b", "S*3c"] {
            for features in [FeatureSet::KP, FeatureSet::HalfKP] {
                for perspective in Color::ALL {
                    let mut after = position.clone();
                    let delta = after.play(text.parse().unwrap());
                    if features.changes_bucket(&delta, perspective) {
                        continue;
                    }
                    let mut expected = Vec::new();
                    features.active(&after, perspective, |row| expected.push(row));
                    let mut rows = Vec::new();
                    features.active(&position, perspective, |row| rows.push(row));
                    let first_row = features.first_row(&position, perspective);
                    let exchange = features.exchange(&delta, perspective, first_row);
                    rows.retain(|row| !exchange.removed().contains(row));
                    rows.extend(exchange.added());
                    rows.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(rows, expected, "{features} {perspective} {text}");
                }
            }
            position.play(text.parse().unwrap());
        }
    }
}
