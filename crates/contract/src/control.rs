//! The strings that reach into a running search: stop, and the clock.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Shared by the thinker and whoever may interrupt it. None of its calls block.
#[derive(Debug)]
pub struct Control {
    stop: AtomicBool,
    epoch: Instant,
    /// Nanoseconds since the epoch at which the clock was started.
    started: AtomicU64,
    /// Nanoseconds of thinking after which no new iteration should begin; `NEVER` without a clock.
    soft: AtomicU64,
    /// Nanoseconds of thinking after which the search must be over; `NEVER` without a clock.
    hard: AtomicU64,
}

const NEVER: u64 = u64::MAX;

impl Default for Control {
    fn default() -> Self {
        Control::new()
    }
}

impl Control {
    /// A control without a clock, as for analysis and ponder.
    #[must_use]
    pub fn new() -> Control {
        Control {
            stop: AtomicBool::new(false),
            epoch: Instant::now(),
            started: AtomicU64::new(0),
            soft: AtomicU64::new(NEVER),
            hard: AtomicU64::new(NEVER),
        }
    }

    /// Starts the clock now (at `go`, or at `ponderhit` in the middle of a search).
    pub fn start_clock(&self, soft: Duration, hard: Duration) {
        self.started.store(self.epoch.elapsed().as_nanos() as u64, Ordering::Relaxed);
        self.soft.store(soft.as_nanos() as u64, Ordering::Relaxed);
        self.hard.store(hard.as_nanos() as u64, Ordering::Relaxed);
    }

    /// Whether a clock will end the search.
    #[must_use]
    pub fn has_clock(&self) -> bool {
        self.hard.load(Ordering::Relaxed) != NEVER
    }

    /// Asks the search to end; it returns its decision soon after.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked the search to end.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Whether the search must end: asked to, or out of time. Reads the clock: call it now and then.
    #[must_use]
    pub fn must_end(&self) -> bool {
        self.is_stopped() || self.thinking() >= self.hard.load(Ordering::Relaxed)
    }

    /// Whether the share `scale` of the soft time is used up, so that no new iteration should begin.
    #[must_use]
    pub fn is_enough(&self, scale: f64) -> bool {
        match self.soft.load(Ordering::Relaxed) {
            NEVER => false,
            soft => self.thinking() as f64 >= soft as f64 * scale,
        }
    }

    /// Whether the share `scale` of the time there is has been used: of the soft time, or of the hard one where that is
    /// shorter, as in byoyomi, which no stop rule is to end early.
    #[must_use]
    pub fn is_share_used(&self, scale: f64) -> bool {
        match self.soft.load(Ordering::Relaxed).min(self.hard.load(Ordering::Relaxed)) {
            NEVER => false,
            time => self.thinking() as f64 >= time as f64 * scale,
        }
    }

    /// Time since the control was made.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.epoch.elapsed()
    }

    /// Nanoseconds since the clock was started.
    fn thinking(&self) -> u64 {
        (self.epoch.elapsed().as_nanos() as u64).saturating_sub(self.started.load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_clock_only_stop_ends_it() {
        let control = Control::new();
        assert!(!control.must_end() && !control.is_enough(0.0) && !control.has_clock());
        control.stop();
        assert!(control.must_end());
    }

    #[test]
    fn a_started_clock_runs_out() {
        let control = Control::new();
        control.start_clock(Duration::ZERO, Duration::from_secs(100));
        assert!(control.is_enough(1.0) && !control.must_end() && control.has_clock());
        control.start_clock(Duration::ZERO, Duration::ZERO);
        assert!(control.must_end());
    }

    #[test]
    fn a_share_is_one_of_what_there_is() {
        let control = Control::new();
        assert!(!control.is_share_used(0.0));
        control.start_clock(Duration::from_secs(200), Duration::from_micros(10));
        std::thread::sleep(Duration::from_millis(1));
        assert!(control.is_share_used(0.5) && !control.is_enough(0.5));
        control.start_clock(Duration::from_secs(100), Duration::from_secs(200));
        assert!(!control.is_share_used(0.5));
    }
}
