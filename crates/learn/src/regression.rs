//! Least squares and logistic regression with few inputs: systems of linear equations, and Newton's method on top of them.

use contract::logistic;

/// The solution of a system with a positive definite matrix, by Gauss and Jordan: no rows need to change places.
pub(crate) fn solve<const N: usize>(mut matrix: [[f64; N]; N], mut right: [f64; N]) -> [f64; N] {
    for i in 0..N {
        let pivot = matrix[i][i];
        matrix[i].iter_mut().for_each(|x| *x /= pivot);
        right[i] /= pivot;
        let (row, value) = (matrix[i], right[i]);
        for k in (0..N).filter(|&k| k != i) {
            let factor = matrix[k][i];
            matrix[k].iter_mut().zip(row).for_each(|(x, y)| *x -= factor * y);
            right[k] -= factor * value;
        }
    }
    right
}

/// Steps of Newton's method; each doubles the digits that are right.
const STEPS: usize = 12;
/// Draws weights to zero as so many rows would: no weight is left undetermined.
const RIDGE: f64 = 1.0;

/// Inputs and what came of them, from 0 to 1.
pub(crate) type Row<const N: usize> = ([f64; N], f64);

/// The weights by which log-odds are linear in the inputs, most likely to have brought what came of them.
pub(crate) fn logistic_weights<const N: usize>(rows: &[Row<N>]) -> [f64; N] {
    let mut weights = [0.0; N];
    for _ in 0..STEPS {
        let step = newton_step(rows, &weights);
        weights.iter_mut().zip(step).for_each(|(weight, step)| *weight += step);
    }
    weights
}

/// What is expected of inputs.
pub(crate) fn expected<const N: usize>(inputs: &[f64; N], weights: &[f64; N]) -> f64 {
    logistic(inputs.iter().zip(weights).map(|(input, weight)| input * weight).sum())
}

/// The step to the maximum of the parabola that touches the likelihood.
fn newton_step<const N: usize>(rows: &[Row<N>], weights: &[f64; N]) -> [f64; N] {
    let mut gradient = weights.map(|weight| -RIDGE * weight);
    let mut curvature = [[0.0; N]; N];
    for (i, row) in curvature.iter_mut().enumerate() {
        row[i] = RIDGE;
    }
    for (inputs, came) in rows {
        let p = expected(inputs, weights);
        let (error, spread) = (came - p, p * (1.0 - p));
        for i in 0..N {
            gradient[i] += error * inputs[i];
            for j in 0..N {
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
    fn the_solution_fulfils_the_equations() {
        let matrix = [[4.0, 1.0, 0.5], [1.0, 3.0, -1.0], [0.5, -1.0, 2.0]];
        let right = [1.0, -2.0, 3.0];
        let x = solve(matrix, right);
        for (row, value) in matrix.iter().zip(right) {
            let sum: f64 = row.iter().zip(x).map(|(a, b)| a * b).sum();
            assert!((sum - value).abs() < 1e-12);
        }
    }

    #[test]
    fn weights_that_made_the_outcomes_are_found_again() {
        let truth: [f64; 10] = std::array::from_fn(|i| 0.5 - 0.2 * i as f64);
        let mut rng = contract::Rng::new(3);
        let rows: Vec<Row<10>> = (0..60_000)
            .map(|_| {
                let inputs = std::array::from_fn(|_| 2.0 * rng.unit() - 1.0);
                (inputs, f64::from(u8::from(rng.unit() < expected(&inputs, &truth))))
            })
            .collect();
        let weights = logistic_weights(&rows);
        for (found, truth) in weights.iter().zip(truth) {
            assert!((found - truth).abs() < 0.06, "{weights:?}");
        }
    }
}
