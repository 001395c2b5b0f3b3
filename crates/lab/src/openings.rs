//! Balanced openings, found by search: no book and no collection of games goes into them.
//!
//! Each opening is a walk from the start. At every ply a small search finds the best moves, and one of those close to
//! the best is played, by chance; the end of the walk is searched longer and kept if it is about even.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use contract::Rng;
use engine::{Nets, OwnSpec, Player, PlayerError};
use search::{Control, Limits, Report, Root, Score};
use shogi::{Move, Position};

/// How to look for openings.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Who judges.
    pub player: OwnSpec,
    /// How many to find.
    pub count: usize,
    /// Their length.
    pub plies: usize,
    /// Nodes for each move of a walk.
    pub nodes: u64,
    /// Nodes for the position at its end.
    pub check_nodes: u64,
    /// How much worse than the best a move may be, in centipawns.
    pub choice: i32,
    /// How far from even the end may be, in centipawns.
    pub within: i32,
    /// The seed.
    pub seed: u64,
    /// Walks at a time; changes nothing about the result.
    pub concurrency: usize,
}

/// A balanced opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// The moves from the usual start.
    pub moves: Vec<Move>,
    /// The value at their end for the side to move.
    pub value: i32,
    key: u64,
}

/// At most so many moves are looked at in each position.
const LINES: usize = 8;
/// Give up after so many walks per opening wanted.
const WALKS_EACH: u64 = 50;

/// Looks for openings; `each` is called for each one kept. There may be fewer than asked for, if walks end in
/// uneven or known positions again and again.
pub fn generate(plan: &Plan, each: &(dyn Fn() + Sync)) -> Result<Vec<Found>, PlayerError> {
    let workers = plan.concurrency.max(1);
    let mut players: Vec<Player> = (0..workers)
        .map(|_| {
            let mut spec = plan.player.clone();
            spec.hash.get_or_insert(16);
            Player::new(&spec, &mut Nets::default())
        })
        .collect::<Result<_, _>>()?;
    let mut kept: Vec<Found> = Vec::new();
    let mut first = 0;
    // Whole batches, so that what is kept does not depend on who was quicker.
    let batch = 32;
    while kept.len() < plan.count && first < WALKS_EACH * plan.count as u64 {
        for found in walk_all(plan, &mut players, first..first + batch) {
            if kept.len() < plan.count && kept.iter().all(|known| known.key != found.key) {
                kept.push(found);
                each();
            }
        }
        first += batch;
    }
    Ok(kept)
}

/// The balanced ends of these walks, in the order of their numbers.
fn walk_all(plan: &Plan, players: &mut [Player], walks: std::ops::Range<u64>) -> Vec<Found> {
    let next = AtomicU64::new(walks.start);
    let found = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for player in players {
            let (next, found, end) = (&next, &found, walks.end);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    if number >= end {
                        return;
                    }
                    if let Some(opening) = walk(plan, player, number) {
                        found.lock().unwrap_or_else(PoisonError::into_inner).push((number, opening));
                    }
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    found.sort_by_key(|(number, _)| *number);
    found.into_iter().map(|(_, opening)| opening).collect()
}

fn walk(plan: &Plan, player: &mut Player, number: u64) -> Option<Found> {
    let mut rng = Rng::new(plan.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number);
    let mut position = Position::start();
    let mut moves = Vec::with_capacity(plan.plies);
    player.new_game();
    for _ in 0..plan.plies {
        let lines = lines(player, &position, plan.nodes, LINES);
        let best = lines.iter().map(|(_, value)| *value).max()?;
        let close: Vec<Move> =
            lines.iter().filter(|(_, value)| best - value <= plan.choice).map(|(m, _)| *m).collect();
        let m = close[(rng.draw() % close.len() as u64) as usize];
        position.play(m);
        moves.push(m);
        if position.game_end(0).is_some() {
            return None;
        }
    }
    player.new_game();
    let (_, value) = *lines(player, &position, plan.check_nodes, 1).first()?;
    (value.abs() <= plan.within).then(|| Found { moves, value, key: position.key() })
}

/// The best moves with their values for the side to move; mates are no openings.
fn lines(player: &mut Player, position: &Position, nodes: u64, lines: usize) -> Vec<(Move, i32)> {
    let limits = Limits { nodes: Some(nodes), lines, ..Limits::default() };
    let mut latest: Vec<Report> = Vec::new();
    let root = Root::new(position.clone());
    let thought = player.think(&root, &limits, &Control::new(), &mut |report| {
        latest.retain(|line| line.rank != report.rank);
        latest.push(report.clone());
    });
    if thought.is_err() {
        return Vec::new();
    }
    let value = |report: &Report| match report.score {
        Score::Centipawns(cp) => Some((*report.pv.first()?, cp)),
        _ => None,
    };
    let mut found: Vec<(Move, i32)> = latest.iter().filter_map(value).collect();
    found.sort_by_key(|&(m, value)| (-value, m.bits()));
    found.dedup_by_key(|(m, _)| *m);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(concurrency: usize) -> Plan {
        Plan {
            player: OwnSpec { hash: Some(1), ..OwnSpec::default() },
            count: 6,
            plies: 6,
            nodes: 200,
            check_nodes: 500,
            choice: 60,
            within: 150,
            seed: 3,
            concurrency,
        }
    }

    #[test]
    fn openings_are_legal_balanced_different_and_the_same_for_any_number_of_workers() {
        let found = generate(&plan(1), &|| ()).unwrap();
        assert_eq!(found.len(), 6);
        assert_eq!(found, generate(&plan(2), &|| ()).unwrap());
        for opening in &found {
            let mut position = Position::start();
            for &m in &opening.moves {
                assert!(position.is_legal(m));
                position.play(m);
            }
            assert_eq!(opening.moves.len(), 6);
            assert!(opening.value.abs() <= 150);
        }
        let mut keys: Vec<u64> = found.iter().map(|opening| opening.key).collect();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 6);
    }
}
