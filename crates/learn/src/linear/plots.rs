//! Pictures of a run: its loss, and the moves that it predicts.

use plot::Kind;

use super::run::LogRow;
use crate::step_chart::{Curve, chart};

/// The losses over the steps.
pub(super) fn loss(rows: &[LogRow]) -> String {
    let curves = vec![
        curve("learning", Kind::Trace, rows, |row| row.loss),
        curve("other games: cross entropy of values", Kind::Line, rows, |row| {
            row.judged.map(|judged| judged.loss)
        }),
    ];
    chart("Loss", "per position", "loss", curves)
}

/// The shares of predicted moves over the steps.
pub(super) fn moves(rows: &[LogRow]) -> String {
    let curves = vec![
        curve("first", Kind::Line, rows, |row| row.judged.map(|judged| judged.first)),
        curve("among the first three", Kind::Line, rows, |row| row.judged.map(|judged| judged.among_three)),
    ];
    chart("Moves of other games", "one move deep and through its captures", "share predicted", curves)
}

fn curve(name: &'static str, kind: Kind, rows: &[LogRow], value: fn(&LogRow) -> Option<f64>) -> Curve {
    Curve { name, kind, values: rows.iter().filter_map(|row| Some((row.step, value(row)?))).collect() }
}
