//! Whoever sits at the board: a player of ours in this process, or a program that speaks USI.

mod board;
mod in_process;
mod option_value;
mod usi_process;

use std::time::Duration;

use contract::Clock;
use engine::{Defaults, GameRules, PlayerSpec};
use records::game::Evaluation;
use search::{Choice, Limits};
use serde::{Deserialize, Serialize};
use shogi::{Color, Move, Setup};

pub use in_process::InProcess;
pub use usi_process::UsiProcess;

/// A position to think about, and how long: everything that a player must know, wherever it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Request {
    /// Where the game began.
    pub start: Setup,
    /// The moves since, opening included.
    pub moves: Vec<Move>,
    /// The rules in force.
    pub rules: GameRules,
    /// The clocks of both sides; empty if time does not decide.
    pub clock: Clock,
    /// Bounds besides time.
    pub limits: Limits,
    /// What may be used by law; `None` without a clock.
    pub lawful: Option<Duration>,
    /// How long after that, or after `go` without a clock, an answer is waited for.
    pub grace: Duration,
}

impl Request {
    /// Whose turn it is.
    #[must_use]
    pub fn side(&self) -> Color {
        if self.moves.len().is_multiple_of(2) { self.start.side } else { !self.start.side }
    }
}

/// A decision and what led to it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Response {
    /// The decision, or the words of an answer that is none.
    pub choice: Result<Choice, String>,
    /// What the position is worth.
    pub evaluation: Option<Evaluation>,
    /// The line it expects, its own move first.
    pub line: Vec<Move>,
    /// The reply that it would think about meanwhile.
    #[serde(default)]
    pub ponder: Option<Move>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Time from the question to the answer.
    pub used: Duration,
}

/// How a player failed to answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FailureKind {
    /// It ended, or failed inside.
    Crash,
    /// It fell silent.
    Stall,
}

/// A failure with what is known about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    fn think(&mut self, request: &Request) -> Result<Response, Failure>;
    /// Lets it think about what it will be asked if the opponent replies as expected. Does not block; a player of ours
    /// does nothing.
    fn ponder(&mut self, _expected: &Request) {}
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
    #[error("{program}: the option {name} takes {expected}, not '{value}'")]
    Value { program: String, name: String, value: String, expected: String },
    #[error("{program} cannot play: it said '{words}'")]
    Complaint { program: String, words: String },
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

#[cfg(test)]
mod tests {
    use super::*;
    use serde::de::DeserializeOwned;
    use shogi::Position;
    use std::fmt::Debug;

    fn survives<T: Serialize + DeserializeOwned + PartialEq + Debug>(value: &T) {
        let json = serde_json::to_string(value).unwrap();
        assert_eq!(&serde_json::from_str::<T>(&json).unwrap(), value, "{json}");
    }

    fn request(moves: &[&str]) -> Request {
        Request {
            start: Position::start().setup(),
            moves: moves.iter().map(|text| text.parse().unwrap()).collect(),
            rules: GameRules::default(),
            clock: Clock::default(),
            limits: Limits { nodes: Some(200), ..Limits::default() },
            lawful: None,
            grace: Duration::from_secs(9),
        }
    }

    #[test]
    fn requests_responses_and_failures_survive_being_written_and_read() {
        let by_nodes = request(&["7g7f", "3c3d", "8h2b+"]);
        let second = Some(Duration::from_millis(1500));
        let clock = Clock { time: [second, None], byoyomi: second, increment: [None, second] };
        let search_moves = vec!["B*5e".parse().unwrap()];
        let limits = Limits { depth: Some(3), search_moves, lines: 2, ..Limits::default() };
        survives(&by_nodes);
        survives(&Request { clock, limits, lawful: second, ..by_nodes });
        let response = |choice, evaluation| Response {
            choice,
            evaluation,
            line: vec!["2g2f".parse().unwrap()],
            ponder: Some("8c8d".parse().unwrap()),
            depth: Some(7),
            nodes: None,
            used: Duration::from_micros(1_234_567),
        };
        let mate = Evaluation::Mate { winner: Color::White, plies: Some(5) };
        survives(&response(Ok(Choice::Move("2g2f".parse().unwrap())), Some(Evaluation::BlackCp(-30))));
        survives(&response(Ok(Choice::Declare), Some(mate)));
        survives(&response(Ok(Choice::Resign), Some(Evaluation::Mate { winner: Color::Black, plies: None })));
        survives(&response(Err("bestmove castle".to_owned()), None));
        survives(&Failure {
            kind: FailureKind::Stall,
            words: "silent".to_owned(),
            last_lines: vec!["info".to_owned()],
            used: Duration::from_secs(1),
        });
    }

    #[test]
    fn a_request_that_was_written_and_read_is_answered_alike() {
        let spec: PlayerSpec = "alphabeta(hash=1)".parse().unwrap();
        let answer = |through_text: bool| {
            let mut seat = take_seat(&spec, GameRules::default()).unwrap();
            seat.new_game().unwrap();
            // The third goes back, as another game does.
            [&["7g7f"][..], &["7g7f", "3c3d", "2g2f"], &["2g2f"]].map(|moves| {
                let mut asked = request(moves);
                if through_text {
                    asked = serde_json::from_str(&serde_json::to_string(&asked).unwrap()).unwrap();
                }
                let response = seat.think(&asked).unwrap();
                Response { used: Duration::ZERO, ..response }
            })
        };
        assert_eq!(answer(true), answer(false));
    }

    #[test]
    fn a_request_with_an_illegal_move_fails_and_the_next_one_does_not() {
        let mut seat = take_seat(&"alphabeta(hash=1)".parse().unwrap(), GameRules::default()).unwrap();
        let failure = seat.think(&request(&["7g7f", "7g7f"])).unwrap_err();
        assert!(failure.words.contains("7g7f is not legal"), "{failure:?}");
        assert!(seat.think(&request(&["7g7f", "3c3d"])).is_ok());
    }
}
