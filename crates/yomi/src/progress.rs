//! A progress bar for work that is usually over before one is worth showing.

use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Work that ends sooner shows no bar.
const PATIENCE: Duration = Duration::from_secs(2);

/// A bar on standard error that appears when the work has taken a while, and only on a terminal. Any number
/// of threads may advance it.
pub(crate) struct LateBar {
    bar: ProgressBar,
    started: Instant,
    shown: Once,
}

impl LateBar {
    /// An invisible bar; the time runs from here.
    pub(crate) fn new() -> LateBar {
        let style = ProgressStyle::with_template("{wide_bar} {percent}%  {elapsed} gone, {eta} to go")
            .expect("the template is well-formed");
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::hidden()).with_style(style);
        LateBar { bar, started: Instant::now(), shown: Once::new() }
    }

    /// How many steps there will be.
    pub(crate) fn expect(&self, steps: usize) {
        self.bar.set_length(steps as u64);
    }

    /// One step is done.
    pub(crate) fn advance(&self) {
        if self.started.elapsed() > PATIENCE {
            self.shown.call_once(|| self.bar.set_draw_target(ProgressDrawTarget::stderr()));
        }
        self.bar.inc(1);
    }

    /// Removes the bar from the terminal.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
