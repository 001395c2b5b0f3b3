//! The clocks of a game: main time, then byoyomi for every move, or an increment after every move.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// The time that each side has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TimeRule {
    /// Seconds for the game.
    pub(crate) main: u32,
    /// Seconds for each move once those are used.
    #[serde(default)]
    pub(crate) byoyomi: u32,
    /// Seconds added after each move.
    #[serde(default)]
    pub(crate) increment: u32,
}

/// The longest time that can be agreed: a day.
const LONGEST: u32 = 86_400;

impl TimeRule {
    /// Whether somebody could play by it.
    pub(crate) fn is_sound(&self) -> bool {
        let all = [self.main, self.byoyomi, self.increment];
        all.iter().all(|seconds| *seconds <= LONGEST) && all.iter().any(|seconds| *seconds > 0)
    }

    pub(crate) fn main(&self) -> Duration {
        Duration::from_secs(self.main.into())
    }

    pub(crate) fn byoyomi(&self) -> Duration {
        Duration::from_secs(self.byoyomi.into())
    }

    /// What a side has at the beginning: with an increment, that of the first move too.
    pub(crate) fn first(&self) -> Duration {
        self.main() + Duration::from_secs(self.increment.into())
    }

    /// Whether a side with `left` on its clock may think no longer.
    pub(crate) fn is_over(&self, left: Duration, used: Duration) -> bool {
        used > left + self.byoyomi()
    }

    /// What is left after a move.
    pub(crate) fn after(&self, left: Duration, used: Duration) -> Duration {
        left.saturating_sub(used) + Duration::from_secs(self.increment.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[test]
    fn byoyomi_begins_when_the_main_time_is_used() {
        let rule = TimeRule { main: 10, byoyomi: 5, increment: 0 };
        assert_eq!(rule.after(rule.first(), 4 * SECOND), 6 * SECOND);
        assert_eq!(rule.after(6 * SECOND, 9 * SECOND), Duration::ZERO);
        assert!(!rule.is_over(6 * SECOND, 11 * SECOND) && rule.is_over(6 * SECOND, 12 * SECOND));
        assert!(!rule.is_over(Duration::ZERO, 5 * SECOND) && rule.is_over(Duration::ZERO, 6 * SECOND));
    }

    #[test]
    fn an_increment_comes_after_every_move() {
        let rule = TimeRule { main: 60, byoyomi: 0, increment: 10 };
        assert_eq!(rule.first(), 70 * SECOND);
        assert_eq!(rule.after(70 * SECOND, 20 * SECOND), 60 * SECOND);
        assert!(rule.is_over(SECOND, 2 * SECOND));
    }

    #[test]
    fn no_time_at_all_and_more_than_a_day_are_refused() {
        assert!(!TimeRule { main: 0, byoyomi: 0, increment: 0 }.is_sound());
        assert!(!TimeRule { main: 90_000, byoyomi: 0, increment: 0 }.is_sound());
        assert!(TimeRule { main: 0, byoyomi: 30, increment: 0 }.is_sound());
    }
}
