//! Numbers that say how well values predict results.

use serde::Serialize;

use super::tau::kendall;
use contract::{fit_scale, logistic};

/// How well values predicted results. Draws count only where a result may be a half.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Metrics {
    /// Positions, draws included if they count.
    pub positions: usize,
    /// Accuracy of the value's sign, or of its opposite if that is better.
    #[serde(rename = "ACC")]
    pub acc: f64,
    /// Harmonic mean of precision and recall.
    #[serde(rename = "FSC")]
    pub fsc: f64,
    /// Precision in the top quarter by value, divided by the base rate of wins.
    #[serde(rename = "LFT")]
    pub lft: f64,
    /// Precision in the top quarter by value.
    pub top_precision: f64,
    /// Area under the ROC curve, of the value or its opposite.
    #[serde(rename = "ROC")]
    pub roc: f64,
    /// Mean of the precisions at recall 0.0, 0.1, …, 1.0.
    #[serde(rename = "APR")]
    pub apr: f64,
    /// Precision where precision equals recall.
    #[serde(rename = "BEP")]
    pub bep: f64,
    /// Kendall's tau of values and results over the pairs with different results, equal values concordant.
    pub tau: f64,
    /// tau-b of values and results.
    pub tau_b: f64,
    /// Distance of the mean values of won and lost positions.
    #[serde(rename = "E_v")]
    pub e_v: f64,
    /// Mean squared error of the fitted win probability.
    pub brier: f64,
    /// Mean distance of the fitted win probability and what happened, over ten intervals of it.
    pub calibration_error: f64,
    /// Mean logarithmic loss of the fitted win probability.
    pub log_loss: f64,
    /// The scale of that probability, 1 / (1 + exp(-value / scale)).
    pub scale: f64,
}

impl Metrics {
    /// The numbers of values and results (1 Black won, 0 White did, a half for draws). Values beyond ±`clip` count as that
    /// where their size matters.
    #[must_use]
    pub fn of(data: &[(f64, f64)], clip: f64) -> Metrics {
        // Each by a thread of its own: there may be millions.
        let (order, tau, (scale, forecast, e_v)) = std::thread::scope(|scope| {
            let order = scope.spawn(|| Order::of(data));
            let tau = scope.spawn(|| kendall(data.to_vec()));
            let clipped: Vec<(f64, f64)> = data.iter().map(|(v, y)| (v.clamp(-clip, clip), *y)).collect();
            let scale = fit_scale(&clipped);
            let by_scale = (scale, Forecast::of(&clipped, scale), spread(&clipped));
            (joined(order), joined(tau), by_scale)
        });
        Metrics {
            positions: data.len(),
            acc: order.acc.max(1.0 - order.acc),
            fsc: order.fsc,
            lft: order.lft,
            top_precision: order.top_precision,
            roc: order.ranked.roc.max(1.0 - order.ranked.roc),
            apr: order.ranked.apr,
            bep: order.ranked.bep,
            tau: tau.paper,
            tau_b: tau.b,
            e_v,
            brier: forecast.brier,
            calibration_error: forecast.calibration_error,
            log_loss: forecast.log_loss,
            scale,
        }
    }
}

/// What a thread found; its panic is ours.
fn joined<T>(thread: std::thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// What follows from the values' signs and order, draws left out.
struct Order {
    acc: f64,
    fsc: f64,
    lft: f64,
    top_precision: f64,
    ranked: Ranked,
}

impl Order {
    fn of(data: &[(f64, f64)]) -> Order {
        let decided = data.iter().filter(|(_, result)| *result != 0.5);
        let mut decided: Vec<(f64, bool)> = decided.map(|(v, result)| (*v, *result > 0.5)).collect();
        decided.sort_unstable_by(|a, b| b.0.total_cmp(&a.0));
        let ranked = Ranked::of(&decided);
        let (acc, fsc) = by_sign(&decided);
        let (top_precision, lft) = top_quarter(&decided, ranked.wins);
        Order { acc, fsc, lft, top_precision, ranked }
    }
}

fn ratio(a: f64, b: f64) -> f64 {
    if b == 0.0 { f64::NAN } else { a / b }
}

/// Accuracy and F-score of "Black wins if the value is 0 or more".
fn by_sign(decided: &[(f64, bool)]) -> (f64, f64) {
    let (mut right, mut claimed, mut won, mut hits) = (0.0, 0.0, 0.0, 0.0);
    for &(value, win) in decided {
        let claim = value >= 0.0;
        right += f64::from(u8::from(claim == win));
        claimed += f64::from(u8::from(claim));
        won += f64::from(u8::from(win));
        hits += f64::from(u8::from(claim && win));
    }
    (ratio(right, decided.len() as f64), ratio(2.0 * hits, claimed + won))
}

/// Precision among the quarter with the highest values, and that over the base rate.
fn top_quarter(descending: &[(f64, bool)], wins: usize) -> (f64, f64) {
    let top = descending.len().div_ceil(4);
    let precision = ratio(hits_in_top(descending, top), top as f64);
    (precision, ratio(precision, ratio(wins as f64, descending.len() as f64)))
}

/// How many of the `top` highest values won; of equal values at the end, their share.
fn hits_in_top(descending: &[(f64, bool)], top: usize) -> f64 {
    let Some(&(last, _)) = top.checked_sub(1).and_then(|i| descending.get(i)) else { return 0.0 };
    let above = descending.partition_point(|(value, _)| *value > last);
    let through = descending.partition_point(|(value, _)| *value >= last);
    let wins = |part: &[(f64, bool)]| part.iter().filter(|(_, win)| *win).count() as f64;
    let share = (top - above) as f64 / (through - above) as f64;
    wins(&descending[..above]) + share * wins(&descending[above..through])
}

/// What follows from the order of the values alone.
struct Ranked {
    wins: usize,
    roc: f64,
    apr: f64,
    bep: f64,
}

impl Ranked {
    /// Equal values are claimed together, so that their order among themselves does not matter.
    fn of(descending: &[(f64, bool)]) -> Ranked {
        let wins = descending.iter().filter(|(_, win)| *win).count();
        let losses = (descending.len() - wins) as f64;
        let (mut hits, mut false_hits, mut area) = (0.0, 0.0, 0.0);
        // Recall and precision after each group of equal values.
        let mut course: Vec<(f64, f64)> = Vec::new();
        for group in descending.chunk_by(|a, b| a.0 == b.0) {
            let won = group.iter().filter(|(_, win)| *win).count() as f64;
            let lost = group.len() as f64 - won;
            area += lost * (hits + won / 2.0);
            hits += won;
            false_hits += lost;
            course.push((ratio(hits, wins as f64), hits / (hits + false_hits)));
        }
        let roc = ratio(area, wins as f64 * losses);
        // With as many claims as wins, precision and recall are the same.
        let bep = ratio(hits_in_top(descending, wins), wins as f64);
        Ranked { wins, roc, apr: eleven_points(&course), bep }
    }
}

/// The mean of the precisions at the first group that reaches each recall.
fn eleven_points(course: &[(f64, f64)]) -> f64 {
    let at = |recall: f64| {
        let reached = course.partition_point(|(found, _)| *found < recall - 1e-12);
        course.get(reached).map_or(f64::NAN, |(_, precision)| *precision)
    };
    (0..=10).map(|tenth| at(f64::from(tenth) / 10.0)).sum::<f64>() / 11.0
}

/// Distance of the means of won and lost positions.
pub(super) fn spread(data: &[(f64, f64)]) -> f64 {
    let mean = |result: f64| {
        let (sum, count) = data
            .iter()
            .filter(|(_, y)| *y == result)
            .fold((0.0, 0.0), |(sum, count), (v, _)| (sum + v, count + 1.0));
        ratio(sum, count)
    };
    (mean(1.0) - mean(0.0)).abs()
}

/// How good win probabilities are that a scale makes of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Forecast {
    /// Mean squared error.
    pub brier: f64,
    /// Expected calibration error: the mean distance of predictions and results, over ten bins.
    pub calibration_error: f64,
    /// Mean logarithmic loss.
    pub log_loss: f64,
    /// Those bins, from 0 to 1.
    pub bins: [CalibrationBin; 10],
}

/// Positions whose predicted win probabilities lie in one tenth of all.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct CalibrationBin {
    /// How many positions.
    pub count: usize,
    /// The sum of the probabilities.
    pub predicted: f64,
    /// The sum of the results.
    pub won: f64,
}

impl Forecast {
    /// The forecasts 1 / (1 + exp(-value / scale)) of values, beside their results.
    #[must_use]
    pub fn of(data: &[(f64, f64)], scale: f64) -> Forecast {
        let (mut brier, mut log_loss) = (0.0, 0.0);
        let mut bins = [CalibrationBin::default(); 10];
        for &(value, result) in data {
            let p = logistic(value / scale);
            brier += (p - result).powi(2);
            let safe = p.clamp(1e-15, 1.0 - 1e-15);
            log_loss -= result * safe.ln() + (1.0 - result) * (1.0 - safe).ln();
            let bin = &mut bins[((p * 10.0) as usize).min(9)];
            bin.count += 1;
            bin.predicted += p;
            bin.won += result;
        }
        let n = data.len() as f64;
        let off: f64 = bins.iter().map(|bin| (bin.predicted - bin.won).abs()).sum();
        Forecast {
            brier: ratio(brier, n),
            calibration_error: ratio(off, n),
            log_loss: ratio(log_loss, n),
            bins,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metrics(data: &[(f64, f64)]) -> Metrics {
        Metrics::of(data, 3000.0)
    }

    #[test]
    fn a_small_case_is_right_by_hand() {
        // Descending: 300 won, 200 lost, 100 won, -100 won, -200 lost, -300 lost, -400 lost, -500 lost.
        let data = [
            (300.0, 1.0),
            (200.0, 0.0),
            (100.0, 1.0),
            (-100.0, 1.0),
            (-200.0, 0.0),
            (-300.0, 0.0),
            (-400.0, 0.0),
            (-500.0, 0.0),
        ];
        let found = metrics(&data);
        assert_eq!(found.acc, 6.0 / 8.0);
        assert!((found.fsc - 2.0 * 2.0 / (3.0 + 3.0)).abs() < 1e-12);
        // Of 3 x 5 pairs 2 are in the wrong order.
        assert!((found.roc - 13.0 / 15.0).abs() < 1e-12);
        assert!((found.tau - (2.0 * 13.0 / 15.0 - 1.0)).abs() < 1e-12, "no two values are the same");
        assert!((found.tau_b - 11.0 / (28.0 * 15.0_f64).sqrt()).abs() < 1e-12);
        assert_eq!(found.top_precision, 0.5);
        assert!((found.lft - 0.5 / 0.375).abs() < 1e-12);
        // After three claims, two of three hit: precision and recall are both 2/3.
        assert!((found.bep - 2.0 / 3.0).abs() < 1e-12);
        // Precision 1 up to a recall of 1/3, 2/3 up to 2/3, then 3/4.
        let apr = (4.0 * 1.0 + 3.0 * 2.0 / 3.0 + 4.0 * 0.75) / 11.0;
        assert!((found.apr - apr).abs() < 1e-12, "{} {apr}", found.apr);
        assert!((found.e_v - (100.0 + 1200.0 / 5.0)).abs() < 1e-9);
    }

    #[test]
    fn equal_values_count_half() {
        let data = [(0.0, 1.0), (0.0, 0.0), (0.0, 1.0), (0.0, 0.0)];
        let found = metrics(&data);
        assert_eq!((found.roc, found.acc), (0.5, 0.5));
        assert_eq!((found.bep, found.top_precision), (0.5, 0.5));
    }

    #[test]
    fn a_perfect_and_a_reversed_order_are_both_found_out() {
        let data: Vec<(f64, f64)> =
            (-50..50).map(|i| (f64::from(i) * 10.0 + 5.0, f64::from(u8::from(i >= 0)))).collect();
        let found = metrics(&data);
        assert_eq!((found.acc, found.roc, found.bep, found.apr), (1.0, 1.0, 1.0, 1.0));
        let reversed: Vec<(f64, f64)> = data.iter().map(|(v, y)| (-v, *y)).collect();
        let found = metrics(&reversed);
        assert_eq!((found.acc, found.roc), (1.0, 1.0), "a value that is always wrong is as good");
    }

    #[test]
    fn no_positions_are_no_numbers_but_no_panic() {
        assert!(metrics(&[]).acc.is_nan());
        assert!(metrics(&[(1.0, 0.5)]).roc.is_nan());
    }
}
