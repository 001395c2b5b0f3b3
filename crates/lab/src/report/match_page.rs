//! A match as a page.

use plot::Page;

use super::match_charts::{elo_chart, evaluation_chart, length_chart, pair_chart, rating_chart, sprt_chart};
use super::{end_name, forecast};
use crate::matches::{Faults, GameRow, Manifest, Match, MatchStats};
use crate::stats::{Estimate, Tally, Verdict, signed};

pub(super) fn page(manifest: &Manifest, stats: &MatchStats, rows: &[GameRow]) -> String {
    let names = manifest.names();
    let title = match names.as_slice() {
        [one, other] => format!("Match: {one} – {other}"),
        names => format!("Match of {} players", names.len()),
    };
    let mut page = Page::new(&title);
    page.paragraph(&headline(manifest, stats));
    write_players(&mut page, manifest, stats);
    write_pairings(&mut page, manifest, stats);
    if let Some(pairing) = stats.pairings().first().filter(|_| stats.pairings().len() == 1) {
        page.heading("Course");
        page.picture(&elo_chart(rows).svg());
        if let Some(chart) = sprt_chart(stats) {
            page.picture(&chart.svg());
        }
        page.heading("Pairs");
        page.picture(&pair_chart(&pairing.pairs).svg());
    } else {
        page.picture(&rating_chart(stats, &names).svg());
    }
    write_ends(&mut page, stats);
    page.heading("Games");
    page.picture(&length_chart(rows).svg());
    page.picture(&evaluation_chart(manifest, rows).svg());
    forecast::write(&mut page, manifest, rows);
    write_times(&mut page, manifest, stats, rows);
    write_faults(&mut page, stats, &names, rows);
    page.heading("Conditions");
    page.verbatim(&serde_json::to_string_pretty(manifest).unwrap_or_default());
    page.finish()
}

fn headline(manifest: &Manifest, stats: &MatchStats) -> String {
    let total = Match::schedule(manifest).games();
    let mut text = format!("{} of {total} games, {}.", stats.games(), manifest.conditions.time_text());
    if let (Some(sprt), Some(state)) = (manifest.sprt, stats.sprt()) {
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

fn write_players(page: &mut Page, manifest: &Manifest, stats: &MatchStats) {
    let ratings = stats.ratings();
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    let rows: Vec<Vec<String>> = order
        .into_iter()
        .map(|player| {
            let Tally { wins, losses, draws } = stats.of_player(player);
            vec![
                manifest.players[player].name.clone(),
                format!("{} ± {:.1}", signed(ratings[player].elo), ratings[player].error),
                format!("{:.1} %", stats.of_player(player).score() * 100.0),
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

fn write_pairings(page: &mut Page, manifest: &Manifest, stats: &MatchStats) {
    let rows: Vec<Vec<String>> = stats
        .pairings()
        .iter()
        .map(|pairing| {
            let estimate = pairing.estimate();
            let name = |player: usize| manifest.players[player].name.clone();
            let of = |f: &dyn Fn(&Estimate) -> String| estimate.as_ref().map_or(String::new(), f);
            let Tally { wins, losses, draws } = pairing.games;
            vec![
                format!("{} – {}", name(pairing.player), name(pairing.opponent)),
                format!("+{wins} ={draws} -{losses}"),
                of(&|e| {
                    format!("{} ± {:.1} ({} to {})", signed(e.elo), e.error, signed(e.low), signed(e.high))
                }),
                of(&|e| format!("{} ± {:.1}", signed(e.normalised_elo), e.normalised_error)),
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
        "Elo (95 % interval)",
        "normalised",
        "stronger",
        "draws",
        "as Black",
        "as White",
        "pairs 0 ½ 1 1½ 2",
    ];
    page.table(&head, &rows);
}

fn write_ends(page: &mut Page, stats: &MatchStats) {
    page.heading("Ends");
    let games = stats.games().max(1) as f64;
    let (black, white) = stats.colour_wins();
    let share = |count: u64| format!("{:.1} %", count as f64 / games * 100.0);
    let row = |name: &str, count: u64| vec![name.to_owned(), count.to_string(), share(count)];
    let draws = stats.games() - black - white;
    let results = [("Black wins", black), ("White wins", white), ("draws", draws)];
    page.table(&["result", "games", "share"], &results.map(|(name, count)| row(name, count)));
    let ends: Vec<_> = stats.ends().iter().map(|(end, &count)| row(&end_name(*end), count)).collect();
    page.table(&["end", "games", "share"], &ends);
}

fn write_times(page: &mut Page, manifest: &Manifest, stats: &MatchStats, rows: &[GameRow]) {
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
    let [mean, most] = [stats.overhead_us(), stats.worst_overhead_us()].map(|us| us / 1000.0);
    let mut text = format!("Besides thinking, a move took {mean:.3} ms, and {most:.3} ms at most.");
    if let Some(latest) = stats.latest_us() {
        text += &format!(
            " The latest answer came {:+.1} ms relative to the clock; {} ms are tolerated.",
            latest as f64 / 1000.0,
            manifest.conditions.margin_ms
        );
    }
    page.paragraph(&text);
}

fn write_faults(page: &mut Page, stats: &MatchStats, names: &[String], rows: &[GameRow]) {
    if stats.all_faults() == Faults::default() {
        return page.paragraph(
            "No faults: nobody played an illegal move, overran a clock, crashed, stalled or made noise.",
        );
    }
    page.heading("Faults");
    let table: Vec<Vec<String>> = names
        .iter()
        .zip(stats.faults())
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
