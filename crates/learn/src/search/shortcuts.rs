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
    /// How often it was played out.
    pub count: u64,
    /// How often it would have been wrong.
    pub wrong: u64,
    /// The nodes that it saves, on average.
    pub saved: f64,
}

/// The records of some bets, by shortcut and depth.
pub(super) fn records<'a>(bets: impl Iterator<Item = &'a ShortcutBet>) -> Vec<Record> {
    let mut sums: BTreeMap<(Shortcut, u8), (u64, u64, u64)> = BTreeMap::new();
    for bet in bets {
        let (count, wrong, nodes) = sums.entry((bet.shortcut, bet.plies)).or_default();
        *count += 1;
        *wrong += u64::from(bet.is_wrong);
        *nodes += u64::from(bet.nodes);
    }
    let record = |((shortcut, plies), (count, wrong, nodes)): ((Shortcut, u8), (u64, u64, u64))| {
        let (_, name) = Shortcut::ALL[shortcut as usize];
        Record { shortcut: name, plies, count, wrong, saved: nodes as f64 / count as f64 }
    };
    sums.into_iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistakes_are_counted_by_shortcut_and_depth() {
        let bet =
            |shortcut, plies, is_wrong, nodes| ShortcutBet { shortcut, plies, role: 1, is_wrong, nodes };
        let bets = [
            bet(Shortcut::NullMove, 3, false, 100),
            bet(Shortcut::NullMove, 3, true, 300),
            bet(Shortcut::StaticCut, 3, false, 10),
        ];
        let records = records(bets.iter());
        assert_eq!(records.len(), 2);
        assert_eq!((records[0].shortcut, records[0].wrong), ("static cut", 0));
        assert_eq!((records[1].count, records[1].wrong, records[1].saved), (2, 1, 200.0));
    }
}
