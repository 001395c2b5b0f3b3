//! Search reports as messages, not more often than people can read.

use std::time::{Duration, Instant};

use search::Report;

use super::{Sink, messages};

/// Passes reports on. Lines of one depth stay together; the last ones always get through.
pub(super) struct Reports {
    sink: Sink,
    interval: Duration,
    last: Option<Instant>,
    /// Whether the lines that are coming in are passed on.
    open: bool,
    /// The lines of the latest depth, best first.
    latest: Vec<Report>,
    /// How many of these were passed on.
    passed: usize,
}

impl Reports {
    pub(super) fn new(sink: Sink, interval: Duration) -> Reports {
        Reports { sink, interval, last: None, open: false, latest: Vec::new(), passed: 0 }
    }

    /// Takes a report.
    pub(super) fn take(&mut self, report: &Report) {
        if report.rank == 1 {
            self.latest.clear();
            self.passed = 0;
            self.open = self.last.is_none_or(|last| last.elapsed() >= self.interval);
            if self.open {
                self.last = Some(Instant::now());
            }
        }
        self.latest.push(report.clone());
        if self.open {
            self.flush();
        }
    }

    /// Passes on what was held back.
    pub(super) fn flush(&mut self) {
        for report in &self.latest[self.passed..] {
            messages::of_report(report).into_iter().for_each(|message| (self.sink)(message));
        }
        self.passed = self.latest.len();
    }
}
