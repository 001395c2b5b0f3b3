//! How a run stands, as far as its files tell.

use std::time::Duration;

use lab::matches::{GameRow, Manifest, Match};
use lab::report::{MatchResult, end_name};
use runs::RunDir;
use serde_json::{Value, json};

use super::folder::RunPlace;

/// A run that has written within this time is at work.
const AT_WORK: Duration = Duration::from_secs(90);
/// Kinds of runs whose work is done by other runs in their folders.
const MADE_OF_RUNS: [&str; 2] = ["loop", "study"];
/// As many games as are listed, the latest first.
const LISTED: usize = 200;

/// A run in a few words: what it is, whether it works, and how a match stands.
pub(super) fn brief(run: &RunPlace) -> Value {
    let kind = run.kind().unwrap_or_else(|| "?".to_owned());
    let parts = if MADE_OF_RUNS.contains(&kind.as_str()) { run.parts() } else { Vec::new() };
    let silence = parts.iter().chain([run]).filter_map(RunPlace::silence).min();
    let state = match silence {
        _ if run.is_stopped() => "stopped",
        Some(silence) if silence < AT_WORK => "at-work",
        _ => "quiet",
    };
    let mut view = json!({
        "name": run.name,
        "kind": kind,
        "state": state,
        "silence": silence.map(|time| time.as_secs()),
    });
    if kind == Manifest::KIND
        && let Some((result, _, _)) = standing(run)
    {
        if result["finished"] == true {
            view["state"] = json!("finished");
        }
        view["match"] = result;
    }
    view
}

/// A match with its games.
pub(super) fn whole_match(run: &RunPlace) -> Option<Value> {
    let (result, manifest, rows) = standing(run)?;
    let names = manifest.names();
    let name = |player: usize| names.get(player).cloned().unwrap_or_default();
    let games: Vec<Value> = rows
        .iter()
        .rev()
        .take(LISTED)
        .map(|row| {
            json!({
                "pair": row.pair + 1,
                "game": row.game + 1,
                "black": name(row.black),
                "white": name(row.white),
                "winner": match row.winner {
                    shogi::GameResult::Win(shogi::Color::Black) => "black",
                    shogi::GameResult::Win(shogi::Color::White) => "white",
                    shogi::GameResult::Draw => "draw",
                },
                "end": end_name(row.end),
                "start": row.start,
                "moves": row.moves.split_whitespace().collect::<Vec<_>>(),
            })
        })
        .collect();
    Some(json!({ "result": result, "games": games, "all": rows.len() }))
}

fn standing(run: &RunPlace) -> Option<(Value, Manifest, Vec<GameRow>)> {
    let dir = RunDir::existing(&run.path).ok()?;
    let manifest: Manifest = dir.manifest().ok()?;
    let (stats, rows) = Match::stats(&dir, &manifest).ok()?;
    let total = Match::schedule(&manifest).games();
    let mut result = json!(MatchResult::new(&manifest, &stats, total));
    result["total"] = json!(total);
    result["conditions"] = json!(manifest.conditions.time_text());
    Some((result, manifest, rows))
}
