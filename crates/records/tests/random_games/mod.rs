//! A small seeded generator, and positions of random games made with it.
#![allow(dead_code)]

use contract::Rng;
use shogi::{Move, Position};

/// Random numbers from a seed.
pub(crate) struct Random(Rng);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(Rng::new(seed))
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0.draw()
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}

/// The moves of a random game from `start`, which ends with a mate or after `max_plies`.
pub(crate) fn random_moves(random: &mut Random, start: &Position, max_plies: usize) -> Vec<Move> {
    let mut position = start.clone();
    let mut moves = Vec::new();
    while moves.len() < max_plies {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let chosen = legal[random.below(legal.len())];
        position.play(chosen);
        moves.push(chosen);
    }
    moves
}

/// Positions of random games, start positions included.
pub(crate) fn random_positions(seed: u64, count: usize) -> impl Iterator<Item = Position> {
    let mut random = Random::new(seed);
    let mut position = Position::start();
    (0..count).map(move |_| {
        let here = position.clone();
        let legal = position.legal_moves();
        if legal.is_empty() || position.ply() > 250 {
            position = Position::start();
        } else {
            position.play(legal[random.below(legal.len())]);
        }
        here
    })
}
