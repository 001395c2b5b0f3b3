//! The threads that think, and the queue before them: moves of games first, then whatever somebody wants to know.

use std::collections::VecDeque;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use engine::{Agent, AgentError, ExternalSpec, GameRules, Nets, ResolvedSpec, STACK_BYTES};
use lab::seat::{Seat as _, SeatError, UsiProcess};
use serde::Serialize;

/// As much as may wait.
const LONGEST_QUEUE: usize = 64;
/// Players that a thread keeps: two, so that comparing them is quick.
const KEPT_PLAYERS: usize = 2;

/// Whose turn it is when threads are few.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Urgency {
    /// A game waits for its move.
    Move,
    /// Somebody looks at a position for as long as he likes.
    Study,
}

/// What is to be thought about; it has the players of its thread.
type Work = Box<dyn FnOnce(&mut Seats) + Send>;

struct Job {
    number: u64,
    urgency: Urgency,
    work: Work,
}

/// The threads. Clones are the same.
#[derive(Clone)]
pub(crate) struct Thinkers(Arc<Shared>);

struct Shared {
    queue: Mutex<Queue>,
    arrived: Condvar,
    threads: usize,
    is_closed: AtomicBool,
}

#[derive(Default)]
struct Queue {
    waiting: VecDeque<Job>,
    next: u64,
    moves_running: usize,
    studies_running: usize,
}

/// How busy the threads are.
#[derive(Debug, Serialize)]
pub(crate) struct State {
    running: usize,
    at_once: usize,
    waiting: usize,
}

/// A place in the queue.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place(u64);

/// Too many wait already.
#[derive(Debug)]
pub(crate) struct Full;

impl Thinkers {
    /// Starts threads for so many studies at once, and one more that only games have.
    pub(crate) fn start(studies: usize) -> io::Result<Thinkers> {
        let threads = studies.max(1) + 1;
        let (queue, arrived) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { queue, arrived, threads, is_closed: AtomicBool::new(false) });
        let nets = Arc::new(Mutex::new(Nets::default()));
        for number in 0..threads {
            let (shared, nets) = (Arc::clone(&shared), Arc::clone(&nets));
            std::thread::Builder::new()
                .name(format!("thinker {number}"))
                .stack_size(STACK_BYTES)
                .spawn(move || shared.work(Seats { agents: Vec::new(), program: None, nets }))?;
        }
        Ok(Thinkers(shared))
    }

    /// Puts work into the queue; it is done on one of the threads.
    pub(crate) fn ask(
        &self,
        urgency: Urgency,
        work: impl FnOnce(&mut Seats) + Send + 'static,
    ) -> Result<Place, Full> {
        let mut queue = self.0.queue();
        if queue.waiting.len() >= LONGEST_QUEUE {
            return Err(Full);
        }
        let number = queue.next;
        queue.next += 1;
        queue.waiting.push_back(Job { number, urgency, work: Box::new(work) });
        self.0.arrived.notify_all();
        Ok(Place(number))
    }

    /// How many come before; `None` if it is no longer waiting.
    pub(crate) fn ahead(&self, place: Place) -> Option<usize> {
        self.0.queue().waiting.iter().position(|job| job.number == place.0)
    }

    /// Whether somebody waits, so that those who look for long should end.
    pub(crate) fn are_wanted(&self) -> bool {
        !self.0.queue().waiting.is_empty()
    }

    /// Whether all is to end.
    pub(crate) fn is_closed(&self) -> bool {
        self.0.is_closed.load(Ordering::Relaxed)
    }

    /// Ends all: whoever thinks asks [`Thinkers::is_closed`] now and then.
    pub(crate) fn close(&self) {
        self.0.is_closed.store(true, Ordering::Relaxed);
        self.0.queue().waiting.clear();
        self.0.arrived.notify_all();
    }

    pub(crate) fn state(&self) -> State {
        let queue = self.0.queue();
        let running = queue.moves_running + queue.studies_running;
        State { running, at_once: self.0.threads, waiting: queue.waiting.len() }
    }
}

impl Shared {
    fn queue(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self, mut seats: Seats) {
        while let Some(job) = self.next() {
            let work = std::panic::AssertUnwindSafe(|| (job.work)(&mut seats));
            if std::panic::catch_unwind(work).is_err() {
                // A player that failed inside is not asked again.
                seats.agents.clear();
                seats.program = None;
            }
            let mut queue = self.queue();
            *queue.running(job.urgency) -= 1;
            self.arrived.notify_all();
        }
    }

    /// Waits for work: a move, or a study if a thread is left for moves.
    fn next(&self) -> Option<Job> {
        let mut queue = self.queue();
        loop {
            if self.is_closed.load(Ordering::Relaxed) {
                return None;
            }
            let has_room = queue.studies_running + 1 < self.threads;
            let place =
                queue.first(Urgency::Move).or_else(|| queue.first(Urgency::Study).filter(|_| has_room));
            if let Some(job) = place.and_then(|place| queue.waiting.remove(place)) {
                *queue.running(job.urgency) += 1;
                return Some(job);
            }
            queue = self.arrived.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Queue {
    fn first(&self, urgency: Urgency) -> Option<usize> {
        self.waiting.iter().position(|job| job.urgency == urgency)
    }

    fn running(&mut self, urgency: Urgency) -> &mut usize {
        match urgency {
            Urgency::Move => &mut self.moves_running,
            Urgency::Study => &mut self.studies_running,
        }
    }
}

/// The players of one thread.
pub(crate) struct Seats {
    /// Each with the game that it played last; the latest one first.
    agents: Vec<(Agent, String)>,
    /// A program that runs, and the game that it played last.
    program: Option<RunningProgram>,
    nets: Arc<Mutex<Nets>>,
}

struct RunningProgram {
    spec: ExternalSpec,
    rules: GameRules,
    process: UsiProcess,
    game: String,
}

impl Seats {
    /// The program of a spec, started if it does not run, and ready for `game`. One that was asked for before ends.
    pub(crate) fn program(
        &mut self,
        spec: &ExternalSpec,
        rules: GameRules,
        game: &str,
    ) -> Result<&mut UsiProcess, SeatError> {
        let is_it = |running: &RunningProgram| running.spec == *spec && running.rules == rules;
        let mut running = match self.program.take().filter(is_it) {
            Some(running) => running,
            None => {
                let process = UsiProcess::start(spec, rules)?;
                RunningProgram { spec: spec.clone(), rules, process, game: String::new() }
            }
        };
        if running.game != game && running.process.new_game().is_err() {
            running.process = UsiProcess::start(spec, rules)?;
        }
        game.clone_into(&mut running.game);
        Ok(&mut self.program.insert(running).process)
    }

    /// Ends the program: it failed.
    pub(crate) fn end_program(&mut self) {
        self.program = None;
    }

    /// The player of a spec, which remembers what it knew about `game`, and nothing of another one.
    pub(crate) fn agent(&mut self, spec: &ResolvedSpec, game: &str) -> Result<&mut Agent, AgentError> {
        let known = self.agents.iter().position(|(agent, _)| agent.spec() == spec);
        let (mut agent, last) = match known {
            Some(place) => self.agents.remove(place),
            None => {
                self.agents.truncate(KEPT_PLAYERS - 1);
                let mut nets = self.nets.lock().unwrap_or_else(PoisonError::into_inner);
                (Agent::new(spec, &mut nets)?, game.to_owned())
            }
        };
        if last != game {
            agent.new_game();
        }
        self.agents.insert(0, (agent, game.to_owned()));
        Ok(&mut self.agents[0].0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;
    use std::time::Duration;

    #[test]
    fn a_move_overtakes_studies_and_one_thread_is_kept_for_moves() {
        let thinkers = Thinkers::start(1).unwrap();
        let (sender, receiver) = mpsc::channel();
        let (release, released) = mpsc::channel::<()>();
        let told = sender.clone();
        thinkers
            .ask(Urgency::Study, move |_| {
                told.send("first study").unwrap();
                released.recv().unwrap();
            })
            .unwrap();
        assert_eq!(receiver.recv().unwrap(), "first study");
        let told = sender.clone();
        let second = thinkers.ask(Urgency::Study, move |_| told.send("second study").unwrap()).unwrap();
        thinkers.ask(Urgency::Move, move |_| sender.send("move").unwrap()).unwrap();
        assert_eq!(receiver.recv().unwrap(), "move");
        assert_eq!(thinkers.ahead(second), Some(0), "it waits");
        assert!(receiver.recv_timeout(Duration::from_millis(50)).is_err());
        release.send(()).unwrap();
        assert_eq!(receiver.recv().unwrap(), "second study");
        thinkers.close();
    }

    #[test]
    fn the_queue_has_an_end_and_a_panic_costs_no_thread() {
        let thinkers = Thinkers::start(1).unwrap();
        let releases: Vec<mpsc::Sender<()>> = (0..2)
            .map(|_| {
                let (release, released) = mpsc::channel();
                thinkers.ask(Urgency::Move, move |_| assert!(released.recv().is_err())).unwrap();
                release
            })
            .collect();
        let asked = (0..=LONGEST_QUEUE + 1).map(|_| thinkers.ask(Urgency::Move, |_| panic!("on purpose")));
        assert!(asked.filter(Result::is_err).count() >= 1);
        drop(releases);
        let (sender, receiver) = mpsc::channel();
        while thinkers.are_wanted() {
            std::thread::sleep(Duration::from_millis(1));
        }
        thinkers.ask(Urgency::Move, move |_| sender.send(()).unwrap()).unwrap();
        receiver.recv().unwrap();
        thinkers.close();
    }
}
