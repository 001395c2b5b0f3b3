//! The win rates that players' values stand for, and what became of them.

use contract::{LogisticScale, fit_scale};
use engine::PlayerSpec;
use plot::{Axis, Chart, Kind, Page, Point, Series, legend_name};
use shogi::Color;

use crate::curve::{CalibrationBin, Forecast};
use crate::matches::{GameRow, Manifest};

/// Bins with fewer positions are left out of the picture.
const LEAST: usize = 20;
/// Values beyond this count as this.
const CLIP: f64 = 3000.0;

/// A table and a chart: how likely players were to win by their own values, and how often they did.
pub(super) fn write(page: &mut Page, manifest: &Manifest, rows: &[GameRow]) {
    page.heading("Win rates");
    let mut table = Vec::new();
    let mut series = vec![diagonal()];
    for (player, facts) in manifest.players.iter().enumerate() {
        let data = values_of(player, rows);
        if data.is_empty() {
            continue;
        }
        let scale =
            facts.spec.parse().map_or(LogisticScale::default(), |spec: PlayerSpec| spec.scale()).centipawns();
        let forecast = Forecast::of(&data, scale);
        let n = data.len() as f64;
        let predicted: f64 = forecast.bins.iter().map(|bin| bin.predicted).sum();
        let won: f64 = forecast.bins.iter().map(|bin| bin.won).sum();
        table.push(vec![
            facts.name.clone(),
            data.len().to_string(),
            format!("{scale:.0}"),
            format!("{:.1} %", predicted / n * 100.0),
            format!("{:.1} %", won / n * 100.0),
            format!("{:.4}", forecast.brier),
            format!("{:.4}", forecast.calibration_error),
            format!("{:.0}", fit_scale(&data)),
        ]);
        series.push(calibration_curve(&facts.name, player, &forecast.bins));
    }
    let head = ["player", "positions", "scale", "stated", "won", "Brier", "calibration", "fitting scale"];
    page.table(&head, &table);
    page.picture(&chart(series).svg());
    page.paragraph(
        "A value stands for a win rate of 1 / (1 + exp(-value / scale)). The scale is the player's own (WinRateScale, \
         or win_rate_scale in its spec); the fitting one would have made the results of these games most likely. \
         Draws count as half a win.",
    );
}

/// What a player thought of the positions before its moves, as it sees them, and what it got in the end.
fn values_of(player: usize, rows: &[GameRow]) -> Vec<(f64, f64)> {
    let mut data = Vec::new();
    for row in rows {
        for (side, eval) in row.movers().zip(&row.evals) {
            if let (Some(eval), true) = (eval, row.player(side) == player) {
                let value = f64::from(if side == Color::Black { *eval } else { -eval });
                data.push((value.clamp(-CLIP, CLIP), row.winner.seen_by(side).half_points() as f64 / 2.0));
            }
        }
    }
    data
}

/// Where every prediction comes true.
fn diagonal() -> Series {
    let point = |percent| Point { x: percent, y: percent, ..Point::default() };
    Series {
        name: "as stated".to_owned(),
        kind: Kind::Guide,
        colour: 7,
        points: vec![point(0.0), point(100.0)],
    }
}

fn calibration_curve(name: &str, colour: usize, bins: &[CalibrationBin]) -> Series {
    let known = bins.iter().filter(|bin| bin.count >= LEAST);
    let points = known.map(|bin| {
        let n = bin.count as f64;
        let (predicted, won) = (bin.predicted / n, bin.won / n);
        let error = (won * (1.0 - won) / n).sqrt() * 100.0;
        let (x, y) = (predicted * 100.0, won * 100.0);
        let note = format!("{name}: {x:.1} % stated, {y:.1} ± {error:.1} % won, {} positions", bin.count);
        Point { x, y, error: Some(error), note }
    });
    Series { name: legend_name(name), kind: Kind::Line, colour, points: points.collect() }
}

fn chart(series: Vec<Series>) -> Chart {
    let percent = Axis::new(0.0, 100.0);
    let title = "Win rates that values stand for, and games won";
    let subtitle = format!("bars are one standard error of positions; tenths under {LEAST} left out");
    Chart { subtitle, ..Chart::new(title, ("stated, %", percent), ("won, %", percent), series) }
}
