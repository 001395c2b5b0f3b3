//! A record for a browser: whatever is read stays text.

use records::game::Game;
use serde_json::{Value, json};
use shogi::GameResult;

use super::scores::ValueView;
use crate::position_view::{MoveName, side_name};

/// Comments are shown as far as anybody reads.
const LONGEST_COMMENT: usize = 4000;

/// A game as JSON.
pub(super) fn view(game: &Game) -> Value {
    let played: Vec<_> = game.moves.iter().map(|played| played.m).collect();
    let names = MoveName::line(&played, &game.start);
    let moves: Vec<Value> = names
        .iter()
        .zip(&game.moves)
        .map(|(name, played)| {
            let mut value = json!(name);
            value["ms"] = json!(played.time.map(|time| time.as_millis() as u64));
            value["value"] = json!(played.evaluation.map(|value| ValueView::of(value, Default::default())));
            value["comment"] = json!(text(&played.comments));
            value
        })
        .collect();
    let outcome = game.outcome.as_ref().map(|outcome| {
        let winner = match outcome.result {
            Some(GameResult::Win(side)) => Some(side_name(side)),
            _ => None,
        };
        let is_draw = outcome.result == Some(GameResult::Draw);
        json!({ "winner": winner, "draw": is_draw, "reason": format!("{:?}", outcome.reason) })
    });
    json!({
        "start": game.start.to_string(),
        "moves": moves,
        "players": game.info.players,
        "event": game.info.event,
        "started": game.info.started,
        "comment": text(&game.comments),
        "outcome": outcome,
    })
}

fn text(lines: &[String]) -> Option<String> {
    let text = lines.join("\n");
    (!text.is_empty()).then(|| text.chars().take(LONGEST_COMMENT).collect())
}
