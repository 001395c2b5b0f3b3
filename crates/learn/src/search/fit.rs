//! Which move is the one, and whether it raises alpha: logistic regression of "raised alpha" on what was known before the
//! move was searched, in two steps.
//!
//! The order is learned from nodes whose moves were tried in an order by chance. Were they tried in the order of the last
//! model, a move's number would already say what its features say, and moves that the last model thought little of would be
//! seen only where the better ones had failed. Role, depth, gap and trend of the node stand beside the features, so that
//! nodes of all kinds can be learned from. Weights are learned by AdaGrad (Duchi, Hazan and Singer 2011).
//!
//! The probability that a move raises alpha, given that it is its turn, is learned from nodes in the usual order: the log-odds
//! of the order are one of its inputs, the number of the move another. These few weights are found by Newton's method.

use contract::Rng;
use search::alphabeta::{Bets, Features, Model, MoveBet, NAT, RELATIONS, ROLES, SCALE};
use serde::Serialize;
use shogi::PieceKind;

use super::{SearchError, Watch, raise};

/// Times to go through the bets.
const EPOCHS: u32 = 3;
/// The first step of every weight.
const RATE: f64 = 0.1;
/// How strongly weights of tables are drawn to zero, for each time they are used.
const DECAY: f64 = 2e-4;
/// The inputs of p(raise) before this one are of the move.
const FIRST_OF_NODE: usize = 3;
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
    /// All zero, for the tables of a model. What belongs to the node is learned beside the order, and forgotten.
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
        let count = tables.into_iter().map(Vec::len).sum();
        Weights { squares: vec![1.0; count], all: vec![0.0; count], at }
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
        for (i, input) in inputs.into_iter().enumerate().skip(FIRST_OF_NODE) {
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

/// The moves that count, of shuffled nodes and of others: a hash move comes first whatever its odds.
fn learnable(bets: &Bets, is_shuffled: bool) -> Vec<&MoveBet> {
    bets.moves.iter().filter(|bet| !bet.is_hash_move && bet.is_shuffled == is_shuffled).collect()
}

/// Fits a model's weights to the bets, and judges it by others.
pub(super) fn fit(
    model: &mut Model,
    learned: &Bets,
    judged: &Bets,
    seed: u64,
    watch: &mut dyn Watch,
) -> Result<Fitted, SearchError> {
    let (mut shuffled, ordered) = (learnable(learned, true), learnable(learned, false));
    let others = learnable(judged, false);
    if shuffled.len().min(ordered.len()) < FEWEST || others.is_empty() {
        return Err(SearchError::TooFew(format!(
            "{} and {} moves to learn from, {} to judge by",
            shuffled.len(),
            ordered.len(),
            others.len()
        )));
    }
    let before = mean_loss(model, &others);
    let mut weights = Weights::of(model);
    let mut rng = Rng::new(seed);
    for epoch in 1..=EPOCHS {
        shuffle(&mut shuffled, &mut rng);
        let total: f64 = shuffled.iter().map(|bet| weights.step(bet, model)).sum();
        watch.epoch(epoch, total / shuffled.len() as f64);
    }
    weights.write(model);
    raise::fit(model, &ordered);
    let share = others.iter().filter(|bet| bet.raised).count() as f64 / others.len() as f64;
    Ok(Fitted {
        moves: shuffled.len() + ordered.len(),
        judged: others.len(),
        loss_before: before,
        loss: mean_loss(model, &others),
        loss_of_mean: share * loss(share, true) + (1.0 - share) * loss(share, false),
        reliability: reliability(model, &others),
    })
}

fn mean_loss(model: &Model, bets: &[&MoveBet]) -> f64 {
    bets.iter().map(|bet| loss(predicted(model, bet), bet.raised)).sum::<f64>() / bets.len() as f64
}

/// What the search will take the probability for, in its own whole numbers.
fn predicted(model: &Model, bet: &MoveBet) -> f64 {
    let inputs = bet.raise_inputs(model, model.log_odds(&bet.features));
    model.raise_probability(f64::from(model.raise_log_odds(bet.role.into(), inputs)))
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
