//! What can be asked of games: begin, look, move, take back, resign, declare, export.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use records::position_text;
use records::text::{Format, write_game};
use serde::Deserialize;
use serde_json::json;
use shogi::{Color, Move};

use super::clock::TimeRule;
use super::live::LiveGame;
use super::page;
use super::saved::{SavedGame, Side};
use super::table::Table;
use crate::app::App;
use crate::body::Command;
use crate::events::{self, Feed, KEEP_ALIVE};
use crate::players::USUAL;
use crate::random::{self, GAME_NAME};
use crate::refusal::Refusal;
use crate::visitor::Visitor;

/// The addresses of games.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/play", get(page::setup))
        .route("/play/{id}", get(page::game))
        .route("/api/games", post(begin))
        .route("/api/games/{id}", get(look))
        .route("/api/games/{id}/events", get(watch))
        .route("/api/games/{id}/move", post(make_move))
        .route("/api/games/{id}/take-back", post(take_back))
        .route("/api/games/{id}/resign", post(resign))
        .route("/api/games/{id}/declare", post(declare))
        .route("/api/games/{id}/record/{format}", get(export))
}

/// A game that is wanted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// `startpos`, a handicap or an SFEN.
    start: String,
    human: Side,
    /// A spec or a name; the usual player if empty.
    #[serde(default)]
    player: String,
    level: Option<i64>,
    clock: Option<TimeRule>,
}

/// A move, and how many the visitor saw before it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    #[serde(rename = "move")]
    m: Move,
    ply: usize,
}

/// What is done to a game that had so many moves.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct At {
    ply: usize,
}

/// The longest text of a start.
const LONGEST_START: usize = 200;

async fn begin(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Command(wanted): Command<Wanted>,
) -> Result<Response, Refusal> {
    let Wanted { start, human, player, level, clock } = wanted;
    if start.len() > LONGEST_START || start.contains("moves") {
        return Err(Refusal::bad("start", "expected startpos, a handicap or an SFEN"));
    }
    let position = position_text::game_position(&start).map_err(|error| Refusal::bad("start", &error))?;
    if position.game_end(0).is_some() {
        return Err(Refusal::bad("start", "the game would be over before it began"));
    }
    if clock.is_some_and(|rule| !rule.is_sound()) {
        return Err(Refusal::bad("clock", "expected some seconds, at most a day"));
    }
    let player = if player.is_empty() { USUAL.to_owned() } else { player };
    app.players.opponent(&player, level)?;
    let id = random::name(GAME_NAME).ok_or_else(|| Refusal::fault("the system has no randomness"))?;
    let begun = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let left = clock.map(|rule| vec![[rule.first().as_millis() as u64; 2]]).unwrap_or_default();
    let saved = SavedGame {
        id: id.clone(),
        owner: visitor.name,
        begun,
        start: position.to_string(),
        human,
        player,
        level,
        clock,
        moves: Vec::new(),
        left,
        end: None,
    };
    let table = Table::of(saved).ok_or_else(|| Refusal::bad("start", "no game can begin there"))?;
    app.games.begin(&app, table)?;
    Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
}

fn as_json(text: &Arc<str>) -> Response {
    ([(header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()
}

async fn look(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    Ok(as_json(&app.games.find(&app, &id)?.snapshot(&app)))
}

/// Tells everything that happens, the present state first; ends with its reader.
async fn watch(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Refusal> {
    let game = app.games.find(&app, &id)?;
    let (feed, response) = events::stream();
    tokio::spawn(follow(app, game, feed));
    Ok(response)
}

async fn follow(app: App, game: Arc<LiveGame>, feed: Feed) {
    let mut news = game.watch();
    news.mark_unchanged();
    let mut latest = game.snapshot(&app);
    loop {
        let bytes = axum::body::Bytes::from(format!("event: game\ndata: {latest}\n\n"));
        if !feed.send(bytes).await {
            return;
        }
        loop {
            tokio::select! {
                changed = news.changed() => match changed {
                    Ok(()) => break,
                    Err(_) => return,
                },
                () = feed.closed() => return,
                () = tokio::time::sleep(KEEP_ALIVE) => if !feed.keep_alive().await { return },
            }
        }
        latest = Arc::clone(&news.borrow_and_update());
    }
}

/// The game, if it is the visitor's own.
fn own(app: &App, id: &str, visitor: &Visitor) -> Result<Arc<LiveGame>, Refusal> {
    let game = app.games.find(app, id)?;
    if game.belongs_to(&visitor.name) {
        return Ok(game);
    }
    Err(Refusal::forbidden("spectator", "this is somebody else's game: you can watch it"))
}

async fn make_move(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Command(Played { m, ply }): Command<Played>,
) -> Result<Response, Refusal> {
    let game = own(&app, &id, &visitor)?;
    game.change(&app, ply, |table, used| {
        if table.is_players_turn() {
            return Err(Refusal::conflict("turn", "it is the other player's turn"));
        }
        table.play(m, used)
    })?;
    Ok(as_json(&game.snapshot(&app)))
}

async fn take_back(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Command(At { ply }): Command<At>,
) -> Result<Response, Refusal> {
    let game = own(&app, &id, &visitor)?;
    game.change(&app, ply, |table, _| table.take_back())?;
    Ok(as_json(&game.snapshot(&app)))
}

async fn resign(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Command(At { ply }): Command<At>,
) -> Result<Response, Refusal> {
    let game = own(&app, &id, &visitor)?;
    game.change(&app, ply, |table, _| table.resign(Color::from(table.saved.human)))?;
    Ok(as_json(&game.snapshot(&app)))
}

async fn declare(
    State(app): State<App>,
    Extension(visitor): Extension<Visitor>,
    Path(id): Path<String>,
    Command(At { ply }): Command<At>,
) -> Result<Response, Refusal> {
    let game = own(&app, &id, &visitor)?;
    game.change(&app, ply, |table, _| {
        if table.is_players_turn() {
            return Err(Refusal::conflict("turn", "it is the other player's turn"));
        }
        table.declare()
    })?;
    Ok(as_json(&game.snapshot(&app)))
}

/// The formats that games leave in, by their names in addresses.
pub(crate) const FORMATS: [(&str, Format); 5] = [
    ("kif", Format::Kif),
    ("kifu", Format::Kifu),
    ("csa", Format::CsaV3),
    ("jkf", Format::Jkf),
    ("usi", Format::Usi),
];

async fn export(
    State(app): State<App>,
    Path((id, format)): Path<(String, String)>,
) -> Result<Response, Refusal> {
    let game = app.games.find(&app, &id)?;
    let found = FORMATS.into_iter().find(|(name, _)| *name == format);
    let (name, format) = found.ok_or_else(|| Refusal::missing("format"))?;
    let record = game.record().ok_or_else(|| Refusal::fault("the game cannot be read"))?;
    Ok(download(&format!("yomi-{id}.{name}"), write_game(&record, format)))
}

/// Bytes to be kept as a file, never to be shown by the browser.
pub(crate) fn download(name: &str, bytes: Vec<u8>) -> Response {
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    response
}
