//! A player of ours, in this process.

use std::time::Instant;

use engine::{Agent, AgentError, Nets, ResolvedSpec, Time, evaluation_of};
use search::{Control, Limits};

use super::{Failure, FailureKind, Limit, Request, Response, Seat};

/// A player of ours.
pub struct InProcess {
    agent: Agent,
}

impl InProcess {
    /// Builds the player.
    pub fn new(spec: &ResolvedSpec) -> Result<InProcess, AgentError> {
        Ok(InProcess { agent: Agent::new(spec, &mut Nets::default())? })
    }
}

/// What the player is asked.
fn asked<'a>(request: &Request<'a>) -> engine::Request<'a> {
    let mut asked =
        engine::Request { rules: request.rules, ..engine::Request::new(request.position, Limits::default()) };
    match request.limit {
        Limit::Clock(clock) => asked.time = Time::Clock(clock),
        Limit::Nodes(nodes) => asked.limits.nodes = Some(nodes),
        Limit::Depth(depth) => asked.limits.depth = Some(depth),
    }
    asked
}

impl Seat for InProcess {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.agent.new_game();
        Ok(())
    }

    fn think(&mut self, request: &Request<'_>) -> Result<Response, Failure> {
        let began = Instant::now();
        let answer = self.agent.play(&asked(request), &Control::new(), &mut |_| {});
        let used = began.elapsed();
        let answer = answer.map_err(|error| Failure {
            kind: FailureKind::Crash,
            words: error.to_string(),
            last_lines: Vec::new(),
            used,
        })?;
        let side = request.position.side();
        Ok(Response {
            choice: Ok(answer.choice),
            evaluation: answer.score.map(|score| evaluation_of(score, side)),
            line: answer.line,
            depth: answer.depth,
            nodes: answer.nodes,
            used,
        })
    }

    fn game_over(&mut self, _half_points: usize) {}
}
