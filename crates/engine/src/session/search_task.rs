//! One `go` from its line to its answer.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use protocol::usi::{Clock, Go, GuiMessage};
use search::Control;
use shogi::Color;

use crate::clock::{Budget, ClockSettings};

/// What was asked for, and the strings that reach the search while it runs. Shared by the reader of lines and
/// the worker; nothing here blocks but [`SearchTask::wait_until_answer_allowed`].
pub(super) struct SearchTask {
    pub(super) kind: TaskKind,
    pub(super) control: Control,
    /// Of the thinking at the opponent's position, which also ends when he has played the expected move.
    pub(super) opponent: Control,
    received: Instant,
    state: Mutex<State>,
    changed: Condvar,
    over: AtomicBool,
}

/// What a task is for.
pub(super) enum TaskKind {
    /// To think.
    Go(Go),
    /// To measure the speed.
    Bench(String),
}

#[derive(Default)]
struct State {
    /// How to read clocks: known once the worker has begun.
    timing: Option<Timing>,
    /// When the ponder move was played, and the clock reported then.
    hit: Option<(Instant, Clock)>,
    /// Nobody is there any more to stop it.
    input_ended: bool,
    /// There is a player and it is at work.
    under_way: bool,
    /// Each `isready` that came before it was.
    ready_asked: Vec<ReadyTicket>,
}

/// An `isready` that came during a task: whether the task has answered it.
pub(super) type ReadyTicket = Arc<AtomicBool>;

/// Who answers an `isready`.
pub(super) enum ReadyAnswer {
    /// Whoever asks, now: a player is at work.
    Now,
    /// The task as soon as a player is at work on it, else the worker in its turn.
    ByTask(ReadyTicket),
    /// The worker in its turn: the task is over, or somebody has asked it to end.
    InTurn,
}

/// What turns a clock into a budget.
#[derive(Clone, Copy)]
pub(super) struct Timing {
    pub(super) settings: ClockSettings,
    pub(super) side: Color,
    pub(super) ply: u16,
    /// Set if a time was given for exactly this move.
    pub(super) exact: Option<Duration>,
    /// Whether depth or nodes, the player's own limits included, end the search.
    pub(super) bounded: bool,
}

/// For a search that must come to an end but has no limit: after an early ponder without clocks.
const UNLIMITED_PONDER: Duration = Duration::from_secs(1);

impl SearchTask {
    pub(super) fn new(go: Go) -> SearchTask {
        SearchTask::of_kind(TaskKind::Go(go))
    }

    /// A task for a `bench` message.
    pub(super) fn bench(message: GuiMessage) -> SearchTask {
        let how = if let GuiMessage::Bench(how) = message { how } else { String::new() };
        SearchTask::of_kind(TaskKind::Bench(how))
    }

    fn of_kind(kind: TaskKind) -> SearchTask {
        SearchTask {
            kind,
            control: Control::new(),
            opponent: Control::new(),
            received: Instant::now(),
            state: Mutex::default(),
            changed: Condvar::new(),
            over: AtomicBool::new(false),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn go(&self) -> Option<&Go> {
        match &self.kind {
            TaskKind::Go(go) => Some(go),
            TaskKind::Bench(_) => None,
        }
    }

    /// Asks for the decision.
    pub(super) fn stop(&self) {
        let _state = self.state();
        self.end_all();
    }

    fn end_all(&self) {
        self.control.stop();
        self.opponent.stop();
        self.changed.notify_all();
    }

    /// The expected move was played: the clock runs from now.
    pub(super) fn ponder_hit(&self, clock: Clock) {
        let mut state = self.state();
        if state.hit.is_none() && self.go().is_some_and(|go| go.ponder) {
            state.hit = Some((Instant::now(), clock));
            self.start_clock(&state);
            self.opponent.stop();
            self.changed.notify_all();
        }
    }

    /// Blocks until the expected move was played, or somebody asks for the end; whether it was played.
    pub(super) fn wait_for_hit(&self) -> bool {
        let mut state = self.state();
        while state.hit.is_none() && !self.control.is_stopped() {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        state.hit.is_some()
    }

    /// The search begins. The clock has been running since `go`, or runs from the ponder hit on.
    pub(super) fn begin(&self, timing: Timing) {
        let mut state = self.state();
        state.timing = Some(timing);
        self.start_clock(&state);
        self.stop_if_endless(&state);
    }

    /// Nothing more will be said: a search that only a word could end is stopped, now or as soon as it begins.
    pub(super) fn input_ended(&self) {
        let mut state = self.state();
        state.input_ended = true;
        self.stop_if_endless(&state);
    }

    fn stop_if_endless(&self, state: &State) {
        let (Some(go), Some(timing)) = (self.go(), state.timing) else { return };
        let waits = go.infinite || (go.ponder && state.hit.is_none());
        if state.input_ended && (waits || !(timing.bounded || self.control.has_clock())) {
            self.end_all();
        }
    }

    /// Starts the clock if all that it needs is known.
    fn start_clock(&self, state: &State) {
        let (Some(go), Some(timing)) = (self.go(), state.timing) else { return };
        let (since, clock) = match state.hit {
            Some((at, reported)) => (at, if reported.is_empty() { go.clock } else { reported }),
            None if go.ponder => return,
            None => (self.received, go.clock),
        };
        if go.infinite {
            return;
        }
        let budget = match timing.exact {
            Some(time) => Some(Budget::exactly(time)),
            None => Budget::from_clock(&clock, timing.side, timing.ply, &timing.settings),
        };
        let unlimited = (go.ponder && !timing.bounded).then(|| Budget::exactly(UNLIMITED_PONDER));
        if let Some(Budget { soft, hard }) = budget.or(unlimited) {
            let gone = since.elapsed();
            self.control.start_clock(soft.saturating_sub(gone), hard.saturating_sub(gone));
        }
    }

    /// Blocks until the answer is allowed: at once, but for `infinite` and `ponder` not before `stop` or a
    /// ponder hit.
    pub(super) fn wait_until_answer_allowed(&self) {
        let Some(go) = self.go() else { return };
        let mut state = self.state();
        while !self.control.is_stopped() && (go.infinite || (go.ponder && state.hit.is_none())) {
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The answer is given now. Called before it is said: who has heard it may go on as after it.
    pub(super) fn finish(&self) {
        let _state = self.state();
        self.over.store(true, Ordering::Release);
    }

    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    /// Somebody asks whether the engine is ready.
    pub(super) fn ask_ready(&self) -> ReadyAnswer {
        let mut state = self.state();
        if self.is_over() || self.control.is_stopped() {
            return ReadyAnswer::InTurn;
        }
        if state.under_way {
            return ReadyAnswer::Now;
        }
        let ticket = ReadyTicket::default();
        state.ready_asked.push(Arc::clone(&ticket));
        ReadyAnswer::ByTask(ticket)
    }

    /// There is a player, and its work begins now; how often `isready` was asked before. The caller answers.
    pub(super) fn set_under_way(&self) -> usize {
        let mut state = self.state();
        state.under_way = true;
        let asked = std::mem::take(&mut state.ready_asked);
        asked.iter().for_each(|ticket| ticket.store(true, Ordering::Release));
        asked.len()
    }
}
