//! Whether a move raises alpha when it is its turn: logistic regression on a few inputs, by Newton's method.

use search::alphabeta::{Model, MoveBet, NAT, RAISE_INPUTS, ROLES};

use crate::regression::{Row, expected, logistic_weights};

const INPUTS: usize = ROLES + RAISE_INPUTS;
/// The greatest weight.
const GREATEST: f64 = 9999.0;

/// Powers of two that are tried as millionths of surprise.
const SURPRISES: u32 = 13;

type Vector = [f64; INPUTS];

/// Fits the weights of p(raise) to bets in the usual order.
pub(super) fn fit(model: &mut Model, bets: &[&MoveBet]) {
    let row = |bet: &&MoveBet| (inputs(model, bet), f64::from(u8::from(bet.raised)));
    let rows: Vec<Row<INPUTS>> = bets.iter().map(row).collect();
    let weights = logistic_weights(&rows);
    let round = |weight: f64| (weight * f64::from(NAT)).round().clamp(-GREATEST, GREATEST) as i32;
    model.raise = weights.map(round).to_vec();
    model.surprise = vec![surprise(&rows, &weights)];
}

fn inputs(model: &Model, bet: &MoveBet) -> Vector {
    let mut inputs = [0.0; INPUTS];
    inputs[usize::from(bet.role)] = 1.0;
    let of_move = bet.raise_inputs(model, model.log_odds(&bet.features));
    for (input, value) in inputs[ROLES..].iter_mut().zip(of_move) {
        *input = f64::from(value) / f64::from(NAT);
    }
    inputs
}

/// The share of moves, in millionths, that raise alpha whatever is known about them: the most likely of a few.
fn surprise(rows: &[Row<INPUTS>], weights: &Vector) -> i32 {
    let odds: Vec<(f64, bool)> =
        rows.iter().map(|(inputs, raised)| (expected(inputs, weights), *raised > 0.5)).collect();
    let likelihood = |millionths: i32| -> f64 {
        let surprise = f64::from(millionths) / 1e6;
        let of = |&(p, raised): &(f64, bool)| {
            let p = surprise + (1.0 - surprise) * p;
            if raised { p.ln() } else { (1.0 - p).ln() }
        };
        odds.iter().map(of).sum()
    };
    let tried = (0..SURPRISES).map(|power| 1 << power);
    tried.max_by(|&a, &b| likelihood(a).total_cmp(&likelihood(b))).unwrap_or(1)
}
