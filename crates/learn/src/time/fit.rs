//! The judge, fitted to long searches.

use contract::LogisticScale;
use search::alphabeta::{JUDGE_INPUTS, Model, NAT, STAGES, judge_inputs};
use serde::Serialize;

use super::game::LongSearch;
use super::rules::{self, Compared, Shares, Tried};
use super::{LONGER, TimeError};
use crate::regression::{Row, expected, logistic_weights};

/// A change counts if it comes until so many times the present nodes.
const HORIZON: u64 = 4;
/// The fewest searches to learn from.
const FEWEST: usize = 20;
/// The greatest number in a file.
const GREATEST: f64 = 9999.0;
const PERCENT: f64 = 100.0;
/// Classes of the reliability plot.
const CLASSES: usize = 10;

/// How well the judge holds on games apart.
#[derive(Clone, Debug, Serialize)]
pub struct Fitted {
    /// Iterations that it was fitted to.
    pub iterations: usize,
    /// Iterations of games apart.
    pub judged: usize,
    /// Log loss of what is expected of going on, in nats.
    pub loss: f64,
    /// The same by the mean alone.
    pub loss_of_mean: f64,
    /// By what is expected: its mean, what came, how many iterations.
    pub reliability: Vec<(f64, f64, usize)>,
    /// Weights of the inputs, in nats.
    pub weights: Vec<f64>,
    /// Rules to stop by at equal mean nodes, on games apart.
    pub rules: Vec<Compared>,
}

/// How much the better move matters at a value: most in an even game.
fn openness(scale: LogisticScale, value: i32) -> f64 {
    let chance = scale.win_rate(f64::from(value));
    4.0 * chance * (1.0 - chance)
}

/// What was known after each iteration, and what going on from there was worth.
fn rows(searches: &[&LongSearch], model: &Model, scale: LogisticScale) -> Vec<Row<JUDGE_INPUTS>> {
    let mut rows = Vec::new();
    for search in searches {
        let iterations = search.iterations();
        let end = iterations.last().map_or(0, |last| last.nodes);
        for (i, now) in iterations.iter().enumerate() {
            let horizon = now.nodes.saturating_mul(HORIZON);
            let Some(later) = iterations.iter().rev().find(|later| later.nodes <= horizon) else { continue };
            if horizon > end {
                break;
            }
            let worth = if later.best == now.best { 0.0 } else { openness(scale, later.value) };
            rows.push((judge_inputs(&iterations[..=i], search.facts(), model.pawn()), worth));
        }
    }
    rows
}

/// Fits the judge of a model; `soft` is what a usual move deserves in nodes.
pub(super) fn fit(
    model: &mut Model,
    learned: &[&LongSearch],
    judged: &[&LongSearch],
    scale: LogisticScale,
    soft: f64,
) -> Result<Fitted, TimeError> {
    let searches = learned.len() + judged.len();
    if learned.len().min(judged.len()) < FEWEST {
        return Err(TimeError::TooFew { searches });
    }
    let (of_learned, of_judged) = (rows(learned, model, scale), rows(judged, model, scale));
    let weights = logistic_weights(&of_learned);
    let round = |weight: f64| (weight * f64::from(NAT)).round().clamp(-GREATEST, GREATEST) as i32;
    model.judge = weights.map(round).to_vec();
    let tried = |searches: &[&LongSearch]| -> Vec<Tried> {
        searches.iter().filter_map(|search| Tried::new(search, |value| openness(scale, value))).collect()
    };
    let (own, apart) = (tried(learned), tried(judged));
    model.judge_level = (0..STAGES).map(|stage| level(learned, &own, model, stage, soft)).collect();
    let wanted = rules::usual_nodes(&apart, soft);
    let compare = |rule, shares| rules::compare(rule, &apart, &shares, wanted, soft);
    let mean = of_learned.iter().map(|row| row.1).sum::<f64>() / of_learned.len().max(1) as f64;
    Ok(Fitted {
        iterations: of_learned.len(),
        judged: of_judged.len(),
        loss: loss(&of_judged, |inputs| expected(inputs, &weights)),
        loss_of_mean: loss(&of_judged, |_| mean),
        reliability: reliability(&of_judged, &weights),
        weights: weights.to_vec(),
        rules: vec![
            compare("the same share for all", rules::constant(&apart)),
            compare("stability", rules::stability(&apart)),
            compare("judge", self::judged(judged, &apart, model)),
        ],
    })
}

/// The level at which the moves of a stage use as much in the mean as by the rule before; where there are few, those of all stages.
fn level(logged: &[&LongSearch], searches: &[Tried], model: &Model, stage: usize, soft: f64) -> i32 {
    let of_stage = |search: &LongSearch| search.facts().stage == stage;
    let is_known = logged.iter().filter(|search| of_stage(search)).count() >= FEWEST;
    let wanted = |search: &LongSearch| !is_known || of_stage(search);
    let (logged, searches): (Vec<&LongSearch>, Vec<Tried>) = logged
        .iter()
        .zip(searches)
        .filter(|(search, _)| wanted(search))
        .map(|(log, tried)| (*log, tried.clone()))
        .unzip();
    let usual = rules::usual_nodes(&searches, soft);
    let shares = rules::judge(&logged, &searches, model);
    let level = rules::compare("judge", &searches, &shares, usual, soft).level;
    (level * PERCENT).round().clamp(1.0, GREATEST) as i32
}

/// The judge's shares as they come in play: with the level of their stage.
fn judged(logged: &[&LongSearch], searches: &[Tried], model: &Model) -> Shares {
    let mut shares = rules::judge(logged, searches, model);
    for (search, shares) in logged.iter().zip(&mut shares) {
        let level = f64::from(model.judge_level[search.facts().stage]) / PERCENT;
        shares.iter_mut().for_each(|share| *share *= level);
    }
    shares
}

fn loss(rows: &[Row<JUDGE_INPUTS>], expected: impl Fn(&[f64; JUDGE_INPUTS]) -> f64) -> f64 {
    let of = |(inputs, came): &Row<JUDGE_INPUTS>| {
        let p = expected(inputs).clamp(1e-9, 1.0 - 1e-9);
        -came * p.ln() - (1.0 - came) * (1.0 - p).ln()
    };
    rows.iter().map(of).sum::<f64>() / rows.len().max(1) as f64
}

/// Iterations by what was expected of them, as many in each class.
fn reliability(rows: &[Row<JUDGE_INPUTS>], weights: &[f64; JUDGE_INPUTS]) -> Vec<(f64, f64, usize)> {
    let mut pairs: Vec<(f64, f64)> =
        rows.iter().map(|(inputs, came)| (expected(inputs, weights), *came)).collect();
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    let class = |pairs: &[(f64, f64)]| {
        let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / pairs.len() as f64;
        (mean(|pair| pair.0), mean(|pair| pair.1), pairs.len())
    };
    pairs.chunks(pairs.len().div_ceil(CLASSES).max(1)).map(class).collect()
}

/// Searches end at so many times what a move deserves: far enough to see what the rules, which may take five times as much, miss.
const _: () = assert!(LONGER >= 8);

#[cfg(test)]
mod tests {
    use super::*;

    /// Doubtful searches, whose best move has half of the nodes, have another one after every iteration until the tenth; the others
    /// have one throughout.
    fn search(doubtful: bool) -> LongSearch {
        let iteration = |i: u32| match doubtful {
            true if i < 9 => (format!("{}g{}f", i + 1, i + 1), 10, 1 << i, 2 << i),
            true => ("2h3h".to_owned(), 10, 1 << i, 2 << i),
            false => ("2h3h".to_owned(), 10, 15 << i >> 3, 2 << i),
        };
        LongSearch { moves: 30, in_check: false, stage: 1, iterations: (0..12).map(iteration).collect() }
    }

    #[test]
    fn the_judge_learns_which_searches_are_worth_going_on_with() {
        let searches: Vec<LongSearch> = (0..400).map(|i| search(i % 2 == 0)).collect();
        let all: Vec<&LongSearch> = searches.iter().collect();
        let mut model = Model::first_guess();
        let fitted = fit(&mut model, &all[..200], &all[200..], LogisticScale::default(), 256.0).unwrap();
        assert!(fitted.loss < 0.8 * fitted.loss_of_mean, "{fitted:?}");
        assert!(fitted.rules[2].misses < fitted.rules[0].misses, "{:?}", fitted.rules);
        assert!(fitted.rules[2].nodes <= fitted.rules[0].nodes + 0.1, "{:?}", fitted.rules);
        assert!(fit(&mut model, &all[..10], &all, LogisticScale::default(), 256.0).is_err());
    }
}
