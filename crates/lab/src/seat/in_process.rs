//! A player of ours, in this process.

use std::fmt::Display;
use std::time::Instant;

use engine::{Agent, AgentError, Nets, ResolvedSpec, Time, evaluation_of};
use search::Control;

use super::board::Board;
use super::{Failure, FailureKind, Request, Response, Seat};

/// A player of ours.
pub struct InProcess {
    agent: Agent,
    board: Board,
}

impl InProcess {
    /// Builds the player.
    pub fn new(spec: &ResolvedSpec) -> Result<InProcess, AgentError> {
        Ok(InProcess { agent: Agent::new(spec, &mut Nets::default())?, board: Board::default() })
    }
}

fn failure(words: String, began: Instant) -> Failure {
    Failure { kind: FailureKind::Crash, words, last_lines: Vec::new(), used: began.elapsed() }
}

impl Seat for InProcess {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.agent.new_game();
        Ok(())
    }

    fn think(&mut self, request: &Request) -> Result<Response, Failure> {
        let began = Instant::now();
        let failed = |error: &dyn Display| failure(error.to_string(), began);
        let position = self.board.follow(&request.start, &request.moves).map_err(|error| failed(&error))?;
        let asked = engine::Request {
            rules: request.rules,
            time: if request.clock.is_empty() { Time::OfControl } else { Time::Clock(request.clock) },
            ..engine::Request::new(position, request.limits.clone())
        };
        let answer = self.agent.play(&asked, &Control::new(), &mut |_| {}).map_err(|error| failed(&error))?;
        let used = began.elapsed();
        let side = request.side();
        Ok(Response {
            choice: Ok(answer.choice),
            evaluation: answer.score.map(|score| evaluation_of(score, side)),
            line: answer.line,
            ponder: answer.ponder,
            depth: answer.depth,
            nodes: answer.nodes,
            used,
        })
    }

    fn game_over(&mut self, _half_points: usize) {}
}
