//! What a search says about its lines, and the reply that it expects.

use shogi::Move;

use super::root_move::{Finding, RootMove};
use super::team::Task;
use crate::score::MAX_PLY;
use crate::{Report, Score};

impl Task<'_> {
    /// The report of a line; `rank` is 0 for the best.
    pub(super) fn report(&self, rank: usize, finding: Finding, line: &[Move]) -> Report {
        Report {
            depth: finding.depth as u32,
            selective_depth: finding.selective_depth as u32,
            rank: rank + 1,
            score: Score::of(finding.value),
            bound: finding.bound,
            pv: self.whole_line(line, finding.depth as usize),
            nodes: self.budget.spent(),
            elapsed: self.control.elapsed(),
            hash_permille: self.table.permille(),
            tree: None,
        }
    }

    /// The reports of the best lines, as far as anything is known about them.
    pub(super) fn reports(&self, root_moves: &[RootMove]) -> impl Iterator<Item = Report> {
        let best = root_moves.iter().take(self.lines()).enumerate();
        best.filter_map(|(rank, root_move)| {
            root_move.told().map(|(finding, line)| self.report(rank, finding, line))
        })
    }

    /// How many lines are asked for.
    pub(super) fn lines(&self) -> usize {
        self.limits.lines.max(1)
    }

    /// The line with what the hash table knows behind it, up to `plies` and the first repetition. Where its own moves are
    /// not legal it ends.
    fn whole_line(&self, line: &[Move], plies: usize) -> Vec<Move> {
        let mut position = self.root.position.clone();
        let mut whole = Vec::with_capacity(plies.max(line.len()));
        for &m in line {
            if !position.is_legal(m) {
                return whole;
            }
            position.play(m);
            whole.push(m);
        }
        while whole.len() < plies.min(MAX_PLY) && position.repetition_in_search(whole.len()).is_none() {
            let known = self.table.probe(position.key()).and_then(|entry| entry.best);
            let Some(m) = known.filter(|&m| position.is_legal(m)) else { break };
            position.play(m);
            whole.push(m);
        }
        whole
    }

    /// The reply to expect: that of the move's lines, else the one in the hash table.
    pub(super) fn reply(&self, root_move: &RootMove) -> Option<Move> {
        let mut position = self.root.position.clone();
        position.play(root_move.first());
        let known = || self.table.probe(position.key()).and_then(|entry| entry.best);
        root_move.reply().or_else(known).filter(|&m| position.is_legal(m))
    }
}
