//! What games of a player against itself are like.

use std::collections::{BTreeMap, HashSet};

use records::compact::{Eval, EvalKind, Replay, ReplayError, StoredGame};
use records::game::GameResult;
use serde::{Deserialize, Serialize};
use shogi::Color;

/// The plies at which positions are compared.
const DIVERSITY_PLIES: [u16; 3] = [11, 21, 31];

/// Counts over games.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    games: u64,
    plies: u64,
    evaluated: u64,
    mate_scores: u64,
    black_wins: u64,
    white_wins: u64,
    draws: u64,
    ends: BTreeMap<String, u64>,
    /// The positions at each of the plies compared, and how many games got there.
    seen: [(HashSet<u64>, u64); DIVERSITY_PLIES.len()],
}

/// What is worth telling.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Positions with an evaluation.
    pub positions: u64,
    /// Plies of an average game.
    pub mean_plies: f64,
    /// Shares of the games.
    pub black_wins: f64,
    /// Shares of the games.
    pub white_wins: f64,
    /// Shares of the games.
    pub draws: f64,
    /// The share of the evaluations that are mates.
    pub mate_scores: f64,
    /// How games ended, and how many.
    pub ends: BTreeMap<String, u64>,
    /// How many different positions there are among the games that reached a ply: ply and share.
    pub diversity: Vec<(u16, f64)>,
}

impl Tally {
    /// Counts a game.
    pub fn add(&mut self, game: &StoredGame) -> Result<(), ReplayError> {
        self.games += 1;
        self.plies += game.plies.len() as u64;
        match game.result {
            Some(GameResult::Win(Color::Black)) => self.black_wins += 1,
            Some(GameResult::Win(Color::White)) => self.white_wins += 1,
            Some(GameResult::Draw) | None => self.draws += 1,
        }
        *self.ends.entry(format!("{:?}", game.end)).or_default() += 1;
        for ply in game.plies.iter().filter(|ply| ply.eval != Eval::NONE) {
            self.evaluated += 1;
            let is_mate = matches!(ply.eval.kind(), EvalKind::MateIn(_) | EvalKind::MatedIn(_));
            self.mate_scores += u64::from(is_mate);
        }
        let last = DIVERSITY_PLIES.iter().max().copied().unwrap_or(0);
        let mut replay = Replay::new(game)?;
        while let Some(sample) = replay.advance()? {
            let ply = sample.position.ply();
            if let Some(place) = DIVERSITY_PLIES.iter().position(|&wanted| wanted == ply) {
                let (keys, reached) = &mut self.seen[place];
                keys.insert(sample.position.key());
                *reached += 1;
            }
            if ply >= last {
                break;
            }
        }
        Ok(())
    }

    /// How many games there are.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// How many positions have an evaluation.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.evaluated
    }

    /// All in numbers.
    #[must_use]
    pub fn summary(&self) -> Summary {
        let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
        let diversity = DIVERSITY_PLIES
            .into_iter()
            .zip(&self.seen)
            .map(|(ply, (keys, reached))| (ply, share(keys.len() as u64, *reached)))
            .collect();
        Summary {
            games: self.games,
            positions: self.evaluated,
            mean_plies: share(self.plies, self.games),
            black_wins: share(self.black_wins, self.games),
            white_wins: share(self.white_wins, self.games),
            draws: share(self.draws, self.games),
            mate_scores: share(self.mate_scores, self.evaluated),
            ends: self.ends.clone(),
            diversity,
        }
    }
}
