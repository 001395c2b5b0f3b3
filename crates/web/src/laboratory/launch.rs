//! Runs that are started from the page: processes of this very program, which go on whatever becomes of the server.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

use serde::Deserialize;

use super::folder::{RunPlace, RunsFolder};
use super::work::Work;
use crate::players::Players;
use crate::refusal::Refusal;

/// Runs that the page may have at work at once.
const AT_ONCE: usize = 1;

/// A run that is wanted.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct WantedRun {
    name: String,
    work: Work,
}

/// Starts runs, and knows those that it started.
#[derive(Clone)]
pub(crate) struct Launcher {
    /// The program; `None` where nothing can be started.
    program: Option<PathBuf>,
    children: Arc<Mutex<HashMap<String, Child>>>,
}

/// What a run was started with is kept beside its manifest, so that it can go on.
const COMMAND: &str = "page_command.json";

impl Launcher {
    pub(crate) fn new(program: Option<PathBuf>) -> Launcher {
        Launcher { program, children: Arc::default() }
    }

    /// Whether anything can be started.
    pub(crate) fn can_start(&self) -> bool {
        self.program.is_some()
    }

    /// Starts a new run.
    pub(crate) fn start(
        &self,
        runs: &RunsFolder,
        players: &Players,
        wanted: &WantedRun,
    ) -> Result<(), Refusal> {
        let path = runs.place_for(&wanted.name)?;
        self.spawn(&wanted.name, &path, &wanted.work, runs, players)
    }

    /// Goes on with a run that was started here.
    pub(crate) fn go_on(&self, run: &RunPlace, runs: &RunsFolder, players: &Players) -> Result<(), Refusal> {
        let unknown =
            || Refusal::conflict("command", "only runs that were started from this page can go on from it");
        let bytes = std::fs::read(run.path.join(COMMAND)).map_err(|_| unknown())?;
        let work: Work = serde_json::from_slice(&bytes).map_err(|_| unknown())?;
        self.spawn(&run.name, &run.path, &work, runs, players)
    }

    fn spawn(
        &self,
        name: &str,
        path: &Path,
        work: &Work,
        runs: &RunsFolder,
        players: &Players,
    ) -> Result<(), Refusal> {
        let program =
            self.program.as_ref().ok_or_else(|| Refusal::conflict("start", "nothing can be started here"))?;
        let arguments = work.arguments(runs, players)?;
        let mut children = self.children.lock().unwrap_or_else(PoisonError::into_inner);
        children.retain(|_, child| child.try_wait().is_ok_and(|ended| ended.is_none()));
        if children.len() >= AT_ONCE {
            return Err(Refusal::busy("a run is at work already; stop it first"));
        }
        let child = Command::new(program)
            .args(arguments)
            .arg("--out")
            .arg(path)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|_| Refusal::fault("the run could not be started"))?;
        children.insert(name.to_owned(), child);
        // The run's folder is made by the process; what it was started with follows as soon as it is there.
        let (file, text) = (path.join(COMMAND), serde_json::to_vec(work).unwrap_or_default());
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
