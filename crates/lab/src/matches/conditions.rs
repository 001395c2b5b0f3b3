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
#[error("expected BASE+INC in seconds, as 10+0.1, found '{0}'")]
pub struct TimeError(String);

/// `BASE+INC`, in seconds.
impl FromStr for TimeControl {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let milliseconds = |text: &str| {
            let seconds = text.trim().parse::<f64>().ok().filter(|s| (0.0..=1e6).contains(s))?;
            Some((seconds * 1000.0).round() as u64)
        };
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
            odds: vec![1.0; players],
            declaration: DeclarationRule::default(),
            max_moves: 320,
            margin_ms: 200,
            patience_ms: 10_000,
            adjudication: Adjudication::default(),
        }
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

impl Allowance {
    fn timed(clock: Clock, lawful: Duration) -> Allowance {
        Allowance { clock, limits: Limits::default(), lawful: Some(lawful) }
    }

    fn untimed(effort: Effort) -> Allowance {
        Allowance { clock: Clock::default(), limits: effort.limits(), lawful: None }
    }
}

/// The clocks of one game.
#[derive(Clone, Debug)]
pub(super) struct Clocks {
    control: TimeControl,
    odds: [f64; 2],
    /// What is left of the main time: `[color]`.
    left: [Duration; 2],
}

impl Clocks {
    /// The clocks at the start, with the odds of Black and White.
    pub(super) fn new(control: TimeControl, odds: [f64; 2]) -> Clocks {
        let base = match control {
            TimeControl::Clock { base, .. } => base,
            _ => 0,
        };
        Clocks { control, odds, left: odds.map(|odds| scaled(base, odds)) }
    }

    /// What a side may use for its next move.
    pub(super) fn allowance(&self, side: Color) -> Allowance {
        let odds = self.odds[side.index()];
        match self.control {
            TimeControl::Nodes(nodes) => {
                Allowance::untimed(Effort::Nodes(((nodes as f64 * odds).round() as u64).max(1)))
            }
            TimeControl::Depth(depth) => Allowance::untimed(Effort::Depth(depth)),
            TimeControl::PerMove(ms) | TimeControl::Byoyomi(ms) => {
                // The byoyomi in a `go` is one for both; only the one to move has a use for it.
                let byoyomi = scaled(ms, odds);
                Allowance::timed(Clock::byoyomi(byoyomi), byoyomi)
            }
            TimeControl::Clock { increment, .. } => {
                let increments = self.odds.map(|odds| Some(scaled(increment, odds)));
                let clock = Clock { time: self.left.map(Some), byoyomi: None, increment: increments };
                Allowance::timed(clock, self.left[side.index()])
            }
        }
    }

    /// Takes off what a move has used; an overrun within the margin leaves nothing.
    pub(super) fn spend(&mut self, side: Color, used: Duration) {
        if let TimeControl::Clock { increment, .. } = self.control {
            let left = &mut self.left[side.index()];
            *left = left.saturating_sub(used) + scaled(increment, self.odds[side.index()]);
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
        let clocks = Clocks::new(TimeControl::Clock { base: 1000, increment: 100 }, [1.0, 0.5]);
        let Allowance { clock, lawful, .. } = clocks.allowance(Color::White);
        assert_eq!(lawful, Some(Duration::from_millis(500)));
        assert_eq!(clock.time, [1000, 500].map(|ms| Some(Duration::from_millis(ms))));
        assert_eq!(clock.increment, [100, 50].map(|ms| Some(Duration::from_millis(ms))));
        let clocks = Clocks::new(TimeControl::Nodes(1000), [0.25, 1.0]);
        let allowance = clocks.allowance(Color::Black);
        assert_eq!((allowance.limits.nodes, allowance.lawful), (Some(250), None));
        assert!(allowance.clock.is_empty());
    }

    #[test]
    fn main_time_goes_and_the_increment_comes() {
        let mut clocks = Clocks::new(TimeControl::Clock { base: 1000, increment: 100 }, [1.0, 1.0]);
        clocks.spend(Color::Black, Duration::from_millis(400));
        assert_eq!(clocks.allowance(Color::Black).lawful, Some(Duration::from_millis(700)));
        clocks.spend(Color::Black, Duration::from_millis(705));
        assert_eq!(clocks.allowance(Color::Black).lawful, Some(Duration::from_millis(100)));
        let mut clocks = Clocks::new(TimeControl::Byoyomi(50), [1.0, 1.0]);
        clocks.spend(Color::Black, Duration::from_millis(49));
        assert_eq!(clocks.allowance(Color::Black).lawful, Some(Duration::from_millis(50)));
    }
}
