//! What a loop has done so far.

use std::path::Path;

use runs::{RunDir, RunDirError};
use serde::{Deserialize, Serialize};

use super::contest::{ContestResult, ContestVerdict};
use super::net_id::NetId;

/// The log of turns.
pub const LOG: &str = "turns.jsonl";

/// A turn that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TurnRow {
    /// Its number.
    pub turn: u64,
    /// The best net at its beginning, which played its games.
    pub player: NetId,
    /// Its games for learning.
    pub games: u64,
    /// Their positions with an evaluation, quiet or not.
    pub positions: u64,
    /// Positions that its candidates learned from, of all turns in the window.
    pub training: u64,
    /// Positions that they were judged by.
    pub validation: u64,
    /// The loss below which no net can go.
    pub floor: f64,
    /// The candidates, in the order of their numbers.
    pub candidates: Vec<Candidate>,
    /// The one with the least loss, which met the best net.
    pub candidate: NetId,
    /// What came of that.
    pub contest: ContestResult,
    /// The best net afterwards.
    pub best: NetId,
}

/// A net that a turn learned.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its name.
    pub net: NetId,
    /// Its loss on games that it has not learned from.
    pub loss: f64,
    /// The epoch it comes from.
    pub epoch: u64,
}

impl TurnRow {
    /// Whether its candidate is the best net now.
    #[must_use]
    pub fn is_promotion(&self) -> bool {
        self.best == self.candidate
    }

    /// The least loss of its candidates.
    #[must_use]
    pub fn loss(&self) -> f64 {
        let losses = self.candidates.iter().map(|candidate| candidate.loss);
        losses.fold(f64::INFINITY, f64::min)
    }
}

/// The best net after a match.
pub(super) fn promoted(best: NetId, candidate: NetId, verdict: ContestVerdict) -> NetId {
    match verdict {
        ContestVerdict::Better => candidate,
        ContestVerdict::NotBetter | ContestVerdict::Undecided => best,
    }
}

/// All turns of a loop that are over.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// In their order.
    pub turns: Vec<TurnRow>,
}

/// A history for scripts.
#[derive(Serialize)]
struct HistoryResult<'a> {
    best: NetId,
    net: Option<String>,
    promotions: usize,
    games: u64,
    positions: u64,
    turns: &'a [TurnRow],
}

impl History {
    /// The history that a loop's folder holds.
    pub fn read(dir: &RunDir) -> Result<History, RunDirError> {
        Ok(History { turns: dir.read_log(LOG)? })
    }

    /// The best net.
    #[must_use]
    pub fn best(&self) -> NetId {
        self.turns.last().map_or(NetId::Start, |row| row.best)
    }

    /// How often a candidate won.
    #[must_use]
    pub fn promotions(&self) -> usize {
        self.turns.iter().filter(|row| row.is_promotion()).count()
    }

    /// How much stronger the best net is than the first one after each turn, with half of the 95 % interval: the sums of the
    /// matches that were won, whose errors are independent.
    pub(super) fn elo_course(&self) -> Vec<(u64, f64, f64)> {
        let (mut sum, mut variance) = (0.0, 0.0);
        self.turns
            .iter()
            .map(|row| {
                if let (true, Some(elo), Some(error)) =
                    (row.is_promotion(), row.contest.elo, row.contest.error)
                {
                    sum += elo;
                    variance += error * error;
                }
                (row.turn, sum, f64::sqrt(variance))
            })
            .collect()
    }

    /// The headings of [`History::table`].
    pub const HEAD: [&'static str; 11] = [
        "turn",
        "played by",
        "games",
        "positions",
        "learned from",
        "loss",
        "candidate",
        "won, drawn, lost",
        "Elo",
        "verdict",
        "best",
    ];

    /// The turns as rows of text.
    #[must_use]
    pub fn table(&self) -> Vec<Vec<String>> {
        self.turns.iter().map(cells).collect()
    }

    /// All of it for scripts; `dir` is the loop's folder.
    #[must_use]
    pub fn result(&self, dir: &Path) -> impl Serialize {
        HistoryResult {
            best: self.best(),
            net: self.best().file(dir).map(|file| file.display().to_string()),
            promotions: self.promotions(),
            games: self.turns.iter().map(|row| row.games).sum(),
            positions: self.turns.iter().map(|row| row.positions).sum(),
            turns: &self.turns,
        }
    }
}

fn cells(row: &TurnRow) -> Vec<String> {
    let ContestResult { wins, losses, draws, elo, error, verdict, .. } = row.contest;
    let elo = match (elo, error) {
        // Adding 0 turns -0 into 0.
        (Some(elo), Some(error)) => format!("{:+.0} ± {error:.0}", elo.round() + 0.0),
        _ => "-".to_owned(),
    };
    let verdict = match verdict {
        ContestVerdict::Better => "better",
        ContestVerdict::NotBetter => "not better",
        ContestVerdict::Undecided => "undecided",
    };
    vec![
        row.turn.to_string(),
        if row.games == 0 { "-".to_owned() } else { row.player.to_string() },
        row.games.to_string(),
        row.positions.to_string(),
        row.training.to_string(),
        format!("{:.5}", row.loss()),
        row.candidate.to_string(),
        format!("+{wins} ={draws} -{losses}"),
        elo,
        verdict.to_owned(),
        row.best.to_string(),
    ]
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub(in crate::turns) fn row(turn: u64, player: NetId, verdict: ContestVerdict, elo: f64) -> TurnRow {
        let candidate = NetId::Candidate { turn, number: 1 };
        TurnRow {
            turn,
            player,
            games: 10 * turn,
            positions: 1000 * turn,
            training: 400,
            validation: 20,
            floor: 0.5,
            candidates: vec![Candidate { net: candidate, loss: 0.6, epoch: 2 }],
            candidate,
            contest: ContestResult {
                wins: 30,
                losses: 10,
                draws: 2,
                elo: Some(elo),
                error: Some(3.0),
                llr: 2.95,
                verdict,
            },
            best: promoted(player, candidate, verdict),
        }
    }

    #[test]
    fn only_a_candidate_that_is_better_takes_the_place_of_the_best() {
        let (first, second) =
            (NetId::Candidate { turn: 1, number: 1 }, NetId::Candidate { turn: 2, number: 1 });
        assert_eq!(promoted(NetId::Start, first, ContestVerdict::Better), first);
        assert_eq!(promoted(first, second, ContestVerdict::NotBetter), first);
        assert_eq!(promoted(NetId::Start, second, ContestVerdict::Undecided), NetId::Start);
    }

    #[test]
    fn the_best_is_that_of_the_last_turn_and_only_promotions_add_up() {
        let first = NetId::Candidate { turn: 1, number: 1 };
        let history = History {
            turns: vec![
                row(1, NetId::Start, ContestVerdict::Better, 40.0),
                row(2, first, ContestVerdict::NotBetter, -30.0),
                row(3, first, ContestVerdict::Better, 20.0),
            ],
        };
        assert_eq!(History::default().best(), NetId::Start);
        assert_eq!((history.best(), history.promotions()), (NetId::Candidate { turn: 3, number: 1 }, 2));
        let course = history.elo_course();
        assert_eq!(course.iter().map(|(_, elo, _)| *elo).collect::<Vec<_>>(), [40.0, 40.0, 60.0]);
        assert!((course[2].2 - 18.0_f64.sqrt()).abs() < 1e-9, "{course:?}");
        let result = serde_json::to_value(history.result(Path::new("loop"))).unwrap();
        assert_eq!(result["net"], "loop/turn-003/net-1/nn.bin");
        assert_eq!((&result["games"], &result["promotions"]), (&60.into(), &2.into()));
        assert!(history.table().iter().all(|row| row.len() == History::HEAD.len()));
    }

    #[test]
    fn rows_survive_being_written_and_read() {
        let row = row(0, NetId::Start, ContestVerdict::Undecided, 1.0 / 3.0);
        let text = serde_json::to_string(&row).unwrap();
        assert!(
            text.contains(r#""candidate":"turn-000/net-1""#) && text.contains(r#""verdict":"undecided""#)
        );
        assert_eq!(serde_json::from_str::<TurnRow>(&text).unwrap(), row);
    }
}
