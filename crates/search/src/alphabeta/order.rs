//! How likely a move is the one: linear log-odds of features, some of the position and some of what the search has seen
//! (learned move ordering of Blunder; realization probability of Tsuruoka, Yokoyama and Chikayama 2002).

use shogi::{CheckInfo, Move, PieceKind, Position};

use super::history::{BACK, Histories, QUIET_CELLS, QuietRows, SCALE, Step, mover, view};
use super::model::{FLAGS, Model, NAT, RAISE_INPUTS, RELATIONS, ROLES, relation};
use crate::Depth;
use crate::score::Value;

/// The square that stands for a king that is not there.
const CENTRE: usize = shogi::Square::COUNT / 2;

/// What node and moves before it are, for scoring its moves.
pub(crate) struct Scorer<'a> {
    pub(crate) position: &'a Position,
    pub(crate) info: &'a CheckInfo,
    model: &'a Model,
    histories: &'a Histories,
    rows: QuietRows<'a>,
    kings: [usize; 2],
}

/// What is known about a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features {
    /// Success rates of a quiet move, or that of a capture first.
    pub cells: [i16; QUIET_CELLS],
    /// The kind on the board, or kinds beyond them for the hand.
    pub actor: u8,
    /// The kind taken.
    pub taken: Option<PieceKind>,
    /// Relations of the target to the enemy's and the own king, and of the origin to the own king.
    pub relations: [u16; 3],
    /// See [`FLAGS`], from the lowest bit.
    pub flags: u8,
}

/// The flags of a move.
pub(crate) mod flag {
    pub(crate) const TAKES: u8 = 1;
    pub(crate) const PROMOTES: u8 = 2;
    pub(crate) const CHECKS: u8 = 4;
    pub(crate) const DROPS: u8 = 8;
    pub(crate) const EVADES: u8 = 16;
    pub(crate) const FIRST_KILLER: u8 = 32;
    pub(crate) const SECOND_KILLER: u8 = 64;
}

impl<'a> Scorer<'a> {
    #[inline(always)]
    pub(crate) fn new(
        position: &'a Position,
        info: &'a CheckInfo,
        model: &'a Model,
        histories: &'a Histories,
        before: [Step; BACK.len()],
    ) -> Scorer<'a> {
        let us = position.side();
        let king = |side| position.king(side).map_or(CENTRE, |square| view(us, square));
        let rows = histories.quiet_rows(us, before);
        Scorer { position, info, model, histories, rows, kings: [king(!us), king(us)] }
    }

    /// What is known about a pseudo-legal move.
    #[inline(always)]
    pub(crate) fn features(&self, m: Move) -> Features {
        let us = self.position.side();
        let (kind, to) = (mover(self.position, m), view(us, m.to()));
        let step = Step::new(kind, to);
        let taken = self.position.piece(m.to()).map(shogi::Piece::kind);
        let origin = m.from().map_or(CENTRE, |from| view(us, from));
        let cells = match taken {
            Some(taken) => [self.histories.capture_cell(step, taken), 0, 0, 0],
            None => self.rows.cells(m, step),
        };
        let bit = |is: bool, flag: u8| if is { flag } else { 0 };
        Features {
            cells,
            actor: (kind.index() + if m.is_drop() { PieceKind::COUNT } else { 0 }) as u8,
            taken,
            relations: [
                relation(to, self.kings[0]) as u16,
                relation(to, self.kings[1]) as u16,
                relation(origin, self.kings[1]) as u16,
            ],
            flags: bit(taken.is_some(), flag::TAKES)
                | bit(m.is_promotion(), flag::PROMOTES)
                | bit(self.position.gives_check(m, self.info), flag::CHECKS)
                | bit(m.is_drop(), flag::DROPS)
                | bit(self.position.in_check(), flag::EVADES),
        }
    }

    /// The log-odds of a move.
    #[inline(always)]
    pub(crate) fn score(&self, m: Move) -> i32 {
        self.model.log_odds(&self.features(m))
    }
}

impl Model {
    /// The log-odds that a move is the one.
    #[inline(always)]
    #[must_use]
    pub fn log_odds(&self, features: &Features) -> i32 {
        let Features { cells, actor, taken, relations, flags } = *features;
        let [enemy, own, origin] = relations.map(usize::from);
        let actor = usize::from(actor);
        let mut sum = self.enemy_king[actor * RELATIONS + enemy] + self.own_king[actor * RELATIONS + own];
        if actor < PieceKind::COUNT {
            sum += self.origin[actor * RELATIONS + origin];
        }
        sum += match taken {
            Some(taken) => {
                self.taken[actor * PieceKind::COUNT + taken.index()]
                    + self.capture_rate[0] * i32::from(cells[0]) / SCALE
            }
            None => {
                let rates = self.rates.iter().zip(cells);
                rates.map(|(weight, cell)| weight * i32::from(cell)).sum::<i32>() / SCALE
            }
        };
        sum + flag_sum(&self.flags, flags)
    }

    /// The log-odds that a move raises alpha.
    #[inline(always)]
    #[must_use]
    pub fn raise_log_odds(&self, role: usize, inputs: [i32; RAISE_INPUTS]) -> i32 {
        let weights = self.raise[ROLES..].iter();
        let sum: i32 = weights.zip(inputs).map(|(weight, input)| weight * input).sum();
        self.raise[role] + sum / NAT
    }

    /// The inputs of [`Model::raise_log_odds`]. The gap counts most where it is small: it is squeezed into -1 to 1.
    #[inline(always)]
    pub(crate) fn raise_inputs(
        &self,
        log_odds: i32,
        number: usize,
        depth: Depth,
        gap: Gap,
    ) -> [i32; RAISE_INPUTS] {
        let one = |is: bool| if is { NAT } else { 0 };
        let squeezed = gap.below_alpha * NAT / (gap.below_alpha.abs() + gap.scale).max(1);
        [
            log_odds.clamp(-8 * NAT, 8 * NAT),
            self.log2(number),
            one(number == 1),
            self.log2_depth(depth),
            squeezed,
            one(gap.rising),
            one(gap.in_check),
        ]
    }
}

/// How a node's evaluation lies.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Gap {
    /// How far the evaluation lies below alpha.
    pub(crate) below_alpha: Value,
    /// A gap that is neither small nor large: twice what values fall below evaluations.
    pub(crate) scale: Value,
    /// Whether the evaluation is better than two plies ago.
    pub(crate) rising: bool,
    /// Whether there is none, because of a check.
    pub(crate) in_check: bool,
}

#[inline(always)]
fn flag_sum(weights: &[i32], flags: u8) -> i32 {
    let mut sum = 0;
    for (i, weight) in weights.iter().enumerate().take(FLAGS) {
        sum += if flags >> i & 1 == 1 { *weight } else { 0 };
    }
    sum
}
