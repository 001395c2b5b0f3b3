//! Which rows of the first layer a piece activates, seen from either side.
//!
//! A perspective sees its own king's side at the bottom: White's turns every square by 180 degrees. Rows are
//! numbered within one bucket; HalfKP has a bucket for each square of the own king, ZoneKP one for each zone of
//! squares, K-P has only one. In the latter two the kings have rows of their own. In ZoneKP the own king is always
//! on the right or in the middle: left and right are exchanged if need be.

use shogi::{Captured, Color, Delta, Piece, PieceKind, Position, Setup, Source, Square};

use super::architecture::{FeatureSet, PIECE_AND_KING_ROWS, PIECE_ROWS, ZONES};

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

/// `[perspective][left and right exchanged][square]`: a square's number in a view.
static ORIENTED: [[[u8; 81]; 2]; 2] = {
    let mut table = [[[0; 81]; 2]; 2];
    let mut square = 0;
    while square < 81 {
        let exchanged = (8 - square / 9) * 9 + square % 9;
        table[0][0][square] = square as u8;
        table[0][1][square] = exchanged as u8;
        table[1][0][square] = 80 - square as u8;
        table[1][1][square] = 80 - exchanged as u8;
        square += 1;
    }
    table
};

/// The zones of a king on files 1 to 5, by rank from the far end: at home nearly each square is another castle.
const ZONE_RANKS: [[u8; 5]; 9] = [
    [11, 11, 11, 11, 11],
    [11, 11, 11, 11, 11],
    [11, 11, 11, 11, 11],
    [10, 10, 10, 10, 10],
    [10, 10, 10, 10, 10],
    [10, 10, 10, 10, 10],
    [8, 8, 9, 9, 9],
    [4, 5, 6, 7, 7],
    [0, 0, 1, 2, 3],
];

/// `[square in the perspective]`: the king's zone, and whether left and right are exchanged.
static ZONE: [(u8, bool); 81] = {
    let mut table = [(0, false); 81];
    let mut square = 0;
    while square < 81 {
        let (file, rank) = (square / 9, square % 9);
        let is_left = file > 4;
        table[square] = (ZONE_RANKS[rank][if is_left { 8 - file } else { file }], is_left);
        assert!((table[square].0 as usize) < ZONES);
        square += 1;
    }
    table
};

/// A square's number as the perspective sees the board.
#[inline(always)]
fn oriented(perspective: Color, square: Square) -> usize {
    usize::from(ORIENTED[perspective.index()][0][square.index()])
}

/// How a perspective sees the board while its king stays where it is, or near.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View {
    perspective: Color,
    /// Which view of the perspective it is, below [`FeatureSet::views`].
    pub(crate) number: usize,
    squares: &'static [u8; 81],
    /// Where its bucket begins.
    first_row: u32,
}

impl View {
    /// The row of a piece on a square.
    #[inline(always)]
    pub(crate) fn board_row(&self, piece: Piece, square: Square) -> u32 {
        let first = PIECE_FIRST_ROW[self.perspective.index()][piece.index()];
        self.first_row + u32::from(first) + u32::from(self.squares[square.index()])
    }

    /// The row of the `nth` piece (from 0) of an unpromoted kind in the hand of `owner`.
    #[inline(always)]
    pub(crate) fn hand_row(&self, owner: Color, kind: PieceKind, nth: u8) -> u32 {
        let enemy = usize::from(self.perspective != owner);
        self.first_row + u32::from(HAND_ROWS[enemy][kind.index() % 7]) + u32::from(nth)
    }

    /// The row that stands for each piece missing from a full set, as in handicap games.
    pub(crate) fn missing_row(&self) -> u32 {
        self.first_row
    }
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
    /// How the perspective sees the board now.
    #[inline(always)]
    pub(crate) fn view(self, position: &Position, perspective: Color) -> View {
        self.view_of_king(perspective, || position.king(perspective))
    }

    #[inline(always)]
    fn view_of_king(self, perspective: Color, king: impl Fn() -> Option<Square>) -> View {
        let king = || king().map_or(HOME, |king| oriented(perspective, king));
        let (number, exchanged, first_row) = match self {
            FeatureSet::KP => (0, false, 0),
            FeatureSet::ZoneKP => {
                let (zone, exchanged) = ZONE[king()];
                let zone = usize::from(zone);
                (2 * zone + usize::from(exchanged), exchanged, zone * PIECE_AND_KING_ROWS)
            }
            FeatureSet::HalfKP => (king(), false, king() * PIECE_ROWS),
        };
        let squares = &ORIENTED[perspective.index()][usize::from(exchanged)];
        View { perspective, number, squares, first_row: first_row as u32 }
    }

    /// Whether kings have rows of their own.
    #[inline(always)]
    pub(crate) fn has_king_rows(self) -> bool {
        self != FeatureSet::HalfKP
    }

    /// Whether the move leads to another view, so that nothing of the accumulator can be kept.
    #[inline(always)]
    pub(crate) fn changes_view(self, delta: &Delta, perspective: Color) -> bool {
        if self == FeatureSet::KP || delta.piece != Piece::new(perspective, PieceKind::King) {
            return false;
        }
        let Source::Board { from, .. } = delta.source else { return true };
        let zone = |square| ZONE[oriented(perspective, square)];
        self == FeatureSet::HalfKP || zone(from) != zone(delta.to)
    }

    /// The rows that a move exchanges in a view that stays the same.
    #[inline(always)]
    pub(crate) fn exchange(self, delta: &Delta, view: &View) -> Exchange {
        let mut exchange = Exchange::default();
        let mover = delta.piece.color();
        let arrives = view.board_row(delta.piece, delta.to);
        match delta.source {
            Source::Board { from, before } => {
                if self.has_king_rows() || before.kind() != PieceKind::King {
                    exchange.push(arrives, view.board_row(before, from));
                }
            }
            Source::Hand { left } => {
                exchange.push(arrives, view.hand_row(mover, delta.piece.kind(), left));
            }
        }
        if let Some(Captured { piece, held }) = delta.captured {
            let taken = view.hand_row(mover, piece.kind().unpromoted(), held - 1);
            exchange.push(taken, view.board_row(piece, delta.to));
        }
        exchange
    }

    /// Calls `visit` with every active row, repeated as often as it counts: the definition that all
    /// incremental work is measured against.
    pub fn active(self, setup: &Setup, perspective: Color, mut visit: impl FnMut(u32)) {
        let king = Piece::new(perspective, PieceKind::King);
        let view = self.view_of_king(perspective, || setup.squares_of(king).next());
        let mut missing = FULL_SET;
        let (squares, count) = occupied(setup);
        for &square in &squares[..count] {
            let Some(piece) = setup.piece(square) else { continue };
            let is_king = piece.kind() == PieceKind::King;
            missing -= u32::from(!is_king && missing > 0);
            if self.has_king_rows() || !is_king {
                visit(view.board_row(piece, square));
            }
        }
        for owner in Color::ALL {
            for kind in PieceKind::HAND {
                let count = setup.hands[owner.index()][kind.index()];
                missing = missing.saturating_sub(u32::from(count));
                (0..count).for_each(|nth| visit(view.hand_row(owner, kind, nth)));
            }
        }
        (0..missing).for_each(|_| visit(view.missing_row()));
    }
}

/// The squares with a piece come first, in their order, and how many there are. No branch hangs on whether a square has one, which
/// nothing foretells.
fn occupied(setup: &Setup) -> ([Square; 81], usize) {
    let mut squares = [Square::new(0, 0); 81];
    let mut count = 0;
    for (square, piece) in Square::all().zip(&setup.board) {
        squares[count] = square;
        count += usize::from(piece.is_some());
    }
    (squares, count)
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

    const ALL: [FeatureSet; 3] = [FeatureSet::KP, FeatureSet::ZoneKP, FeatureSet::HalfKP];

    fn rows(features: FeatureSet, sfen: &str, perspective: Color) -> Vec<u32> {
        let mut rows = Vec::new();
        features.active(&sfen.parse().unwrap(), perspective, |row| rows.push(row));
        rows.sort_unstable();
        rows
    }

    #[test]
    fn both_perspectives_of_the_symmetric_start_are_the_same_rows() {
        for features in ALL {
            let black = rows(features, shogi::START_SFEN, Color::Black);
            assert_eq!(black, rows(features, shogi::START_SFEN, Color::White));
            assert_eq!(black.len(), if features == FeatureSet::HalfKP { 38 } else { 40 });
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
    fn in_zones_a_mirrored_position_is_the_same_unless_a_king_is_in_the_middle() {
        let sfens = ["4k4/9/8+P/9/9/9/9/6K2/9 b 2Pr 1", "ln3g1nl/1ks6/9/9/9/9/9/7K1/7RL w Bb 1"];
        for sfen in sfens {
            let setup: shogi::Setup = sfen.parse().unwrap();
            let mirrored = setup.mirrored().to_string();
            let black = rows(FeatureSet::ZoneKP, sfen, Color::Black);
            assert_eq!(black, rows(FeatureSet::ZoneKP, &mirrored, Color::Black), "{sfen}");
        }
        // On 3h: zone 6; the piece rows are those of K-P behind it.
        let first = 6 * PIECE_AND_KING_ROWS as u32;
        let kp = rows(FeatureSet::KP, sfens[0], Color::Black);
        let zone: Vec<u32> = kp.iter().map(|row| row + first).collect();
        assert_eq!(rows(FeatureSet::ZoneKP, sfens[0], Color::Black), zone);
    }

    #[test]
    fn an_exchange_is_the_difference_of_the_active_rows() {
        let mut position = Position::start();
        let mut kept = 0;
        for text in ["7g7f", "3c3d", "8h2b+", "3a2b", "B*5e", "5a6b", "5e2b+", "8b2b", "S*3c", "6b7b", "3c2d"]
        {
            for features in ALL {
                for perspective in Color::ALL {
                    let mut after = position.clone();
                    let delta = after.play(text.parse().unwrap());
                    if features.changes_view(&delta, perspective) {
                        continue;
                    }
                    kept += 1;
                    let mut expected = Vec::new();
                    features.active(&after.setup(), perspective, |row| expected.push(row));
                    let mut rows = Vec::new();
                    features.active(&position.setup(), perspective, |row| rows.push(row));
                    let exchange = features.exchange(&delta, &features.view(&position, perspective));
                    rows.retain(|row| !exchange.removed().contains(row));
                    rows.extend(exchange.added());
                    rows.sort_unstable();
                    expected.sort_unstable();
                    assert_eq!(rows, expected, "{features} {perspective} {text}");
                }
            }
            position.play(text.parse().unwrap());
        }
        // Both king moves change White's view of HalfKP, and that of ZoneKP from 5a to 6b and from 6b to 7b.
        assert_eq!(kept, 11 * 6 - 4);
    }
}
