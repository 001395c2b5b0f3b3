//! What moves did well elsewhere in the tree: the tables behind move ordering and corrections.

use memory::huge_vec;
use shogi::{Color, Move, Piece, PieceKind, Position, Square};

use crate::score::Value;

/// Piece and target square as one number.
pub(crate) type PieceTo = usize;
pub(crate) const PIECE_TO: usize = Piece::INDEX_COUNT * 81;

/// A move that was played, as a row of the continuation table: piece and target, and whether it captured and
/// whether it was an answer to a check.
pub(crate) type Row = usize;
/// The row of no move at all; nothing is ever learned there.
pub(crate) const NO_MOVE: Row = 4 * PIECE_TO;

/// Origin (or dropped kind) and target as one number.
const FROM_TO: usize = (81 + 7) * 81;
const PAWN_SLOTS: usize = 8_192;
const CORRECTION_SLOTS: usize = 16_384;
const QUIET_LIMIT: i32 = 7_000;
const CAPTURE_LIMIT: i32 = 10_000;
const CONTINUATION_LIMIT: i32 = 30_000;
const PAWN_LIMIT: i32 = 8_192;
const HASH_MOVE_LIMIT: i32 = 8_192;
/// Corrections are kept in this many parts of the evaluator's unit.
const CORRECTION_GRAIN: i32 = 128;
const CORRECTION_LIMIT: i32 = 1_024 * 8;
/// The plies near the root with a history of their own.
const LOW_PLIES: usize = 5;
const LOW_PLY_START: i16 = 98;

#[inline(always)]
pub(crate) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * 81 + to.index()
}

#[inline(always)]
pub(crate) fn row(now: PieceTo, in_check: bool, captures: bool) -> Row {
    (usize::from(in_check) * 2 + usize::from(captures)) * PIECE_TO + now
}

/// Piece and target of a row.
#[inline(always)]
pub(crate) fn row_piece_to(row: Row) -> PieceTo {
    row % PIECE_TO
}

#[inline(always)]
fn from_to(m: Move) -> usize {
    let source = match m.dropped() {
        Some(kind) => 81 + kind.index(),
        None => m.from().map_or(0, Square::index),
    };
    source * 81 + m.to().index()
}

/// The piece that a move of the side to move puts on its target, before promotion.
#[inline(always)]
pub(crate) fn moved_piece(position: &Position, m: Move) -> Piece {
    let dropped = || Piece::new(position.side(), m.dropped().unwrap_or(PieceKind::Pawn));
    m.from().and_then(|from| position.piece(from)).unwrap_or_else(dropped)
}

/// Moves an entry towards the bonus, the less the farther it is already.
#[inline(always)]
fn gravitate<const LIMIT: i32>(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *entry += (bonus - i32::from(*entry) * bonus.abs() / LIMIT) as i16;
}

/// How moves of a piece to a square fared.
pub(crate) type PieceToTable = [i16; PIECE_TO];

/// A large table that knows which of its rows were written: only those need clearing, so that a new game after a
/// short search costs little.
#[derive(Clone)]
struct RowTable {
    rows: Vec<PieceToTable>,
    start: i16,
    is_written: Vec<bool>,
    written: Vec<usize>,
}

impl RowTable {
    /// So many rows, every entry with the value that it starts from.
    fn new(rows: usize, start: i16) -> RowTable {
        let is_written = vec![false; rows];
        RowTable { rows: huge_vec(rows, [start; PIECE_TO]), start, is_written, written: Vec::new() }
    }

    #[inline(always)]
    fn row(&self, row: usize) -> &PieceToTable {
        &self.rows[row]
    }

    fn entry_mut(&mut self, row: usize, at: PieceTo) -> &mut i16 {
        if !self.is_written[row] {
            self.is_written[row] = true;
            self.written.push(row);
        }
        &mut self.rows[row][at]
    }

    fn clear(&mut self) {
        for row in self.written.drain(..) {
            self.is_written[row] = false;
            self.rows[row].fill(self.start);
        }
    }
}

/// The tables of one thread.
#[derive(Clone)]
pub(crate) struct Histories {
    // [side to move][from or dropped kind, to]
    quiet: Vec<i16>,
    // [ply][from or dropped kind, to], of this search alone
    low_ply: Vec<i16>,
    // [piece, to][captured kind]
    capture: Vec<i16>,
    // [earlier move][piece, to]
    continuation: RowTable,
    // [pawn structure][piece, to]
    pawn: RowTable,
    // [last piece, to]: the quiet move that refuted it
    counter: Vec<Option<Move>>,
    // How often hash moves turn out best.
    hash_move: i16,
    // [side to move][pawn structure]
    correction_pawn: Vec<i16>,
    // [side to move][hands]
    correction_hand: Vec<i16>,
    // [side to move][pieces other than pawns] of Black, then of White
    correction_pieces: [Vec<i16>; 2],
    // [earlier piece, to][last piece, to]
    correction_moves: RowTable,
}

/// Which earlier moves a quiet move is judged by: plies back, and the weight of each in updates (percent).
pub(crate) const CONTINUATIONS: [(usize, i32); 5] = [(1, 113), (2, 63), (3, 28), (4, 56), (6, 43)];

impl Histories {
    pub(crate) fn new() -> Histories {
        let mut histories = Histories {
            quiet: vec![0; 2 * FROM_TO],
            low_ply: vec![0; LOW_PLIES * FROM_TO],
            capture: vec![0; PIECE_TO * 16],
            continuation: RowTable::new(NO_MOVE + 1, -520),
            pawn: RowTable::new(PAWN_SLOTS, -1_240),
            counter: vec![None; PIECE_TO],
            hash_move: 0,
            correction_pawn: vec![0; 2 * CORRECTION_SLOTS],
            correction_hand: vec![0; 2 * CORRECTION_SLOTS],
            correction_pieces: [vec![0; 2 * CORRECTION_SLOTS], vec![0; 2 * CORRECTION_SLOTS]],
            correction_moves: RowTable::new(PIECE_TO, 0),
        };
        histories.clear();
        histories
    }

    /// Forgets everything, in the memory that is there: new memory would cost more than a short search.
    pub(crate) fn clear(&mut self) {
        self.quiet.fill(0);
        self.low_ply.fill(LOW_PLY_START);
        self.capture.fill(-680);
        self.continuation.clear();
        self.pawn.clear();
        self.counter.fill(None);
        self.hash_move = 0;
        self.correction_pawn.fill(0);
        self.correction_hand.fill(0);
        self.correction_pieces.iter_mut().for_each(|side| side.fill(0));
        self.correction_moves.clear();
    }

    /// A new search begins: what was near the root is elsewhere now.
    pub(crate) fn new_search(&mut self) {
        self.low_ply.fill(LOW_PLY_START);
    }

    /// How moves fared with this structure of pawns.
    #[inline(always)]
    pub(crate) fn pawn(&self, position: &Position) -> &PieceToTable {
        self.pawn.row(position.pawn_key() as usize % PAWN_SLOTS)
    }

    /// How moves fared after the earlier one.
    #[inline(always)]
    pub(crate) fn continuation(&self, earlier: Row) -> &PieceToTable {
        self.continuation.row(earlier)
    }

    #[inline(always)]
    pub(crate) fn quiet(&self, side: Color, m: Move) -> i32 {
        i32::from(self.quiet[side.index() * FROM_TO + from_to(m)])
    }

    /// What the move did near the root; 0 far from it.
    #[inline(always)]
    pub(crate) fn low_ply(&self, ply: usize, m: Move) -> i32 {
        if ply < LOW_PLIES {
            8 * i32::from(self.low_ply[ply * FROM_TO + from_to(m)]) / (1 + ply as i32)
        } else {
            0
        }
    }

    /// [`Histories::quiet`] of the drops of a kind on every square.
    #[inline(always)]
    pub(crate) fn quiet_drops(&self, side: Color, kind: PieceKind) -> &[i16; 81] {
        let start = side.index() * FROM_TO + (81 + kind.index()) * 81;
        self.quiet[start..].first_chunk().expect("81 squares")
    }

    /// Adds [`Histories::low_ply`] of the drops of a kind on every square.
    pub(crate) fn add_low_ply_drops(&self, ply: usize, kind: PieceKind, scores: &mut [i32; 81]) {
        if ply < LOW_PLIES {
            let start = ply * FROM_TO + (81 + kind.index()) * 81;
            for (score, &entry) in scores.iter_mut().zip(&self.low_ply[start..]) {
                *score += 8 * i32::from(entry) / (1 + ply as i32);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn capture(&self, now: PieceTo, captured: Option<Piece>) -> i32 {
        i32::from(self.capture[now * 16 + captured.map_or(15, |piece| piece.kind().index())])
    }

    #[inline(always)]
    pub(crate) fn counter(&self, earlier: Row) -> Option<Move> {
        self.counter[row_piece_to(earlier)]
    }

    #[inline(always)]
    pub(crate) fn hash_move(&self) -> i32 {
        i32::from(self.hash_move)
    }

    pub(crate) fn update_hash_move(&mut self, bonus: i32) {
        gravitate::<HASH_MOVE_LIMIT>(&mut self.hash_move, bonus);
    }

    pub(crate) fn set_counter(&mut self, earlier: Row, m: Move) {
        self.counter[row_piece_to(earlier)] = Some(m);
    }

    pub(crate) fn update_quiet(&mut self, side: Color, m: Move, bonus: i32) {
        gravitate::<QUIET_LIMIT>(&mut self.quiet[side.index() * FROM_TO + from_to(m)], bonus);
    }

    pub(crate) fn update_low_ply(&mut self, ply: usize, m: Move, bonus: i32) {
        if ply < LOW_PLIES {
            gravitate::<QUIET_LIMIT>(&mut self.low_ply[ply * FROM_TO + from_to(m)], bonus);
        }
    }

    pub(crate) fn update_pawn(&mut self, position: &Position, now: PieceTo, bonus: i32) {
        let row = position.pawn_key() as usize % PAWN_SLOTS;
        gravitate::<PAWN_LIMIT>(self.pawn.entry_mut(row, now), bonus);
    }

    pub(crate) fn update_continuation(&mut self, earlier: Row, now: PieceTo, bonus: i32) {
        gravitate::<CONTINUATION_LIMIT>(self.continuation.entry_mut(earlier, now), bonus);
    }

    pub(crate) fn update_capture(&mut self, now: PieceTo, captured: Option<Piece>, bonus: i32) {
        let kind = captured.map_or(15, |piece| piece.kind().index());
        gravitate::<CAPTURE_LIMIT>(&mut self.capture[now * 16 + kind], bonus);
    }

    fn correction_cells(&self, position: &Position, moves: [Option<Row>; 3]) -> Cells {
        let side = position.side().index() * CORRECTION_SLOTS;
        let slot = |key: u64| side + key as usize % CORRECTION_SLOTS;
        let [last, second, fourth] = moves;
        let cell = |earlier: Option<Row>| Some((row_piece_to(earlier?), row_piece_to(last?)));
        Cells {
            pawn: slot(position.pawn_key()),
            hand: slot(position.hand_key() >> 17),
            pieces: [Color::Black, Color::White].map(|color| slot(position.pieces_key(color))),
            moves: [cell(second), cell(fourth)],
        }
    }

    /// How much evaluations of such positions were off: to be added to the static evaluation, in parts of
    /// [`CORRECTION_GRAIN`].
    #[inline(always)]
    pub(crate) fn correction(&self, position: &Position, moves: [Option<Row>; 3]) -> i32 {
        let cells = self.correction_cells(position, moves);
        let [black, white] = cells.pieces;
        let pieces =
            i32::from(self.correction_pieces[0][black]) + i32::from(self.correction_pieces[1][white]);
        let of_moves = |&(row, at): &(usize, PieceTo)| i32::from(self.correction_moves.row(row)[at]);
        let moves: i32 = cells.moves.iter().flatten().map(of_moves).sum();
        let structure =
            i32::from(self.correction_pawn[cells.pawn]) + i32::from(self.correction_hand[cells.hand]);
        (structure + pieces) * 3 / 2 + moves
    }

    /// Learns that a search at `depth` found `error` more than the corrected evaluation said.
    pub(crate) fn learn_correction(
        &mut self,
        position: &Position,
        moves: [Option<Row>; 3],
        error: Value,
        depth: i32,
        rate: i32,
    ) {
        let step = (error * depth * rate / 100).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        let cells = self.correction_cells(position, moves);
        gravitate::<CORRECTION_LIMIT>(&mut self.correction_pawn[cells.pawn], step);
        gravitate::<CORRECTION_LIMIT>(&mut self.correction_hand[cells.hand], step);
        for (table, at) in self.correction_pieces.iter_mut().zip(cells.pieces) {
            gravitate::<CORRECTION_LIMIT>(&mut table[at], step);
        }
        for (row, at) in cells.moves.into_iter().flatten() {
            gravitate::<CORRECTION_LIMIT>(self.correction_moves.entry_mut(row, at), step);
        }
    }
}

/// Where the corrections of a position are.
struct Cells {
    pawn: usize,
    hand: usize,
    pieces: [usize; 2],
    moves: [Option<(usize, PieceTo)>; 2],
}

/// What a correction comes to in the evaluator's unit.
#[inline(always)]
pub(crate) fn corrected(raw: Value, correction: i32) -> Value {
    raw + correction / CORRECTION_GRAIN
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_saturate_instead_of_overflowing() {
        let mut entry = 0;
        for _ in 0..1000 {
            gravitate::<8_192>(&mut entry, 5_000);
        }
        assert!(entry <= 8_192 && entry > 7_400);
        for _ in 0..1000 {
            gravitate::<8_192>(&mut entry, -100_000);
        }
        assert!(entry >= -8_192);
    }

    #[test]
    fn a_bonus_raises_the_move_and_only_it() {
        let position = Position::start();
        let mut histories = Histories::new();
        let (good, other) = ("7g7f".parse().unwrap(), "2g2f".parse().unwrap());
        histories.update_quiet(position.side(), good, 1000);
        assert!(histories.quiet(position.side(), good) > 0);
        assert_eq!(histories.quiet(position.side(), other), 0);
    }

    #[test]
    fn what_was_learned_is_forgotten_and_nothing_else_is_touched() {
        let position = Position::start();
        let mut histories = Histories::new();
        for _ in 0..2 {
            histories.update_continuation(7, 11, 900);
            histories.update_pawn(&position, 5, -400);
            histories.learn_correction(&position, [Some(3), Some(4), Some(5)], 300, 9, 60);
            histories.clear();
            assert!(histories.continuation.rows.iter().flatten().all(|&entry| entry == -520));
            assert!(histories.pawn.rows.iter().flatten().all(|&entry| entry == -1_240));
            assert!(histories.correction_moves.rows.iter().flatten().all(|&entry| entry == 0));
            assert_eq!(histories.correction(&position, [Some(3), Some(4), Some(5)]), 0);
        }
    }

    #[test]
    fn corrections_follow_the_error() {
        let position = Position::start();
        let mut histories = Histories::new();
        for _ in 0..50 {
            histories.learn_correction(&position, [None; 3], 100, 8, 60);
        }
        assert!(corrected(0, histories.correction(&position, [None; 3])) > 20);
    }
}
