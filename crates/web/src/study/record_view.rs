//! A record for a browser: whatever is read stays text.

use records::game::{EndReason, Game, PlayedMove, Variation};
use serde_json::{Value, json};
use shogi::{GameResult, Position};

use super::scores::ValueView;
use crate::position_view::{MoveName, side_name};

/// Comments are shown as far as anybody reads.
const LONGEST_COMMENT: usize = 4000;

/// The words for how games end, for the page and back.
const REASONS: [(&str, EndReason); 12] = [
    ("resignation", EndReason::Resignation),
    ("time-up", EndReason::TimeUp),
    ("illegal-move", EndReason::IllegalMove(None)),
    ("repetition", EndReason::Repetition),
    ("perpetual-check", EndReason::PerpetualCheck),
    ("declaration", EndReason::Declaration),
    ("impasse", EndReason::Impasse),
    ("draw", EndReason::Draw),
    ("max-moves", EndReason::MaxMoves),
    ("mate", EndReason::Mate),
    ("no-mate", EndReason::NoMate),
    ("interrupted", EndReason::Interrupted),
];

fn reason_name(reason: &EndReason) -> &'static str {
    let is_it = |known: &EndReason| std::mem::discriminant(known) == std::mem::discriminant(reason);
    REASONS.iter().find(|(_, known)| is_it(known)).map_or("other", |(name, _)| name)
}

/// The reason of a name, if it is one that a record has a word for.
pub(super) fn reason_of(name: &str) -> Option<EndReason> {
    REASONS.iter().find(|(known, _)| *known == name).map(|(_, reason)| reason.clone())
}

/// A game as JSON.
pub(super) fn view(game: &Game) -> Value {
    let outcome = game.outcome.as_ref().map(|outcome| {
        let winner = match outcome.result {
            Some(GameResult::Win(side)) => Some(side_name(side)),
            _ => None,
        };
        let is_draw = outcome.result == Some(GameResult::Draw);
        json!({ "winner": winner, "draw": is_draw, "reason": reason_name(&outcome.reason) })
    });
    json!({
        "start": game.start.to_string(),
        "moves": moves_view(&game.moves, &mut game.start.clone()),
        "variations": variations_view(&game.variations, &game.moves, 0, &game.start),
        "players": game.info.players,
        "event": game.info.event,
        "started": game.info.started,
        "comment": text(&game.comments),
        "outcome": outcome,
    })
}

/// Moves as JSON; `position` goes along.
fn moves_view(moves: &[PlayedMove], position: &mut Position) -> Vec<Value> {
    let view = |played: &PlayedMove| {
        let mut value = json!(MoveName::of(played.m, position));
        value["ms"] = json!(played.time.map(|time| time.as_millis() as u64));
        value["value"] = json!(played.evaluation.map(|value| ValueView::of(value, Default::default())));
        value["comment"] = json!(text(&played.comments));
        position.play(played.m);
        value
    };
    moves.iter().map(view).collect()
}

/// The variations of a line that begins at a position, after so many moves.
fn variations_view(
    variations: &[Variation],
    line: &[PlayedMove],
    before: usize,
    begin: &Position,
) -> Vec<Value> {
    let view = |variation: &Variation| {
        let mut position = begin.clone();
        for played in &line[..variation.after - before] {
            position.play(played.m);
        }
        let inner = variations_view(&variation.variations, &variation.moves, variation.after, &position);
        let moves = moves_view(&variation.moves, &mut position);
        json!({ "after": variation.after, "moves": moves, "variations": inner })
    };
    variations.iter().map(view).collect()
}

fn text(lines: &[String]) -> Option<String> {
    let text = lines.join("\n");
    (!text.is_empty()).then(|| text.chars().take(LONGEST_COMMENT).collect())
}
