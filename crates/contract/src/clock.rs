//! The clocks of a game, as a protocol sends them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The clocks of both sides. Remaining times are without the byoyomi.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// What remains: `[side]`, that which moves first comes first.
    pub time: [Option<Duration>; 2],
    /// Overtime for each move.
    pub byoyomi: Option<Duration>,
    /// What is added after each move: `[side]`.
    pub increment: [Option<Duration>; 2],
}

impl Clock {
    /// So much for each move and nothing else.
    #[must_use]
    pub fn byoyomi(time: Duration) -> Clock {
        Clock { time: [Some(Duration::ZERO); 2], byoyomi: Some(time), increment: [None; 2] }
    }

    /// Whether nothing is said about time.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        *self == Clock::default()
    }
}
