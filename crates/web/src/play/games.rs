//! All games: those that somebody looks at in memory, all of them on disk.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use records::whole_file::{Existing, WholeFile};

use super::live::LiveGame;
use super::saved::SavedGame;
use super::table::Table;
use crate::app::App;
use crate::random::{self, GAME_NAME};
use crate::refusal::Refusal;

/// A game that nobody has looked at for so long leaves memory; where room is short, one of half a minute.
const KEPT: Duration = Duration::from_secs(120);
const KEPT_AT_LEAST: Duration = Duration::from_secs(30);
/// As many games as may be in memory.
const MOST_LIVE: usize = 2000;
/// As many games as may be on disk.
const MOST_SAVED: usize = 50_000;
/// The largest file of a game.
const LARGEST: u64 = 1 << 20;
/// How often clocks are looked at.
const TICK: Duration = Duration::from_millis(250);

/// The games of a server; clones are the same.
#[derive(Clone)]
pub(crate) struct Games(Arc<Shared>);

struct Shared {
    folder: PathBuf,
    live: Mutex<HashMap<String, Arc<LiveGame>>>,
    saved: AtomicUsize,
    born: Instant,
}

impl Games {
    /// The games of a folder, which is made if it is not there.
    pub(crate) fn open(data: &Path) -> io::Result<Games> {
        let folder = data.join("games");
        fs::create_dir_all(&folder)?;
        let saved = AtomicUsize::new(fs::read_dir(&folder)?.count());
        Ok(Games(Arc::new(Shared { folder, live: Mutex::default(), saved, born: Instant::now() })))
    }

    fn live(&self) -> MutexGuard<'_, HashMap<String, Arc<LiveGame>>> {
        self.0.live.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> u64 {
        self.0.born.elapsed().as_secs()
    }

    /// How many are in memory.
    pub(crate) fn count(&self) -> usize {
        self.live().len()
    }

    /// Only for names that were found to be names.
    fn path(&self, id: &str) -> PathBuf {
        self.0.folder.join(format!("{id}.json"))
    }

    /// A game by its name, from memory or from disk.
    pub(crate) fn find(&self, app: &App, id: &str) -> Result<Arc<LiveGame>, Refusal> {
        if !random::is_name(id, GAME_NAME) {
            return Err(Refusal::missing("game"));
        }
        let mut live = self.live();
        if let Some(game) = live.get(id) {
            game.touch(self.now());
            return Ok(Arc::clone(game));
        }
        let table = self.read(id).ok_or_else(|| Refusal::missing("game"))?;
        let game = self.add(&mut live, id, table)?;
        drop(live);
        game.resume(app);
        Ok(game)
    }

    fn read(&self, id: &str) -> Option<Table> {
        let path = self.path(id);
        if fs::metadata(&path).ok()?.len() > LARGEST {
            return None;
        }
        let saved: SavedGame = serde_json::from_slice(&fs::read(path).ok()?).ok()?;
        Table::of(saved).filter(|table| table.saved.id == id)
    }

    fn add(
        &self,
        live: &mut HashMap<String, Arc<LiveGame>>,
        id: &str,
        table: Table,
    ) -> Result<Arc<LiveGame>, Refusal> {
        if live.len() >= MOST_LIVE {
            self.forget(live, KEPT_AT_LEAST);
        }
        if live.len() >= MOST_LIVE {
            return Err(Refusal::busy("too many games at once; try again later"));
        }
        let game = Arc::new(LiveGame::new(table));
        game.touch(self.now());
        live.insert(id.to_owned(), Arc::clone(&game));
        Ok(game)
    }

    /// A new game.
    pub(crate) fn begin(&self, app: &App, table: Table) -> Result<(), Refusal> {
        if self.0.saved.load(Ordering::Relaxed) >= MOST_SAVED {
            return Err(Refusal::busy("the folder of games is full"));
        }
        self.save(&table.saved).map_err(|_| Refusal::fault("the game could not be saved"))?;
        self.0.saved.fetch_add(1, Ordering::Relaxed);
        let id = table.saved.id.clone();
        let game = self.add(&mut self.live(), &id, table)?;
        game.resume(app);
        Ok(())
    }

    /// Writes a game, whole or not at all.
    pub(super) fn save(&self, saved: &SavedGame) -> io::Result<()> {
        let mut file = WholeFile::begin(&self.path(&saved.id))?;
        file.write_all(&serde_json::to_vec(saved)?)?;
        file.complete_unsynced(Existing::Replace)
    }

    /// Takes games out of memory that nobody has looked at for so long; they stay on disk.
    fn forget(&self, live: &mut HashMap<String, Arc<LiveGame>>, kept: Duration) {
        let now = self.now();
        live.retain(|_, game| {
            let is_old = now.saturating_sub(game.touched.load(Ordering::Relaxed)) > kept.as_secs();
            let is_kept = !is_old || game.is_watched() || game.is_thinking();
            if !is_kept {
                game.leave();
            }
            is_kept
        });
    }
}

/// Looks at the clocks of all games, for as long as the server lives.
pub(crate) async fn watch_clocks(app: App) {
    let mut ticks: u64 = 0;
    while !app.thinkers.is_closed() {
        tokio::time::sleep(TICK).await;
        ticks += 1;
        let games: Vec<Arc<LiveGame>> = app.games.live().values().cloned().collect();
        games.iter().for_each(|game| game.look_at_clock(&app));
        if ticks.is_multiple_of(40) {
            app.games.forget(&mut app.games.live(), KEPT);
        }
    }
}
