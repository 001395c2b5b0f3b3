//! What a loop is: all that its nets depend on.

use contract::Effort;
use runs::Header;
use serde::{Deserialize, Serialize};

use super::contest::ContestTerms;
use crate::data::{Filter, Scores};
use crate::nnue::Settings;

/// All that the turns of a loop depend on. The program is no part of it: a loop may outlive a build. Only games that are
/// half played are bound to the one that began them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The kind and version.
    #[serde(flatten)]
    pub header: Header,
    /// The player of the first games; candidates take the place of its evaluation.
    pub player: String,
    /// The files that make it up, each with its SHA-256.
    pub files: Vec<(String, String)>,
    /// The games and positions of turn 0, with the lengths of their files.
    pub with_games: Vec<(String, u64)>,
    /// How the best net plays against itself.
    pub self_play: SelfPlayTerms,
    /// What is done with the scores of its games.
    pub scores: Scores,
    /// Which positions are left out.
    pub filter: Filter,
    /// The share of the games that candidates are judged by.
    pub validation: f64,
    /// A candidate learns from the data of so many turns, the latest ones.
    pub window: u64,
    /// Candidates of a turn.
    pub candidates: u32,
    /// The kind of net.
    pub arch: String,
    /// How it learns; the seed is each turn's own.
    pub training: Settings,
    /// What has to be shown for a promotion.
    pub contest: ContestTerms,
    /// The seed.
    pub seed: u64,
}

/// How the best net plays against itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlayTerms {
    /// How long it thinks about each move.
    pub effort: Effort,
    /// Games of a turn.
    pub games: u64,
    /// The most plies of an opening at random, from the usual start.
    pub opening_plies: u32,
    /// How far from even an opening may be.
    pub balance: i32,
    /// The last ply of a game.
    pub max_moves: u16,
}

impl Manifest {
    /// The kind of these manifests.
    pub const KIND: &'static str = "loop";

    /// The first turn: 0 if there are games to begin with.
    #[must_use]
    pub fn first_turn(&self) -> u64 {
        u64::from(self.with_games.is_empty())
    }

    /// The turns whose data a turn learns from.
    pub(super) fn window_of(&self, turn: u64) -> std::ops::RangeInclusive<u64> {
        let first = (turn + 1).saturating_sub(self.window.max(1));
        first.max(self.first_turn())..=turn
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::nnue::Target;
    use runs::OpeningSet;

    pub(in crate::turns) fn manifest() -> Manifest {
        let openings = OpeningSet::none().facts;
        Manifest {
            header: Header::new(Manifest::KIND),
            player: "alphabeta".to_owned(),
            files: Vec::new(),
            with_games: Vec::new(),
            self_play: SelfPlayTerms {
                effort: Effort::Nodes(10),
                games: 4,
                opening_plies: 20,
                balance: 300,
                max_moves: 320,
            },
            scores: Scores { calibrate: Some(600.0), lookahead: Some(12.0) },
            filter: Filter::default(),
            validation: 0.02,
            window: 3,
            candidates: 1,
            arch: "kp256".to_owned(),
            training: Settings {
                epochs: 2,
                target: Target { lambda: 1.0, scale: 600.0 },
                rate: 0.002,
                warm_up: 100,
                decay: 0.3,
                batch: 4096,
                mirror: true,
                patience: 5,
                seed: 1,
            },
            contest: ContestTerms {
                nodes: 100,
                games: 4,
                max_moves: 320,
                resign: Some((3000, 3)),
                elo0: 0.0,
                elo1: 20.0,
                alpha: 0.05,
                beta: 0.05,
                openings,
            },
            seed: 1,
        }
    }

    #[test]
    fn a_window_ends_with_the_turn_and_begins_no_earlier_than_the_loop() {
        let without = manifest();
        assert_eq!(without.first_turn(), 1);
        assert_eq!([1, 2, 3, 4, 9].map(|turn| without.window_of(turn)), [1..=1, 1..=2, 1..=3, 2..=4, 7..=9]);
        let with = Manifest { with_games: vec![("old.yomi".to_owned(), 5)], ..manifest() };
        assert_eq!([0, 2, 3].map(|turn| with.window_of(turn)), [0..=0, 0..=2, 1..=3]);
    }

    #[test]
    fn a_manifest_survives_being_written_and_read() {
        let text = serde_json::to_string(&manifest()).unwrap();
        assert_eq!(serde_json::from_str::<Manifest>(&text).unwrap(), manifest());
    }
}
