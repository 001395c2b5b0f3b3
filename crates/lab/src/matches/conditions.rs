//! Under which conditions games are played.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use contract::{Clock, Effort};
use engine::GameRules;
use search::Limits;
use serde::{Deserialize, Serialize};
use shogi::{Color, DeclarationRule};

use super::adjudication::Adjudication;

/// How long players may think.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeControl {
    /// Milliseconds for each move. Programs get it as byoyomi, which all of them know.
    PerMove(u64),
    /// Milliseconds of byoyomi for each move, without main time.
    Byoyomi(u64),
    /// Milliseconds for the game, and milliseconds added after each move.
    Clock {
        /// For the game.
        base: u64,
        /// After each move.
        increment: u64,
    },
    /// Positions for each move.
    Nodes(u64),
    /// Plies for each move.
    Depth(u32),
}

/// Why a text is no clock.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected BASE+INC in seconds, as 10+0.1, or nodes=N, depth=N, time-ms=N or byoyomi=MS, found '{0}'")]
pub struct TimeError(String);

/// `BASE+INC`, in seconds, or a measure by its name.
impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let milliseconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().ok().filter(|s| (0.0..=1e6).contains(s))?;
            Some((seconds * 1000.0).round() as u64)
        };
        let above_zero = |number: &str| number.parse::<u64>().ok().filter(|number| *number > 0);
        if let Some((name, number)) = text.split_once('=') {
            let control = above_zero(number).and_then(|number| match name {
                "nodes" => Some(TimeControl::Nodes(number)),
                "depth" => u32::try_from(number).ok().map(TimeControl::Depth),
                "time-ms" => Some(TimeControl::PerMove(number)),
                "byoyomi" => Some(TimeControl::Byoyomi(number)),
                _ => None,
            });
            return control.ok_or_else(|| TimeError(text.to_owned()));
        }
        let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
        match (milliseconds(base), milliseconds(increment)) {
            (Some(base), Some(increment)) if base > 0 => Ok(TimeControl::Clock { base, increment }),
            _ => Err(TimeError(text.to_owned())),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::PerMove(ms) => write!(f, "{ms} ms a move"),
            TimeControl::Byoyomi(ms) => write!(f, "byoyomi {ms} ms"),
            TimeControl::Clock { base, increment } => {
                write!(f, "{}+{} s", *base as f64 / 1000.0, *increment as f64 / 1000.0)
            }
            TimeControl::Nodes(nodes) => write!(f, "{nodes} nodes a move"),
            TimeControl::Depth(depth) => write!(f, "depth {depth}"),
        }
    }
}

/// Everything about a game but who plays it and from where.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Conditions {
    /// How long players may think.
    pub time: TimeControl,
    /// For each player its own measure instead; empty if all have the same.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub times: Vec<TimeControl>,
    /// The most positions for a move, besides a clock.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Whether players think on each other's time.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// For each player, the share of time or nodes it gets: 1 is all.
    pub odds: Vec<f64>,
    /// How an entered king wins.
    pub declaration: DeclarationRule,
    /// After this ply the game is a draw; 0 means never.
    pub max_moves: u16,
    /// Milliseconds by which a clock may be overrun before the game is lost: what pipes and threads may cost.
    pub margin_ms: u64,
    /// Milliseconds after which silence is taken for a stall.
    pub patience_ms: u64,
    /// Ends that are not by the rules; none by default.
    pub adjudication: Adjudication,
}

impl Conditions {
    /// The usual rules for so many players with equal shares.
    #[must_use]
    pub fn usual(time: TimeControl, players: usize) -> Conditions {
        Conditions {
            time,
            times: Vec::new(),
            nodes: None,
            ponder: false,
            odds: vec![1.0; players],
            declaration: DeclarationRule::default(),
            max_moves: 320,
            margin_ms: 200,
            patience_ms: 10_000,
            adjudication: Adjudication::default(),
        }
    }

    /// How long a player may think.
    #[must_use]
    pub fn time_of(&self, player: usize) -> TimeControl {
        self.times.get(player).copied().unwrap_or(self.time)
    }

    /// Whether a clock decides for anybody.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        let is_timed = |time: &TimeControl| !matches!(time, TimeControl::Nodes(_) | TimeControl::Depth(_));
        if self.times.is_empty() { is_timed(&self.time) } else { self.times.iter().any(is_timed) }
    }

    /// How long players may think, for people.
    #[must_use]
    pub fn time_text(&self) -> String {
        let mut text = if self.times.is_empty() {
            self.time.to_string()
        } else {
            self.times.iter().map(ToString::to_string).collect::<Vec<_>>().join(" : ")
        };
        if let Some(nodes) = self.nodes {
            text += &format!(", at most {nodes} nodes a move");
        }
        if self.ponder {
            text += ", also on the opponent's time";
        }
        text
    }

    /// The rules of the game.
    #[must_use]
    pub fn rules(&self) -> GameRules {
        GameRules { declaration: self.declaration, max_moves: self.max_moves }
    }

    /// The milliseconds a clock may be overrun.
    #[must_use]
    pub fn margin(&self) -> Duration {
        Duration::from_millis(self.margin_ms)
    }

    /// How long an answer is waited for beyond what is lawful.
    #[must_use]
    pub fn grace(&self) -> Duration {
        Duration::from_millis(self.patience_ms)
    }
}

/// What a side may use for one move.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Allowance {
    /// The clocks of both sides; empty if time does not decide.
    pub(super) clock: Clock,
    /// Bounds besides time.
    pub(super) limits: Limits,
    /// The lawful time, if there is a clock.
    pub(super) lawful: Option<Duration>,
}

/// The clocks of one game.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    controls: [TimeControl; 2],
    odds: [f64; 2],
    /// The most positions for a move, besides a clock.
    nodes: Option<u64>,
    /// What is left of the main time: `[color]`.
    left: [Duration; 2],
}

impl Clocks {
    /// The clocks at the start, with the measures and odds of Black and White.
    pub(super) fn new(controls: [TimeControl; 2], odds: [f64; 2], nodes: Option<u64>) -> Clocks {
        let left = std::array::from_fn(|side| match controls[side] {
            TimeControl::Clock { base, .. } => scaled(base, odds[side]),
            _ => Duration::ZERO,
        });
        Clocks { controls, odds, nodes, left }
    }

    /// What a side may use for its next move.
    pub(super) fn allowance(&self, side: Color) -> Allowance {
        let odds = self.odds[side.index()];
        let share = |nodes: u64| ((nodes as f64 * odds).round() as u64).max(1);
        let untimed = |effort: Effort| (Clock::default(), effort.limits(), None);
        let (clock, mut limits, lawful): (_, Limits, _) = match self.controls[side.index()] {
            TimeControl::Nodes(nodes) => untimed(Effort::Nodes(share(nodes))),
            TimeControl::Depth(depth) => untimed(Effort::Depth(depth)),
            TimeControl::PerMove(ms) | TimeControl::Byoyomi(ms) => {
                // The byoyomi in a `go` is one for both; only the one to move has a use for it.
                let byoyomi = scaled(ms, odds);
                (Clock::byoyomi(byoyomi), Limits::default(), Some(byoyomi))
            }
            TimeControl::Clock { .. } => {
                let increments = std::array::from_fn(|side| Some(self.increment(side)));
                let clock = Clock { time: self.left.map(Some), byoyomi: None, increment: increments };
                (clock, Limits::default(), Some(self.left[side.index()]))
            }
        };
        limits.nodes = limits.nodes.or(self.nodes.map(share).filter(|_| lawful.is_some()));
        Allowance { clock, limits, lawful }
    }

    /// Takes off what a move has used; an overrun within the margin leaves nothing.
    pub(super) fn spend(&mut self, side: Color, used: Duration) {
        if let TimeControl::Clock { .. } = self.controls[side.index()] {
            let increment = self.increment(side.index());
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(used) + increment;
        }
    }

    /// What is added after a move of a side.
    fn increment(&self, side: usize) -> Duration {
        match self.controls[side] {
            TimeControl::Clock { increment, .. } => scaled(increment, self.odds[side]),
            _ => Duration::ZERO,
        }
    }
}

fn scaled(ms: u64, odds: f64) -> Duration {
    Duration::from_secs_f64(ms as f64 * odds / 1000.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_are_read_in_seconds() {
        assert_eq!("10+0.1".parse(), Ok(TimeControl::Clock { base: 10_000, increment: 100 }));
        assert_eq!("0.5".parse(), Ok(TimeControl::Clock { base: 500, increment: 0 }));
        for text in ["", "+1", "0+1", "x+1", "1+y", "-1+1", "nan+1"] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains("BASE+INC in seconds"), "{error}");
        }
    }

    #[test]
    fn odds_shorten_one_sides_time() {
        let clocks = Clocks::new([TimeControl::Clock { base: 1000, increment: 100 }; 2], [1.0, 0.5], None);
        let Allowance { clock, lawful, .. } = clocks.allowance(Color::White);
        assert_eq!(lawful, Some(Duration::from_millis(500)));
        assert_eq!(clock.time, [1000, 500].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!(clock.increment, [100, 50].map(|ms| Some(Duration::from_millis(ms))));
        let clocks = Clocks::new([TimeControl::Nodes(1000); 2], [0.25, 1.0], None);
        let allowance = clocks.allowance(Color::Black);
        assert_eq!((allowance.limits.nodes, allowance.lawful), (Some(250), None));
        assert!(allowance.clock.is_empty());
    }

    #[test]
    fn main_time_goes_and_the_increment_comes() {
        let mut clocks = Clocks::new([TimeControl::Clock { base: 1000, increment: 100 }; 2], [1.0; 2], None);
        clocks.spend(Color::Black, Duration::from_millis(400));
        assert_eq!(clocks.allowance(Color::Black).lawful, Some(Duration::from_millis(700)));
        clocks.spend(Color::Black, Duration::from_millis(705));
        assert_eq!(clocks.allowance(Color::Black).lawful, Some(Duration::from_millis(100)));
        let mut clocks = Clocks::new([TimeControl::Byoyomi(50); 2], [1.0; 2], None);
        clocks.spend(Color::Black, Duration::from_millis(49));
        assert_eq!(clocks.allowance(Color::Black).lawful, Some(Duration::from_millis(50)));
    }

    #[test]
    fn measures_are_read_by_their_names_too() {
        assert_eq!("nodes=500".parse(), Ok(TimeControl::Nodes(500)));
        assert_eq!("byoyomi=1000".parse(), Ok(TimeControl::Byoyomi(1000)));
        for text in ["nodes=0", "nodes=", "depth=99999999999", "speed=3"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn each_side_has_its_own_measure_and_a_clock_may_be_capped_by_nodes() {
        let clock = TimeControl::Clock { base: 1000, increment: 100 };
        let clocks = Clocks::new([clock, TimeControl::Nodes(70)], [1.0; 2], Some(5000));
        let black = clocks.allowance(Color::Black);
        assert_eq!((black.lawful, black.limits.nodes), (Some(Duration::from_secs(1)), Some(5000)));
        let white = clocks.allowance(Color::White);
        assert_eq!((white.lawful, white.limits.nodes), (None, Some(70)));
        assert!(white.clock.is_empty());
    }
}
