//! The server: sockets, limits on connections, and the routes.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::Router;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

use crate::app::App;
use crate::connections::Watched;
use crate::players::NamedPlayer;
use crate::refusal::Refusal;
use crate::{assets, gate, laboratory, play, study};

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens; port 0 takes any that is free.
    pub address: SocketAddr,
    /// What visitors must know; needed unless the address is this machine's own.
    pub token: Option<String>,
    /// The folder of its games.
    pub data: PathBuf,
    /// The folder of runs that visitors may see, if there is one.
    pub runs: Option<PathBuf>,
    /// The program that plays matches when the page starts one; `None` if it may not.
    pub program: Option<PathBuf>,
    /// Players that visitors may choose besides those they can describe.
    pub players: Vec<NamedPlayer>,
    /// How many searches may run at once besides the moves of games, which have a thread of their own.
    pub searches: usize,
    /// How many connections there may be.
    pub connections: usize,
    /// A connection on which nothing moves for so long ends: [`PATIENCE`], unless tests are in a hurry.
    pub patience: Duration,
}

/// Why a server does not run.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum ServeError {
    #[error("cannot listen on {address}: {error}")]
    Listen { address: SocketAddr, error: io::Error },
    #[error("cannot use the folder {}: {error}", folder.display())]
    Data { folder: PathBuf, error: io::Error },
    #[error("cannot start: {0}")]
    Start(io::Error),
    #[error("the player {name} cannot play: {error}")]
    Player { name: String, error: Box<lab::seat::SeatError> },
    #[error("{address} can be reached from other machines: that needs a token")]
    NoToken { address: SocketAddr },
}

/// How long a connection on which nothing moves is usually kept.
pub const PATIENCE: Duration = Duration::from_secs(60);
/// A request whose head takes longer is no request.
const HEAD: Duration = Duration::from_secs(10);
/// The longest head of a request: a game of some thousand moves in its address.
const LONGEST_HEAD: usize = 32 << 10;
/// How soon a stop is heard.
const GLANCE: Duration = Duration::from_millis(100);

/// Serves until `is_stopped`; blocks meanwhile. `ready` is told the address as soon as visitors can come.
pub fn serve(
    settings: Settings,
    is_stopped: &(dyn Fn() -> bool + Sync),
    ready: &mut dyn FnMut(SocketAddr),
) -> Result<(), ServeError> {
    let Settings { address, ref token, patience, .. } = settings;
    if !address.ip().is_loopback() && token.is_none() {
        return Err(ServeError::NoToken { address });
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(ServeError::Start)?;
    let result = runtime.block_on(async {
        let listener =
            TcpListener::bind(address).await.map_err(|error| ServeError::Listen { address, error })?;
        let app = App::new(settings)?;
        ready(listener.local_addr().map_err(|error| ServeError::Listen { address, error })?);
        tokio::spawn(play::watch_clocks(app.clone()));
        accept(&listener, &app, patience, is_stopped).await;
        app.thinkers.close();
        Ok(())
    });
    runtime.shutdown_timeout(Duration::from_secs(1));
    result
}

/// Takes in connections, as many as there may be.
async fn accept(
    listener: &TcpListener,
    app: &App,
    patience: Duration,
    is_stopped: &(dyn Fn() -> bool + Sync),
) {
    let router = router(app.clone());
    while !is_stopped() {
        let Ok(Ok(permit)) = timeout(GLANCE, app.connections.take_one()).await else { continue };
        let stream = match timeout(GLANCE, listener.accept()).await {
            Ok(Ok((stream, _))) => stream,
            Ok(Err(_)) => {
                // No more files can be opened, or the like: it passes.
                sleep(GLANCE).await;
                continue;
            }
            Err(_) => continue,
        };
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let io = TokioIo::new(Watched::new(stream, patience, permit));
        tokio::spawn(async move {
            let mut builder = http1::Builder::new();
            builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(LONGEST_HEAD);
            // Whatever ends a connection concerns nobody else.
            let _ = builder.serve_connection(io, service).await;
        });
    }
}

/// Every address that there is.
pub(crate) fn router(app: App) -> Router {
    Router::new()
        .route("/", get(|| async { Redirect::to("/play") }))
        .route("/health", get(health))
        .route("/assets/{name}", get(assets::asset))
        .merge(play::routes())
        .merge(study::routes())
        .merge(laboratory::routes())
        .fallback(|| async { Refusal::missing("page") })
        .method_not_allowed_fallback(|| async {
            let status = axum::http::StatusCode::METHOD_NOT_ALLOWED;
            Refusal::new(status, "method", "this address is asked in another way")
        })
        .layer(axum::middleware::from_fn_with_state(app.clone(), gate::gate))
        .with_state(app)
}

/// That the server lives, and how busy it is.
async fn health(axum::extract::State(app): axum::extract::State<App>) -> impl IntoResponse {
    axum::Json(serde_json::json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "games": app.games.count(),
        "searches": app.thinkers.state(),
        "connections": { "open": app.connections.open(), "most": app.connections.most },
    }))
}
