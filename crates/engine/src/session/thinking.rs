//! From `go` to `bestmove`.

use std::time::{Duration, Instant};

use contract::Effort;
use protocol::usi::{BestMove, EngineMessage, Go};
use search::{Control, Limits};
use shogi::{Leaves, Position, perft};

use super::messages;
use super::reports::Reports;
use super::search_task::{SearchTask, TaskKind, Timing};
use super::worker::EngineWorker;
use crate::agent::{Event, Request, SearchFailed, Time};
use crate::bench;
use crate::skill::Skill;

/// Deeper counts ask now and then whether to go on.
const UNINTERRUPTED_PERFT: u32 = 4;

impl EngineWorker {
    /// Answers a `go`, exactly once, or refuses it.
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
                    if best.is_ok() {
                        task.wait_until_answer_allowed();
                    }
                    task.finish();
                    match best {
                        Ok(best) => self.say(EngineMessage::BestMove(best)),
                        Err(reason) => {
                            self.info_string(format!("error: go refused, nothing is searched: {reason}"));
                        }
                    }
                }
            }
        }
        task.finish();
    }

    /// There is a player: whoever asked meanwhile hears it.
    pub(super) fn set_under_way(&self, task: &SearchTask) {
        (0..task.set_under_way()).for_each(|_| self.say(EngineMessage::ReadyOk));
    }

    /// The decision; why there is nothing to search, if so.
    fn best_move(&mut self, go: &Go, task: &SearchTask) -> Result<BestMove, String> {
        let is_legal = |m| self.position.is_legal(m);
        if !go.search_moves.is_empty() && !go.search_moves.iter().any(|&m| is_legal(m)) {
            return Err(format!("none of the searchmoves is legal in '{}'", self.position));
        }
        task.begin(self.timing(go));
        if self.is_problem() {
            self.info_string("error: cannot play: a king is missing; go mate solves mate problems");
            return Ok(BestMove::Resign);
        }
        let position = self.position.clone();
        if go.ponder && !self.ponder(&position, task)? {
            return Ok(self.recalled(&position));
        }
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
        self.agent()?;
        self.set_under_way(task);
        let agent = self.agent()?;
        let answer = agent.play(&request, &task.control, &mut |event| match event {
            Event::Report(report) => reports.take(report),
            event => {
                reports.flush();
                messages::of_event(&event).into_iter().for_each(|message| sink(message));
            }
        });
        Ok(match answer {
            Ok(answer) => messages::of_answer(&answer),
            Err(SearchFailed) => {
                reports.flush();
                self.info_string("error: the search failed inside; playing any move");
                any_move(&self.position)
            }
        })
    }

    /// Where the player thinks at the opponent's position, does so until he has moved or somebody asks for the end; whether
    /// there is anything left to think about the position that was expected.
    fn ponder(&mut self, expected: &Position, task: &SearchTask) -> Result<bool, String> {
        if !self.settings().ponder_opponent || expected.plies_played() == 0 {
            return Ok(true);
        }
        let mut opponent = expected.clone();
        opponent.undo();
        let rules = self.options.rules();
        self.agent()?;
        self.set_under_way(task);
        let pondered = self.agent()?.ponder(&opponent, rules, &task.opponent);
        if pondered.is_err() {
            self.info_string("error: the search failed inside while it was the opponent's turn");
        }
        Ok(task.wait_for_hit())
    }

    /// A move for a position that nobody waits for any more: all that was found is kept for the one that will come.
    fn recalled(&mut self, position: &Position) -> BestMove {
        let rules = self.options.rules();
        let known = self.agent().ok().and_then(|agent| agent.recall(position, rules));
        known.map_or_else(|| any_move(position), |m| BestMove::Move { best: m, ponder: None })
    }

    fn timing(&mut self, go: &Go) -> Timing {
        let random = self.rng.unit();
        let settings = self.settings();
        let own_limit =
            settings.depth_limit > 0 || settings.nodes_limit > 0 || Skill::of(settings.skill).is_some();
        Timing {
            settings: settings.clock(self.options.max_moves as u16),
            side: self.position.side(),
            ply: self.position.ply(),
            exact: go.movetime.or(go.rtime.map(|time| time.mul_f64(1.0 + random))),
            bounded: go.depth.is_some() || go.nodes.is_some() || own_limit,
        }
    }

    fn report_interval(&self, go: &Go) -> Duration {
        if go.infinite || self.options.consideration {
            Duration::ZERO
        } else {
            Duration::from_millis(self.options.pv_interval as u64)
        }
    }

    /// Counts leaves below each move. What is stopped before its end has no count.
    fn perft(&mut self, depth: u32, task: &SearchTask) {
        let started = Instant::now();
        let mut position = self.position.clone();
        let moves = if depth == 0 { Default::default() } else { position.legal_moves() };
        let mut total = u64::from(depth == 0);
        for (done, &m) in moves.iter().enumerate() {
            position.play(m);
            let Some(nodes) = leaves(&mut position, depth - 1, &task.control) else {
                task.finish();
                let text = format!("perft {depth} was stopped after {done} of {} moves", moves.len());
                return self.info_string(text);
            };
            position.undo();
            total += nodes;
            self.say(EngineMessage::Text(format!("{m}: {nodes}")));
        }
        let seconds = started.elapsed().as_secs_f64();
        task.finish();
        self.say(EngineMessage::Text(format!("nodes {total} in {seconds:.3} s")));
    }

    /// Measures the speed; the argument is a depth. What is stopped before its end has no result.
    fn bench(&mut self, how: &str, task: &SearchTask) {
        let asked = how.split_whitespace().find_map(|word| word.parse().ok()).map(Effort::Depth);
        let usual = self.usual_effort();
        let sink = self.sink.clone();
        let mut done = 0;
        if self.agent().is_ok() {
            self.set_under_way(task);
        }
        let outcome = self.agent().and_then(|agent| {
            let mut each = |number, nodes| {
                done = number;
                sink(EngineMessage::Text(format!("position {number}: {nodes} nodes")));
            };
            bench::run(agent, asked.unwrap_or(usual), &|| task.control.is_stopped(), &mut each)
                .map_err(|e| e.to_string())
        });
        task.finish();
        let all = bench::POSITIONS.len();
        match outcome {
            Ok(_) if done < all => {
                self.info_string(format!("bench was stopped after {done} of {all} positions"));
            }
            Ok(outcome) => {
                let seconds = outcome.elapsed.as_secs_f64();
                let (nodes, nps) = (outcome.nodes, outcome.nodes_per_second());
                self.say(EngineMessage::Text(format!("nodes {nodes} seconds {seconds:.3} nps {nps}")));
            }
            Err(reason) => self.info_string(format!("error: {reason}")),
        }
    }
}

/// The leaves below a position; `None` if stopped. The position is then left as it was at that moment.
fn leaves(position: &mut Position, depth: u32, control: &Control) -> Option<u64> {
    if control.is_stopped() {
        return None;
    }
    if depth <= UNINTERRUPTED_PERFT {
        return Some(perft(position, depth, Leaves::Bulk));
    }
    let mut total = 0;
    for m in position.legal_moves() {
        position.play(m);
        total += leaves(position, depth - 1, control)?;
        position.undo();
    }
    Some(total)
}

fn any_move(position: &Position) -> BestMove {
    position.legal_moves().first().map_or(BestMove::Resign, |&best| BestMove::Move { best, ponder: None })
}
