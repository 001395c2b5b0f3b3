//! A picture of numbers over the steps of learning.

use std::collections::BTreeMap;

use plot::{Axis, Chart, Kind, Point, Series};

/// A curve: its name, the kind of line, and its values by steps.
pub(crate) struct Curve {
    pub(crate) name: &'static str,
    pub(crate) kind: Kind,
    /// Where a step comes twice, as after a crash, the last value counts.
    pub(crate) values: Vec<(u64, f64)>,
}

/// The curves as an SVG file.
pub(crate) fn chart(title: &str, subtitle: &str, y_label: &str, curves: Vec<Curve>) -> String {
    let series = curves.into_iter().enumerate().map(|(colour, curve)| {
        let point = |(step, y): (u64, f64)| {
            (step, Point { x: step as f64, y, error: None, note: format!("step {step}: {y:.5}") })
        };
        let points: BTreeMap<u64, Point> = curve.values.into_iter().map(point).collect();
        let points = points.into_values().collect();
        Series { name: curve.name.to_owned(), kind: curve.kind, colour, points }
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
