//! Search reports as messages, not more often than people can read.

use std::time::{Duration, Instant};

use protocol::usi::{EngineMessage, Info};
use search::{Report, TreeFacts};

use super::Sink;

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
    told: usize,
}

impl Reports {
    pub(super) fn new(sink: Sink, interval: Duration) -> Reports {
        Reports { sink, interval, last: None, open: false, latest: Vec::new(), told: 0 }
    }

    /// Takes a report.
    pub(super) fn take(&mut self, report: &Report) {
        if report.rank == 1 {
            self.latest.clear();
            self.told = 0;
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
        for report in &self.latest[self.told..] {
            (self.sink)(EngineMessage::Info(Box::new(info(report))));
            if let Some(facts) = &report.tree {
                (self.sink)(EngineMessage::remark(remark(report.rank, facts)));
            }
        }
        self.told = self.latest.len();
    }

    /// The lines of the latest depth.
    pub(super) fn latest(&self) -> &[Report] {
        &self.latest
    }
}

fn info(report: &Report) -> Info {
    let seconds = report.elapsed.as_secs_f64().max(1e-3);
    Info {
        depth: Some(report.depth),
        seldepth: Some(report.selective_depth),
        time: Some(report.elapsed),
        nodes: Some(report.nodes),
        nps: Some((report.nodes as f64 / seconds) as u64),
        hashfull: Some(report.hash_permille),
        multipv: Some(report.rank as u32),
        score: Some(report.score),
        bound: report.bound,
        pv: report.pv.clone(),
        ..Info::default()
    }
}

/// What the protocol has no words for.
fn remark(rank: usize, facts: &TreeFacts) -> String {
    let TreeFacts { visits, win_rate, depth, probability, threshold } = facts;
    let threshold = threshold.map_or(String::new(), |bits| format!(" theta {bits:.1}"));
    format!(
        "line {rank}: winrate {win_rate:.3} visits {visits} D {depth:.2} probability {probability:.3}{threshold}"
    )
}
