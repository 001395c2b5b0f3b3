//! A program that speaks USI.

use std::time::{Duration, Instant};

use contract::Clock;
use engine::{ExternalSpec, GameRules, evaluation_of};
use protocol::child::{Child, ChildError, Introduction, Problem, Program};
use protocol::usi::{
    BestMove, Bound, EngineMessage, GameResult, Go, GuiMessage, Info, PositionCommand, Start,
};
use search::{Choice, Limits};
use shogi::{Move, START_SFEN, Setup};

use super::option_value::{expected, is_known};
use super::{Failure, FailureKind, ProtocolWarnings, Request, Response, Seat, SeatError};

/// How long a program may take to load what it needs.
const LOADING: Duration = Duration::from_secs(60);
/// How long it may take to introduce itself; some load all they need before.
const GREETING: Duration = Duration::from_secs(30);
/// How long it may take to end its thinking when a game is over.
const PONDER_END: Duration = Duration::from_secs(10);
/// How soon a wish that it stop is heard.
const GLANCE: Duration = Duration::from_millis(50);
/// An answer with more lines than this is a flood.
const FLOOD: u64 = 1000;

/// A running program.
pub struct UsiProcess {
    child: Child,
    spec: ExternalSpec,
    rules: GameRules,
    introduction: Introduction,
    /// Whether it must be started again before the next game.
    failed: bool,
    warnings: ProtocolWarnings,
    /// The moves after which it thinks on the opponent's time, the expected reply last.
    pondering: Option<Vec<Move>>,
}

/// Why a program is not ready.
enum NotReady {
    Child(ChildError),
    /// What it said instead.
    Complaint(String),
}

impl From<ChildError> for NotReady {
    fn from(error: ChildError) -> NotReady {
        NotReady::Child(error)
    }
}

impl UsiProcess {
    /// Starts the program and makes it ready; its options must be such that it has, with values that it takes.
    pub fn start(spec: &ExternalSpec, rules: GameRules) -> Result<UsiProcess, SeatError> {
        let mut child = Program::new(&spec.path).start()?;
        let introduction = child.introduce(GREETING)?;
        check_options(spec, &introduction)?;
        let mut process = UsiProcess {
            child,
            spec: spec.clone(),
            rules,
            introduction,
            failed: false,
            warnings: ProtocolWarnings::default(),
            pondering: None,
        };
        match process.make_ready() {
            Ok(()) => Ok(process),
            Err(NotReady::Child(error)) => Err(error.into()),
            Err(NotReady::Complaint(words)) => {
                Err(SeatError::Complaint { program: spec.path.display().to_string(), words })
            }
        }
    }

    /// How the program introduced itself.
    #[must_use]
    pub fn introduction(&self) -> &Introduction {
        &self.introduction
    }

    /// Sets the options, those of the rules first so that the spec's may differ, and waits until it can play.
    fn make_ready(&mut self) -> Result<(), NotReady> {
        let rules = [
            ("USI_Ponder", "false".to_owned()),
            ("MaxMovesToDraw", self.rules.max_moves.to_string()),
            ("EnteringKingRule", self.rules.declaration.to_string()),
        ];
        for (name, value) in rules {
            let said = self.spec.options.iter().any(|(known, _)| known.eq_ignore_ascii_case(name));
            let is_declared =
                self.introduction.options.iter().any(|option| option.name.eq_ignore_ascii_case(name));
            if is_declared && !said {
                self.child.say(&GuiMessage::SetOption { name: name.to_owned(), value: Some(value) });
            }
        }
        for (name, value) in &self.spec.options {
            self.child.say(&GuiMessage::SetOption { name: name.clone(), value: Some(value.clone()) });
        }
        self.get_ready()
    }

    /// `isready` up to `readyok`. One that speaks of an error on the way is not ready: it may say `readyok` all the same, or
    /// never.
    fn get_ready(&mut self) -> Result<(), NotReady> {
        self.child.say(&GuiMessage::IsReady);
        let answer = self.child.await_answer("readyok", LOADING, |message| match message {
            EngineMessage::ReadyOk => Some(Ok(())),
            EngineMessage::Info(info) => info.string.filter(|words| is_complaint(words)).map(Err),
            _ => None,
        })?;
        answer.map_err(NotReady::Complaint)
    }

    /// Ends its thinking on the opponent's time; what it would have played is of no use.
    fn stop_pondering(&mut self, patience: Duration) -> Result<(), ChildError> {
        if self.pondering.take().is_none() {
            return Ok(());
        }
        self.child.say(&GuiMessage::Stop);
        self.child.await_answer("bestmove", patience, |message| {
            matches!(message, EngineMessage::BestMove(_)).then_some(())
        })
    }

    fn restart(&mut self) -> Result<(), NotReady> {
        self.pondering = None;
        self.child.restart()?;
        self.introduction = self.child.introduce(GREETING)?;
        self.make_ready()?;
        self.failed = false;
        Ok(())
    }

    fn failure(&mut self, error: ChildError, asked: Instant) -> Failure {
        self.failed = true;
        let kind = match error.problem {
            Problem::Silent { .. } => FailureKind::Stall,
            Problem::Start(_) | Problem::Ended { .. } => FailureKind::Crash,
        };
        Failure {
            kind,
            words: error.problem.to_string(),
            last_lines: error.last_lines,
            used: asked.elapsed(),
        }
    }

    /// Asks for a decision as [`Seat::think`] does; once `is_stopped` says so, the program is told to decide at once.
    pub fn think_until(
        &mut self,
        request: &Request,
        is_stopped: Option<&dyn Fn() -> bool>,
    ) -> Result<Response, Failure> {
        let foresaw = self.pondering.as_deref() == Some(&request.moves);
        if foresaw {
            self.pondering = None;
        } else {
            let asked = Instant::now();
            self.stop_pondering(request.grace).map_err(|error| self.failure(error, asked))?;
            self.child.say(&position_of(&request.start, &request.moves));
        }
        let asked = Instant::now();
        self.child.say(&if foresaw {
            GuiMessage::PonderHit(Clock::default())
        } else {
            go_of(request, false)
        });
        let heard = self.listen(request, asked, is_stopped);
        let Heard { choice, ponder, info } = heard.map_err(|error| self.failure(error, asked))?;
        let side = request.side();
        Ok(Response {
            choice,
            evaluation: info.score.map(|score| evaluation_of(score, side)),
            line: info.pv,
            ponder,
            depth: info.depth,
            nodes: info.nodes,
            used: self.child.heard_at().saturating_duration_since(asked),
        })
    }

    /// Listens until the decision or until the grace is over. Past the lawful time it is asked to stop, so that
    /// one that is merely slow still answers.
    fn listen(
        &mut self,
        request: &Request,
        asked: Instant,
        mut is_stopped: Option<&dyn Fn() -> bool>,
    ) -> Result<Heard, ChildError> {
        let mut last = asked + request.lawful.unwrap_or_default() + request.grace;
        let mut stop_at = request.lawful.map(|lawful| asked + lawful + request.grace / 2);
        let mut info = Info::default();
        let mut lines = 0;
        loop {
            let deadline = stop_at.unwrap_or(last);
            let deadline = is_stopped.map_or(deadline, |_| deadline.min(Instant::now() + GLANCE));
            let message = self.child.hear(deadline, "bestmove")?;
            lines += u64::from(message.is_some());
            self.warnings.floods += u64::from(lines == FLOOD);
            match message {
                Some(EngineMessage::BestMove(best)) => {
                    let ponder = if let BestMove::Move { ponder, .. } = best { ponder } else { None };
                    return Ok(Heard { choice: Ok(choice_of(best)), ponder, info });
                }
                Some(EngineMessage::Text(text)) if text.split_whitespace().next() == Some("bestmove") => {
                    return Ok(Heard { choice: Err(text), ponder: None, info });
                }
                Some(EngineMessage::Info(heard)) => note(&mut info, *heard),
                Some(EngineMessage::Text(_)) => self.warnings.garbage += 1,
                _ => {}
            }
            let now = Instant::now();
            if now >= last {
                let (awaited, patience) = ("bestmove", now - asked);
                return Err(self.child.error(Problem::Silent { awaited, patience }));
            }
            let is_unwanted = is_stopped.is_some_and(|is_stopped| is_stopped());
            if is_unwanted {
                (is_stopped, last) = (None, last.min(now + request.grace));
            }
            if is_unwanted || stop_at.is_some_and(|at| now >= at) {
                stop_at = None;
                self.child.say(&GuiMessage::Stop);
            }
        }
    }
}

/// The end of a think.
struct Heard {
    choice: Result<Choice, String>,
    ponder: Option<Move>,
    info: Info,
}

fn check_options(spec: &ExternalSpec, introduction: &Introduction) -> Result<(), SeatError> {
    let program = || spec.path.display().to_string();
    for (name, value) in &spec.options {
        if !is_known(&introduction.options, name) {
            let known = introduction.options.iter().map(|option| option.name.clone()).collect();
            return Err(SeatError::Option { program: program(), name: name.clone(), known });
        }
        let declared = introduction.options.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        if let Some(expected) = declared.and_then(|option| expected(option, value)) {
            let (name, value) = (name.clone(), value.clone());
            return Err(SeatError::Value { program: program(), name, value, expected });
        }
    }
    Ok(())
}

/// Whether an info string says that something is wrong, as engines write it: `error: …`, `Error! …`.
fn is_complaint(words: &str) -> bool {
    words
        .split_whitespace()
        .next()
        .is_some_and(|first| first.trim_end_matches(['!', ':', ',', '.']).eq_ignore_ascii_case("error"))
}

fn choice_of(best: BestMove) -> Choice {
    match best {
        BestMove::Move { best, .. } => Choice::Move(best),
        BestMove::Resign => Choice::Resign,
        BestMove::Win => Choice::Declare,
    }
}

/// Keeps what the latest line about the best move says; a bound is better than nothing.
fn note(known: &mut Info, heard: Info) {
    if heard.multipv.unwrap_or(1) != 1 {
        return;
    }
    known.depth = heard.depth.or(known.depth);
    known.nodes = heard.nodes.or(known.nodes);
    if heard.score.is_some() && (heard.bound == Bound::Exact || known.score.is_none()) {
        known.score = heard.score;
        known.pv = heard.pv;
    }
}

fn position_of(start: &Setup, moves: &[Move]) -> GuiMessage {
    let usual = start.to_string() == START_SFEN;
    let start = if usual { Start::Usual } else { Start::Setup(Box::new(start.clone())) };
    GuiMessage::Position(Box::new(PositionCommand { start, moves: moves.to_vec() }))
}

fn go_of(request: &Request, ponder: bool) -> GuiMessage {
    // How many lines to find is an option of the program, not a part of `go`.
    let Limits { depth, nodes, search_moves, lines: _ } = request.limits.clone();
    GuiMessage::Go(Box::new(Go { clock: request.clock, nodes, depth, search_moves, ponder, ..Go::default() }))
}

impl Seat for UsiProcess {
    fn new_game(&mut self) -> Result<(), Failure> {
        let asked = Instant::now();
        let mut greet = || {
            if self.failed {
                self.restart()?;
            } else {
                self.stop_pondering(LOADING)?;
                self.get_ready()?;
            }
            self.child.say(&GuiMessage::NewGame);
            Ok(())
        };
        let result: Result<(), NotReady> = greet();
        result.map_err(|reason| match reason {
            NotReady::Child(error) => self.failure(error, asked),
            NotReady::Complaint(words) => {
                self.failed = true;
                let last_lines = self.last_lines();
                Failure { kind: FailureKind::Crash, words, last_lines, used: asked.elapsed() }
            }
        })
    }

    fn think(&mut self, request: &Request) -> Result<Response, Failure> {
        self.think_until(request, None)
    }

    fn ponder(&mut self, expected: &Request) {
        self.child.say(&position_of(&expected.start, &expected.moves));
        self.child.say(&go_of(expected, true));
        self.pondering = Some(expected.moves.clone());
    }

    fn game_over(&mut self, half_points: usize) {
        if self.stop_pondering(PONDER_END).is_err() {
            self.failed = true;
        }
        let result = [GameResult::Lose, GameResult::Draw, GameResult::Win][half_points.min(2)];
        self.child.say(&GuiMessage::GameOver(Some(result)));
    }

    fn take_warnings(&mut self) -> ProtocolWarnings {
        std::mem::take(&mut self.warnings)
    }

    fn last_lines(&self) -> Vec<String> {
        self.child.last_lines().map(str::to_owned).collect()
    }
}
