//! The table that follows a match while it is played.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

use lab::matches::{GameRow, Manifest, MatchStats, Watch};
use lab::stats::{Tally, signed};

use crate::match_text::{sprt_text, summary};

/// Redrawn on a terminal, a line a minute elsewhere.
pub(crate) struct LiveTable<'a> {
    manifest: &'a Manifest,
    total: u64,
    before: u64,
    started: Instant,
    is_terminal: bool,
    drawn: Option<Instant>,
    lines: usize,
}

const REDRAW: Duration = Duration::from_millis(300);
const LINE_EVERY: Duration = Duration::from_secs(60);

impl<'a> LiveTable<'a> {
    /// The table of a match that may have games already.
    pub(crate) fn new(manifest: &'a Manifest, total: u64, before: &MatchStats) -> LiveTable<'a> {
        let is_terminal = io::stderr().is_terminal();
        let (started, before) = (Instant::now(), before.games());
        // Where there is no terminal the first line comes after a minute.
        let drawn = (!is_terminal).then_some(started);
        LiveTable { manifest, total, before, started, is_terminal, drawn, lines: 0 }
    }

    fn pace(&self, stats: &MatchStats) -> String {
        let played = stats.games().saturating_sub(self.before);
        let seconds = self.started.elapsed().as_secs_f64();
        let rate = played as f64 / seconds.max(1e-9);
        let left = self.total.saturating_sub(stats.games()) as f64 / rate.max(1e-9);
        format!("{:.1} games a minute, at most {} to go", rate * 60.0, span(left))
    }

    fn line(&self, stats: &MatchStats) -> String {
        let games = stats.games();
        let mut text = format!("{games} of {} games", self.total);
        if let [pairing] = stats.pairings()
            && let Some(e) = pairing.estimate()
        {
            let Tally { wins, losses, draws } = pairing.games;
            let _ = write!(text, ", +{wins} -{losses} ={draws}, Elo {} ± {:.1}", signed(e.elo), e.error);
        }
        if stats.pairings().len() > 1 {
            let ratings = stats.ratings();
            for (name, rating) in self.manifest.names().iter().zip(ratings) {
                let _ = write!(text, ", {name} {} ± {:.1}", signed(rating.elo), rating.error);
            }
        }
        if let Some(state) = stats.sprt() {
            let _ = write!(text, ", {}", sprt_text(self.manifest, &state));
        }
        format!("{text}; {}\n", self.pace(stats))
    }

    /// Removes the table from the terminal.
    pub(crate) fn finish(&mut self) {
        let lines = std::mem::take(&mut self.lines);
        self.write(&format!("{}\x1b[J", "\x1b[A".repeat(lines)));
    }

    fn write(&self, text: &str) {
        if self.is_terminal || !text.starts_with('\x1b') {
            // Nobody reads it if standard error is closed.
            let mut stderr = io::stderr().lock();
            let _ = stderr.write_all(text.as_bytes()).and_then(|()| stderr.flush());
        }
    }
}

impl Watch for LiveTable<'_> {
    fn game(&mut self, _row: &GameRow, stats: &MatchStats) {
        let every = if self.is_terminal { REDRAW } else { LINE_EVERY };
        if self.drawn.is_some_and(|drawn| drawn.elapsed() < every) {
            return;
        }
        self.drawn = Some(Instant::now());
        if !self.is_terminal {
            return self.write(&self.line(stats));
        }
        let table = format!("{}\n{}\n", summary(self.manifest, stats, self.total), self.pace(stats));
        let up = "\x1b[A".repeat(std::mem::take(&mut self.lines));
        self.lines = table.lines().count();
        self.write(&format!("{up}\x1b[J{table}"));
    }
}

/// Seconds in the two largest units that fit.
fn span(seconds: f64) -> String {
    let seconds = seconds.min(1e9) as u64;
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        3600..86_400 => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
        _ => format!("{} d {} h", seconds / 86_400, seconds % 86_400 / 3600),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_line_of_a_log_tells_how_the_match_stands() {
        let player = |name: &str| json!({"name": name, "spec": "alphabeta", "threads": 1, "files": []});
        let manifest: Manifest = serde_json::from_value(json!({
            "kind": "match", "version": "0.1.0", "program": "ab12", "format": "round-robin", "games": 8, "seed": 1,
            "players": [player("new"), player("old"), player("other")],
            "conditions": {
                "time": {"nodes": 10}, "odds": [1.0], "declaration": "CSARule27", "max_moves": 320, "margin_ms": 200,
                "patience_ms": 10_000, "adjudication": {"resign": null, "draw": null, "mate_nodes": null}
            },
            "openings": ["own", 200, "ef56"], "sprt": null
        }))
        .unwrap();
        let game = |game: u8| -> GameRow {
            serde_json::from_value(json!({
                "pair": 0, "game": game, "black": game, "white": 1 - game, "opening": 0, "start": "startpos",
                "opening_plies": 0, "moves": "7g7f", "winner": "black", "end": "mate", "fault": null, "times_us": [],
                "evals": [], "nodes": [], "depths": [], "seconds": 1.0, "overhead_us": 1.0
            }))
            .unwrap()
        };
        let line = |players: usize, pairings: &[(usize, usize)]| {
            let mut stats = MatchStats::new(players, pairings, None);
            let table = LiveTable::new(&manifest, 8, &stats);
            [game(0), game(1)].iter().for_each(|row| stats.add(row));
            table.line(&stats)
        };
        let two = line(2, &[(0, 1)]);
        assert!(two.starts_with("2 of 8 games, +1 -1 =0, Elo +0.0 ± ") && two.ends_with(" to go\n"), "{two}");
        let three = line(3, &[(0, 1), (0, 2), (1, 2)]);
        for part in ["2 of 8 games, new +", ", old ", ", other "] {
            assert!(three.contains(part), "{part}: {three}");
        }
    }

    #[test]
    fn spans_have_two_units() {
        assert_eq!([5.0, 61.0, 3700.0, 90_000.0].map(span), ["5 s", "1 min 1 s", "1 h 1 min", "1 d 1 h"]);
    }
}
