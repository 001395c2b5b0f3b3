//! Whoever gives positions their values.

use std::time::Duration;

use contract::Clock;
use contract::score::mate_value;
use engine::{Agent, Defaults, GameRules, Nets, PlayerSpec, Time, evaluation_of};
use records::game::Evaluation;
use runs::fingerprint;
use search::{Control, Limits};
use serde::Serialize;
use shogi::{Color, Position};

use super::quiescence::settle;
use crate::matches::{Entrant, PlayerFacts};
use crate::seat::{Failure, Limit, Request, Seat, SeatError, take_seat};

/// How long to think about a position.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// So many nodes.
    Nodes(u64),
    /// So many plies.
    Depth(u32),
    /// So many milliseconds.
    TimeMs(u64),
    /// Not at all.
    Static,
    /// Captures only.
    #[serde(rename = "settled")]
    Quiescence,
}

/// A player and how long it may think.
#[derive(Clone, Debug)]
pub struct Target {
    /// What it is called.
    pub name: String,
    /// The player; `None` for the evaluations in the records.
    pub spec: Option<PlayerSpec>,
    /// How long it may think.
    pub effort: Effort,
}

/// Why a text names no target.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum TargetError {
    #[error(transparent)]
    Spec(#[from] engine::SpecError),
    #[error("'{0}' is no effort: expected static, settled, nodes=N, depth=N or time-ms=N")]
    Effort(String),
}

impl std::str::FromStr for Effort {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || TargetError::Effort(text.to_owned());
        match text.split_once('=') {
            None if text == "static" => Ok(Effort::Static),
            None if text == "settled" || text == "quiescence" => Ok(Effort::Quiescence),
            Some((name, number)) => {
                let number = number.parse::<u64>().ok().filter(|n| *n > 0).ok_or_else(wrong)?;
                match name {
                    "nodes" => Ok(Effort::Nodes(number)),
                    "depth" => u32::try_from(number).map(Effort::Depth).map_err(|_| wrong()),
                    "time-ms" => Ok(Effort::TimeMs(number)),
                    _ => Err(wrong()),
                }
            }
            None => Err(wrong()),
        }
    }
}

impl std::fmt::Display for Effort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Effort::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Effort::Depth(depth) => write!(f, "depth={depth}"),
            Effort::TimeMs(ms) => write!(f, "time-ms={ms}"),
            Effort::Static => f.write_str("static"),
            Effort::Quiescence => f.write_str("settled"),
        }
    }
}

/// Why somebody cannot judge.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum JudgeError {
    #[error("{name}: {error}")]
    Seat { name: String, error: SeatError },
    #[error("{name}: another program's static evaluation cannot be asked for; give nodes, depth or time")]
    Static { name: String },
}

/// A judge at work.
pub enum Judge {
    /// A player of ours.
    Own(Box<Agent>, Effort),
    /// Another program, with the time it may use by law.
    Program(Box<dyn Seat>, Limit, Option<Duration>),
}

/// How long an answer is waited for.
const GRACE: Duration = Duration::from_secs(60);

impl Target {
    /// `SPEC` with the usual effort, or `SPEC@EFFORT`.
    pub fn read(text: &str, usual: Effort) -> Result<Target, TargetError> {
        // A path may hold an '@' too, but nothing after it then that looks like an effort.
        let (spec, effort) = match text.rsplit_once('@') {
            Some((spec, effort)) if !effort.contains(['/', ')', '.']) => (spec, effort.parse()?),
            _ => (text, usual),
        };
        let spec: PlayerSpec = spec.parse()?;
        Ok(Target { name: format!("{spec} @{effort}"), spec: Some(spec), effort })
    }

    /// The evaluations in the records.
    #[must_use]
    pub fn stored() -> Target {
        Target { name: "stored".to_owned(), spec: None, effort: Effort::Static }
    }

    /// What the values depend on, in one word: a name for the cache. A player of ours is this very program.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let ours = matches!(self.spec, Some(PlayerSpec::Own(_)));
        let program = if ours { fingerprint::of_this_program() } else { String::new() };
        let text = format!("{program} {:?} {:?}", self.facts(), self.effort);
        fingerprint::of_bytes(text.as_bytes())[..16].to_owned()
    }

    /// The player with what it is made of; `None` for the records.
    #[must_use]
    pub fn facts(&self) -> Option<PlayerFacts> {
        let spec = self.spec.clone()?;
        let defaults = defaults(self.effort);
        Some(PlayerFacts::of(&Entrant { name: self.name.clone(), spec }, &defaults))
    }
}

impl Judge {
    /// Puts a player to work; `None` if the records themselves tell the values.
    pub fn new(target: &Target) -> Result<Option<Judge>, JudgeError> {
        let Some(spec) = &target.spec else { return Ok(None) };
        let seat_error = |error| JudgeError::Seat { name: target.name.clone(), error };
        if let PlayerSpec::Own(spec) = spec {
            let agent = Agent::new(&spec.resolve(&defaults(target.effort)), &mut Nets::default());
            let agent = agent.map_err(|error| seat_error(error.into()))?;
            return Ok(Some(Judge::Own(Box::new(agent), target.effort)));
        }
        let (limit, time) = match target.effort {
            Effort::Static | Effort::Quiescence => {
                return Err(JudgeError::Static { name: target.name.clone() });
            }
            Effort::Nodes(nodes) => (Limit::Nodes(nodes), None),
            Effort::Depth(depth) => (Limit::Depth(depth), None),
            Effort::TimeMs(ms) => {
                let time = Duration::from_millis(ms);
                (Limit::Clock(byoyomi(time)), Some(time))
            }
        };
        let seat = take_seat(spec, GameRules::default()).map_err(seat_error)?;
        Ok(Some(Judge::Program(seat, limit, time)))
    }

    /// The value of a position as Black sees it; none if the player does not tell one. A player of ours thinks on the
    /// caller's thread, which must have [`engine::STACK_BYTES`] of stack.
    pub fn value(&mut self, position: &Position) -> Result<Option<f64>, Failure> {
        let for_black = |value: i32| f64::from(if position.side() == Color::Black { value } else { -value });
        match self {
            Judge::Own(agent, Effort::Static) => Ok(Some(for_black(agent.evaluate(position)))),
            Judge::Own(agent, Effort::Quiescence) => {
                Ok(Some(for_black(settle(agent.evaluator(), &mut position.clone()))))
            }
            Judge::Own(agent, effort) => Ok(searched_value(agent, *effort, position)),
            Judge::Program(seat, limit, lawful) => {
                seat.new_game()?;
                let response = seat.think(&Request {
                    start: &position.setup(),
                    moves: &[],
                    position,
                    rules: GameRules::default(),
                    limit: *limit,
                    lawful: *lawful,
                    grace: GRACE,
                })?;
                Ok(response.evaluation.map(number_of))
            }
        }
    }
}

/// The value that a player of ours comes to. It begins afresh for every position, so that values do not depend on the
/// order in which they are found.
fn searched_value(agent: &mut Agent, effort: Effort, position: &Position) -> Option<f64> {
    let mut request = engine::Request::new(position, Limits::default());
    match effort {
        Effort::Static | Effort::Quiescence => {}
        Effort::Nodes(nodes) => request.limits.nodes = Some(nodes),
        Effort::Depth(depth) => request.limits.depth = Some(depth),
        Effort::TimeMs(ms) => request.time = Time::Clock(byoyomi(Duration::from_millis(ms))),
    }
    agent.new_game();
    let answer = agent.play_here(&request, &Control::new(), &mut |_| {});
    answer.score.map(|score| number_of(evaluation_of(score, position.side())))
}

/// What a player of ours that judges leaves open.
fn defaults(effort: Effort) -> Defaults {
    Defaults::study(if let Effort::Nodes(nodes) = effort { Some(nodes) } else { None })
}

/// A time for each move and nothing else, as clocks tell it.
fn byoyomi(time: Duration) -> Clock {
    Clock { time: [Some(Duration::ZERO); 2], byoyomi: Some(time), increment: [None; 2] }
}

/// A value in centipawns for Black; mates lie beyond all others, the sooner the farther.
pub(super) fn number_of(evaluation: Evaluation) -> f64 {
    match evaluation {
        Evaluation::BlackCp(cp) => f64::from(cp),
        Evaluation::Mate { winner, plies } => {
            let value = f64::from(mate_value(plies));
            if winner == Color::Black { value } else { -value }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_effort_may_follow_the_spec() {
        let read = |text: &str| Target::read(text, Effort::Static).map_err(|error| error.to_string());
        assert_eq!(read("alphabeta@nodes=100").unwrap().effort, Effort::Nodes(100));
        assert_eq!(read("alphabeta(net=a@b.bin)").unwrap().effort, Effort::Static);
        assert_eq!(
            read("usi:/home/me@host/engine@depth=3").unwrap().name,
            "usi:/home/me@host/engine @depth=3"
        );
        assert!(read("alphabeta@swift").unwrap_err().contains("expected static, settled, nodes=N"));
        assert!(read("alphabet@static").unwrap_err().contains("did you mean alphabeta?"));
        assert_ne!(
            read("alphabeta@nodes=1").unwrap().fingerprint(),
            read("alphabeta@nodes=2").unwrap().fingerprint()
        );
    }

    #[test]
    fn players_of_ours_judge_in_every_way_and_as_black_sees_it() {
        let position: Position = "4k4/9/9/4r4/9/9/9/4R4/4K4 b - 1".parse().unwrap();
        let turned = Position::new(&position.setup().rotated()).unwrap();
        for effort in ["static", "settled", "nodes=300", "depth=2", "time-ms=20"] {
            let target = Target::read(&format!("alphabeta(hash=1)@{effort}"), Effort::Static).unwrap();
            let mut judge = Judge::new(&target).unwrap().unwrap();
            let mut of = |position: &Position| judge.value(position).unwrap().unwrap();
            let (value, other) = (of(&position), of(&turned));
            assert!(effort == "static" || value > 300.0, "{effort}: {value}");
            assert!(effort == "time-ms=20" || (value + other).abs() < 60.0, "{effort}: {value} {other}");
        }
        let external = Target::read("usi:/bin/true@static", Effort::Static).unwrap();
        assert!(matches!(Judge::new(&external), Err(JudgeError::Static { .. })));
    }
}
