//! How the shortcuts of the search did where they were played out: how often each would have been a mistake, and what it saves.

use std::collections::BTreeMap;

use search::alphabeta::{Shortcut, ShortcutBet};
use serde::Serialize;

/// How one shortcut did at one depth.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Record {
    /// Which shortcut.
    pub shortcut: &'static str,
    /// Depth of the node in plies.
    pub plies: u8,
    /// Whether the search takes it, or it lies beyond what it takes: what there would be to win by going further.
    pub is_taken: bool,
    /// How often it was played out.
    pub count: u64,
    /// How often it would have been wrong.
    pub wrong: u64,
    /// The nodes that it saves, on average.
    pub saved: f64,
    /// How far the gap went that it hangs on, on average, in the shortcut's own unit.
    pub gap: f64,
}

/// How one shortcut did at one stage of the game, drops apart.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct StageRecord {
    shortcut: &'static str,
    /// The class of game progress.
    stage: u8,
    /// Whether the moves were drops; never for whole nodes.
    drops: bool,
    count: u64,
    wrong: u64,
    saved: f64,
}

#[derive(Default)]
struct Sums {
    count: u64,
    wrong: u64,
    nodes: u64,
    gaps: i64,
}

/// The records of some bets, by shortcut and depth, those that are taken before those beyond.
pub(super) fn records<'a>(bets: impl Iterator<Item = &'a ShortcutBet>) -> Vec<Record> {
    let mut all: BTreeMap<(Shortcut, bool, u8), Sums> = BTreeMap::new();
    for bet in bets {
        let sums = all.entry((bet.shortcut, !bet.is_taken, bet.plies)).or_default();
        sums.count += 1;
        sums.wrong += u64::from(bet.is_wrong);
        sums.nodes += u64::from(bet.nodes);
        sums.gaps += i64::from(bet.gap);
    }
    let record = |((shortcut, is_beyond, plies), sums): ((Shortcut, bool, u8), Sums)| {
        let (_, name) = Shortcut::ALL[shortcut as usize];
        let Sums { count, wrong, nodes, gaps } = sums;
        let mean = |sum: f64| sum / count as f64;
        let (saved, gap) = (mean(nodes as f64), mean(gaps as f64));
        Record { shortcut: name, plies, is_taken: !is_beyond, count, wrong, saved, gap }
    };
    all.into_iter().map(record).collect()
}

/// The records of the bets that are taken, by shortcut and game progress.
pub(super) fn by_stage<'a>(bets: impl Iterator<Item = &'a ShortcutBet>) -> Vec<StageRecord> {
    let mut all: BTreeMap<(Shortcut, u8, bool), Sums> = BTreeMap::new();
    for bet in bets.filter(|bet| bet.is_taken) {
        let sums = all.entry((bet.shortcut, bet.stage, bet.is_drop)).or_default();
        sums.count += 1;
        sums.wrong += u64::from(bet.is_wrong);
        sums.nodes += u64::from(bet.nodes);
    }
    let record =
        |((shortcut, stage, drops), Sums { count, wrong, nodes, .. }): ((Shortcut, u8, bool), Sums)| {
            let (_, shortcut) = Shortcut::ALL[shortcut as usize];
            StageRecord { shortcut, stage, drops, count, wrong, saved: nodes as f64 / count as f64 }
        };
    all.into_iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_by_shortcut_and_depth_and_those_beyond_apart() {
        let bet = |shortcut, plies, is_taken, is_wrong, nodes| ShortcutBet {
            shortcut,
            plies,
            role: 1,
            is_taken,
            is_wrong,
            nodes,
            gap: 90,
            stage: 3,
            is_drop: false,
            less: 0,
            spent: 0,
        };
        let bets = [
            bet(Shortcut::NullMove, 3, true, false, 100),
            bet(Shortcut::NullMove, 3, true, true, 300),
            bet(Shortcut::NullMove, 3, false, true, 40),
            bet(Shortcut::StaticCut, 3, true, false, 10),
        ];
        let records = records(bets.iter());
        assert_eq!(records.len(), 3);
        assert_eq!((records[0].shortcut, records[0].wrong), ("static cut", 0));
        assert_eq!((records[1].count, records[1].wrong, records[1].saved), (2, 1, 200.0));
        assert!(records[1].is_taken && !records[2].is_taken);
        assert_eq!((records[2].count, records[2].gap), (1, 90.0));
        let stages = by_stage(bets.iter());
        assert_eq!(stages.len(), 2);
        assert_eq!(
            (stages[1].shortcut, stages[1].stage, stages[1].count, stages[1].wrong),
            ("null move", 3, 2, 1)
        );
    }
}
