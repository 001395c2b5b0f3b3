//! How far searched values lie from evaluations, by depth and game progress.
//!
//! Values do not lie around evaluations like a normal curve: a move that was just tried is mostly bad, so that they rise far
//! and fall little. So each side has a quantile of its own, what but one bet in twenty stays within. Over depth it follows a
//! power law and over progress a factor, both fitted to the logarithms by the number of bets: smooth where there are few, and
//! beyond the depths that were seen.

use search::alphabeta::{DEPTHS, Model, STAGES, ValueBet};

use super::SearchError;

/// The fewest bets that a class is asked to have.
const FEWEST: usize = 30;
/// The share of the bets beyond a margin.
const TAIL: f64 = 1.0 / 20.0;
/// Depth 0 is quiescence search: it has a depth of its own on the scale.
const OFFSET: f64 = 0.5;

/// Which side of the evaluation a value lies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Fall,
    Rise,
}

/// Margins by class, with the number of bets.
pub(super) fn observed(values: &[ValueBet], side: Side) -> Vec<Option<(f64, usize)>> {
    let mut classes = vec![Vec::new(); DEPTHS * STAGES];
    for bet in values {
        let plies = (f64::from(bet.depth) / 64.0).round() as usize;
        let difference = f64::from(bet.value) - f64::from(bet.static_eval);
        // The deepest class is that of all beyond, which are few and of lines that are as good as over.
        if plies < DEPTHS {
            classes[plies * STAGES + usize::from(bet.stage)].push(if side == Side::Rise {
                difference
            } else {
                -difference
            });
        }
    }
    classes.into_iter().map(|mut class| margin(&mut class).map(|margin| (margin, class.len()))).collect()
}

fn margin(differences: &mut [f64]) -> Option<f64> {
    if differences.len() < FEWEST {
        return None;
    }
    differences.sort_by(f64::total_cmp);
    Some(differences[((differences.len() - 1) as f64 * (1.0 - TAIL)) as usize].max(1.0))
}

/// Fits the margins of a model.
pub(super) fn fit(model: &mut Model, values: &[ValueBet]) -> Result<(), SearchError> {
    model.fall = fitted(&observed(values, Side::Fall), values.len())?;
    model.rise = fitted(&observed(values, Side::Rise), values.len())?;
    Ok(())
}

/// ln margin = level\[stage\] + slope * ln(depth), by least squares weighted with the numbers of bets.
fn fitted(observed: &[Option<(f64, usize)>], bets: usize) -> Result<Vec<i32>, SearchError> {
    let seen: Vec<(usize, f64, f64)> = observed
        .iter()
        .enumerate()
        .filter_map(|(class, seen)| seen.map(|(margin, n)| (class, margin.ln(), n as f64)))
        .collect();
    if seen.is_empty() {
        return Err(SearchError::TooFew(format!("{bets} values in {} classes", seen.len())));
    }
    let log_depth = |class: usize| ((class / STAGES) as f64 + OFFSET).ln();
    let means: [Option<(f64, f64)>; STAGES] = std::array::from_fn(|stage| {
        let of_stage = seen.iter().filter(|(class, ..)| class % STAGES == stage);
        let (x, y, weight) = of_stage.fold((0.0, 0.0, 0.0), |(x, y, weight), &(class, log, n)| {
            (x + n * log_depth(class), y + n * log, weight + n)
        });
        (weight > 0.0).then(|| (x / weight, y / weight))
    });
    // Within stages, so that their levels do not matter.
    let (above, below) = seen.iter().fold((0.0, 0.0), |(above, below), &(class, log, n)| {
        let (x, y) = means[class % STAGES].unwrap_or_default();
        let from_mean = log_depth(class) - x;
        (above + n * from_mean * (log - y), below + n * from_mean * from_mean)
    });
    let slope = if below > 0.0 { above / below } else { 0.0 };
    let levels = means.map(|mean| mean.map(|(x, y)| y - slope * x));
    let known: Vec<f64> = levels.iter().flatten().copied().collect();
    let common = known.iter().sum::<f64>() / known.len() as f64;
    let margin = |class: usize| (levels[class % STAGES].unwrap_or(common) + slope * log_depth(class)).exp();
    Ok((0..DEPTHS * STAGES).map(|class| margin(class).round().clamp(1.0, 9999.0) as i32).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use search::alphabeta::PIECES;

    #[test]
    fn a_power_law_is_found_again() {
        let mut rng = contract::Rng::new(5);
        let mut values = Vec::new();
        let width =
            |plies: u64, stage: u64| 50.0 * (1.0 + stage as f64 / 4.0) * (plies as f64 + OFFSET).powf(0.4);
        for _ in 0..100_000 {
            let (plies, stage) = (1 + rng.draw() % 8, rng.draw() % STAGES as u64);
            // Uniform from minus one width to plus three.
            let value = ((4.0 * rng.unit() - 1.0) * width(plies, stage)) as i16;
            let (depth, stage) = (64 * plies as i16, stage as u8);
            values.push(ValueBet { static_eval: 0, value, depth, stage, pieces: [0; PIECES] });
        }
        let mut model = (*Model::embedded()).clone();
        fit(&mut model, &values).unwrap();
        for (plies, stage) in [(1, 0), (4, 3), (8, 7)] {
            let class = plies * STAGES + stage;
            let width = width(plies as u64, stage as u64);
            assert!((f64::from(model.fall[class]) / (0.8 * width) - 1.0).abs() < 0.05, "{class}");
            assert!((f64::from(model.rise[class]) / (2.8 * width) - 1.0).abs() < 0.05, "{class}");
        }
        assert!(fit(&mut model, &values[..40]).is_err());
    }
}
