//! The card of a judge: what it was made of and how well it holds.

use plot::{Axis, Chart, Kind, Page, Point, Series};

use super::fit::Fitted;
use super::{LONGER, Manifest};

pub(super) fn card(manifest: &Manifest, fitted: &Fitted) -> String {
    let mut page = Page::new("When a search should end");
    page.paragraph(&format!(
        "Games of the search against itself at {} nodes a move, seed {}; one search in {} had {} nodes.",
        manifest.nodes / LONGER,
        manifest.seed,
        manifest.share,
        manifest.nodes
    ));
    page.heading("What is going on worth?");
    page.paragraph(&format!(
        "Fitted to {} iterations, judged by {} of other games: log loss {:.4} nats, {:.4} by the mean alone.",
        fitted.iterations, fitted.judged, fitted.loss, fitted.loss_of_mean
    ));
    page.picture(&reliability(fitted).svg());
    page.heading("Rules at equal mean nodes");
    for rule in &fitted.rules {
        page.paragraph(&format!(
            "{}: {:.2} % of the moves differ from those of the long searches (weighed by how open the game is), with {:.3} of the \
             nodes that a move deserves.",
            rule.rule,
            100.0 * rule.misses,
            rule.nodes
        ));
    }
    page.finish()
}

fn reliability(fitted: &Fitted) -> Chart {
    let point = |&(p, came, count): &(f64, f64, usize)| Point {
        x: p,
        y: came,
        error: None,
        note: format!("expected {p:.3}, came {came:.3}, {count} iterations"),
    };
    let points: Vec<Point> = fitted.reliability.iter().map(point).collect();
    let axis = || Axis::around(points.iter().flat_map(|p| [p.x, p.y]).chain([0.0]));
    let guide = [axis().low, axis().high].map(|end| Point { x: end, y: end, ..Point::default() }).to_vec();
    let (x, y) = (axis(), axis());
    let series = vec![
        Series { name: "calibrated".to_owned(), kind: Kind::Guide, colour: 1, points: guide },
        Series { name: "iterations by expected worth".to_owned(), kind: Kind::Line, colour: 0, points },
    ];
    Chart::new("Reliability", ("expected", x), ("came", y), series)
}
