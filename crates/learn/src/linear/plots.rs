//! Pictures of a run: its loss, and the moves that it predicts.

use std::collections::BTreeMap;

use plot::{Axis, Chart, Kind, Point, Series};

use super::run::LogRow;

/// A name, the kind of line, and the value of a row.
type Curve = (&'static str, Kind, fn(&LogRow) -> Option<f64>);

/// The losses over the steps.
pub(super) fn loss(rows: &[LogRow]) -> String {
    let curves: [Curve; 2] = [
        ("learning", Kind::Trace, |row| row.loss),
        ("other games: cross entropy of values", Kind::Line, |row| row.judged.map(|judged| judged.loss)),
    ];
    chart("Loss", "per position", "loss", rows, &curves)
}

/// The shares of predicted moves over the steps.
pub(super) fn moves(rows: &[LogRow]) -> String {
    let curves: [Curve; 2] = [
        ("first", Kind::Line, |row| row.judged.map(|judged| judged.first)),
        ("among the first three", Kind::Line, |row| row.judged.map(|judged| judged.among_three)),
    ];
    chart("Moves of other games", "one move deep and through its captures", "share predicted", rows, &curves)
}

/// Rows that a crash made twice count as they came last.
fn chart(title: &str, subtitle: &str, y_label: &str, rows: &[LogRow], curves: &[Curve]) -> String {
    let series = curves.iter().enumerate().map(|(colour, &(name, kind, value))| {
        let mut points = BTreeMap::new();
        for row in rows {
            if let Some(y) = value(row) {
                let note = format!("step {}: {y:.5}", row.step);
                points.insert(row.step, Point { x: row.step as f64, y, error: None, note });
            }
        }
        Series { name: name.to_owned(), kind, colour, points: points.into_values().collect() }
    });
    // Few steps make no row: a curve that is not drawn has no name either.
    let series: Vec<Series> = series.filter(|series| !series.points.is_empty()).collect();
    let points = || series.iter().flat_map(|series| &series.points);
    let (x, y) = (Axis::around(points().map(|point| point.x)), Axis::around(points().map(|point| point.y)));
    let chart = Chart {
        title: title.to_owned(),
        subtitle: subtitle.to_owned(),
        x_label: "steps".to_owned(),
        y_label: y_label.to_owned(),
        x,
        y,
        names: Vec::new(),
        series,
    };
    chart.to_file()
}
