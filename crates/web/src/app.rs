//! What all requests share.

use std::sync::Arc;

use crate::connections::Connections;
use crate::gate::Token;
use crate::laboratory::{Launcher, RunsFolder};
use crate::play::Games;
use crate::players::Players;
use crate::server::{ServeError, Settings};
use crate::study::Visits;
use crate::thinkers::Thinkers;

/// Shared by all requests; clones are the same.
#[derive(Clone)]
pub(crate) struct App {
    pub(crate) token: Option<Token>,
    pub(crate) players: Arc<Players>,
    pub(crate) thinkers: Thinkers,
    pub(crate) games: Games,
    pub(crate) visits: Visits,
    pub(crate) runs: Option<RunsFolder>,
    pub(crate) launcher: Launcher,
    pub(crate) connections: Connections,
}

impl App {
    pub(crate) fn new(settings: Settings) -> Result<App, ServeError> {
        let Settings { token, data, runs, program, players, searches, connections, .. } = settings;
        for player in &players {
            player.check().map_err(|error| {
                let name = player.name.clone();
                ServeError::Player { name, error: Box::new(error) }
            })?;
        }
        let games = Games::open(&data).map_err(|error| ServeError::Data { folder: data, error })?;
        let thinkers = Thinkers::start(searches).map_err(ServeError::Start)?;
        let token = token.as_deref().map(Token::new);
        let (runs, launcher) = (runs.map(RunsFolder::new), Launcher::new(program));
        Ok(App {
            token,
            players: Arc::new(Players::new(players)),
            thinkers,
            games,
            visits: Visits::default(),
            runs,
            launcher,
            connections: Connections::new(connections),
        })
    }
}
