//! A match as a page.

use plot::{Axis, Chart, Kind, Page, Point, Series, legend_name};
use shogi::Color;

use super::forecast;
use crate::matches::{Faults, GameRow, Manifest, Match, Standing};
use crate::stats::{Pentanomial, Tally, Verdict};

pub(super) fn page(manifest: &Manifest, standing: &Standing, rows: &[GameRow]) -> String {
    let names = manifest.names();
    let title = match names.as_slice() {
        [one, other] => format!("Match: {one} – {other}"),
        names => format!("Match of {} players", names.len()),
    };
    let mut page = Page::new(&title);
    page.paragraph(&headline(manifest, standing));
    write_players(&mut page, manifest, standing);
    write_pairings(&mut page, manifest, standing);
    if let Some(pairing) = standing.pairings().first().filter(|_| standing.pairings().len() == 1) {
        page.heading("Course");
        page.picture(&elo_chart(rows).svg());
        if let Some(chart) = sprt_chart(standing) {
            page.picture(&chart.svg());
        }
        page.heading("Pairs");
        page.picture(&pair_chart(&pairing.pairs).svg());
    } else {
        page.picture(&rating_chart(standing, &names).svg());
    }
    write_ends(&mut page, standing);
    page.heading("Games");
    page.picture(&length_chart(rows).svg());
    page.picture(&evaluation_chart(manifest, rows).svg());
    forecast::write(&mut page, manifest, rows);
    write_times(&mut page, manifest, standing, rows);
    write_faults(&mut page, standing, &names, rows);
    page.heading("Conditions");
    page.verbatim(&serde_json::to_string_pretty(manifest).unwrap_or_default());
    page.finish()
}

fn headline(manifest: &Manifest, standing: &Standing) -> String {
    let total = Match::schedule(manifest).games();
    let mut text = format!("{} of {total} games, {}.", standing.games(), manifest.conditions.time);
    if let (Some(sprt), Some(state)) = (manifest.sprt, standing.sprt()) {
        let words = match state.verdict {
            Verdict::H1 => "H1 is accepted".to_owned(),
            Verdict::H0 => "H0 is accepted".to_owned(),
            Verdict::Undecided => match state.games_to_go {
                Some(games) => format!("undecided, about {games} games to go"),
                None => "undecided".to_owned(),
            },
        };
        text += &format!(
            " SPRT on pairs, normalised Elo [{}, {}], errors {} and {}: log-likelihood ratio {:.2} within {:.2} to {:.2}, {words}. A verdict says which hypothesis holds; as an estimate of Elo such a match is biased.",
            sprt.elo0, sprt.elo1, sprt.alpha, sprt.beta, state.llr, state.lower, state.upper
        );
    }
    text
}

fn write_players(page: &mut Page, manifest: &Manifest, standing: &Standing) {
    let ratings = standing.ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let rows: Vec<Vec<String>> = order
        .into_iter()
        .map(|player| {
            let Tally { wins, losses, draws } = standing.of_player(player);
            vec![
                manifest.players[player].name.clone(),
                format!("{:+.1} ± {:.1}", ratings[player].elo, ratings[player].error),
                format!("{:.1} %", standing.of_player(player).score() * 100.0),
                wins.to_string(),
                draws.to_string(),
                losses.to_string(),
            ]
        })
        .collect();
    let head = ["player", "rating", "score", "won", "drawn", "lost"];
    page.table(&head, &rows);
    page.paragraph("Ratings are the most likely ones, in Elo above the mean; ± is half a 95 % interval.");
}

fn write_pairings(page: &mut Page, manifest: &Manifest, standing: &Standing) {
    let rows: Vec<Vec<String>> = standing
        .pairings()
        .iter()
        .map(|pairing| {
            let estimate = pairing.estimate();
            let name = |player: usize| manifest.players[player].name.clone();
            let of =
                |f: &dyn Fn(&crate::stats::Estimate) -> String| estimate.as_ref().map_or(String::new(), f);
            let Tally { wins, losses, draws } = pairing.games;
            vec![
                format!("{} – {}", name(pairing.player), name(pairing.opponent)),
                format!("+{wins} ={draws} -{losses}"),
                of(&|e| format!("{:+.1} ± {:.1}", e.elo, e.error)),
                of(&|e| format!("{:+.1} ± {:.1}", e.normalised_elo, e.normalised_error)),
                of(&|e| format!("{:.1} %", e.los * 100.0)),
                format!("{:.1} %", draws as f64 / pairing.games.games().max(1) as f64 * 100.0),
                format!("{:.1} %", pairing.as_black.score() * 100.0),
                format!("{:.1} %", pairing.as_white.score() * 100.0),
                pairing.pairs.counts.map(|count| count.to_string()).join(" "),
            ]
        })
        .collect();
    let head = [
        "between",
        "games",
        "Elo",
        "normalised",
        "stronger",
        "draws",
        "as Black",
        "as White",
        "pairs 0 ½ 1 1½ 2",
    ];
    page.table(&head, &rows);
}

/// So many points are enough for the eye.
const MOST_POINTS: usize = 200;

/// The estimate after each pair, with its error.
fn elo_chart(rows: &[GameRow]) -> Chart {
    let mut open = std::collections::HashMap::new();
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
            let note = format!("{n} pairs: {:+.1} ± {:.1} Elo", e.elo, e.error);
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

fn sprt_chart(standing: &Standing) -> Option<Chart> {
    let state = standing.sprt()?;
    let course = standing.course();
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

fn pair_chart(pairs: &Pentanomial) -> Chart {
    let names = ["0 points", "½", "1", "1½", "2 points"];
    let counts: Vec<_> = names
        .iter()
        .zip(pairs.counts)
        .map(|(name, count)| ((*name).to_owned(), count as f64, None))
        .collect();
    Chart::bars("Pairs by the first player's points", "pairs", &counts)
}

fn rating_chart(standing: &Standing, names: &[String]) -> Chart {
    let mut all: Vec<_> = standing.ratings().into_iter().zip(names).collect();
    all.sort_by(|(a, _), (b, _)| b.elo.total_cmp(&a.elo));
    let shown: Vec<_> =
        all.into_iter().map(|(rating, name)| (name.clone(), rating.elo, Some(rating.error))).collect();
    Chart::bars("Ratings with 95 % intervals", "Elo above the mean", &shown)
}

fn write_ends(page: &mut Page, standing: &Standing) {
    page.heading("Ends");
    let games = standing.games().max(1) as f64;
    let (black, white) = standing.colour_wins();
    let share = |count: u64| format!("{:.1} %", count as f64 / games * 100.0);
    let mut rows = vec![
        vec!["Black wins".to_owned(), black.to_string(), share(black)],
        vec!["White wins".to_owned(), white.to_string(), share(white)],
    ];
    for (end, &count) in standing.ends() {
        let name = serde_json::to_value(end).ok().and_then(|v| v.as_str().map(|name| name.replace('-', " ")));
        rows.push(vec![name.unwrap_or_default(), count.to_string(), share(count)]);
    }
    page.table(&["", "games", "share"], &rows);
}

/// How long games were, by who won.
fn length_chart(rows: &[GameRow]) -> Chart {
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

/// What players thought of games they won in the end, and of those they lost.
fn evaluation_chart(manifest: &Manifest, rows: &[GameRow]) -> Chart {
    let width = 10;
    let mut series = Vec::new();
    for (player, name) in manifest.names().into_iter().enumerate() {
        // [interval of plies] -> sum and count of the player's values in games it won
        let mut sums: Vec<(f64, u32)> = Vec::new();
        for row in rows {
            for (i, (side, eval)) in row.movers().zip(&row.evals).enumerate() {
                let won = row.player(side) == player && row.winner.half_points(side) == 2;
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
        series.push(Series { name: legend_name(&name), kind: Kind::Line, colour: player, points });
    }
    let all = || series.iter().flat_map(|s| &s.points);
    let x = Axis::around(all().map(|p| p.x).chain([0.0, 100.0]));
    let y = Axis::around(all().map(|p| p.y).chain([0.0, 1000.0]));
    let title = "What players thought of games they went on to win";
    let mut chart = Chart::new(title, ("ply", x), ("mean value, centipawns", y), series);
    chart.subtitle = "values beyond ±3000 count as that; intervals under 10 positions left out".to_owned();
    chart
}

fn write_times(page: &mut Page, manifest: &Manifest, standing: &Standing, rows: &[GameRow]) {
    page.heading("Time");
    let table: Vec<Vec<String>> = manifest
        .names()
        .into_iter()
        .enumerate()
        .map(|(player, name)| {
            let (mut times, mut nodes, mut depths): (Vec<u64>, u64, Vec<u32>) = (Vec::new(), 0, Vec::new());
            for row in rows {
                for (i, _) in row.movers().enumerate().filter(|(_, side)| row.player(*side) == player) {
                    times.push(row.times_us[i]);
                    nodes += row.nodes.get(i).copied().flatten().unwrap_or(0);
                    depths.extend(row.depths.get(i).copied().flatten());
                }
            }
            let mean = |sum: f64, count: usize| sum / count.max(1) as f64;
            let total: u64 = times.iter().sum();
            let depth_sum: u32 = depths.iter().sum();
            vec![
                name,
                times.len().to_string(),
                format!("{:.1} ms", mean(total as f64 / 1000.0, times.len())),
                format!("{:.1} ms", times.iter().max().copied().unwrap_or(0) as f64 / 1000.0),
                format!("{:.0}", mean(nodes as f64, times.len())),
                format!("{:.0}", nodes as f64 / (total.max(1) as f64 / 1e6)),
                format!("{:.1}", mean(f64::from(depth_sum), depths.len())),
            ]
        })
        .collect();
    page.table(&["player", "moves", "mean time", "longest", "nodes", "nodes a second", "depth"], &table);
    let [mean, most] = [standing.overhead_us(), standing.worst_overhead_us()].map(|us| us / 1000.0);
    let mut text = format!("Besides thinking, a move took {mean:.3} ms, and {most:.3} ms at most.");
    if let Some(latest) = standing.latest_us() {
        text += &format!(
            " The latest answer came {:+.1} ms relative to the clock; {} ms are tolerated.",
            latest as f64 / 1000.0,
            manifest.conditions.margin_ms
        );
    }
    page.paragraph(&text);
}

fn write_faults(page: &mut Page, standing: &Standing, names: &[String], rows: &[GameRow]) {
    if standing.all_faults() == Faults::default() {
        return page.paragraph(
            "No faults: nobody played an illegal move, overran a clock, crashed, stalled or made noise.",
        );
    }
    page.heading("Faults");
    let table: Vec<Vec<String>> = names
        .iter()
        .zip(standing.faults())
        .map(|(name, f)| {
            let counts = [f.illegal, f.time_losses, f.crashes, f.stalls, f.floods, f.garbage];
            std::iter::once(name.clone()).chain(counts.map(|count| count.to_string())).collect()
        })
        .collect();
    let head = ["player", "illegal", "time losses", "crashes", "stalls", "floods", "lines of garbage"];
    page.table(&head, &table);
    let faults: Vec<_> = rows.iter().filter_map(|row| Some((row, row.fault.as_ref()?))).collect();
    for (row, fault) in faults.iter().take(50) {
        let name = names.get(fault.player).map_or("", String::as_str);
        let (pair, game) = (row.pair + 1, row.game + 1);
        page.paragraph(&format!("Pair {pair}, game {game}: {name}: {}", fault.words));
        page.verbatim(&format!("position {}\n{}", fault.position, fault.last_lines.join("\n")));
    }
    if faults.len() > 50 {
        page.paragraph(&format!("… and {} more in games.jsonl.", faults.len() - 50));
    }
}
