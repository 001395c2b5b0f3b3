//! A game that somebody looks at: its state, its watchers, and the player's thoughts about its move.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use contract::Clock;
use engine::GameRules;
use search::{Choice, Control};
use shogi::Color;
use tokio::sync::watch;

use super::snapshot::{Moment, snapshot};
use super::table::Table;
use super::task::Task;
use crate::app::App;
use crate::refusal::Refusal;
use crate::thinkers::{Place, Urgency};

/// How long a player of full strength thinks where no clock says so.
const NO_CLOCK: Duration = Duration::from_millis(1500);

/// A game in memory.
pub(crate) struct LiveGame {
    state: Mutex<State>,
    /// The newest snapshot, made once for all watchers.
    news: watch::Sender<Arc<str>>,
    /// When somebody last asked for it, in seconds of the server's life.
    pub(super) touched: AtomicU64,
}

struct State {
    table: Table,
    turn_began: Instant,
    /// Counts changes: a thought about an earlier state is not played.
    version: u64,
    thought: Option<Thought>,
    trouble: Option<String>,
}

/// A player at work.
struct Thought {
    control: Arc<Control>,
    place: Place,
}

impl LiveGame {
    pub(super) fn new(table: Table) -> LiveGame {
        let (news, _) = watch::channel(Arc::from(""));
        // Later than whatever browsers saw before the server was started again.
        let version =
            SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis() as u64);
        let state = State { table, turn_began: Instant::now(), version, thought: None, trouble: None };
        LiveGame { state: Mutex::new(state), news, touched: AtomicU64::new(0) }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether a visitor may play here.
    pub(crate) fn belongs_to(&self, visitor: &str) -> bool {
        self.state().table.saved.owner == visitor
    }

    /// News about the game, the latest first.
    pub(crate) fn watch(&self) -> watch::Receiver<Arc<str>> {
        self.news.subscribe()
    }

    pub(super) fn is_watched(&self) -> bool {
        self.news.receiver_count() > 0
    }

    /// Whether a player thinks about it.
    pub(super) fn is_thinking(&self) -> bool {
        self.state().thought.is_some()
    }

    /// The game as it stands now.
    pub(crate) fn snapshot(&self, app: &App) -> Arc<str> {
        Arc::from(self.state().snapshot(app).as_str())
    }

    /// The game as a record.
    pub(crate) fn record(&self) -> Option<records::game::Game> {
        self.state().table.saved.record()
    }

    /// Does something to the game as its owner; what comes of it is saved and told, and the player begins to think
    /// where it is his turn. `ply` is how many moves the owner saw.
    pub(crate) fn change(
        self: &Arc<Self>,
        app: &App,
        ply: usize,
        change: impl FnOnce(&mut Table, Duration) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut state = self.state();
        if state.table.saved.moves.len() != ply {
            return Err(Refusal::conflict("stale", "the game has gone on meanwhile"));
        }
        let used = state.turn_began.elapsed();
        let result = change(&mut state.table, used);
        // A refusal may have ended the game: the time was up.
        if result.is_ok() || state.table.saved.end.is_some() {
            self.changed(&mut state, app)?;
        }
        result
    }

    /// After every change: stops what was thought before, saves, tells, thinks.
    fn changed(self: &Arc<Self>, state: &mut State, app: &App) -> Result<(), Refusal> {
        if let Some(thought) = state.thought.take() {
            thought.control.stop();
        }
        state.version += 1;
        state.turn_began = Instant::now();
        state.trouble = None;
        app.games.save(&state.table.saved).map_err(|_| Refusal::fault("the game could not be saved"))?;
        if state.table.is_players_turn() {
            self.think(state, app);
        }
        self.tell(state, app);
        Ok(())
    }

    fn tell(&self, state: &State, app: &App) {
        self.news.send_replace(Arc::from(state.snapshot(app).as_str()));
    }

    /// Takes up a game that was saved: the clock runs again, and the player thinks if it is his turn.
    pub(super) fn resume(self: &Arc<Self>, app: &App) {
        let mut state = self.state();
        if state.table.is_players_turn() {
            self.think(&mut state, app);
        }
        self.tell(&state, app);
    }

    fn think(self: &Arc<Self>, state: &mut State, app: &App) {
        let saved = &state.table.saved;
        let opponent = match app.players.opponent(&saved.player, saved.level) {
            Ok(opponent) => opponent,
            Err(refusal) => {
                state.trouble = Some(refusal.message);
                return;
            }
        };
        let control = Arc::new(Control::new());
        let task = Task {
            opponent,
            game: saved.id.clone(),
            position: state.table.position.clone(),
            clock: state.table.clock().unwrap_or_else(|| Clock::byoyomi(NO_CLOCK)),
            rules: GameRules { declaration: saved.declaration_rule(), max_moves: 0 },
            control: Arc::clone(&control),
        };
        let (live, its_app, version) = (Arc::clone(self), app.clone(), state.version);
        let asked = app.thinkers.ask(Urgency::Move, move |seats| {
            let answer = task.answer(seats);
            live.answered(&its_app, version, answer);
        });
        match asked {
            Ok(place) => state.thought = Some(Thought { control, place }),
            Err(_) => state.trouble = Some("too many games at once; take back and try again".to_owned()),
        }
    }

    /// The player has decided, unless the game has gone another way.
    fn answered(self: &Arc<Self>, app: &App, version: u64, answer: Result<Choice, String>) {
        let mut state = self.state();
        if state.version != version || app.thinkers.is_closed() {
            return;
        }
        state.thought = None;
        let used = state.turn_began.elapsed();
        let done = match answer {
            Ok(Choice::Move(m)) => state.table.play(m, used),
            Ok(Choice::Declare) => state.table.declare(),
            Ok(Choice::Resign) => {
                let side: Color = state.table.position.side();
                state.table.resign(side)
            }
            Err(message) => Err(Refusal::fault(message)),
        };
        let result = done.and_then(|()| self.changed(&mut state, app));
        if let Err(refusal) = result {
            if state.table.saved.end.is_some() {
                let _ = self.changed(&mut state, app);
            } else {
                state.trouble = Some(refusal.message);
                self.tell(&state, app);
            }
        }
    }

    /// Ends the game if the time of the side to move is up.
    pub(super) fn look_at_clock(self: &Arc<Self>, app: &App) {
        let mut state = self.state();
        let used = state.turn_began.elapsed();
        if state.table.flag(used) {
            let _ = self.changed(&mut state, app);
        }
    }

    /// Forgets the thought: the game leaves memory.
    pub(super) fn leave(&self) {
        if let Some(thought) = self.state().thought.take() {
            thought.control.stop();
        }
    }

    pub(super) fn touch(&self, now: u64) {
        self.touched.store(now, Ordering::Relaxed);
    }
}

impl State {
    fn snapshot(&self, app: &App) -> String {
        let moment = Moment {
            used: self.turn_began.elapsed(),
            version: self.version,
            ahead: self.thought.as_ref().and_then(|thought| app.thinkers.ahead(thought.place)),
            trouble: self.trouble.as_deref(),
        };
        snapshot(&self.table, &moment).to_string()
    }
}
