//! How likely a move is the one: linear log-odds of features, some of the position and some of what the search has seen
//! (learned move ordering of Blunder; realization probability of Tsuruoka, Yokoyama and Chikayama 2002).

use shogi::{Bitboard, CheckInfo, Move, PieceKind, Position, Square};

use super::exposure::Exposure;
use super::history::{BACK, Context, Histories, QUIET_CELLS, QuietRows, SCALE, Step, mover, view};
use super::model::{FILE, FLAGS, Model, NAT, RAISE_INPUTS, RELATIONS, ROLES, SPAN, relation};
use super::params::{PERCENT, Params};
use crate::Depth;
use crate::score::Value;

/// The square that stands for a king that is not there.
const CENTRE: usize = Square::COUNT / 2;

/// What node and moves before it are, for scoring its moves.
pub(crate) struct Scorer<'a> {
    pub(crate) position: &'a Position,
    pub(crate) info: &'a CheckInfo,
    model: &'a Model,
    histories: &'a Histories,
    rows: QuietRows<'a>,
    kings: [usize; 2],
    /// What counts for every move, because of a check.
    evades: i32,
    rates: RateWeights,
    /// What can be taken, where that counts.
    exposure: Option<Exposure>,
}

/// Weights of sixteen bits, so that several are multiplied at once.
fn narrow(weight: i32) -> i16 {
    weight.clamp(i32::from(i16::MIN), i32::from(i16::MAX)) as i16
}

#[inline(always)]
fn product(weight: i16, cell: i16) -> i32 {
    i32::from(weight) * i32::from(cell)
}

/// How much success rates of quiet moves count in the order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateWeights([i16; QUIET_CELLS]);

impl RateWeights {
    /// As they were learned.
    #[inline(always)]
    fn learned(model: &Model) -> RateWeights {
        RateWeights(std::array::from_fn(|i| narrow(model.rates[i])))
    }

    /// As the parameters want them.
    pub(crate) fn new(model: &Model, p: &Params) -> RateWeights {
        RateWeights(std::array::from_fn(|i| narrow(model.rates[i] * p.order_rates / PERCENT)))
    }

    /// The log-odds of success rates.
    #[inline(always)]
    fn of(&self, cells: [i16; QUIET_CELLS]) -> i32 {
        self.0.iter().zip(cells).map(|(&weight, cell)| product(weight, cell)).sum::<i32>() / SCALE
    }
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

/// Where the kings of the enemy and of the side to move stand, as that side sees them.
#[inline(always)]
fn kings(position: &Position) -> [usize; 2] {
    let us = position.side();
    [!us, us].map(|side| position.king(side).map_or(CENTRE, |square| view(us, square)))
}

impl Features {
    /// What the board alone tells about a pseudo-legal move, before any search.
    #[inline(always)]
    pub(crate) fn on_the_board(position: &Position, info: &CheckInfo, m: Move) -> Features {
        let (us, [enemy, own]) = (position.side(), kings(position));
        let (kind, to) = (mover(position, m), view(us, m.to()));
        let taken = position.piece(m.to()).map(shogi::Piece::kind);
        let origin = m.from().map_or(CENTRE, |from| view(us, from));
        let bit = |is: bool, flag: u8| if is { flag } else { 0 };
        Features {
            cells: [0; QUIET_CELLS],
            actor: (kind.index() + if m.is_drop() { PieceKind::COUNT } else { 0 }) as u8,
            taken,
            relations: [relation(to, enemy), relation(to, own), relation(origin, own)].map(|r| r as u16),
            flags: bit(taken.is_some(), flag::TAKES)
                | bit(m.is_promotion(), flag::PROMOTES)
                | bit(position.gives_check(m, info), flag::CHECKS)
                | bit(m.is_drop(), flag::DROPS)
                | bit(position.in_check(), flag::EVADES),
        }
    }
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
        let kings = kings(position);
        let rows = histories.quiet_rows(&Context { side: position.side(), before });
        let evades = if position.in_check() { model.flag(flag::EVADES) } else { 0 };
        let rates = RateWeights::learned(model);
        Scorer { position, info, model, histories, rows, kings, evades, rates, exposure: None }
    }

    /// Success rates of quiet moves count so much.
    #[inline(always)]
    pub(crate) fn weighing_rates(self, rates: RateWeights) -> Scorer<'a> {
        Scorer { rates, ..self }
    }

    /// What can be taken counts for quiet moves.
    #[inline(always)]
    pub(crate) fn seeing(self, exposure: Option<Exposure>) -> Scorer<'a> {
        Scorer { exposure, ..self }
    }

    /// What is known about a pseudo-legal move.
    #[inline(always)]
    pub(crate) fn features(&self, m: Move) -> Features {
        let to = view(self.position.side(), m.to());
        let step = Step::new(mover(self.position, m), to);
        let cells = match self.position.piece(m.to()).map(shogi::Piece::kind) {
            Some(taken) => [self.histories.capture_cell(step, taken), 0, 0, 0],
            None => self.rows.cells(m, to, step),
        };
        Features { cells, ..Features::on_the_board(self.position, self.info, m) }
    }

    /// The log-odds of a pseudo-legal move: those of its features, without listing them.
    #[inline(always)]
    pub(crate) fn score(&self, m: Move) -> i32 {
        let (position, model) = (self.position, self.model);
        let us = position.side();
        let (kind, to) = (mover(position, m), view(us, m.to()));
        let [enemy, own] = self.kings.map(|king| relation(to, king));
        let of_origin = match m.from() {
            Some(from) => {
                let promotes = if m.is_promotion() { model.flag(flag::PROMOTES) } else { 0 };
                promotes + model.origin[kind.index() * RELATIONS + relation(view(us, from), self.kings[1])]
            }
            None => model.flag(flag::DROPS),
        };
        let actor = kind.index() + if m.is_drop() { PieceKind::COUNT } else { 0 };
        let of_target = model.enemy_king[actor * RELATIONS + enemy] + model.own_king[actor * RELATIONS + own];
        let step = Step::new(kind, to);
        let of_success = match position.piece(m.to()).map(shogi::Piece::kind) {
            Some(taken) => {
                let cell = self.histories.capture_cell(step, taken);
                model.flag(flag::TAKES) + model.capture(actor, taken, cell)
            }
            None => {
                let exposed = self.exposure.as_ref().map_or(0, |exposure| exposure.log_odds(model, kind, m));
                self.rates.of(self.rows.cells(m, to, step)) + exposed
            }
        };
        let checks = if position.gives_check(m, self.info) { model.flag(flag::CHECKS) } else { 0 };
        self.evades + of_origin + of_target + of_success + checks
    }

    /// Calls `visit` with every drop onto the squares and its log-odds: those of [`Scorer::score`], but all squares of a kind
    /// are done at once, as tables hold them side by side.
    #[inline(always)]
    pub(crate) fn drops(&self, empty: Bitboard, mut visit: impl FnMut(Move, i32)) {
        let us = self.position.side();
        let checks = self.model.flag(flag::CHECKS);
        for kind in PieceKind::HAND.into_iter().filter(|&kind| self.position.hand(us).has(kind)) {
            let scores = self.drop_scores(kind);
            let giving_check = self.info.squares(kind);
            let (exposed, entering) = match &self.exposure {
                Some(exposure) => (exposure.of_drops(kind), exposure.entering(self.model, kind)),
                None => (Bitboard::EMPTY, 0),
            };
            for to in self.position.drop_squares(kind, empty) {
                let check = if giving_check.has(to) { checks } else { 0 };
                let exposed = if exposed.has(to) { entering } else { 0 };
                visit(Move::drop(kind, to), scores[view(us, to)] + check + exposed);
            }
        }
    }

    /// The log-odds of drops of a kind by their square as the side sees it, checks not counted.
    #[inline(always)]
    fn drop_scores(&self, kind: PieceKind) -> [i32; Square::COUNT] {
        let model = self.model;
        let actor = kind.index() + PieceKind::COUNT;
        let cells = self.rows.of_drops(kind);
        let base = self.evades + model.flag(flag::DROPS);
        let mut scores = [0; Square::COUNT];
        let RateWeights(weights) = self.rates;
        for (to, score) in scores.iter_mut().enumerate() {
            let rates: i32 = (0..QUIET_CELLS).map(|i| product(weights[i], cells[i][to])).sum();
            *score = base + rates / SCALE;
        }
        let [enemy, own] = self.kings.map(|king| actor * RELATIONS + relation(0, king));
        for (file, scores) in scores.as_chunks_mut::<FILE>().0.iter_mut().enumerate() {
            let near = |table: &'a [i32], first: usize| &table[first + file * SPAN..][..FILE];
            let (of_enemy, of_own) = (near(&model.enemy_king, enemy), near(&model.own_king, own));
            for (rank, score) in scores.iter_mut().enumerate() {
                *score += of_enemy[rank] + of_own[rank];
            }
        }
        scores
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
            Some(taken) => self.capture(actor, taken, cells[0]),
            None => self.success(cells),
        };
        sum + flag_sum(&self.flags, flags)
    }

    /// What a flag adds.
    #[inline(always)]
    fn flag(&self, flag: u8) -> i32 {
        self.flags[flag.trailing_zeros() as usize]
    }

    /// What is known of a capture: who takes what, and how often such captures succeed.
    #[inline(always)]
    fn capture(&self, actor: usize, taken: PieceKind, cell: i16) -> i32 {
        let pair = self.taken[actor * PieceKind::COUNT + taken.index()];
        pair + self.capture_rate[0] * i32::from(cell) / SCALE
    }

    /// How often a quiet move succeeds.
    #[inline(always)]
    fn success(&self, cells: [i16; QUIET_CELLS]) -> i32 {
        let rates = self.rates.iter().zip(cells);
        rates.map(|(weight, cell)| weight * i32::from(cell)).sum::<i32>() / SCALE
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

#[cfg(test)]
mod tests {
    use super::super::history::Outcome;
    use super::*;

    #[test]
    fn the_score_of_a_move_is_that_of_its_features() {
        let (model, mut histories) = (Model::embedded(), Histories::new());
        let params = Params::default();
        let before = [Step::new(PieceKind::Gold, 40); BACK.len()];
        let mut drops = 0;
        for sfen in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
            "4k4/9/9/9/9/9/4r4/9/4K4 b G 1",
        ] {
            let position: Position = sfen.parse().unwrap();
            let info = position.check_info();
            let us = position.side();
            for (i, m) in position.legal_moves().iter().copied().enumerate().filter(|(i, _)| i % 2 == 0) {
                let (to, success) = (view(us, m.to()), Outcome::success(&params, i as i32 % 7));
                let step = Step::new(mover(&position, m), to);
                let node = Context { side: us, before };
                histories.learn_quiet(&node, m, to, step, success);
            }
            let scorer = Scorer::new(&position, &info, &model, &histories, before);
            for m in position.legal_moves() {
                assert_eq!(scorer.score(m), model.log_odds(&scorer.features(m)), "{m} in {sfen}");
            }
            let scorer = scorer
                .weighing_rates(RateWeights::new(&model, &params))
                .seeing(Exposure::of(&position, &params));
            scorer.drops(!position.occupied(), |m, score| {
                assert_eq!(score, scorer.score(m), "{m} in {sfen}");
                drops += 1;
            });
        }
        assert!(drops > 50, "{drops}");
    }
}
