//! A game as all who look at it see it.

use std::time::Duration;

use serde_json::{Value, json};
use shogi::Handicap;

use super::table::Table;
use crate::position_view::{Checklist, MoveName, PositionView, side_name};

/// What besides the game itself is to be told.
pub(crate) struct Moment<'a> {
    /// How long the side to move has thought.
    pub(crate) used: Duration,
    /// Grows with every change.
    pub(crate) version: u64,
    /// Games that think before this one; `None` if nobody thinks for it.
    pub(crate) ahead: Option<usize>,
    /// Why the player does not move.
    pub(crate) trouble: Option<&'a str>,
}

/// The game as JSON.
pub(crate) fn snapshot(table: &Table, moment: &Moment<'_>) -> Value {
    let saved = &table.saved;
    let rule = saved.declaration_rule();
    let side = table.position.side();
    let mut view = json!(PositionView::of(&table.position));
    if saved.end.is_some() {
        view["legal"] = json!([]);
    }
    let start = saved.start();
    let moves: Vec<Value> = start.as_ref().map(|start| moves(table, start)).unwrap_or_default();
    let clock = saved.clock.map(|rule| {
        json!({
            "left": table.left().map(|left| left.as_millis() as u64),
            "byoyomi": u64::from(rule.byoyomi) * 1000,
            "increment": u64::from(rule.increment) * 1000,
            "running": saved.end.is_none().then(|| side_name(side)),
            "used": moment.used.as_millis() as u64,
        })
    });
    let handicap = start.as_ref().and_then(Handicap::of).filter(|handicap| handicap.name != "HIRATE");
    json!({
        "id": saved.id,
        "version": moment.version,
        "start": saved.start,
        "human": saved.human,
        "player": saved.player,
        "level": saved.level,
        "handicap": handicap.map(|handicap| handicap.name),
        "is_handicap": handicap.is_some(),
        "position": view,
        "moves": moves,
        "clock": clock,
        "end": saved.end,
        "thinking": table.is_players_turn(),
        "ahead": moment.ahead,
        "trouble": moment.trouble,
        "declaration": if table.is_humans_turn() { Checklist::of(&table.position, rule) } else { None },
    })
}

fn moves(table: &Table, start: &shogi::Position) -> Vec<Value> {
    let played: Vec<shogi::Move> = table.saved.moves.iter().map(|(m, _)| *m).collect();
    let names = MoveName::line(&played, start);
    let with_times = names.iter().zip(&table.saved.moves).map(|(name, (_, ms))| {
        let mut value = json!(name);
        value["ms"] = json!(ms);
        value
    });
    with_times.collect()
}
