//! What a search said about its lines: only whole results, neither bounds nor lines that a failed window cut off.

use contract::score;
use search::{Bound, Report};
use shogi::Move;

/// The reports of one search.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// In the order of their coming.
    reports: Vec<Report>,
}

impl Heard {
    /// Keeps a report if it is the value of a line and not a bound of it. That a mate is at least a mate is all that
    /// needs to be known.
    pub(super) fn take(&mut self, report: &Report) {
        let is_proven = report.bound == Bound::Lower && score::is_win(report.score.value());
        if (report.bound == Bound::Exact || is_proven) && !report.pv.is_empty() {
            self.reports.push(report.clone());
        }
    }

    /// The last that was said about the best lines, the best one first.
    pub(super) fn latest(&self) -> impl Iterator<Item = &Report> {
        let start = self.reports.iter().rposition(|report| report.rank == 1).unwrap_or(0);
        let mut lines: Vec<&Report> = Vec::new();
        for report in &self.reports[start..] {
            if lines.iter().all(|line| line.pv[0] != report.pv[0]) {
                lines.push(report);
            }
        }
        lines.into_iter()
    }

    /// What was said about these moves in the deepest iteration that knows them all, the best one first; if there is
    /// none, the last that was said about each.
    pub(super) fn together(&self, moves: &[Move]) -> Vec<&Report> {
        let about = |m: Move, depth: Option<u32>| {
            let is_meant = |report: &&Report| report.pv[0] == m && depth.is_none_or(|d| report.depth == d);
            self.reports.iter().rev().find(is_meant)
        };
        let knows_all = |depth: &u32| moves.iter().all(|&m| about(m, Some(*depth)).is_some());
        let common = self.reports.iter().map(|report| report.depth).filter(knows_all).max();
        let mut found: Vec<&Report> = moves.iter().filter_map(|&m| about(m, common)).collect();
        found.sort_by_key(|report| std::cmp::Reverse(report.score.value()));
        found
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use search::Score;

    fn report(m: &str, depth: u32, rank: usize, cp: i32, bound: Bound) -> Report {
        Report {
            depth,
            selective_depth: depth,
            rank,
            score: Score::Centipawns(cp),
            bound,
            pv: vec![m.parse().unwrap()],
            nodes: 1,
            elapsed: Duration::ZERO,
            hash_permille: 0,
            tree: None,
        }
    }

    fn values(reports: &[&Report]) -> Vec<i32> {
        reports.iter().map(|report| report.score.value()).collect()
    }

    #[test]
    fn moves_are_compared_at_a_depth_that_knows_them_all() {
        let mut heard = Heard::default();
        for (m, depth, rank, cp, bound) in [
            ("7g7f", 4, 1, 30, Bound::Exact),
            ("2g2f", 4, 2, 10, Bound::Exact),
            ("7g7f", 5, 1, 0, Bound::Exact),
            ("2g2f", 5, 1, 90, Bound::Lower),
        ] {
            heard.take(&report(m, depth, rank, cp, bound));
        }
        let moves = ["2g2f", "7g7f"].map(|text| text.parse().unwrap());
        assert_eq!(values(&heard.together(&moves)), [30, 10]);
        assert_eq!(values(&heard.latest().collect::<Vec<_>>()), [0]);
    }

    #[test]
    fn bounds_are_left_out_but_mates() {
        let mut heard = Heard::default();
        heard.take(&report("7g7f", 3, 1, 50, Bound::Upper));
        assert_eq!(heard.latest().count(), 0);
        let mate = Report { score: Score::MateIn(5), ..report("7g7f", 3, 1, 0, Bound::Lower) };
        heard.take(&mate);
        assert_eq!(heard.latest().count(), 1);
    }
}
