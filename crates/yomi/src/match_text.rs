//! How a match stands, for people.

use std::fmt::Write as _;

use lab::matches::{Manifest, MatchStats, Pairing};
use lab::report::end_name;
use lab::stats::{SprtState, Tally, Verdict, signed};

/// All that a person wants to know about a match.
pub(crate) fn summary(manifest: &Manifest, stats: &MatchStats, total: u64) -> String {
    let mut text = String::new();
    let names = manifest.names();
    for (number, name) in names.iter().enumerate() {
        let label = if number == 0 { "players" } else { "" };
        let _ = writeln!(text, "{label:<9}{}  {name}", letter(number));
    }
    let openings = manifest.openings.count;
    let odds = &manifest.conditions.odds;
    let shares: Vec<String> = odds.iter().map(ToString::to_string).collect();
    let odds =
        if odds.iter().all(|share| *share == 1.0) { String::new() } else { shares.join(" : ") + " of " };
    let time = manifest.conditions.time_text();
    let _ = writeln!(text, "time     {odds}{time}; {openings} openings, seed {}", manifest.seed);
    let _ = writeln!(text, "games    {} of {total}", stats.games());
    if let [pairing] = stats.pairings() {
        write_pairing(&mut text, pairing);
    } else {
        write_ratings(&mut text, stats, names.len());
        write_cross_table(&mut text, stats, names.len());
    }
    if let Some(state) = stats.sprt() {
        let _ = writeln!(text, "SPRT     {}", sprt_text(manifest, &state));
    }
    write_colours(&mut text, stats);
    write_faults(&mut text, stats, names.len());
    let [mean, most] = [stats.overhead_us(), stats.worst_overhead_us()].map(|us| us / 1000.0);
    let _ = write!(text, "clock    {mean:.3} ms a move besides thinking, {most:.3} at most");
    if let Some(latest) = stats.latest_us() {
        let margin = manifest.conditions.margin_ms;
        let _ = write!(text, "; latest answer {:+.1} ms (margin {margin})", latest as f64 / 1000.0);
    }
    text.push('\n');
    text
}

fn letter(number: usize) -> String {
    char::from_u32('A' as u32 + number as u32)
        .filter(char::is_ascii_uppercase)
        .map_or(number.to_string(), String::from)
}

fn write_pairing(text: &mut String, pairing: &Pairing) {
    let Tally { wins, losses, draws } = pairing.games;
    let percent = pairing.games.score() * 100.0;
    let _ = writeln!(text, "A        {wins} wins, {losses} losses, {draws} draws: {percent:.1} %");
    if let Some(e) = pairing.estimate() {
        let _ = writeln!(
            text,
            "Elo      {} ± {:.1} (normalised {} ± {:.1}), A is stronger with {}",
            signed(e.elo),
            e.error,
            signed(e.normalised_elo),
            e.normalised_error,
            certainty(e.los)
        );
    }
    let [none, half, one, more, both] = pairing.pairs.counts;
    let _ = writeln!(text, "pairs    0: {none}  ½: {half}  1: {one}  1½: {more}  2: {both}");
    let colours = [pairing.as_black, pairing.as_white].map(|tally| tally.score() * 100.0);
    let _ = writeln!(text, "A scores {:.1} % as Black, {:.1} % as White", colours[0], colours[1]);
}

/// A probability in percent; nothing is certain.
fn certainty(probability: f64) -> String {
    match probability {
        0.9995.. => "more than 99.9 %".to_owned(),
        ..0.0005 => "less than 0.1 %".to_owned(),
        _ => format!("{:.1} %", probability * 100.0),
    }
}

fn write_ratings(text: &mut String, stats: &MatchStats, players: usize) {
    let ratings = stats.ratings();
    let mut order: Vec<usize> = (0..players).collect();
    order.sort_by(|&a, &b| ratings[b].elo.total_cmp(&ratings[a].elo));
    for player in order {
        let tally = stats.of_player(player);
        let _ = writeln!(
            text,
            "{:<9}{:>7} ± {:5.1}  {:5.1} % of {} games",
            letter(player),
            signed(ratings[player].elo),
            ratings[player].error,
            tally.score() * 100.0,
            tally.games()
        );
    }
}

/// Points of row against column.
fn write_cross_table(text: &mut String, stats: &MatchStats, players: usize) {
    let _ = write!(text, "points   ");
    (0..players).for_each(|player| {
        let _ = write!(text, "{:>10}", letter(player));
    });
    text.push('\n');
    for row in 0..players {
        let _ = write!(text, "{:<9}", letter(row));
        for column in 0..players {
            let met = stats.pairings().iter().find_map(|p| match (p.player, p.opponent) {
                pair if pair == (row, column) => Some((p.games, false)),
                pair if pair == (column, row) => Some((p.games, true)),
                _ => None,
            });
            let cell = met.map_or("-".to_owned(), |(tally, turned)| {
                let points = tally.wins as f64 + tally.draws as f64 / 2.0;
                let games = tally.games();
                format!("{}/{games}", if turned { games as f64 - points } else { points })
            });
            let _ = write!(text, "{cell:>10}");
        }
        text.push('\n');
    }
}

/// The state of the sequential test in one line.
pub(crate) fn sprt_text(manifest: &Manifest, state: &SprtState) -> String {
    let SprtState { llr, lower, upper, verdict, games_to_go } = state;
    let (elo0, elo1) = manifest.sprt.map_or((0.0, 0.0), |sprt| (sprt.elo0, sprt.elo1));
    let words = match verdict {
        Verdict::H1 => {
            format!("H1 accepted: A has {elo1} normalised Elo or more (a verdict, not an estimate)")
        }
        Verdict::H0 => {
            format!("H0 accepted: A has {elo0} normalised Elo or less (a verdict, not an estimate)")
        }
        Verdict::Undecided => match games_to_go {
            Some(games) => format!("undecided, about {games} games to go"),
            None => "undecided".to_owned(),
        },
    };
    format!("LLR {llr:.2} within {lower:.2} to {upper:.2} for [{elo0}, {elo1}]: {words}")
}

fn write_colours(text: &mut String, stats: &MatchStats) {
    let games = stats.games().max(1) as f64;
    let (black, white) = stats.colour_wins();
    let share = |count: u64| count as f64 / games * 100.0;
    let draws = stats.games() - black - white;
    let (black, white, draws) = (share(black), share(white), share(draws));
    let _ = writeln!(text, "colours  Black won {black:.1} %, White {white:.1} %, {draws:.1} % drawn");
    let ends: Vec<String> =
        stats.ends().iter().map(|(end, count)| format!("{} {count}", end_name(*end))).collect();
    let _ = writeln!(text, "ends     {}", ends.join(", "));
}

fn write_faults(text: &mut String, stats: &MatchStats, players: usize) {
    for player in 0..players {
        let faults = stats.faults()[player];
        if faults != lab::matches::Faults::default() {
            let _ = writeln!(
                text,
                "faults   {}: {} illegal, {} time losses, {} crashes, {} stalls, {} floods, {} lines of garbage",
                letter(player),
                faults.illegal,
                faults.time_losses,
                faults.crashes,
                faults.stalls,
                faults.floods,
                faults.garbage
            );
        }
    }
}
