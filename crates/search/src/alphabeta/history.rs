//! What moves did well elsewhere in the tree: the tables behind move ordering and corrections.

use shogi::{Color, Move, Piece, PieceKind, Position, Square};

use super::table::huge_vec;
use crate::score::Value;

/// Piece and target square as one number.
pub(crate) type PieceTo = usize;
pub(crate) const PIECE_TO: usize = Piece::INDEX_COUNT * 81;

/// Origin (or dropped kind) and target as one number.
const FROM_TO: usize = (81 + 7) * 81;
const PAWN_SLOTS: usize = 512;
const CORRECTION_SLOTS: usize = 16_384;
const LIMIT: i32 = 8_192;
/// Corrections are kept in this many parts of the evaluator's unit.
const CORRECTION_GRAIN: i32 = 128;
const CORRECTION_LIMIT: i32 = 1_024 * 8;

#[inline(always)]
pub(crate) fn piece_to(piece: Piece, to: Square) -> PieceTo {
    piece.index() * 81 + to.index()
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
fn gravitate(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-LIMIT, LIMIT);
    *entry += (bonus - i32::from(*entry) * bonus.abs() / LIMIT) as i16;
}

/// The tables of one thread.
#[derive(Clone)]
pub(crate) struct Histories {
    // [side to move][from or dropped kind, to]
    quiet: Vec<i16>,
    // [piece, to][captured kind]
    capture: Vec<i16>,
    // [earlier piece, to][piece, to]
    continuation: Vec<i16>,
    // [pawn structure][piece, to]
    pawn: Vec<i16>,
    // [last piece, to]: the quiet move that refuted it
    counter: Vec<Option<Move>>,
    // [side to move][pawn structure]
    correction_pawn: Vec<i16>,
    // [side to move][hands]
    correction_hand: Vec<i16>,
    // [last piece, to][side to move]
    correction_move: Vec<i16>,
}

/// Which earlier moves a quiet move is judged by: plies back, and the weight of each in updates (percent).
pub(crate) const CONTINUATIONS: [(usize, i32); 4] = [(1, 100), (2, 90), (4, 60), (6, 40)];

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            quiet: vec![0; 2 * FROM_TO],
            capture: vec![0; PIECE_TO * 16],
            continuation: huge_vec(PIECE_TO * PIECE_TO, -60),
            pawn: huge_vec(PAWN_SLOTS * PIECE_TO, -40),
            counter: vec![None; PIECE_TO],
            correction_pawn: vec![0; 2 * CORRECTION_SLOTS],
            correction_hand: vec![0; 2 * CORRECTION_SLOTS],
            correction_move: vec![0; 2 * PIECE_TO],
        }
    }

    /// The rows of the continuation table for the earlier moves, and of the pawn table for this position.
    #[inline(always)]
    pub(crate) fn pawn_row(position: &Position) -> usize {
        position.pawn_key() as usize % PAWN_SLOTS * PIECE_TO
    }

    #[inline(always)]
    pub(crate) fn quiet(&self, side: Color, m: Move) -> i32 {
        i32::from(self.quiet[side.index() * FROM_TO + from_to(m)])
    }

    #[inline(always)]
    pub(crate) fn continuation(&self, earlier: PieceTo, now: PieceTo) -> i32 {
        i32::from(self.continuation[earlier * PIECE_TO + now])
    }

    #[inline(always)]
    pub(crate) fn pawn(&self, row: usize, now: PieceTo) -> i32 {
        i32::from(self.pawn[row + now])
    }

    #[inline(always)]
    pub(crate) fn capture(&self, now: PieceTo, captured: Option<Piece>) -> i32 {
        i32::from(self.capture[now * 16 + captured.map_or(15, |piece| piece.kind().index())])
    }

    #[inline(always)]
    pub(crate) fn counter(&self, earlier: PieceTo) -> Option<Move> {
        self.counter[earlier]
    }

    pub(crate) fn set_counter(&mut self, earlier: PieceTo, m: Move) {
        self.counter[earlier] = Some(m);
    }

    pub(crate) fn update_quiet(&mut self, position: &Position, m: Move, bonus: i32) {
        let now = piece_to(moved_piece(position, m), m.to());
        gravitate(&mut self.quiet[position.side().index() * FROM_TO + from_to(m)], bonus);
        gravitate(&mut self.pawn[Self::pawn_row(position) + now], bonus);
    }

    pub(crate) fn update_continuation(&mut self, earlier: PieceTo, now: PieceTo, bonus: i32) {
        gravitate(&mut self.continuation[earlier * PIECE_TO + now], bonus);
    }

    pub(crate) fn update_capture(&mut self, now: PieceTo, captured: Option<Piece>, bonus: i32) {
        let kind = captured.map_or(15, |piece| piece.kind().index());
        gravitate(&mut self.capture[now * 16 + kind], bonus);
    }

    /// How much evaluations of such positions were off: to be added to the static evaluation.
    #[inline(always)]
    pub(crate) fn correction(&self, position: &Position, last: Option<PieceTo>) -> Value {
        let [pawn, hand] = Self::correction_slots(position);
        let mut sum = i32::from(self.correction_pawn[pawn]) + i32::from(self.correction_hand[hand]);
        if let Some(last) = last {
            sum += i32::from(self.correction_move[last * 2 + position.side().index()]);
        }
        sum / CORRECTION_GRAIN
    }

    #[inline(always)]
    fn correction_slots(position: &Position) -> [usize; 2] {
        let side = position.side().index() * CORRECTION_SLOTS;
        [
            side + position.pawn_key() as usize % CORRECTION_SLOTS,
            side + (position.hand_key() >> 17) as usize % CORRECTION_SLOTS,
        ]
    }

    /// Learns that a search at `depth` found `error` more than the corrected evaluation said.
    pub(crate) fn learn_correction(
        &mut self,
        position: &Position,
        last: Option<PieceTo>,
        error: Value,
        depth: i32,
        rate: i32,
    ) {
        let step = (error * depth * rate / 100).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        let [pawn, hand] = Self::correction_slots(position);
        let move_towards = |entry: &mut i16| {
            *entry += (step - i32::from(*entry) * step.abs() / CORRECTION_LIMIT) as i16;
        };
        move_towards(&mut self.correction_pawn[pawn]);
        move_towards(&mut self.correction_hand[hand]);
        if let Some(last) = last {
            move_towards(&mut self.correction_move[last * 2 + position.side().index()]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_saturate_instead_of_overflowing() {
        let mut entry = 0;
        for _ in 0..1000 {
            gravitate(&mut entry, 5_000);
        }
        assert!(i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 9 / 10);
        for _ in 0..1000 {
            gravitate(&mut entry, -100_000);
        }
        assert!(i32::from(entry) >= -LIMIT);
    }

    #[test]
    fn a_bonus_raises_the_move_and_only_it() {
        let position = Position::start();
        let mut histories = Histories::new();
        let (good, other) = ("7g7f".parse().unwrap(), "2g2f".parse().unwrap());
        histories.update_quiet(&position, good, 1000);
        assert!(histories.quiet(position.side(), good) > 0);
        assert_eq!(histories.quiet(position.side(), other), 0);
    }

    #[test]
    fn corrections_follow_the_error() {
        let position = Position::start();
        let mut histories = Histories::new();
        for _ in 0..50 {
            histories.learn_correction(&position, None, 100, 8, 60);
        }
        assert!(histories.correction(&position, None) > 20);
    }
}
