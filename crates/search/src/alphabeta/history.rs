//! How well moves have done in this game's searches: a success rate for each move in each of several contexts
//! (Schaeffer's history heuristic, 1983; by the moves before it: continuation history).
//!
//! A cell is a running mean of outcomes, +1 for a move that cut and -1 for one that was tried in vain, and moves by a share
//! of the difference between outcome and mean. Squares are seen by the mover, so that both sides share what they learn.

use shogi::{Color, Move, PieceKind, Position, Square};

use super::params::{PERCENT, Params};

/// The value of a cell whose move always succeeds.
pub const SCALE: i32 = 1 << 14;
/// How far back the moves lie that a move is seen after.
pub(crate) const BACK: [usize; 3] = [1, 2, 4];

const SQUARES: usize = Square::COUNT;
const KINDS: usize = PieceKind::COUNT;
/// Where a move comes from: a square, or the hand by kind.
const ORIGINS: usize = SQUARES + PieceKind::HAND.len();

/// A move as others look back at it: what moved where, seen by its mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Step(u16);

impl Step {
    /// No move: before the game, or a null move.
    pub(crate) const NONE: Step = Step((KINDS * SQUARES) as u16);
    /// How many steps there are, none included.
    pub(crate) const COUNT: usize = KINDS * SQUARES + 1;

    #[inline(always)]
    pub(crate) fn new(kind: PieceKind, to: usize) -> Step {
        Step((kind.index() * SQUARES + to) as u16)
    }

    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A square as `side` sees it.
#[inline(always)]
pub(crate) fn view(side: Color, square: Square) -> usize {
    match side {
        Color::Black => square.index(),
        Color::White => SQUARES - 1 - square.index(),
    }
}

/// The kind that moves, as it was before.
#[inline(always)]
pub(crate) fn mover(position: &Position, m: Move) -> PieceKind {
    let kind = match m.from() {
        Some(from) => position.piece(from).map(shogi::Piece::kind),
        None => m.dropped(),
    };
    kind.unwrap_or(PieceKind::Pawn)
}

/// Rows of cells, of which only those written to need clearing.
struct Rows {
    cells: Vec<i16>,
    written: Vec<bool>,
    width: usize,
}

impl Rows {
    fn new(rows: usize, width: usize) -> Rows {
        Rows { cells: memory::huge_vec(rows * width, 0), written: vec![false; rows], width }
    }

    fn clear(&mut self) {
        for (row, written) in self.written.iter_mut().enumerate().filter(|(_, written)| **written) {
            self.cells[row * self.width..][..self.width].fill(0);
            *written = false;
        }
    }

    #[inline(always)]
    fn row(&self, row: usize) -> &[i16] {
        &self.cells[row * self.width..][..self.width]
    }

    #[inline(always)]
    fn learn(&mut self, row: usize, column: usize, outcome: Outcome) {
        self.written[row] = true;
        let cell = &mut self.cells[row * self.width + column];
        *cell = (i32::from(*cell) + (((outcome.target - i32::from(*cell)) * outcome.rate) >> 8)) as i16;
    }
}

/// What became of a move, and how much that says.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Outcome {
    target: i32,
    /// In 256ths.
    rate: i32,
}

impl Outcome {
    /// A move that cut or raised alpha at a depth in plies.
    pub(crate) fn success(params: &Params, plies: i32) -> Outcome {
        Outcome { target: SCALE, rate: rate(params, plies) }
    }

    /// A move that was tried before the one that did.
    pub(crate) fn failure(params: &Params, plies: i32) -> Outcome {
        let rate = rate(params, plies) * params.history_blame / PERCENT;
        Outcome { target: -SCALE, rate: rate.min(params.history_most) }
    }
}

/// Nodes grow by a factor with every ply, so that their logarithm is the depth.
fn rate(params: &Params, plies: i32) -> i32 {
    (params.history_rate * (plies + 1)).min(params.history_most)
}

/// The tables of one thread.
pub(crate) struct Histories {
    /// By side and origin, then target.
    origins: Rows,
    /// By the step so far back, then the move's own step.
    after: [Rows; BACK.len()],
    /// By step, then the kind taken.
    captures: Rows,
}

/// What all moves of a node have in common.
#[derive(Clone, Copy)]
pub(crate) struct Context {
    pub(crate) side: Color,
    /// The moves so far back.
    pub(crate) before: [Step; BACK.len()],
}

/// The rows of [`Histories`] that the quiet moves of one node share.
#[derive(Clone, Copy)]
pub(crate) struct QuietRows<'a> {
    origins: &'a Rows,
    side: Color,
    after: [&'a [i16]; BACK.len()],
}

/// How many cells a quiet move is seen in.
pub const QUIET_CELLS: usize = 1 + BACK.len();

impl QuietRows<'_> {
    /// What the tables say about a quiet move.
    #[inline(always)]
    pub(crate) fn cells(&self, m: Move, to: usize, step: Step) -> [i16; QUIET_CELLS] {
        let origin = self.origins.row(origin_row(self.side, m))[to];
        let column = step.index();
        [origin, self.after[0][column], self.after[1][column], self.after[2][column]]
    }

    /// The same for drops of a kind on every square, as the side sees them.
    #[inline(always)]
    pub(crate) fn of_drops(&self, kind: PieceKind) -> [&[i16]; QUIET_CELLS] {
        let columns = kind.index() * SQUARES..(kind.index() + 1) * SQUARES;
        let after = |i: usize| &self.after[i][columns.clone()];
        let origin = self.origins.row(self.side.index() * ORIGINS + SQUARES + kind.index());
        [origin, after(0), after(1), after(2)]
    }
}

#[inline(always)]
fn origin_row(side: Color, m: Move) -> usize {
    let origin = match m.from() {
        Some(from) => from.index(),
        None => SQUARES + m.dropped().map_or(0, PieceKind::index).min(ORIGINS - SQUARES - 1),
    };
    side.index() * ORIGINS + origin
}

impl Histories {
    pub(crate) fn new() -> Histories {
        Histories {
            origins: Rows::new(2 * ORIGINS, SQUARES),
            after: std::array::from_fn(|_| Rows::new(Step::COUNT, Step::COUNT)),
            captures: Rows::new(Step::COUNT, KINDS),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.origins.clear();
        self.after.iter_mut().for_each(Rows::clear);
        self.captures.clear();
    }

    #[inline(always)]
    pub(crate) fn quiet_rows(&self, node: &Context) -> QuietRows<'_> {
        let after = std::array::from_fn(|i| self.after[i].row(node.before[i].index()));
        QuietRows { origins: &self.origins, side: node.side, after }
    }

    #[inline(always)]
    pub(crate) fn capture_cell(&self, step: Step, taken: PieceKind) -> i16 {
        self.captures.row(step.index())[taken.index()]
    }

    /// Learns what became of a quiet move.
    pub(crate) fn learn_quiet(&mut self, node: &Context, m: Move, to: usize, step: Step, outcome: Outcome) {
        self.origins.learn(origin_row(node.side, m), to, outcome);
        for (rows, before) in self.after.iter_mut().zip(node.before) {
            if before != Step::NONE {
                rows.learn(before.index(), step.index(), outcome);
            }
        }
    }

    /// Learns what became of a capture.
    pub(crate) fn learn_capture(&mut self, step: Step, taken: PieceKind, outcome: Outcome) {
        self.captures.learn(step.index(), taken.index(), outcome);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_move_towards_outcomes_and_stay_in_range() {
        let (params, mut histories) = (Params::default(), Histories::new());
        let m: Move = "7g7f".parse().unwrap();
        let to = view(Color::Black, m.to());
        let step = Step::new(PieceKind::Pawn, to);
        let node = Context { side: Color::Black, before: [step, Step::NONE, step] };
        let cells = |histories: &Histories| histories.quiet_rows(&node).cells(m, to, step);
        let mut last = 0;
        for _ in 0..100 {
            histories.learn_quiet(&node, m, to, step, Outcome::success(&params, 5));
            let [origin, after, nothing, _] = cells(&histories);
            assert!(origin >= last && i32::from(origin) <= SCALE && after == origin && nothing == 0);
            last = origin;
        }
        assert!(i32::from(last) > SCALE * 9 / 10);
        for _ in 0..100 {
            histories.learn_quiet(&node, m, to, step, Outcome::failure(&params, 5));
        }
        assert!(i32::from(cells(&histories)[0]) < -SCALE * 9 / 10);
        histories.clear();
        assert_eq!(cells(&histories), [0; QUIET_CELLS]);
    }

    #[test]
    fn both_sides_share_what_follows_what() {
        let square: Square = "7f".parse().unwrap();
        let rotated = square.rotated();
        assert_eq!(view(Color::Black, square), view(Color::White, rotated));
    }
}
