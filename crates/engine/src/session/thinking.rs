//! From `go` to `bestmove`.

use std::time::{Duration, Instant};

use contract::Effort;
use protocol::usi::{BestMove, EngineMessage, Go};
use search::Limits;
use shogi::{Leaves, Position, perft};

use super::messages;
use super::reports::Reports;
use super::search_task::{SearchTask, TaskKind, Timing};
use super::worker::EngineWorker;
use crate::agent::{Event, Request, SearchFailed, Time};
use crate::bench;

impl EngineWorker {
    /// Answers a `go`, exactly once.
    pub(super) fn go(&mut self, task: &SearchTask) {
        match &task.kind {
            TaskKind::Bench(how) => self.bench(how, task),
            TaskKind::Go(go) => {
                if !go.ignored.is_empty() {
                    self.info_string(format!("not understood in go: {}", go.ignored.join(" ")));
                }
                if let Some(depth) = go.perft {
                    self.perft(depth, task);
                } else if go.mate.is_some() {
                    self.mate(go, task);
                } else {
                    let best = self.best_move(go, task);
                    task.wait_until_answer_allowed();
                    self.say(EngineMessage::BestMove(best));
                }
            }
        }
        task.finish();
    }

    fn best_move(&mut self, go: &Go, task: &SearchTask) -> BestMove {
        task.begin(self.timing(go));
        if self.is_problem() {
            self.info_string("error: cannot play: a king is missing; go mate solves mate problems");
            return BestMove::Resign;
        }
        let position = self.position.clone();
        let request = Request {
            position: &position,
            rules: self.options.rules(),
            // The task starts the clock, which may be late (ponder).
            time: Time::OfControl,
            limits: Limits {
                depth: go.depth,
                nodes: go.nodes,
                search_moves: go.search_moves.clone(),
                ..Limits::default()
            },
            analysis: go.infinite,
        };
        let mut reports = Reports::new(self.sink.clone(), self.report_interval(go));
        let sink = self.sink.clone();
        let agent = match self.agent() {
            Ok(agent) => agent,
            Err(reason) => {
                self.info_string(format!("error: cannot play: {reason}"));
                return BestMove::Resign;
            }
        };
        let answer = agent.play(&request, &task.control, &mut |event| match event {
            Event::Report(report) => reports.take(report),
            event => {
                reports.flush();
                messages::of_event(&event).into_iter().for_each(|message| sink(message));
            }
        });
        match answer {
            Ok(answer) => messages::of_answer(&answer),
            Err(SearchFailed) => {
                reports.flush();
                self.info_string("error: the search failed inside; playing any move");
                any_move(&self.position)
            }
        }
    }

    fn timing(&mut self, go: &Go) -> Timing {
        let random = self.rng.unit();
        Timing {
            settings: self.settings().clock(self.options.max_moves as u16),
            side: self.position.side(),
            ply: self.position.ply(),
            exact: go.movetime.or(go.rtime.map(|time| time.mul_f64(1.0 + random))),
            bounded: go.depth.is_some() || go.nodes.is_some(),
        }
    }

    fn report_interval(&self, go: &Go) -> Duration {
        if go.infinite || self.options.consideration {
            Duration::ZERO
        } else {
            Duration::from_millis(self.options.pv_interval as u64)
        }
    }

    /// Counts leaves below each move. Can be stopped between moves.
    fn perft(&mut self, depth: u32, task: &SearchTask) {
        let started = Instant::now();
        let mut position = self.position.clone();
        let mut total = 0;
        for m in if depth == 0 { Default::default() } else { position.legal_moves() } {
            if task.control.is_stopped() {
                break;
            }
            position.play(m);
            let nodes = perft(&mut position, depth - 1, Leaves::Bulk);
            position.undo();
            total += nodes;
            self.say(EngineMessage::Text(format!("{m}: {nodes}")));
        }
        total = if depth == 0 { 1 } else { total };
        let seconds = started.elapsed().as_secs_f64();
        self.say(EngineMessage::Text(format!("nodes {total} in {seconds:.3} s")));
    }

    /// Measures the speed; the argument is a depth.
    fn bench(&mut self, how: &str, task: &SearchTask) {
        let asked = how.split_whitespace().find_map(|word| word.parse().ok()).map(Effort::Depth);
        let usual = self.usual_effort();
        let sink = self.sink.clone();
        let outcome = self.agent().and_then(|agent| {
            let mut each = |number, nodes| {
                sink(EngineMessage::Text(format!("position {number}: {nodes} nodes")));
            };
            bench::run(agent, asked.unwrap_or(usual), &|| task.control.is_stopped(), &mut each)
                .map_err(|e| e.to_string())
        });
        match outcome {
            Ok(outcome) => {
                let seconds = outcome.elapsed.as_secs_f64();
                let (nodes, nps) = (outcome.nodes, outcome.nodes_per_second());
                self.say(EngineMessage::Text(format!("nodes {nodes} seconds {seconds:.3} nps {nps}")));
            }
            Err(reason) => self.info_string(format!("error: {reason}")),
        }
    }
}

fn any_move(position: &Position) -> BestMove {
    position.legal_moves().first().map_or(BestMove::Resign, |&best| BestMove::Move { best, ponder: None })
}
