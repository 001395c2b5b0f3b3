//! Whether a move raises alpha when it is its turn: logistic regression on a few inputs, by Newton's method.

use contract::logistic;
use search::alphabeta::{Model, MoveBet, NAT, RAISE_INPUTS, ROLES};

use super::linear::solve;

/// Steps of Newton's method; each doubles the digits that are right.
const STEPS: usize = 12;
/// Draws weights to zero as so many bets would: no weight is left undetermined.
const RIDGE: f64 = 1.0;
const INPUTS: usize = ROLES + RAISE_INPUTS;
/// The greatest weight.
const GREATEST: f64 = 9999.0;

/// Powers of two that are tried as millionths of surprise.
const SURPRISES: u32 = 13;

type Vector = [f64; INPUTS];

/// Fits the weights of p(raise) to bets in the usual order.
pub(super) fn fit(model: &mut Model, bets: &[&MoveBet]) {
    let rows: Vec<(Vector, bool)> = bets.iter().map(|bet| (inputs(model, bet), bet.raised)).collect();
    let mut weights = [0.0; INPUTS];
    for _ in 0..STEPS {
        let step = newton_step(&rows, &weights);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
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
fn surprise(rows: &[(Vector, bool)], weights: &Vector) -> i32 {
    let expected: Vec<(f64, bool)> =
        rows.iter().map(|(inputs, raised)| (probability(inputs, weights), *raised)).collect();
    let likelihood = |millionths: i32| -> f64 {
        let surprise = f64::from(millionths) / 1e6;
        let of = |&(p, raised): &(f64, bool)| {
            let p = surprise + (1.0 - surprise) * p;
            if raised { p.ln() } else { (1.0 - p).ln() }
        };
        expected.iter().map(of).sum()
    };
    let tried = (0..SURPRISES).map(|power| 1 << power);
    tried.max_by(|&a, &b| likelihood(a).total_cmp(&likelihood(b))).unwrap_or(1)
}

fn probability(inputs: &Vector, weights: &Vector) -> f64 {
    logistic(inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum())
}

/// The step to the maximum of the parabola that touches the likelihood.
fn newton_step(rows: &[(Vector, bool)], weights: &Vector) -> Vector {
    let mut gradient: Vector = weights.map(|weight| -RIDGE * weight);
    let mut curvature = [[0.0; INPUTS]; INPUTS];
    for (i, row) in curvature.iter_mut().enumerate() {
        row[i] = RIDGE;
    }
    for (inputs, raised) in rows {
        let p = probability(inputs, weights);
        let (error, spread) = (f64::from(u8::from(*raised)) - p, p * (1.0 - p));
        for i in 0..INPUTS {
            gradient[i] += error * inputs[i];
            for j in 0..INPUTS {
                curvature[i][j] += spread * inputs[i] * inputs[j];
            }
        }
    }
    solve(curvature, gradient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_that_made_the_outcomes_are_found_again() {
        let truth: Vector = std::array::from_fn(|i| 0.5 - 0.2 * i as f64);
        let mut rng = contract::Rng::new(3);
        let rows: Vec<(Vector, bool)> = (0..60_000)
            .map(|_| {
                let inputs: Vector = std::array::from_fn(|_| 2.0 * rng.unit() - 1.0);
                let odds: f64 = inputs.iter().zip(truth).map(|(input, weight)| input * weight).sum();
                (inputs, rng.unit() < logistic(odds))
            })
            .collect();
        let mut weights = [0.0; INPUTS];
        for _ in 0..STEPS {
            let step = newton_step(&rows, &weights);
            weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
        }
        for (found, truth) in weights.iter().zip(truth) {
            assert!((found - truth).abs() < 0.06, "{weights:?}");
        }
    }
}
