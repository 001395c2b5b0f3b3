//! The answer to `go mate`.

use std::time::{Duration, Instant};

use mate::{Answer, Effort, Length, Solver};
use protocol::usi::{Checkmate, EngineMessage, Go, MateTime};

use super::messages;
use super::search_task::{SearchTask, Timing};
use super::worker::EngineWorker;

/// How often `go mate` reports how far it is.
const REPORT_EVERY: Duration = Duration::from_secs(1);
/// The solver of `go mate`.
#[derive(Default)]
pub(super) struct MateSolver(Option<(usize, Solver)>);

impl MateSolver {
    /// The solver with so many megabytes; `None` if there are not.
    fn with(&mut self, megabytes: usize) -> Option<&mut Solver> {
        if self.0.as_ref().is_none_or(|(size, _)| *size != megabytes) {
            // The old table goes before the new one comes.
            self.0 = None;
            self.0 = Some((megabytes, Solver::new(megabytes)?));
        }
        self.0.as_mut().map(|(_, solver)| solver)
    }
}

impl EngineWorker {
    /// Answers `go mate`, exactly once.
    pub(super) fn mate(&mut self, go: &Go, task: &SearchTask) {
        let exact = match go.mate {
            Some(MateTime::Within(time)) => Some(time),
            _ => None,
        };
        let (side, ply) = (self.position.side(), self.position.ply());
        let settings = self.settings().clock(self.options.max_moves as u16);
        task.begin(Timing { settings, side, ply, exact, bounded: go.nodes.is_some() });
        // The solver needs no player, but who asks meanwhile whether there is one hears the truth.
        if self.agent().is_ok() {
            self.set_under_way(task);
        }
        let answer = match self.solve(go, task) {
            Some(Answer::Mate(mate)) => Checkmate::Mate(mate.line),
            Some(Answer::NoMate) => Checkmate::NoMate,
            Some(Answer::Unknown) => Checkmate::Timeout,
            None => {
                self.info_string(
                    "error: there is no memory for the mate solver; a smaller USI_Hash may help",
                );
                Checkmate::Timeout
            }
        };
        task.finish();
        self.say(EngineMessage::Checkmate(answer));
    }

    /// The solver's answer; `None` without memory for it.
    fn solve(&mut self, go: &Go, task: &SearchTask) -> Option<Answer> {
        let sink = self.sink.clone();
        let megabytes = self.settings().hash as usize;
        let solver = self.mate_solver.with(megabytes)?;
        let (started, mut reported) = (Instant::now(), Instant::now());
        let mut interrupted = |nodes| {
            if reported.elapsed() >= REPORT_EVERY {
                reported = Instant::now();
                sink(messages::solver_progress(nodes, started.elapsed()));
            }
            task.control.must_end()
        };
        let effort = Effort { nodes: go.nodes, length: Length::Shortened };
        let solution = solver.solve(&self.position, &effort, &mut interrupted);
        if let Answer::Mate(mate) = &solution.answer {
            self.say(messages::mate(&mate.line, solution.nodes, started.elapsed()));
        }
        Some(solution.answer)
    }
}
