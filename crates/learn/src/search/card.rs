//! The card of a model: what it was made of and how well it holds.

use plot::{Axis, Chart, Kind, Page, Point, Series};
use search::alphabeta::{Bets, DEPTHS, Model, STAGES};

use super::Manifest;
use super::fit::Fitted;
use super::margins::{self, Side};

pub(super) fn card(manifest: &Manifest, model: &Model, judged: &Bets, fitted: &Fitted) -> String {
    let mut page = Page::new("What the search learned from its own trees");
    page.paragraph(&format!(
        "Games of the search against itself at {} nodes a move, seed {}. One node in {} had its moves played out, one in {} was \
         searched with an open window (at depth 0; twice as many with every ply).",
        manifest.nodes, manifest.seed, manifest.move_share, manifest.value_share
    ));
    page.heading("Does this move raise alpha?");
    page.paragraph(&format!(
        "Fitted to {} moves, judged by {} of other games: log loss {:.4} nats, {:.4} before the fit, {:.4} by the mean alone.",
        fitted.moves, fitted.judged, fitted.loss, fitted.loss_before, fitted.loss_of_mean
    ));
    page.picture(&reliability(fitted).svg());
    page.heading("How far values lie from evaluations");
    for side in [Side::Fall, Side::Rise] {
        page.picture(&margins_chart(model, judged, side).svg());
    }
    page.finish()
}

fn reliability(fitted: &Fitted) -> Chart {
    let point = |&(p, share, count): &(f64, f64, usize)| Point {
        x: p.log10(),
        y: share.max(1e-6).log10(),
        error: None,
        note: format!("expected {p:.4}, raised {share:.4}, {count} moves"),
    };
    let points: Vec<Point> = fitted.reliability.iter().map(point).collect();
    let ends = points.iter().flat_map(|p| [p.x, p.y]).collect::<Vec<_>>();
    let axis = || Axis::around(ends.iter().copied());
    let guide = [axis().low, axis().high].map(|end| Point { x: end, y: end, ..Point::default() }).to_vec();
    let series = vec![
        Series { name: "calibrated".to_owned(), kind: Kind::Guide, colour: 1, points: guide },
        Series { name: "moves by expected probability".to_owned(), kind: Kind::Line, colour: 0, points },
    ];
    Chart::new("Reliability", ("expected, log10", axis()), ("raised alpha, log10", axis()), series)
}

fn margins_chart(model: &Model, judged: &Bets, side: Side) -> Chart {
    let observed = margins::observed(&judged.values, side);
    let (margins, title) = match side {
        Side::Fall => (&model.fall, "One value in twenty falls below the evaluation by more than"),
        Side::Rise => (&model.rise, "One value in twenty rises above the evaluation by more than"),
    };
    let mut series = Vec::new();
    for (colour, stage) in [0, STAGES / 2, STAGES - 1].into_iter().enumerate() {
        let of_model = (0..DEPTHS).map(|depth| Point {
            x: depth as f64,
            y: f64::from(margins[depth * STAGES + stage]),
            ..Point::default()
        });
        let name = format!("stage {stage}, model");
        series.push(Series { name, kind: Kind::Guide, colour, points: of_model.collect() });
        let seen = (0..DEPTHS)
            .filter_map(|depth| observed[depth * STAGES + stage].map(|(margin, n)| (depth, margin, n)));
        let points =
            seen.map(|(depth, y, n)| Point { x: depth as f64, y, error: None, note: format!("{n} nodes") });
        let name = format!("stage {stage}, other games");
        series.push(Series { name, kind: Kind::Line, colour, points: points.collect() });
    }
    let y = Axis::around(series.iter().flat_map(|s| &s.points).map(|p| p.y).chain([0.0]));
    let x = Axis::new(0.0, DEPTHS as f64);
    Chart::new(title, ("depth in plies", x), ("hundredths of a pawn", y), series)
}
