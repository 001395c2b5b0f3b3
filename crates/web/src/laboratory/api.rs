//! What can be asked about runs.

use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};

use super::folder::{RunPlace, RunsFolder};
use super::launch::WantedRun;
use super::{page, standing};
use crate::app::App;
use crate::body::{Asked, Command};
use crate::refusal::Refusal;

/// The addresses of the laboratory.
pub(crate) fn routes() -> Router<App> {
    Router::new()
        .route("/lab", get(page::runs))
        .route("/lab/run", get(page::run))
        .route("/lab/report", get(report))
        .route("/lab/file", get(file))
        .route("/api/runs", get(list))
        .route("/api/runs/match", get(whole_match))
        .route("/api/runs/stop", post(stop))
        .route("/api/runs/start", post(start))
        .route("/api/runs/go-on", post(go_on))
}

/// A run, and perhaps one of its files.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Named {
    pub(super) name: String,
    file: String,
}

/// A page of a run is made of strangers' names too: it may run its own script, and reach nothing.
const SANDBOX: &str = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

pub(super) fn folder(app: &App) -> Result<&RunsFolder, Refusal> {
    app.runs.as_ref().ok_or_else(|| {
        Refusal::new(StatusCode::NOT_FOUND, "no-runs", "the server was started without --runs")
    })
}

pub(super) fn place(app: &App, named: &Named) -> Result<RunPlace, Refusal> {
    folder(app)?.find(&named.name)
}

/// Reads files away from the threads that serve.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    tokio::task::spawn_blocking(work).await.map_err(|_| Refusal::fault("the run could not be read"))?
}

async fn list(State(app): State<App>) -> Result<Json<Value>, Refusal> {
    let folder = folder(&app)?.clone();
    aside(move || {
        let runs: Vec<Value> = folder.all().iter().map(standing::brief).collect();
        Ok(Json(json!({ "runs": runs })))
    })
    .await
}

async fn whole_match(State(app): State<App>, Asked(named): Asked<Named>) -> Result<Json<Value>, Refusal> {
    let run = place(&app, &named)?;
    aside(move || standing::whole_match(&run).map(Json).ok_or_else(|| Refusal::missing("match"))).await
}

/// The page of a match as it stands now, or the one that the run wrote.
async fn report(State(app): State<App>, Asked(named): Asked<Named>) -> Result<Response, Refusal> {
    let run = place(&app, &named)?;
    aside(move || {
        let dir = runs::RunDir::existing(&run.path).map_err(|_| Refusal::missing("run"))?;
        match lab::report::of_match(&dir) {
            Ok(html) => Ok(sandboxed(html.into_bytes(), "text/html; charset=utf-8")),
            Err(_) => run.read("report.html").map(|(bytes, kind)| sandboxed(bytes, kind)),
        }
    })
    .await
}

async fn file(State(app): State<App>, Asked(named): Asked<Named>) -> Result<Response, Refusal> {
    let run = place(&app, &named)?;
    aside(move || run.read(&named.file).map(|(bytes, kind)| sandboxed(bytes, kind))).await
}

fn sandboxed(bytes: Vec<u8>, kind: &'static str) -> Response {
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(HeaderName::from_static("content-security-policy"), HeaderValue::from_static(SANDBOX));
    response
}

async fn stop(State(app): State<App>, Command(named): Command<Named>) -> Result<Json<Value>, Refusal> {
    place(&app, &named)?.stop()?;
    Ok(Json(json!({ "stopped": named.name })))
}

async fn start(State(app): State<App>, Command(wanted): Command<WantedRun>) -> Result<Json<Value>, Refusal> {
    app.launcher.start(folder(&app)?, &app.players, &wanted)?;
    Ok(Json(json!({ "started": true })))
}

async fn go_on(State(app): State<App>, Command(named): Command<Named>) -> Result<Json<Value>, Refusal> {
    app.launcher.go_on(&place(&app, &named)?, folder(&app)?, &app.players)?;
    Ok(Json(json!({ "started": true })))
}
