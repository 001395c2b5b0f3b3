//! Whoever gives positions their values.

use std::time::Duration;

use contract::score::mate_value;
use contract::{Clock, Effort, LogisticScale};
use engine::{Agent, Defaults, GameRules, Nets, PlayerSpec, Time, evaluation_of};
use records::game::Evaluation;
use runs::fingerprint;
use search::Control;
use serde::Serialize;
use shogi::{Color, Position};

use super::quiescence::settle;
use crate::matches::{Entrant, PlayerFacts};
use crate::seat::{Failure, Request, Seat, SeatError, take_seat};

/// How a position gets its value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Judging {
    /// By the evaluation alone.
    Static,
    /// By a search of captures only.
    #[serde(rename = "settled")]
    Quiescence,
    /// By a search.
    #[serde(untagged)]
    Search(Effort),
}

/// A player and how it finds its values.
#[derive(Clone, Debug)]
pub struct Target {
    /// What it is called.
    pub name: String,
    /// The player; `None` for the evaluations in the records.
    pub spec: Option<PlayerSpec>,
    /// How it finds a value.
    pub judging: Judging,
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

impl std::str::FromStr for Judging {
    type Err = TargetError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "static" => Ok(Judging::Static),
            "settled" | "quiescence" => Ok(Judging::Quiescence),
            _ => text.parse().map(Judging::Search).map_err(|_| TargetError::Effort(text.to_owned())),
        }
    }
}

impl std::fmt::Display for Judging {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Judging::Static => f.write_str("static"),
            Judging::Quiescence => f.write_str("settled"),
            Judging::Search(effort) => effort.fmt(f),
        }
    }
}

impl Judging {
    /// Its part of a fingerprint. Values in the cache are found by it, so it must never be written otherwise.
    fn fingerprinted(self) -> String {
        match self {
            Judging::Static => "Static".to_owned(),
            Judging::Quiescence => "Quiescence".to_owned(),
            Judging::Search(Effort::Nodes(nodes)) => format!("Nodes({nodes})"),
            Judging::Search(Effort::Depth(depth)) => format!("Depth({depth})"),
            Judging::Search(Effort::Time(time)) => format!("TimeMs({})", time.as_millis()),
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
    Own(Box<Agent>, Judging),
    /// Another program, and how long it thinks.
    Program(Box<dyn Seat>, Effort),
}

/// How long an answer is waited for.
const GRACE: Duration = Duration::from_secs(60);

impl Target {
    /// `SPEC` with the usual effort, or `SPEC@EFFORT`.
    pub fn read(text: &str, usual: Judging) -> Result<Target, TargetError> {
        // A path may hold an '@' too, but nothing after it then that looks like an effort.
        let (spec, judging) = match text.rsplit_once('@') {
            Some((spec, effort)) if !effort.contains(['/', ')', '.']) => (spec, effort.parse()?),
            _ => (text, usual),
        };
        let spec: PlayerSpec = spec.parse()?;
        Ok(Target { name: format!("{spec} @{judging}"), spec: Some(spec), judging })
    }

    /// The evaluations in the records.
    #[must_use]
    pub fn stored() -> Target {
        Target { name: "stored".to_owned(), spec: None, judging: Judging::Static }
    }

    /// What the values depend on, in one word: a name for the cache. A player of ours is this very program.
    #[must_use]
    pub fn fingerprint(&self) -> String {
        let ours = matches!(self.spec, Some(PlayerSpec::Own(_)));
        let program = if ours { fingerprint::of_this_program() } else { String::new() };
        let text = format!("{program} {:?} {}", self.facts(), self.judging.fingerprinted());
        fingerprint::of_bytes(text.as_bytes())[..16].to_owned()
    }

    /// What made centipawns of the player's values, if these are win rates: those that a search by bandits comes to.
    #[must_use]
    pub fn win_rate_scale(&self) -> Option<LogisticScale> {
        let (Some(PlayerSpec::Own(spec)), Judging::Search(_)) = (&self.spec, self.judging) else {
            return None;
        };
        let resolved = spec.resolve(&defaults(self.judging));
        resolved.method.values_win_rates().then(|| resolved.scale())
    }

    /// The player with what it is made of; `None` for the records.
    #[must_use]
    pub fn facts(&self) -> Option<PlayerFacts> {
        let spec = self.spec.clone()?;
        let defaults = defaults(self.judging);
        Some(PlayerFacts::of(&Entrant { name: self.name.clone(), spec }, &defaults))
    }
}

impl Judge {
    /// Puts a player to work; `None` if the records themselves hold the values.
    pub fn new(target: &Target) -> Result<Option<Judge>, JudgeError> {
        let Some(spec) = &target.spec else { return Ok(None) };
        let seat_error = |error| JudgeError::Seat { name: target.name.clone(), error };
        if let PlayerSpec::Own(spec) = spec {
            let agent = Agent::new(&spec.resolve(&defaults(target.judging)), &mut Nets::default());
            let agent = agent.map_err(|error| seat_error(error.into()))?;
            return Ok(Some(Judge::Own(Box::new(agent), target.judging)));
        }
        let Judging::Search(effort) = target.judging else {
            return Err(JudgeError::Static { name: target.name.clone() });
        };
        let seat = take_seat(spec, GameRules::default()).map_err(seat_error)?;
        Ok(Some(Judge::Program(seat, effort)))
    }

    /// The value of a position as Black sees it; none if the player reports none. A player of ours thinks on the
    /// caller's thread, which must have [`engine::STACK_BYTES`] of stack.
    pub fn value(&mut self, position: &Position) -> Result<Option<f64>, Failure> {
        let for_black = |value: i32| f64::from(if position.side() == Color::Black { value } else { -value });
        match self {
            Judge::Own(agent, Judging::Static) => Ok(Some(for_black(agent.evaluate(position)))),
            Judge::Own(agent, Judging::Quiescence) => {
                Ok(Some(for_black(settle(agent.evaluator(), &mut position.clone()))))
            }
            Judge::Own(agent, Judging::Search(effort)) => Ok(searched_value(agent, *effort, position)),
            Judge::Program(seat, effort) => {
                seat.new_game()?;
                let response = seat.think(&Request {
                    start: position.setup(),
                    moves: Vec::new(),
                    rules: GameRules::default(),
                    clock: effort.time().map(Clock::byoyomi).unwrap_or_default(),
                    limits: effort.limits(),
                    lawful: effort.time(),
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
    let mut request = engine::Request::new(position, effort.limits());
    if let Some(time) = effort.time() {
        request.time = Time::Clock(Clock::byoyomi(time));
    }
    agent.new_game();
    let answer = agent.play_here(&request, &Control::new(), &mut |_| {});
    answer.score.map(|score| number_of(evaluation_of(score, position.side())))
}

/// What a player of ours that judges leaves open.
fn defaults(judging: Judging) -> Defaults {
    Defaults::study(if let Judging::Search(Effort::Nodes(nodes)) = judging { Some(nodes) } else { None })
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
        let read = |text: &str| Target::read(text, Judging::Static).map_err(|error| error.to_string());
        assert_eq!(read("alphabeta@nodes=100").unwrap().judging, Judging::Search(Effort::Nodes(100)));
        assert_eq!(read("alphabeta(net=a@b.bin)").unwrap().judging, Judging::Static);
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
    fn ways_of_judging_are_written_as_they_are_read() {
        for (text, json, fingerprinted) in [
            ("static", "\"static\"", "Static"),
            ("settled", "\"settled\"", "Quiescence"),
            ("nodes=5", "{\"nodes\":5}", "Nodes(5)"),
            ("depth=5", "{\"depth\":5}", "Depth(5)"),
            ("time-ms=5", "{\"time-ms\":5}", "TimeMs(5)"),
        ] {
            let judging: Judging = text.parse().unwrap();
            assert_eq!(judging.to_string(), text);
            assert_eq!(serde_json::to_string(&judging).unwrap(), json);
            assert_eq!(judging.fingerprinted(), fingerprinted);
        }
        assert_eq!("quiescence".parse(), Ok(Judging::Quiescence));
        for wrong in ["", "nodes", "nodes=0", "static=1", "swift"] {
            assert!(wrong.parse::<Judging>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn players_of_ours_judge_in_every_way_and_as_black_sees_it() {
        let position: Position =
            "lnsgkgsnl/7b1/ppppppppp/9/9/1r7/PPPPPPPPP/1B5R1/LNSGKGSNL b - 1".parse().unwrap();
        let turned = Position::new(&position.setup().rotated()).unwrap();
        for effort in ["static", "settled", "nodes=300", "depth=2", "time-ms=20"] {
            let target = Target::read(&format!("alphabeta(hash=1)@{effort}"), Judging::Static).unwrap();
            let mut judge = Judge::new(&target).unwrap().unwrap();
            let mut of = |position: &Position| judge.value(position).unwrap().unwrap();
            let (value, other) = (of(&position), of(&turned));
            assert!(effort == "static" || value > 300.0, "{effort}: {value}");
            assert!(effort == "time-ms=20" || (value + other).abs() < 60.0, "{effort}: {value} {other}");
        }
        let external = Target::read("usi:/bin/true@static", Judging::Static).unwrap();
        assert!(matches!(Judge::new(&external), Err(JudgeError::Static { .. })));
    }
}
