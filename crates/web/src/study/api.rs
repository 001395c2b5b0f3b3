//! What can be asked about records and positions.

use axum::routing::{get, post};
use axum::{Json, Router};
use records::game::Game;
use records::position_text;
use records::text::read_each;
use serde_json::{Value, json};

use super::question::Question;
use super::{export, live_search, mate_search, page, record_view, review, tree_page, tree_search};
use crate::app::App;
use crate::body::{Asked, RecordBytes};
use crate::position_view::{MoveName, PositionView};
use crate::refusal::Refusal;

/// The addresses of studies.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/analyse", get(page::analyse))
        .route("/trees", get(tree_page::trees))
        .route("/compare", get(tree_page::compare))
        .route("/api/tree", get(tree_search::tree))
        .route("/api/records", post(open))
        .route("/api/records/{format}", post(export::export))
        .route("/api/position", get(position))
        .route("/api/search", get(live_search::search))
        .route("/api/mate", get(mate_search::mate))
        .route("/api/review", get(review::review))
}

/// As many games of a file as are shown.
const MOST_GAMES: usize = 200;

/// Reads a record of any format and encoding, or a position.
async fn open(RecordBytes(bytes): RecordBytes) -> Result<Json<Value>, Refusal> {
    // Reading is quick, but two megabytes take a while.
    let read = tokio::task::spawn_blocking(move || games_of(&bytes)).await;
    read.map_err(|_| Refusal::fault("the record could not be read"))?.map(Json)
}

fn games_of(bytes: &[u8]) -> Result<Value, Refusal> {
    let line = std::str::from_utf8(bytes).ok().filter(|text| text.lines().count() <= 1);
    if let Some(Ok((start, moves))) = line.map(|text| position_text::problem_with_solution(text.trim())) {
        let mut game = Game::new(start);
        moves.into_iter().for_each(|m| game.push(m));
        return Ok(json!({ "games": [record_view::view(&game)], "refused": [] }));
    }
    let each = read_each(bytes, None).map_err(|error| Refusal::bad("record", &error))?;
    let (mut games, mut refused) = (Vec::new(), Vec::new());
    for game in each.take(MOST_GAMES) {
        match game {
            Ok(game) => games.push(record_view::view(&game)),
            Err(error) => refused.push(error.to_string()),
        }
    }
    match (games.is_empty(), refused.first()) {
        (true, Some(error)) => Err(Refusal::bad("record", &error)),
        _ => Ok(json!({ "games": games, "refused": refused })),
    }
}

/// What the rules say about a position: legal moves, check, the end; and the name of the move that led there.
async fn position(Asked(question): Asked<Question>) -> Result<Json<Value>, Refusal> {
    let mut position = question.problem()?;
    let mut view = json!(PositionView::of(&position));
    if let Some(last) = position.last_move() {
        position.undo();
        view["last"] = json!(MoveName::of(last, &position));
    }
    Ok(Json(view))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_and_positions_are_opened_and_nonsense_is_refused() {
        let game = games_of("V2.2\nN+<b>\nPI\n+\n+7776FU\n'<script>\n".as_bytes()).unwrap();
        assert_eq!(game["games"][0]["players"][0], "<b>");
        let position = games_of(b"startpos moves 7g7f 3c3d").unwrap();
        assert_eq!(position["games"][0]["moves"].as_array().unwrap().len(), 2);
        let problem = games_of(b"4k4/9/4P4/9/9/9/9/9/9 b G 1").unwrap();
        assert_eq!(problem["games"][0]["moves"].as_array().unwrap().len(), 0);
        for bytes in [&b""[..], b"hello", &[0xff; 100], b"V2.2\nPI\n+\n+7775FU\n"] {
            assert_eq!(games_of(bytes).unwrap_err().code, "record");
        }
    }
}
