//! Which move is the one: logistic regression of "raised alpha" on what was known before the move was searched.
//!
//! Moves are tried one after the other until one cuts, so that what is fitted is a hazard: the probability that a move raises
//! alpha given that it was tried. What belongs to the node (role, depth, gap, trend) and the number of the move stand beside
//! the features of the move; the latter alone are the order. Weights are learned by AdaGrad (Duchi, Hazan and Singer 2011).

use contract::Rng;
use search::alphabeta::{Features, Model, MoveBet, NAT, RAISE_INPUTS, RELATIONS, ROLES, SCALE};
use serde::Serialize;
use shogi::PieceKind;

use super::log::GameBets;
use super::{SearchError, Watch};

/// Times to go through the bets.
const EPOCHS: u32 = 3;
/// The first step of every weight.
const RATE: f64 = 0.1;
/// How strongly weights of tables are drawn to zero, for each time they are used.
const DECAY: f64 = 2e-4;
/// The fewest moves to learn from.
const FEWEST: usize = 1000;
/// Steps of the reliability plot.
pub(super) const BINS: usize = 12;

/// How well a model holds on games that it was not fitted to.
#[derive(Clone, Debug, Serialize)]
pub struct Fitted {
    /// Moves that it was fitted to.
    pub moves: usize,
    /// Moves that it was judged by.
    pub judged: usize,
    /// Mean log loss of the model before, in nats.
    pub loss_before: f64,
    /// Mean log loss now.
    pub loss: f64,
    /// Mean log loss of the mean alone.
    pub loss_of_mean: f64,
    /// Mean expected probability and share that raised, from improbable to probable, with the number of moves.
    pub reliability: Vec<(f64, f64, usize)>,
}

/// The weights as one vector of real numbers: tables one after the other.
struct Weights {
    all: Vec<f64>,
    squares: Vec<f64>,
    at: Places,
}

/// Where each table begins.
#[derive(Clone, Copy)]
struct Places {
    rates: usize,
    capture_rate: usize,
    flags: usize,
    enemy_king: usize,
    own_king: usize,
    origin: usize,
    taken: usize,
    raise: usize,
}

impl Weights {
    fn of(model: &Model) -> Weights {
        let tables = [
            &model.rates,
            &model.capture_rate,
            &model.flags,
            &model.enemy_king,
            &model.own_king,
            &model.origin,
            &model.taken,
            &model.raise,
        ];
        let mut begins = tables.iter().scan(0, |end, table| {
            let begin = *end;
            *end += table.len();
            Some(begin)
        });
        let mut next = || begins.next().unwrap_or_default();
        let at = Places {
            rates: next(),
            capture_rate: next(),
            flags: next(),
            enemy_king: next(),
            own_king: next(),
            origin: next(),
            taken: next(),
            raise: next(),
        };
        let all: Vec<f64> =
            tables.into_iter().flatten().map(|&weight| f64::from(weight) / f64::from(NAT)).collect();
        let mut weights = Weights { squares: vec![1.0; all.len()], all, at };
        // The order's log-odds enter as they are, and flags by the order alone.
        weights.all[at.raise + ROLES] = 1.0;
        weights.all[at.raise + ROLES + RAISE_INPUTS..].fill(0.0);
        weights
    }

    fn write(&self, model: &mut Model) {
        let round = |weight: f64| (weight * f64::from(NAT)).round().clamp(-9999.0, 9999.0) as i32;
        let mut all = self.all.iter().map(|&weight| round(weight));
        for table in [
            &mut model.rates,
            &mut model.capture_rate,
            &mut model.flags,
            &mut model.enemy_king,
            &mut model.own_king,
            &mut model.origin,
            &mut model.taken,
            &mut model.raise,
        ] {
            table.iter_mut().zip(all.by_ref()).for_each(|(weight, new)| *weight = new);
        }
    }

    /// The inputs of a move that are not zero: place of the weight, value, whether it is one of many.
    fn inputs(&self, bet: &MoveBet, model: &Model, mut each: impl FnMut(usize, f64, bool)) {
        let (at, Features { cells, actor, taken, relations, flags }) = (self.at, bet.features);
        let [enemy, own, origin] = relations.map(usize::from);
        let actor = usize::from(actor);
        each(at.enemy_king + actor * RELATIONS + enemy, 1.0, true);
        each(at.own_king + actor * RELATIONS + own, 1.0, true);
        if actor < PieceKind::COUNT {
            each(at.origin + actor * RELATIONS + origin, 1.0, true);
        }
        let rate = |cell: i16| f64::from(cell) / f64::from(SCALE);
        match taken {
            Some(taken) => {
                each(at.taken + actor * PieceKind::COUNT + taken.index(), 1.0, true);
                each(at.capture_rate, rate(cells[0]), false);
            }
            None => cells.iter().enumerate().for_each(|(i, &cell)| each(at.rates + i, rate(cell), false)),
        }
        (0..u8::BITS as usize).filter(|i| flags >> i & 1 == 1).for_each(|i| each(at.flags + i, 1.0, false));
        each(at.raise + usize::from(bet.role), 1.0, false);
        let inputs = bet.raise_inputs(model, 0);
        for (i, input) in inputs.into_iter().enumerate().skip(1) {
            each(at.raise + ROLES + i, f64::from(input) / f64::from(NAT), false);
        }
    }

    fn probability(&self, bet: &MoveBet, model: &Model) -> f64 {
        let mut sum = 0.0;
        self.inputs(bet, model, |place, input, _| sum += self.all[place] * input);
        1.0 / (1.0 + (-sum).exp())
    }

    /// One step for one move; the loss before it.
    fn step(&mut self, bet: &MoveBet, model: &Model) -> f64 {
        let p = self.probability(bet, model);
        let error = p - f64::from(u8::from(bet.raised));
        let mut touched = [(0, 0.0, false); 24];
        let mut count = 0;
        self.inputs(bet, model, |place, input, is_table| {
            touched[count] = (place, input, is_table);
            count += 1;
        });
        for &(place, input, is_table) in &touched[..count] {
            let decay = if is_table { DECAY * self.all[place] } else { 0.0 };
            let gradient = error * input + decay;
            self.squares[place] += gradient * gradient;
            self.all[place] -= RATE * gradient / (self.squares[place].sqrt() + 1e-6);
        }
        loss(p, bet.raised)
    }
}

fn loss(p: f64, raised: bool) -> f64 {
    -(if raised { p } else { 1.0 - p }).max(1e-9).ln()
}

/// The moves that count: a hash move comes first whatever its odds.
fn learnable(bets: &GameBets) -> Vec<&MoveBet> {
    bets.moves.iter().filter(|bet| !bet.is_hash_move).collect()
}

/// Fits a model's weights to the bets, and judges it by others.
pub(super) fn fit(
    model: &mut Model,
    learned: &GameBets,
    judged: &GameBets,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Fitted, SearchError> {
    let (mut moves, others) = (learnable(learned), learnable(judged));
    if moves.len() < FEWEST || others.is_empty() {
        return Err(SearchError::TooFew(format!(
            "{} moves to learn from, {} to judge by",
            moves.len(),
            others.len()
        )));
    }
    let before = others.iter().map(|bet| loss(predicted(model, bet), bet.raised)).sum::<f64>();
    let mut weights = Weights::of(model);
    let mut rng = Rng::new(seed);
    for epoch in 1..=EPOCHS {
        shuffle(&mut moves, &mut rng);
        let total: f64 = moves.iter().map(|bet| weights.step(bet, model)).sum();
        watch.epoch(epoch, total / moves.len() as f64);
    }
    weights.write(model);
    let count = others.len() as f64;
    let share = others.iter().filter(|bet| bet.raised).count() as f64 / count;
    Ok(Fitted {
        moves: moves.len(),
        judged: others.len(),
        loss_before: before / count,
        loss: others.iter().map(|bet| loss(predicted(model, bet), bet.raised)).sum::<f64>() / count,
        loss_of_mean: share * loss(share, true) + (1.0 - share) * loss(share, false),
        reliability: reliability(model, &others),
    })
}

/// What the search will take the probability for, in its own whole numbers.
fn predicted(model: &Model, bet: &MoveBet) -> f64 {
    let inputs = bet.raise_inputs(model, model.log_odds(&bet.features));
    let odds = model.raise_log_odds(bet.role.into(), inputs, bet.features.flags);
    1.0 / (1.0 + (-f64::from(odds) / f64::from(NAT)).exp())
}

/// Fisher and Yates.
fn shuffle<T>(items: &mut [T], rng: &mut Rng) {
    for i in (1..items.len()).rev() {
        items.swap(i, rng.draw() as usize % (i + 1));
    }
}

/// Bins of equal size from improbable to probable moves.
fn reliability(model: &Model, bets: &[&MoveBet]) -> Vec<(f64, f64, usize)> {
    let mut pairs: Vec<(f64, bool)> = bets.iter().map(|bet| (predicted(model, bet), bet.raised)).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    pairs
        .chunks(pairs.len().div_ceil(BINS).max(1))
        .map(|bin| {
            let n = bin.len() as f64;
            let expected = bin.iter().map(|(p, _)| p).sum::<f64>() / n;
            (expected, bin.iter().filter(|(_, raised)| *raised).count() as f64 / n, bin.len())
        })
        .collect()
}
