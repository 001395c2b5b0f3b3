//! How much thinking one position deserves.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::{Control, Limits};

/// How long to think about one position, by exactly one measure.
///
/// ```
/// use contract::Effort;
/// let effort: Effort = "nodes=5000".parse().unwrap();
/// assert_eq!(effort, Effort::Nodes(5000));
/// assert_eq!(effort.to_string(), "nodes=5000");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effort {
    /// Positions visited.
    Nodes(u64),
    /// Iterations of deepening.
    Depth(u32),
    /// Time, written in milliseconds.
    #[serde(rename = "time-ms", serialize_with = "write_millis", deserialize_with = "read_millis")]
    Time(Duration),
}

/// The clock's soft bound where the whole time is to be used: beyond any game.
const NO_HURRY: Duration = Duration::from_secs(1 << 32);

/// Why a text is no effort.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no effort: expected nodes=N, depth=N or time-ms=N, N above 0")]
pub struct EffortError(pub String);

impl Effort {
    /// The limits that say it. Time is no limit of theirs: see [`Effort::start_clock`].
    #[must_use]
    pub fn limits<M>(self) -> Limits<M> {
        let mut limits = Limits::default();
        match self {
            Effort::Nodes(nodes) => limits.nodes = Some(nodes),
            Effort::Depth(depth) => limits.depth = Some(depth),
            Effort::Time(_) => {}
        }
        limits
    }

    /// The time to think, if it is one.
    #[must_use]
    pub fn time(self) -> Option<Duration> {
        match self {
            Effort::Time(time) => Some(time),
            Effort::Nodes(_) | Effort::Depth(_) => None,
        }
    }

    /// Starts the clock, if it is a time: all of it is used, however sure a search is before.
    pub fn start_clock(self, control: &Control) {
        if let Some(time) = self.time() {
            control.start_clock(NO_HURRY, time);
        }
    }
}

impl FromStr for Effort {
    type Err = EffortError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let wrong = || EffortError(text.to_owned());
        let (name, number) = text.split_once('=').ok_or_else(wrong)?;
        let number = number.parse::<u64>().ok().filter(|number| *number > 0).ok_or_else(wrong)?;
        match name {
            "nodes" => Ok(Effort::Nodes(number)),
            "depth" => u32::try_from(number).map(Effort::Depth).map_err(|_| wrong()),
            "time-ms" => Ok(Effort::Time(Duration::from_millis(number))),
            _ => Err(wrong()),
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Effort::Nodes(nodes) => write!(f, "nodes={nodes}"),
            Effort::Depth(depth) => write!(f, "depth={depth}"),
            Effort::Time(time) => write!(f, "time-ms={}", time.as_millis()),
        }
    }
}

fn write_millis<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u64(time.as_millis() as u64)
}

fn read_millis<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Duration, D::Error> {
    u64::deserialize(deserializer).map(Duration::from_millis)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn efforts_are_written_as_they_are_read() {
        for text in ["nodes=1", "depth=12", "time-ms=250"] {
            let effort: Effort = text.parse().unwrap();
            assert_eq!(effort.to_string(), text);
            let json = serde_json::to_string(&effort).unwrap();
            assert_eq!(json, format!("{{\"{}}}", text.replace('=', "\":")));
            assert_eq!(serde_json::from_str::<Effort>(&json).unwrap(), effort);
        }
        for wrong in ["", "nodes", "nodes=0", "nodes=x", "depth=4294967296", "speed=3", "depth=-1"] {
            assert!(wrong.parse::<Effort>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_effort_binds_by_its_own_measure_alone() {
        let limits = |text: &str| {
            let limits: Limits<u16> = text.parse::<Effort>().unwrap().limits();
            (limits.nodes, limits.depth)
        };
        assert_eq!(limits("nodes=7"), (Some(7), None));
        assert_eq!(limits("depth=7"), (None, Some(7)));
        assert_eq!(limits("time-ms=7"), (None, None));
        let control = Control::new();
        Effort::Depth(1).start_clock(&control);
        assert!(!control.is_enough(0.0));
        Effort::Time(Duration::ZERO).start_clock(&control);
        assert!(control.must_end() && !control.is_enough(0.01));
    }
}
