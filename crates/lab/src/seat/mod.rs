//! Whoever sits at the board: a player of ours in this process, or a program that speaks USI.

mod in_process;
mod usi_process;

use std::time::Duration;

use contract::Clock;
use engine::{Defaults, GameRules, PlayerSpec};
use records::game::Evaluation;
use search::Choice;
use serde::{Deserialize, Serialize};
use shogi::{Move, Position, Setup};

pub use in_process::InProcess;
pub use usi_process::UsiProcess;

/// A position to think about, and how long.
pub struct Request<'a> {
    /// Where the game began.
    pub start: &'a Setup,
    /// The moves since, opening included.
    pub moves: &'a [Move],
    /// The position they lead to.
    pub position: &'a Position,
    /// The rules in force.
    pub rules: GameRules,
    /// How long.
    pub limit: Limit,
    /// What may be used by law; `None` without a clock.
    pub lawful: Option<Duration>,
    /// How long after that, or after `go` without a clock, an answer is waited for.
    pub grace: Duration,
}

/// How long to think about one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Limit {
    /// By the clocks of both sides.
    Clock(Clock),
    /// So many positions.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
}

/// A decision and what led to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Response {
    /// The decision, or the words of an answer that is none.
    pub choice: Result<Choice, String>,
    /// What the position is worth.
    pub evaluation: Option<Evaluation>,
    /// The line it expects, its own move first.
    pub line: Vec<Move>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time from the question to the answer.
    pub used: Duration,
}

/// How a player failed to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FailureKind {
    /// It ended, or failed inside.
    Crash,
    /// It fell silent.
    Stall,
}

/// A failure with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// What happened.
    pub kind: FailureKind,
    /// In words.
    pub words: String,
    /// What a program said last, oldest first.
    pub last_lines: Vec<String>,
    /// How long the answer was waited for.
    pub used: Duration,
}

/// What a program says beyond what it was asked. It costs nobody a game, but somebody should hear of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProtocolWarnings {
    /// Answers with more lines than anybody reads.
    pub floods: u64,
    /// Lines that are no messages.
    pub garbage: u64,
}

/// Somebody who can be asked for moves.
pub trait Seat: Send {
    /// Forgets the last game; a program that died is started again.
    fn new_game(&mut self) -> Result<(), Failure>;
    /// Asks for a decision; blocks until it is there or the grace is over.
    fn think(&mut self, request: &Request<'_>) -> Result<Response, Failure>;
    /// Reports how the game ended for it: 2 half points for a win, 1 for a draw.
    fn game_over(&mut self, half_points: usize);
    /// What a program said last, oldest first; a player of ours says nothing.
    fn last_lines(&self) -> Vec<String> {
        Vec::new()
    }
    /// The warnings about a program since they were last taken.
    fn take_warnings(&mut self) -> ProtocolWarnings {
        ProtocolWarnings::default()
    }
}

/// Why a player cannot take part.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum SeatError {
    #[error(transparent)]
    Player(#[from] engine::AgentError),
    #[error(transparent)]
    Program(#[from] protocol::child::ChildError),
    #[error("{program} has no option '{name}'; it has {}", .known.join(", "))]
    Option { program: String, name: String, known: Vec<String> },
}

/// Puts the player of a spec at the board, resolved as for matches; loads or starts what it needs.
pub fn take_seat(spec: &PlayerSpec, rules: GameRules) -> Result<Box<dyn Seat>, SeatError> {
    Ok(match spec {
        PlayerSpec::Own(spec) => Box::new(InProcess::new(&spec.resolve(&Defaults::matches()))?),
        PlayerSpec::External(spec) => Box::new(UsiProcess::start(spec, rules)?),
    })
}

/// How many threads the player of a spec will use, as far as its spec tells.
#[must_use]
pub fn threads(spec: &PlayerSpec) -> usize {
    match spec {
        PlayerSpec::Own(spec) => spec.resolve(&Defaults::matches()).settings.threads as usize,
        PlayerSpec::External(spec) => {
            let names = ["Threads", "Thread", "NumberOfThreads"];
            let said =
                spec.options.iter().find(|(name, _)| names.iter().any(|n| n.eq_ignore_ascii_case(name)));
            said.and_then(|(_, value)| value.parse().ok()).unwrap_or(1)
        }
    }
}
