//! A game of the search against itself in which bets are played out.

use std::sync::Arc;

use contract::Rng;
use eval::{Net, Nnue};
use runs::OpeningSet;
use search::alphabeta::{AlphaBeta, Bets, Model, Params, Shares};
use search::{Choice, Control, Limits, Method as _, Root};
use shogi::Position;

/// The hash table of a player: enough for a game at the nodes that are usual here.
const MEGABYTES: usize = 64;
/// The longest game.
const MAX_MOVES: u16 = 320;
/// Plies by chance after an opening, at most.
const BY_CHANCE: u64 = 6;

/// A player that logs its bets.
pub(super) struct Player {
    search: AlphaBeta<Nnue>,
    shares: Shares,
    nodes: u64,
}

impl Player {
    pub(super) fn new(net: &Arc<Net>, model: &Arc<Model>, shares: Shares, nodes: u64) -> Option<Player> {
        let evaluator = || Nnue::new(Arc::clone(net));
        let search = AlphaBeta::new(evaluator, MEGABYTES, 1, Params::default(), Arc::clone(model))?;
        Some(Player { search, shares, nodes })
    }

    /// Plays the game of a seed.
    pub(super) fn play(&mut self, openings: &OpeningSet, seed: u64) -> Bets {
        let mut rng = Rng::new(seed);
        self.search.new_game();
        self.search.log_bets(self.shares, rng.draw());
        let mut position = beginning(openings, &mut rng);
        let mut bets = Bets::default();
        let limits = Limits { nodes: Some(self.nodes), ..Limits::default() };
        while position.game_end(MAX_MOVES).is_none() {
            let mut root = Root::new(position.clone());
            root.rules.max_moves = MAX_MOVES;
            let decision = self.search.think(&root, &limits, &Control::new(), &mut |_| {});
            bets.extend(self.search.take_bets());
            let Choice::Move(m) = decision.choice else { break };
            position.play(m);
        }
        bets
    }
}

/// One of the openings, and some moves by chance.
pub(crate) fn beginning(openings: &OpeningSet, rng: &mut Rng) -> Position {
    let index = rng.draw() as usize % openings.all.len().max(1);
    let mut position = openings.all.get(index).map_or_else(Position::start, runs::Opening::position);
    for _ in 0..rng.draw() % BY_CHANCE {
        let moves = position.legal_moves();
        let m = moves[rng.draw() as usize % moves.len()];
        position.play(m);
        if position.game_end(0).is_some() {
            position.undo();
        }
    }
    position
}
