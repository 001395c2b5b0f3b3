//! Curves as pictures and as a page.

use super::bins::{Bin, Curve};
use super::run::PlayerCurve;
use super::split::Split;
use crate::plot::{Axis, Chart, Kind, Page, Point, Series};

/// A curve's name in the legend is no longer than this.
const LONGEST_NAME: usize = 60;

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
    let points = curve.bins.iter().map(point).collect();
    Series { name: name.chars().take(LONGEST_NAME).collect(), kind: Kind::Line, colour, points }
}

fn chart(title: &str, subtitle: &str, curves: Vec<Series>) -> Chart {
    let x = Axis::around(
        curves.iter().flat_map(|series| &series.points).map(|point| point.x).chain([-100.0, 100.0]),
    );
    Chart {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        x_label: "value for Black, centipawns".to_owned(),
        y_label: "games that Black won, %".to_owned(),
        x,
        y: Axis::new(0.0, 100.0),
        names: Vec::new(),
        series: curves,
    }
}

/// The total curves of all players.
#[must_use]
pub fn curve_chart(players: &[PlayerCurve]) -> Chart {
    let curves =
        players.iter().enumerate().map(|(i, player)| series(&player.name, i, &player.curve)).collect();
    chart("Evaluation curves", "bars are one standard error; sparse intervals are left out", curves)
}

/// The total curve of a player, and one for each condition.
#[must_use]
pub fn split_chart(player: &PlayerCurve) -> Chart {
    let mut curves = vec![Series { kind: Kind::Guide, ..series("all positions", 7, &player.curve) }];
    curves[0].points.iter_mut().for_each(|point| point.error = None);
    curves
        .extend(player.splits.iter().enumerate().map(|(i, split)| series(&split.condition, i, &split.curve)));
    chart(
        &format!("Conditions: {}", player.name),
        "a curve beside the dashed one is a kind of position misjudged",
        curves,
    )
}

const NUMBERS: [&str; 16] = [
    "player",
    "positions",
    "ACC",
    "FSC",
    "LFT",
    "top ¼",
    "ROC",
    "APR",
    "BEP",
    "tau",
    "tau-b",
    "E(v)",
    "Brier",
    "calibration",
    "scale",
    "rising",
];

fn row(player: &PlayerCurve) -> Vec<String> {
    let m = &player.metrics;
    let mut cells = vec![player.name.clone(), m.positions.to_string()];
    let shares = [m.acc, m.fsc, m.lft, m.top_precision, m.roc, m.apr, m.bep, m.tau, m.tau_b];
    cells.extend(shares.map(|share| format!("{share:.3}")));
    cells.push(format!("{:.0}", m.e_v));
    cells.extend([m.brier, m.calibration_error].map(|share| format!("{share:.4}")));
    cells.push(format!("{:.0}", m.scale));
    cells.push(format!("{:.0} %", player.rising * 100.0));
    cells
}

/// Curves, numbers and splits as one file.
#[must_use]
pub fn page(title: &str, remarks: &[String], players: &[PlayerCurve]) -> String {
    let mut page = Page::new(title);
    remarks.iter().for_each(|remark| page.paragraph(remark));
    page.chart(&curve_chart(players));
    page.table(&NUMBERS, &players.iter().map(row).collect::<Vec<_>>());
    page.paragraph(
        "ACC, ROC, APR, BEP, tau and E(v) rank players as their strength does; FSC and LFT need not. tau counts ties \
         as concordant, tau-b does not. Brier score and calibration are of 1 / (1 + exp(-value / scale)), its scale fitted \
         to these positions. A click on a name in a legend hides its curve; the pointer on a dot tells its numbers.",
    );
    for player in players.iter().filter(|player| !player.splits.is_empty()) {
        page.heading(&player.name);
        page.chart(&split_chart(player));
        let cells = |split: &Split| {
            vec![
                split.condition.clone(),
                split.positions.to_string(),
                split.games.to_string(),
                format!("{:+.1} %", split.shift * 100.0),
                format!("{:+.2}", split.z),
                format!("{:.2e}", split.p),
            ]
        };
        let rows: Vec<Vec<String>> = player.splits.iter().map(cells).collect();
        page.table(&["condition", "positions", "games", "shift", "z", "p"], &rows);
    }
    if players.iter().any(|player| !player.splits.is_empty()) {
        page.paragraph("The shift is how much more often Black won than the values say; z and p take games, not positions, for witnesses.");
    }
    page.finish()
}
