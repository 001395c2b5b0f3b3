//! A game of the search against itself in which some searches are long.

use std::sync::Arc;

use contract::Rng;
use eval::{Net, Nnue};
use runs::OpeningSet;
use search::alphabeta::{AlphaBeta, Iteration, Model, Params, RootFacts};
use search::{Choice, Control, Limits, Method as _, Root};
use serde::{Deserialize, Serialize};
use shogi::Move;

use super::{LONGER, Manifest};

/// For the side to move, in hundredths of a pawn.
type Value = i32;

/// The hash table of a player: enough for a game at the nodes that are usual here.
const MEGABYTES: usize = 64;
/// The longest game.
const MAX_MOVES: u16 = 320;

/// The iterations of a long search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LongSearch {
    /// Moves at the root.
    pub moves: usize,
    /// Whether the side to move was in check.
    pub in_check: bool,
    /// The class of game progress.
    pub stage: usize,
    /// Best move, its value, the nodes spent on it and on all.
    pub iterations: Vec<(String, Value, u64, u64)>,
}

impl LongSearch {
    fn new(facts: RootFacts, iterations: &[Iteration]) -> LongSearch {
        let RootFacts { moves, in_check, stage } = facts;
        let row = |i: &Iteration| (i.best.to_string(), i.value, i.best_nodes, i.nodes);
        LongSearch { moves, in_check, stage, iterations: iterations.iter().map(row).collect() }
    }

    /// What is known of its root.
    pub(super) fn facts(&self) -> RootFacts {
        RootFacts { moves: self.moves, in_check: self.in_check, stage: self.stage }
    }

    /// Its iterations; rows that are none are left out.
    pub(super) fn iterations(&self) -> Vec<Iteration> {
        let iteration = |(best, value, best_nodes, nodes): &(String, Value, u64, u64)| {
            let best: Move = best.parse().ok()?;
            Some(Iteration { best, value: *value, best_nodes: *best_nodes, nodes: *nodes })
        };
        self.iterations.iter().filter_map(iteration).collect()
    }
}

/// A player whose long searches are logged.
pub(super) struct Player {
    search: AlphaBeta<Nnue>,
    nodes: u64,
    share: u64,
}

impl Player {
    pub(super) fn new(net: &Arc<Net>, model: &Arc<Model>, manifest: &Manifest) -> Option<Player> {
        let evaluator = || Nnue::new(Arc::clone(net));
        let search = AlphaBeta::new(evaluator, MEGABYTES, 1, Params::default(), Arc::clone(model))?;
        Some(Player { search, nodes: manifest.nodes, share: manifest.share.max(1) })
    }

    /// Plays the game of a seed. Long searches are few, so that most find in the hash table what usual ones have left there.
    pub(super) fn play(&mut self, openings: &OpeningSet, seed: u64) -> Vec<LongSearch> {
        let mut rng = Rng::new(seed);
        self.search.new_game();
        let mut position = crate::search::beginning(openings, &mut rng);
        let mut searches = Vec::new();
        while position.game_end(MAX_MOVES).is_none() {
            let mut root = Root::new(position.clone());
            root.rules.max_moves = MAX_MOVES;
            let is_long = rng.draw().is_multiple_of(self.share);
            let nodes = if is_long { self.nodes } else { self.nodes / LONGER };
            let limits = Limits { nodes: Some(nodes.max(1)), ..Limits::default() };
            let decision = self.search.think(&root, &limits, &Control::new(), &mut |_| {});
            let Choice::Move(m) = decision.choice else { break };
            let moves = position.legal_moves().len();
            if is_long && moves > 1 {
                searches.push(LongSearch::new(RootFacts::of(&position, moves), self.search.iterations()));
            }
            position.play(m);
        }
        searches
    }
}
