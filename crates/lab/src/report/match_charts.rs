//! The charts of a match.

use std::collections::HashMap;

use plot::{Axis, Chart, Kind, Point, Series, legend_name};
use shogi::Color;

use crate::matches::{GameRow, Manifest, MatchStats};
use crate::stats::{Pentanomial, signed};

/// So many points are enough for the eye.
const MOST_POINTS: usize = 200;

/// The estimate after each pair, with its error.
pub(super) fn elo_chart(rows: &[GameRow]) -> Chart {
    let mut open = HashMap::new();
    let mut pairs = Pentanomial::default();
    let mut all = Vec::new();
    for row in rows {
        match open.remove(&row.pair) {
            Some((game, half)) if game != row.game => {
                pairs.add(half + row.first_half_points());
                all.push(pairs);
            }
            Some(same) => {
                open.insert(row.pair, same);
            }
            None => {
                open.insert(row.pair, (row.game, row.first_half_points()));
            }
        }
    }
    let every = all.len().div_ceil(MOST_POINTS).max(1);
    let last = all.len();
    // The first few pairs say nothing yet, and would set the scale.
    let points: Vec<Point> = (1..)
        .zip(all)
        .filter(|(n, _)| (n % every == 0 && *n >= 8) || *n == last)
        .filter_map(|(n, pairs)| {
            let e = pairs.estimate()?;
            let note = format!("{n} pairs: {} ± {:.1} Elo", signed(e.elo), e.error);
            Some(Point { x: n as f64, y: e.elo, error: Some(e.error), note })
        })
        .collect();
    let y = Axis::around(
        points
            .iter()
            .flat_map(|p| {
                let error = p.error.unwrap_or(0.0).min(400.0);
                [p.y - error, p.y + error]
            })
            .chain([0.0]),
    );
    let x = Axis::new(0.0, last.max(1) as f64);
    let series = Series { name: String::new(), kind: Kind::Line, colour: 0, points };
    Chart::new("Elo of the first player, with 95 % intervals", ("pairs", x), ("Elo", y), vec![series])
}

pub(super) fn sprt_chart(stats: &MatchStats) -> Option<Chart> {
    let state = stats.sprt()?;
    let course = stats.course();
    let every = course.len().div_ceil(4 * MOST_POINTS).max(1);
    let point = |x: usize, y: f64| Point { x: x as f64, y, error: None, note: String::new() };
    let points: Vec<Point> = std::iter::once(point(0, 0.0))
        .chain((1..).zip(course).filter(|(n, _)| n % every == 0).map(|(n, &y)| point(n, y)))
        .collect();
    let last = course.len().max(1);
    let line = |name: &str, y: f64| Series {
        name: name.to_owned(),
        kind: Kind::Guide,
        colour: 7,
        points: vec![point(0, y), point(last, y)],
    };
    let y = Axis::around(points.iter().map(|p| p.y).chain([state.lower - 0.5, state.upper + 0.5]));
    let series = vec![
        Series { name: "log-likelihood ratio".to_owned(), kind: Kind::Trace, colour: 0, points },
        line("bounds: H1 above, H0 below", state.upper),
        line("", state.lower),
    ];
    let x = Axis::new(0.0, last as f64);
    Some(Chart::new("Sequential test", ("pairs", x), ("log-likelihood ratio", y), series))
}

pub(super) fn pair_chart(pairs: &Pentanomial) -> Chart {
    let names = ["0 points", "½", "1", "1½", "2 points"];
    let counts: Vec<_> = names
        .iter()
        .zip(pairs.counts)
        .map(|(name, count)| ((*name).to_owned(), count as f64, None))
        .collect();
    Chart::bars("Pairs by the first player's points", "pairs", &counts)
}

pub(super) fn rating_chart(stats: &MatchStats, names: &[String]) -> Chart {
    let mut all: Vec<_> = stats.ratings().into_iter().zip(names).collect();
    all.sort_by(|(a, _), (b, _)| b.elo.total_cmp(&a.elo));
    let shown: Vec<_> =
        all.into_iter().map(|(rating, name)| (name.clone(), rating.elo, Some(rating.error))).collect();
    Chart::bars("Ratings with 95 % intervals", "Elo above the mean", &shown)
}

/// How long games were, by who won.
pub(super) fn length_chart(rows: &[GameRow]) -> Chart {
    let lengths: Vec<usize> = rows.iter().map(|row| row.moves.split_whitespace().count()).collect();
    let width = 20;
    let longest = lengths.iter().max().copied().unwrap_or(0) / width + 1;
    let mut counts = vec![0_u32; longest];
    lengths.iter().for_each(|length| counts[length / width] += 1);
    let points: Vec<Point> = counts
        .iter()
        .enumerate()
        .map(|(i, &count)| Point {
            x: i as f64 + 0.5,
            y: count.into(),
            error: None,
            note: format!("{} to {} moves: {count} games", i * width, (i + 1) * width - 1),
        })
        .collect();
    let y = Axis::around(points.iter().map(|p| p.y).chain([0.0]));
    let series = Series { name: String::new(), kind: Kind::Bars, colour: 2, points };
    let step = longest.div_ceil(14).max(1);
    let names = (0..=longest).step_by(step).map(|i| (i as f64, (i * width).to_string())).collect();
    let x = Axis::new(0.0, longest as f64);
    Chart { names, ..Chart::new("Length of games", ("moves", x), ("games", y), vec![series]) }
}

/// More curves than this in one chart cannot be told apart.
const MOST_CURVES: usize = 8;

/// What players thought of games that they went on to win; of many players, the first ones.
pub(super) fn evaluation_chart(manifest: &Manifest, rows: &[GameRow]) -> Chart {
    let width = 10;
    let mut series = Vec::new();
    for (player, name) in manifest.names().into_iter().enumerate().take(MOST_CURVES) {
        // [interval of plies] -> sum and count of the player's values in games it won
        let mut sums: Vec<(f64, u32)> = Vec::new();
        for row in rows {
            for (i, (side, eval)) in row.movers().zip(&row.evals).enumerate() {
                let won = row.player(side) == player && row.winner.seen_by(side).half_points() == 2;
                if let (Some(eval), true) = (eval, won) {
                    let value = if side == Color::Black { *eval } else { -eval };
                    let place = (row.opening_plies + i) / width;
                    if sums.len() <= place {
                        sums.resize(place + 1, (0.0, 0));
                    }
                    sums[place].0 += f64::from(value).clamp(-3000.0, 3000.0);
                    sums[place].1 += 1;
                }
            }
        }
        let points =
            sums.iter().enumerate().filter(|(_, (_, count))| *count >= 10).map(|(i, (sum, count))| {
                let (x, y) = ((i * width + width / 2) as f64, sum / f64::from(*count));
                Point {
                    x,
                    y,
                    error: None,
                    note: format!("{name}, about ply {x}: {y:+.0}, {count} positions"),
                }
            });
        let points: Vec<Point> = points.collect();
        // What is not drawn has no name either.
        if !points.is_empty() {
            series.push(Series { name: legend_name(&name), kind: Kind::Line, colour: player, points });
        }
    }
    let all = || series.iter().flat_map(|s| &s.points);
    let x = Axis::around(all().map(|p| p.x).chain([0.0, 100.0]));
    let y = Axis::around(all().map(|p| p.y).chain([0.0, 1000.0]));
    let title = "What players thought of games they went on to win";
    let mut chart = Chart::new(title, ("ply", x), ("mean value, centipawns", y), series);
    chart.subtitle = "values beyond ±3000 count as that; intervals under 10 positions left out".to_owned();
    if manifest.players.len() > MOST_CURVES {
        chart.subtitle += &format!("; the first {MOST_CURVES} players");
    }
    chart
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use shogi::GameResult;

    use super::*;
    use crate::matches::row;

    fn manifest(players: usize) -> Manifest {
        let player = |number: usize| json!({"name": format!("player {number}"), "spec": "alphabeta", "threads": 1, "files": []});
        let facts = json!({
            "kind": "match", "version": "0.1.0", "program": "ab12", "format": "gauntlet", "games": 100, "seed": 1,
            "players": (0..players).map(player).collect::<Vec<_>>(),
            "conditions": {
                "time": {"nodes": 1000}, "odds": [1.0], "declaration": "CSARule27", "max_moves": 320, "margin_ms": 200,
                "patience_ms": 10_000, "adjudication": {"resign": null, "draw": null, "mate_nodes": null}
            },
            "openings": ["own", 200, "ef56"], "sprt": null
        });
        serde_json::from_value(facts).unwrap()
    }

    /// Games that every player but the second won, each thinking something of all its moves.
    fn won_games(players: usize) -> Vec<GameRow> {
        let winners = (0..players).filter(|player| *player != 1);
        winners
            .map(|player| {
                let mut game = row(player as u64, 0, GameResult::Win(Color::Black));
                (game.black, game.white) = (player, 1);
                (game.times_us, game.evals) = (vec![1; 100], vec![Some(100); 100]);
                game
            })
            .collect()
    }

    #[test]
    fn of_a_large_gauntlet_some_curves_are_drawn_and_only_they_are_named() {
        let games: Vec<GameRow> = (0..4).flat_map(|_| won_games(19)).collect();
        let few = evaluation_chart(&manifest(3), &games);
        assert_eq!(few.series.iter().map(|s| s.name.as_str()).collect::<Vec<_>>(), ["player 0", "player 2"]);
        let many = evaluation_chart(&manifest(19), &games);
        assert_eq!(many.series.len(), MOST_CURVES - 1, "all of the first ones but the one that won nothing");
        assert!(many.subtitle.ends_with("the first 8 players"));
    }

    #[test]
    fn pairs_are_bars_by_the_first_players_points() {
        let file = pair_chart(&Pentanomial { counts: [1, 2, 3, 4, 5] }).to_file();
        assert!(file.contains("Pairs by the first player's points"));
        assert_eq!(file.matches("class=\"c0 bar\"").count(), 5);
        for note in ["0 points: 1.0", "½: 2.0", "1½: 4.0", "2 points: 5.0"] {
            assert!(file.contains(&format!("<title>{note}</title>")), "{note}: {file}");
        }
    }

    #[test]
    fn a_match_without_games_has_charts_without_points() {
        for chart in [elo_chart(&[]), length_chart(&[])] {
            let file = chart.to_file();
            assert!(file.contains(&chart.title) && !file.contains("NaN"), "{file}");
        }
    }
}
