//! How far long work has come.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Once;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressFinish, ProgressStyle};

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

    /// Does something else without the bar in its way.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar from the terminal.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How far a stream of bytes has come: a bar on a terminal, a line a minute elsewhere, both on standard error.
pub(crate) struct ByteProgress {
    bar: ProgressBar,
    is_terminal: bool,
    last_line: Instant,
}

/// How often a line is written where there is no terminal.
const LINE_EVERY: Duration = Duration::from_secs(60);

impl ByteProgress {
    /// Progress through so many bytes.
    pub(crate) fn new(bytes: u64) -> ByteProgress {
        let template = "{wide_bar} {bytes} of {total_bytes}, {bytes_per_sec}, {eta} to go";
        let style = ProgressStyle::with_template(template).expect("the template is well-formed");
        let bar = ProgressBar::with_draw_target(Some(bytes), ProgressDrawTarget::stderr()).with_style(style);
        ByteProgress { bar, is_terminal: io::stderr().is_terminal(), last_line: Instant::now() }
    }

    /// So many more bytes are done.
    pub(crate) fn advance(&mut self, bytes: u64) {
        self.bar.inc(bytes);
        if !self.is_terminal && self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let (done, all) = (self.bar.position(), self.bar.length().unwrap_or(0));
            let percent = done as f64 / all.max(1) as f64 * 100.0;
            // Nobody reads it if standard error is closed.
            let _ = writeln!(io::stderr(), "{done} of {all} bytes, {percent:.0}%");
        }
    }

    /// Does something else on standard error without the bar in its way.
    pub(crate) fn suspend(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    /// Removes the bar from the terminal.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

/// How far work of countable steps has come: a bar on a terminal, which goes with this value, a line a minute elsewhere, both on
/// standard error.
pub(crate) struct StepProgress {
    bar: ProgressBar,
    is_terminal: bool,
    last_line: Instant,
}

impl StepProgress {
    /// Progress through so many steps.
    pub(crate) fn new(steps: u64) -> StepProgress {
        let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}, {msg}, {eta} to go")
            .expect("the template is well-formed");
        let bar = ProgressBar::with_draw_target(Some(steps), ProgressDrawTarget::stderr())
            .with_style(style)
            .with_finish(ProgressFinish::AndClear);
        StepProgress { bar, is_terminal: io::stderr().is_terminal(), last_line: Instant::now() }
    }

    /// There are so many steps after all.
    pub(crate) fn expect(&self, steps: u64) {
        self.bar.set_length(steps);
    }

    /// So many steps are done, and this is to be said about them.
    pub(crate) fn show(&mut self, done: u64, text: impl FnOnce() -> String) {
        if self.is_terminal {
            self.bar.set_message(text());
            self.bar.set_position(done);
        } else if self.last_line.elapsed() >= LINE_EVERY {
            self.last_line = Instant::now();
            let all = self.bar.length().unwrap_or(0);
            // Nobody reads it if standard error is closed.
            let _ = writeln!(io::stderr(), "{done} of {all}, {}", text());
        }
    }

    /// Removes the bar from the terminal.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}
