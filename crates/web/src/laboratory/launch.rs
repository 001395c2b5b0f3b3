//! Matches that are started from the page: processes of this very program, which go on whatever becomes of the server.

use std::collections::HashMap;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use super::folder::{RunPlace, RunsFolder};
use crate::players::Players;
use crate::refusal::Refusal;

/// Matches that the page may have at work at once.
const AT_ONCE: usize = 1;

/// A match that is wanted.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantedMatch {
    name: String,
    players: [String; 2],
    nodes: u64,
    games: u32,
}

/// Starts matches, and knows those that it started.
#[derive(Clone)]
pub(crate) struct Launcher {
    /// The program; `None` where nothing can be started.
    program: Option<PathBuf>,
    children: Arc<Mutex<HashMap<String, Child>>>,
}

/// What a match was started with is kept beside its manifest, so that it can go on.
const COMMAND: &str = "page_command.json";

impl Launcher {
    pub(crate) fn new(program: Option<PathBuf>) -> Launcher {
        Launcher { program, children: Arc::default() }
    }

    /// Whether anything can be started.
    pub(crate) fn can_start(&self) -> bool {
        self.program.is_some()
    }

    /// Starts a new match.
    pub(crate) fn start(
        &self,
        runs: &RunsFolder,
        players: &Players,
        wanted: &WantedMatch,
    ) -> Result<(), Refusal> {
        for player in &wanted.players {
            players.own_description(player)?;
        }
        if !(1..=10_000_000).contains(&wanted.nodes) || !(2..=100_000).contains(&wanted.games) {
            return Err(Refusal::bad("match", "expected 1 to 10000000 nodes a move and 2 to 100000 games"));
        }
        let path = runs.place_for(&wanted.name)?;
        self.spawn(&wanted.name, wanted, &path)
    }

    /// Goes on with a match that was started here.
    pub(crate) fn go_on(&self, run: &RunPlace, players: &Players) -> Result<(), Refusal> {
        let unknown = || {
            Refusal::conflict("command", "only matches that were started from this page can go on from it")
        };
        let bytes = std::fs::read(run.path.join(COMMAND)).map_err(|_| unknown())?;
        let wanted: WantedMatch = serde_json::from_slice(&bytes).map_err(|_| unknown())?;
        for player in &wanted.players {
            players.own_description(player)?;
        }
        self.spawn(&run.name, &wanted, &run.path)
    }

    fn spawn(&self, name: &str, wanted: &WantedMatch, path: &std::path::Path) -> Result<(), Refusal> {
        let program =
            self.program.as_ref().ok_or_else(|| Refusal::conflict("start", "nothing can be started here"))?;
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.retain(|_, child| child.try_wait().is_ok_and(|ended| ended.is_none()));
        if children.len() >= AT_ONCE {
            return Err(Refusal::busy("a match is being played already; stop it first"));
        }
        let [first, second] = &wanted.players;
        let (nodes, games) = (wanted.nodes.to_string(), wanted.games.to_string());
        let child = Command::new(program)
            .arg("match")
            .args(["--player", first, "--player", second, "--nodes", &nodes, "--games", &games])
            .args(["--concurrency", "1", "--out"])
            .arg(path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| Refusal::fault("the match could not be started"))?;
        children.insert(name.to_owned(), child);
        // The run's folder is made by the process; what it was started with follows as soon as it is there.
        let (file, text) = (path.join(COMMAND), serde_json::to_vec(wanted).unwrap_or_default());
        let manifest = path.join(runs::MANIFEST);
        std::thread::spawn(move || {
            for _ in 0..200 {
                if manifest.exists() {
                    let _ = std::fs::write(file, text);
                    return;
                }
                std::thread::sleep(std::time::Duration::from_millis(100));
            }
        });
        Ok(())
    }
}
