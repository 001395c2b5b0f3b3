//! Curves as pictures and as a page.

use plot::{Axis, Chart, Kind, Page, Point, Series, legend_name, shortened};

use super::bins::{Bin, Curve};
use super::fit::Fitted;
use super::phases::ShortMetrics;
use super::run::PlayerCurve;
use super::split::Split;
use super::study::FitResult;

/// A name in a title is no longer than this.
const LONGEST_TITLE: usize = 50;

fn series(name: &str, colour: usize, curve: &Curve) -> Series {
    let point = |bin: &Bin| {
        let Bin { value, count, probability, error } = bin;
        let note = format!(
            "{name}: {value:+.0}, {:.1} ± {:.1} %, {count} positions",
            probability * 100.0,
            error * 100.0
        );
        Point { x: *value, y: probability * 100.0, error: Some(error * 100.0), note }
    };
    let mut points: Vec<Point> = Vec::new();
    for (i, bin) in curve.bins.iter().enumerate() {
        let is_apart = i > 0 && bin.value - curve.bins[i - 1].value > 1.5 * curve.delta;
        if is_apart {
            // Nothing is known between them, so no line joins them.
            points.push(Point { x: bin.value, y: f64::NAN, ..Point::default() });
        }
        points.push(point(bin));
    }
    Series { name: legend_name(name), kind: Kind::Line, colour, points }
}

fn chart(title: &str, subtitle: &str, curves: Vec<Series>) -> Chart {
    let x = Axis::around(
        curves.iter().flat_map(|series| &series.points).map(|point| point.x).chain([-100.0, 100.0]),
    );
    let y = Axis::new(0.0, 100.0);
    let chart = Chart::new(title, ("value for Black, centipawns", x), ("games that Black won, %", y), curves);
    Chart { subtitle: subtitle.to_owned(), ..chart }
}

/// The total curves of all players.
#[must_use]
pub fn curve_chart(players: &[PlayerCurve]) -> Chart {
    let curves =
        players.iter().enumerate().map(|(i, player)| series(&player.name, i, &player.curve)).collect();
    chart("Evaluation curves", "bars are one standard error; sparse intervals are left out", curves)
}

/// The total curve of a player, and one for each condition that enough positions meet.
#[must_use]
pub fn split_chart(player: &PlayerCurve) -> Chart {
    let mut curves = vec![Series { kind: Kind::Guide, ..series("all positions", 7, &player.curve) }];
    curves[0].points.iter_mut().for_each(|point| point.error = None);
    let known = player.splits.iter().enumerate().filter(|(_, split)| !split.curve.bins.is_empty());
    curves.extend(known.map(|(i, split)| series(&split.condition, i, &split.curve)));
    chart(
        &format!("Conditions: {}", shortened(&player.name, LONGEST_TITLE)),
        "a curve beside the dashed one is a kind of position misjudged",
        curves,
    )
}

/// A number, or that there is none.
fn known(number: f64, digits: usize) -> String {
    if number.is_finite() { format!("{number:.digits$}") } else { "none".to_owned() }
}

/// The curves of the players whose values are win rates, beside the diagonal where they should lie; none without such players.
#[must_use]
pub fn win_rate_chart(players: &[PlayerCurve]) -> Option<Chart> {
    let percent = |curve: &Curve| {
        let bins = curve.bins.iter().map(|bin| Bin { value: bin.value * 100.0, ..*bin });
        Curve { delta: curve.delta * 100.0, bins: bins.collect() }
    };
    let rates = players.iter().filter_map(|player| Some((&player.name, player.win_rates.as_ref()?)));
    let mut curves: Vec<Series> =
        rates.enumerate().map(|(i, (name, rates))| series(name, i, &percent(&rates.curve))).collect();
    if curves.is_empty() {
        return None;
    }
    let corner = |at: f64| Point { x: at, y: at, ..Point::default() };
    let points = vec![corner(0.0), corner(100.0)];
    curves.insert(0, Series { name: "y = x".to_owned(), kind: Kind::Guide, colour: 7, points });
    let axes = [Axis::new(0.0, 100.0), Axis::new(0.0, 100.0)];
    let [x, y] = axes;
    let chart = Chart::new(
        "Evaluation curves over win rates",
        ("win rate for Black by the player, %", x),
        ("games that Black won, %", y),
        curves,
    );
    Some(Chart { subtitle: "a player that is right lies on the dashed line".to_owned(), ..chart })
}

/// The numbers of a player, each below its heading, in the order in which tables show them.
#[must_use]
pub fn numbers(player: &PlayerCurve) -> Vec<(&'static str, String)> {
    let m = &player.metrics;
    let share = |share: f64| known(share, 3);
    let win_rates = player.win_rates.as_ref();
    vec![
        ("positions", m.positions.to_string()),
        ("ACC", share(m.acc)),
        ("FSC", share(m.fsc)),
        ("LFT", share(m.lft)),
        ("top ¼", share(m.top_precision)),
        ("ROC", share(m.roc)),
        ("APR", share(m.apr)),
        ("BEP", share(m.bep)),
        ("tau", share(m.tau)),
        ("tau-b", share(m.tau_b)),
        ("E(v)", known(m.e_v, 0)),
        ("E(w)", win_rates.map_or("-".to_owned(), |rates| share(rates.e_v))),
        ("off y=x", win_rates.map_or("-".to_owned(), |rates| share(rates.off_diagonal))),
        ("Brier", known(m.brier, 4)),
        ("calib.", known(m.calibration_error, 4)),
        ("scale", known(m.scale, 0)),
        ("rising", format!("{:.0} %", player.rising * 100.0)),
    ]
}

/// The table of all players' numbers.
fn write_numbers(page: &mut Page, players: &[PlayerCurve]) {
    let Some(first) = players.first() else { return };
    let names = numbers(first).into_iter().map(|(name, _)| name);
    let head: Vec<&str> = std::iter::once("player").chain(names).collect();
    let row = |player: &PlayerCurve| {
        let cells = numbers(player).into_iter().map(|(_, cell)| cell);
        std::iter::once(player.name.clone()).chain(cells).collect()
    };
    page.table(&head, &players.iter().map(row).collect::<Vec<_>>());
}

/// What the numbers of a player mean, in the order of [`numbers`].
pub const MEANINGS: [(&str, &str); 17] = [
    ("positions", "positions that have a value and count"),
    ("ACC", "accuracy: how often the side that stands better won"),
    ("FSC", "F-score: harmonic mean of precision and recall of 'Black wins if the value is 0 or more'"),
    ("LFT", "lift: top ¼ divided by how often Black won at all"),
    ("top ¼", "how often Black won in the quarter of the positions with the highest values"),
    ("ROC", "area under the ROC curve: how often a won position has a higher value than a lost one"),
    ("APR", "mean of the precisions at recall 0, 0.1, …, 1"),
    ("BEP", "break-even point: precision where it equals recall"),
    (
        "tau",
        "Kendall's tau of values and results over pairs of a won and a lost position; equal values are concordant",
    ),
    ("tau-b", "the same over all pairs, with ties told apart"),
    ("E(v)", "mean value of positions that Black won, less that of those it lost, in centipawns"),
    ("E(w)", "the same in win rates, for players whose value is one (uct)"),
    (
        "off y=x",
        "for the same players: how far the curve over win rates lies from y = x, in the mean over positions",
    ),
    ("Brier", "mean squared error of 1 / (1 + exp(-value / scale)); 0 is best"),
    ("calib.", "calibration error: mean distance of that probability from what happened, over ten intervals"),
    ("scale", "the logistic scale that fits these values best: the centipawns that win 73 of 100 games"),
    ("rising", "neighbouring intervals that do not fall by more than two standard errors"),
];

/// Curves, numbers and splits as one file.
#[must_use]
pub fn page(title: &str, remarks: &[String], players: &[PlayerCurve]) -> String {
    let mut page = Page::new(title);
    remarks.iter().for_each(|remark| page.paragraph(remark));
    write_curves(&mut page, players);
    page.finish()
}

/// The weights that were fitted to each player's values, with the curves before and after.
#[must_use]
pub(super) fn fit_page(results: &[FitResult]) -> String {
    let mut page = Page::new("Fitted weights");
    let scales = |result: &FitResult| {
        let Fitted { scale, scale_error, before, after, .. } = &result.fitted;
        vec![
            result.player.clone(),
            result.curve_before.metrics.positions.to_string(),
            format!("{scale:.1} ± {scale_error:.1}"),
            format!("{before:.6}"),
            format!("{after:.6}"),
        ]
    };
    let head = ["player", "positions", "scale", "mean loss before", "after"];
    page.table(&head, &results.iter().map(scales).collect::<Vec<_>>());
    page.paragraph(
        "The scale is that of the value with all that was added, by the loss that was asked for: \
         win_rate_scale in a spec, WinRateScale in USI. ± is half of a 95 % interval, with games as witnesses.",
    );
    let rows: Vec<Vec<String>> = results.iter().flat_map(weight_rows).collect();
    if !rows.is_empty() {
        page.heading("Weights");
        page.table(&["feature", "player", "centipawns a unit", "95 % interval", "is 0 within?"], &rows);
    }
    page.heading("Curves before and after");
    let both = |result: &FitResult| [result.curve_before.clone(), result.curve_after.clone()];
    write_curves(&mut page, &results.iter().flat_map(both).collect::<Vec<_>>());
    page.paragraph(
        "The scale in this table is another one: that of each curve's own values, without and with what was added, by \
         likelihood.",
    );
    page.finish()
}

fn weight_rows(result: &FitResult) -> Vec<Vec<String>> {
    let Fitted { weights, weight_errors, .. } = &result.fitted;
    let row = |(feature, (weight, error)): (&String, (&f64, &f64))| {
        vec![
            feature.clone(),
            result.player.clone(),
            format!("{weight:+.2}"),
            format!("{:+.2} to {:+.2}", weight - error, weight + error),
            if weight.abs() <= *error { "yes" } else { "no" }.to_owned(),
        ]
    };
    result.features.iter().zip(weights.iter().zip(weight_errors)).map(row).collect()
}

/// What [`short`] shows.
const SHORT: &str = "ACC, ROC, tau, E(v)";

/// Numbers of a kind of position in one cell.
fn short(numbers: Option<&ShortMetrics>) -> String {
    let Some(ShortMetrics { positions, acc, roc, tau, e_v }) = numbers else {
        return "a phase is missing".to_owned();
    };
    let [acc, roc, tau] = [acc, roc, tau].map(|share| known(*share, 3));
    format!("{acc}, {roc}, {tau}, {} of {positions}", known(*e_v, 0))
}

fn write_curves(page: &mut Page, players: &[PlayerCurve]) {
    page.picture(&curve_chart(players).svg());
    if let Some(chart) = win_rate_chart(players) {
        page.picture(&chart.svg());
    }
    write_numbers(page, players);
    let meanings = MEANINGS.map(|(name, meaning)| vec![name.to_owned(), meaning.to_owned()]);
    page.table(&["number", "meaning"], &meanings);
    page.paragraph(
        "ACC, ROC, APR, BEP, tau and E(v) rank players as their strength does; FSC and LFT need not. A click on a name \
         in a legend hides its curve; the pointer on a dot shows its numbers.",
    );
    for player in players.iter().filter(|player| !player.splits.is_empty()) {
        page.heading(&player.name);
        page.picture(&split_chart(player).svg());
        let cells = |split: &Split| {
            vec![
                split.condition.clone(),
                split.positions.to_string(),
                split.games.to_string(),
                format!("{:+.1} %", split.shift * 100.0),
                format!("{:+.2}", split.z),
                format!("{:.2e}", split.p),
                short(Some(&split.numbers)),
                short(split.balanced.as_ref()),
            ]
        };
        let rows: Vec<Vec<String>> = player.splits.iter().map(cells).collect();
        let head = [
            "condition",
            "positions",
            "games",
            "shift",
            "z",
            "p",
            SHORT,
            "in the mixture of phases of all positions",
        ];
        page.table(&head, &rows);
    }
    if players.iter().any(|player| !player.splits.is_empty()) {
        page.paragraph("The shift is how much more often Black won than the values say; z and p take games, not positions, for witnesses.");
        page.paragraph(
            "Late positions are easier to judge. Numbers of two conditions are compared by the last column: of as many \
             positions as have move numbers (in steps of 30) in the mixture of all positions.",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_are_no_neighbours_are_not_joined() {
        let bin = |value| Bin { value, count: 100, probability: 0.5, error: 0.05 };
        let curve = Curve { delta: 100.0, bins: [-300.0, 0.0, 100.0].map(bin).to_vec() };
        let picture = chart("t", "", vec![series("a", 0, &curve)]).to_file();
        let path = picture.split("c0 line\" d=\"").nth(1).unwrap().split('"').next().unwrap();
        assert_eq!((path.matches('M').count(), path.matches('L').count()), (2, 1), "{path}");
        assert_eq!(picture.matches("<circle").count(), 3);
    }

    #[test]
    fn every_number_has_its_meaning() {
        let metrics = crate::curve::Metrics::of(&[(1.0, 1.0), (-1.0, 0.0)], 10.0);
        let curve = Curve { delta: 1.0, bins: Vec::new() };
        let player = PlayerCurve {
            name: String::new(),
            metrics,
            rising: 1.0,
            curve,
            win_rates: None,
            splits: Vec::new(),
        };
        let names = numbers(&player).into_iter().map(|(name, _)| name);
        assert!(names.eq(MEANINGS.iter().map(|(name, _)| *name)));
    }
}
