//! Weights for what an evaluation lacks: `g(p) = 1 / (1 + exp(-w0 e'(p)))`, e' the value with weighted features added.
//!
//! MLM maximises the likelihood of the results, LS minimises the squared error. Both go by Newton's (Gauss's) steps,
//! shortened until they improve.

use std::collections::HashMap;
use std::str::FromStr;

use contract::logistic;
use serde::Serialize;

use crate::stats::CONFIDENCE;
use crate::stats::linear::solve;

/// What is minimised.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Loss {
    /// The negative log likelihood.
    Mlm,
    /// The squared error.
    Ls,
}

impl FromStr for Loss {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.to_ascii_lowercase().as_str() {
            "mlm" => Ok(Loss::Mlm),
            "ls" => Ok(Loss::Ls),
            _ => Err(format!("expected mlm or ls, found '{text}'")),
        }
    }
}

/// Positions to fit: the columns are the value and the features, the results 1, 0 or a half.
#[derive(Clone, Debug, Default)]
pub struct Fit {
    /// One row per position, the value first.
    pub rows: Vec<Vec<f64>>,
    /// Whether Black won.
    pub results: Vec<f64>,
    /// The game of each position: those of one game share its result.
    pub games: Vec<u32>,
}

/// What was fitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fitted {
    /// The logistic scale: 1 / w0.
    pub scale: f64,
    /// Half width of its 95 % interval.
    pub scale_error: f64,
    /// Centipawns that one unit of each feature is worth.
    pub weights: Vec<f64>,
    /// Half widths of their 95 % intervals.
    pub weight_errors: Vec<f64>,
    /// Mean loss before, with the value alone and its own best scale.
    pub before: f64,
    /// Mean loss after.
    pub after: f64,
}

const STEPS: usize = 100;

/// The weights of all columns but the first, in units of the first. `None` if the columns do not determine them.
#[must_use]
pub fn fit_weights(data: &Fit, loss: Loss) -> Option<Fitted> {
    let columns = data.rows.first()?.len();
    let n = data.rows.len() as f64;
    // Columns of similar size: the equations stay well conditioned.
    let sizes: Vec<f64> = (0..columns)
        .map(|k| (data.rows.iter().map(|row| row[k] * row[k]).sum::<f64>() / n).sqrt())
        .map(|size| if size > 0.0 { size } else { 1.0 })
        .collect();
    let scaled = Fit {
        rows: data
            .rows
            .iter()
            .map(|row| row.iter().zip(&sizes).map(|(x, size)| x / size).collect())
            .collect(),
        ..data.clone()
    };
    let alone = Fit { rows: scaled.rows.iter().map(|row| vec![row[0]]).collect(), ..data.clone() };
    let before = alone.mean_loss(&alone.minimise(loss)?, loss);
    let found = scaled.minimise(loss)?;
    let after = scaled.mean_loss(&found, loss);
    let coefficients: Vec<f64> = found.iter().zip(&sizes).map(|(c, size)| c / size).collect();
    let slope = coefficients[0];
    if slope <= 0.0 {
        return None;
    }
    let weights: Vec<f64> = coefficients[1..].iter().map(|c| c / slope).collect();
    let covariance = scaled.covariance(&found, loss)?;
    let covariance = |i: usize, k: usize| covariance[i][k] / (sizes[i] * sizes[k]);
    // A quotient's error, by its derivatives.
    let error = |k: usize| {
        let weight = weights[k - 1];
        let variance =
            covariance(k, k) - 2.0 * weight * covariance(0, k) + weight * weight * covariance(0, 0);
        CONFIDENCE * variance.max(0.0).sqrt() / slope
    };
    Some(Fitted {
        scale: 1.0 / slope,
        scale_error: CONFIDENCE * covariance(0, 0).max(0.0).sqrt() / (slope * slope),
        weight_errors: (1..columns).map(error).collect(),
        weights,
        before,
        after,
    })
}

impl Fit {
    fn forecast(row: &[f64], coefficients: &[f64]) -> f64 {
        logistic(row.iter().zip(coefficients).map(|(x, c)| x * c).sum())
    }

    fn mean_loss(&self, coefficients: &[f64], loss: Loss) -> f64 {
        let sum: f64 = self
            .rows
            .iter()
            .zip(&self.results)
            .map(|(row, y)| {
                let p = Fit::forecast(row, coefficients).clamp(1e-15, 1.0 - 1e-15);
                match loss {
                    Loss::Mlm => -(y * p.ln() + (1.0 - y) * (1.0 - p).ln()),
                    Loss::Ls => (y - p).powi(2),
                }
            })
            .sum();
        sum / self.rows.len() as f64
    }

    fn minimise(&self, loss: Loss) -> Option<Vec<f64>> {
        let columns = self.rows.first()?.len();
        let mut coefficients = vec![0.0; columns];
        let mut best = self.mean_loss(&coefficients, loss);
        for _ in 0..STEPS {
            let (gradient, curvature) = self.derivatives(&coefficients, loss);
            let step = solve(curvature, &gradient)?;
            let mut share = 1.0;
            let better = loop {
                let next: Vec<f64> = coefficients.iter().zip(&step).map(|(c, s)| c + share * s).collect();
                let reached = self.mean_loss(&next, loss);
                if reached < best {
                    break Some((next, reached));
                }
                share /= 2.0;
                if share < 1e-6 {
                    break None;
                }
            };
            let Some((next, reached)) = better else { break };
            let gained = best - reached;
            (coefficients, best) = (next, reached);
            if gained < 1e-13 {
                break;
            }
        }
        Some(coefficients)
    }

    /// How uncertain the coefficients are. Games are the witnesses, not positions: the pulls of a game's positions go
    /// together (the sandwich estimator of Huber and White, by clusters).
    fn covariance(&self, coefficients: &[f64], loss: Loss) -> Option<Vec<Vec<f64>>> {
        let n = coefficients.len();
        let mut pulls: HashMap<u32, Vec<f64>> = HashMap::new();
        for ((row, y), game) in self.rows.iter().zip(&self.results).zip(&self.games) {
            let p = Fit::forecast(row, coefficients);
            let pull = match loss {
                Loss::Mlm => y - p,
                Loss::Ls => (y - p) * p * (1.0 - p),
            };
            let sum = pulls.entry(*game).or_insert_with(|| vec![0.0; n]);
            sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += pull * x);
        }
        let (_, curvature) = self.derivatives(coefficients, loss);
        let moved =
            pulls.values().map(|pull| solve(curvature.clone(), pull)).collect::<Option<Vec<Vec<f64>>>>()?;
        let entry = |i: usize, k: usize| moved.iter().map(|step| step[i] * step[k]).sum();
        Some((0..n).map(|i| (0..n).map(|k| entry(i, k)).collect()).collect())
    }

    /// Minus the gradient of the summed loss, and its second derivatives (for squares Gauss's approximation).
    fn derivatives(&self, coefficients: &[f64], loss: Loss) -> (Vec<f64>, Vec<Vec<f64>>) {
        let n = coefficients.len();
        let (mut gradient, mut curvature) = (vec![0.0; n], vec![vec![0.0; n]; n]);
        for (row, y) in self.rows.iter().zip(&self.results) {
            let p = Fit::forecast(row, coefficients);
            let bend = p * (1.0 - p);
            let (pull, weight) = match loss {
                Loss::Mlm => (y - p, bend),
                Loss::Ls => ((y - p) * bend, bend * bend),
            };
            for i in 0..n {
                gradient[i] += pull * row[i];
                for (k, entry) in curvature[i].iter_mut().enumerate() {
                    *entry += weight * row[i] * row[k];
                }
            }
        }
        (gradient, curvature)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use contract::Rng;
    use contract::fit_scale;

    /// Positions whose true value is the known one plus 40 for each unit of a feature, at a scale of 500.
    fn made() -> Fit {
        let mut rng = Rng::new(4);
        let mut fit = Fit::default();
        for game in 0..20_000 {
            let value = (rng.unit() - 0.5) * 2000.0;
            let feature = (rng.unit() * 11.0).floor() - 5.0;
            let p = logistic((value + 40.0 * feature) / 500.0);
            fit.rows.push(vec![value, feature]);
            fit.results.push(f64::from(u8::from(rng.unit() < p)));
            fit.games.push(game);
        }
        fit
    }

    #[test]
    fn what_made_the_data_is_found_again() {
        let data = made();
        for loss in [Loss::Mlm, Loss::Ls] {
            let fitted = fit_weights(&data, loss).unwrap();
            assert!((fitted.scale - 500.0).abs() < 25.0, "{loss:?}: {fitted:?}");
            assert!((fitted.weights[0] - 40.0).abs() < 6.0, "{loss:?}: {fitted:?}");
            assert!(fitted.after < fitted.before, "{loss:?}: {fitted:?}");
            let [scale, weight] = [
                (fitted.scale - 500.0) / fitted.scale_error,
                (fitted.weights[0] - 40.0) / fitted.weight_errors[0],
            ];
            assert!(scale.abs() < 1.5 && weight.abs() < 1.5, "{loss:?}: the truth lies within: {fitted:?}");
            assert!(fitted.scale_error < 25.0 && fitted.weight_errors[0] < 8.0, "{loss:?}: {fitted:?}");
        }
    }

    #[test]
    fn positions_of_one_game_are_one_witness() {
        let alone = made();
        let mut together = alone.clone();
        // Every position ten times in its game: nothing more is known.
        together.rows = alone.rows.iter().flat_map(|row| vec![row.clone(); 10]).collect();
        together.results = alone.results.iter().flat_map(|y| [*y; 10]).collect();
        together.games = alone.games.iter().flat_map(|game| [*game; 10]).collect();
        let [one, ten] = [alone, together].map(|data| fit_weights(&data, Loss::Mlm).unwrap());
        assert!((one.weight_errors[0] / ten.weight_errors[0] - 1.0).abs() < 0.01, "{one:?} {ten:?}");
    }

    #[test]
    fn the_scale_alone_is_that_of_one_column() {
        let data = made();
        let pairs: Vec<(f64, f64)> =
            data.rows.iter().map(|row| row[0]).zip(data.results.iter().copied()).collect();
        let one = Fit { rows: data.rows.iter().map(|row| vec![row[0]]).collect(), ..data };
        let fitted = fit_weights(&one, Loss::Mlm).unwrap();
        assert!((fitted.scale - fit_scale(&pairs)).abs() < 0.01, "{fitted:?}");
    }

    #[test]
    fn columns_that_say_the_same_are_refused() {
        let mut data = made();
        data.rows.iter_mut().for_each(|row| row[1] = 2.0 * row[0]);
        assert_eq!(fit_weights(&data, Loss::Mlm), None);
        assert_eq!(fit_weights(&Fit::default(), Loss::Mlm), None);
    }
}
