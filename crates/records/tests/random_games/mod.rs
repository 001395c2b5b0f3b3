//! A small seeded generator, and positions of random games made with it.
#![allow(dead_code)]

use shogi::{Move, Position};

/// Splitmix64: every seed is a good one.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
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
