//! The evaluator of one thread.
//!
//! What hangs on a king and single pieces follows the game by differences; what hangs on two squares around a king is
//! kept until one of them changes. All else is found anew: nearly every move changes who reaches what.

use std::sync::Arc;

use shogi::{Captured, Color, Delta, Piece, Position, Source, Square};

use super::file::{LinearWeights, UNITS};
use super::layout::{KING_SQUARES, PIECES, Row, STAGES};
use super::material::Counts;
use super::places::{self, Facing};
use super::progress::Progress;
use super::scene::{Scene, Sink, code_of};
use super::{of_effects, of_pieces, pairs};
use crate::Evaluator;
use crate::nnue::VALUE_LIMIT;
use crate::vicinity::WITHIN_TWO;

/// Sums of rows.
type Sums = [i32; STAGES];

/// Weights as a player needs them: rows, and all rows of a piece on a square in one.
#[derive(Debug)]
pub struct LinearTables {
    weights: LinearWeights,
    /// `[king square][piece][square]`, turned to the king.
    placed: Vec<Sums>,
}

impl LinearTables {
    /// The tables of some weights, to be shared by all threads.
    #[must_use]
    pub fn new(weights: LinearWeights) -> Arc<LinearTables> {
        let mut placed = Vec::with_capacity(KING_SQUARES * PIECES * Square::COUNT);
        for king in Square::all().take(KING_SQUARES) {
            let facing = Facing::new(Color::Black, king);
            for code in 0..PIECES {
                let piece = piece_of(code);
                placed.extend(Square::all().map(|square| {
                    let mut sink = Adder::new(weights.rows());
                    places::features(facing, piece, square, &mut sink);
                    sink.sums
                }));
            }
        }
        Arc::new(LinearTables { weights, placed })
    }

    /// The weights.
    #[must_use]
    pub fn weights(&self) -> &LinearWeights {
        &self.weights
    }

    #[inline(always)]
    fn placed(&self, facing: Facing, piece: Piece, square: Square) -> &Sums {
        let king = facing.turned(facing.king).index();
        let code = code_of(facing.color, piece);
        &self.placed[(king * PIECES + code) * Square::COUNT + facing.turned(square).index()]
    }
}

/// The piece of a code as Black sees it.
fn piece_of(code: usize) -> Piece {
    let kinds = shogi::PieceKind::ALL;
    let color = if code < kinds.len() { Color::Black } else { Color::White };
    Piece::new(color, kinds[code % kinds.len()])
}

/// Adds up rows.
struct Adder<'a> {
    rows: &'a [Row],
    sums: Sums,
}

impl<'a> Adder<'a> {
    fn new(rows: &'a [Row]) -> Adder<'a> {
        Adder { rows, sums: [0; STAGES] }
    }
}

impl Sink for Adder<'_> {
    #[inline(always)]
    fn add(&mut self, row: usize, count: i32) {
        let row = &self.rows[row];
        for (sum, &weight) in self.sums.iter_mut().zip(row) {
            *sum += count * i32::from(weight);
        }
    }

    #[inline(always)]
    fn one(&mut self, row: usize) {
        let row = &self.rows[row];
        for (sum, &weight) in self.sums.iter_mut().zip(row) {
            *sum += i32::from(weight);
        }
    }
}

#[inline(always)]
fn add(sums: &mut Sums, more: &Sums) {
    sums.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
}

#[inline(always)]
fn subtract(sums: &mut Sums, less: &Sums) {
    sums.iter_mut().zip(less).for_each(|(sum, less)| *sum -= less);
}

/// A ply of the line that is followed.
#[derive(Clone, Copy, Debug)]
struct Ply {
    /// What led here; `None` where the line begins.
    delta: Option<Delta>,
    /// Sums of single pieces and of pairs of squares, by side; once they were needed.
    sums: Option<[[Sums; 2]; 2]>,
}

/// Evaluates by weights of features. Begins at the start of the game.
pub struct Linear {
    tables: Arc<LinearTables>,
    line: Vec<Ply>,
}

/// Plies for which there is room from the start.
const RESERVED_PLIES: usize = 192;

impl Linear {
    /// An evaluator for one thread.
    #[must_use]
    pub fn new(tables: Arc<LinearTables>) -> Linear {
        let mut linear = Linear { tables, line: Vec::with_capacity(RESERVED_PLIES) };
        linear.reset(&Position::start());
        linear
    }

    /// The sum of all features for Black, from nothing, in [`UNITS`] of a centipawn times [`Progress::STEPS`].
    #[must_use]
    pub fn from_nothing(tables: &LinearTables, position: &Position) -> i32 {
        let mut sums = [[0; STAGES]; 2];
        super::each_feature(position, |color, row, count| {
            for (sum, &weight) in sums[color.index()].iter_mut().zip(&tables.weights.rows()[row]) {
                *sum += count * i32::from(weight);
            }
        });
        let [mut black, white] = sums;
        subtract(&mut black, &white);
        Progress::of(position).between(&black)
    }

    /// The same, by what is known of the positions before.
    #[inline]
    pub fn sum(&mut self, position: &Position) -> i32 {
        let kept = self.kept_sums(position);
        let (scene, counts) = (Scene::new(position), Counts::of(position));
        let [mut black, white] = Color::ALL.map(|color| {
            let mut sink = Adder::new(self.tables.weights.rows());
            of_effects(scene.seen_by(color), &counts, &mut sink);
            let mut sums = sink.sums;
            kept[color.index()].iter().for_each(|part| add(&mut sums, part));
            sums
        });
        subtract(&mut black, &white);
        Progress::of(position).between(&black)
    }

    /// The sums of single pieces and of pairs, of both sides.
    fn kept_sums(&mut self, position: &Position) -> [[Sums; 2]; 2] {
        let last = self.line.iter().rposition(|ply| ply.sums.is_some());
        let sums = match last.and_then(|last| Some((last, self.line[last].sums?))) {
            Some((last, sums)) if last + 1 == self.line.len() => return sums,
            Some((last, sums)) => {
                let deltas = &self.line[last + 1..];
                Color::ALL.map(|color| self.followed(position, color, sums[color.index()], deltas))
            }
            None => Color::ALL.map(|color| self.counted(position, color)),
        };
        if let Some(ply) = self.line.last_mut() {
            ply.sums = Some(sums);
        }
        sums
    }

    /// A side's sums from nothing.
    fn counted(&self, position: &Position, color: Color) -> [Sums; 2] {
        let rows = self.tables.weights.rows();
        let mut pieces = Adder::new(rows);
        match position.king(color).map(|king| Facing::new(color, king)) {
            None => of_pieces(position, color, &mut pieces),
            Some(facing) => {
                for square in position.occupied() {
                    let Some(piece) = position.piece(square) else { continue };
                    add(&mut pieces.sums, self.tables.placed(facing, piece, square));
                }
            }
        }
        [pieces.sums, self.pairs(position, color)]
    }

    fn pairs(&self, position: &Position, color: Color) -> Sums {
        let mut pairs = Adder::new(self.tables.weights.rows());
        pairs::features(position, color, &mut pairs);
        pairs.sums
    }

    /// A side's sums after some moves.
    fn followed(&self, position: &Position, color: Color, before: [Sums; 2], plies: &[Ply]) -> [Sums; 2] {
        let deltas = || plies.iter().filter_map(|ply| ply.delta);
        let is_own_king = |piece: Piece| piece == Piece::new(color, shogi::PieceKind::King);
        let king = position.king(color).filter(|_| !deltas().any(|delta| is_own_king(delta.piece)));
        let Some(king) = king else { return self.counted(position, color) };
        let (facing, zone) = (Facing::new(color, king), WITHIN_TWO[king.index()]);
        let [mut pieces, mut pairs] = before;
        let mut is_zone_changed = false;
        for Delta { to, piece, source, captured } in deltas() {
            add(&mut pieces, self.tables.placed(facing, piece, to));
            if let Source::Board { from, before } = source {
                subtract(&mut pieces, self.tables.placed(facing, before, from));
                is_zone_changed |= zone.has(from);
            }
            if let Some(Captured { piece, .. }) = captured {
                subtract(&mut pieces, self.tables.placed(facing, piece, to));
            }
            is_zone_changed |= zone.has(to);
        }
        if is_zone_changed {
            pairs = self.pairs(position, color);
        }
        [pieces, pairs]
    }
}

impl Evaluator for Linear {
    fn reset(&mut self, _position: &Position) {
        self.line.clear();
        self.line.push(Ply { delta: None, sums: None });
    }

    #[inline(always)]
    fn push(&mut self, delta: &Delta) {
        self.line.push(Ply { delta: Some(*delta), sums: None });
    }

    #[inline(always)]
    fn pop(&mut self) {
        assert!(self.line.len() > 1, "a pop for every push");
        self.line.pop();
    }

    /// The sum of all features for the side to move in centipawns, towards zero.
    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        let value = self.sum(position) / (UNITS * Progress::STEPS);
        let value = if position.side() == Color::Black { value } else { -value };
        value.clamp(-VALUE_LIMIT, VALUE_LIMIT)
    }
}
