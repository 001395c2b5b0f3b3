//! How much of its time a move deserves: the learned judge (Blunder has one that says go on or stop after every iteration).
//!
//! A search that goes on wins only if it comes to another move, and only as much as that changes the chances to win. Moves
//! change about evenly by the logarithm of the time: let `p` be the expected worth of a change until so many times the present
//! time. Then a further moment at time `t` is worth `p / t`, and time is best spent where that is the same for all moves of a
//! game: a search should end when `t` has reached a level times `p`. So the judge learns `p`, from searches that went on. How much
//! each part of a game deserves is the clock's business: levels are set so that all of its moves together get what they got before.

use shogi::{Move, Position};

use super::model::{Model, NAT, STAGES, stage};
use crate::score::Value;

/// What is known about the root before the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RootFacts {
    /// Moves that may be chosen.
    pub moves: usize,
    /// Whether the side to move is in check.
    pub in_check: bool,
    /// The class of game progress.
    pub stage: usize,
}

impl RootFacts {
    /// Of a position in which so many moves may be chosen.
    #[must_use]
    pub fn of(position: &Position, moves: usize) -> RootFacts {
        RootFacts { moves, in_check: position.in_check(), stage: stage(position) }
    }
}

/// A finished iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Iteration {
    /// The best move.
    pub best: Move,
    /// Its value for the side to move.
    pub value: Value,
    /// The nodes spent on it in all iterations.
    pub best_nodes: u64,
    /// The nodes spent on all moves.
    pub nodes: u64,
}

/// The inputs of the judge: one, how long the best move has stood, changes, its share of the nodes, falls and rises of the value,
/// how far from even, whether it was the best at once, moves, check, progress, nodes.
pub const JUDGE_INPUTS: usize = 12;

/// Doublings of the nodes, changes and pawns are counted up to these.
const MOST_DOUBLINGS: f64 = 8.0;
const MOST_PAWNS: f64 = 30.0;
const MOST_CHANGE: f64 = 3.0;
/// Shares of nodes nearer to nothing or everything than this tell no more.
const LEAST_SHARE: f64 = 0.01;

/// What the judge knows after the last of these iterations; a pawn is the unit of values.
#[must_use]
pub fn judge_inputs(iterations: &[Iteration], facts: RootFacts, pawn: Value) -> [f64; JUDGE_INPUTS] {
    let Some(last) = iterations.last() else { return [0.0; JUDGE_INPUTS] };
    let pawns = |value: Value| f64::from(value) / f64::from(pawn.max(1));
    let doublings = |from: u64, to: u64| (to.max(1) as f64 / from.max(1) as f64).log2();
    let stood = iterations.iter().rev().take_while(|iteration| iteration.best == last.best).last();
    let changes = iterations.windows(2).filter(|two| two[0].best != two[1].best).count();
    let before = iterations.iter().rev().nth(1).unwrap_or(last);
    let change = pawns(last.value.saturating_sub(before.value)).clamp(-MOST_CHANGE, MOST_CHANGE);
    let share = last.best_nodes as f64 / last.nodes.max(1) as f64;
    let share = share.clamp(LEAST_SHARE, 1.0 - LEAST_SHARE);
    let at_once = iterations.iter().all(|iteration| iteration.best == last.best);
    [
        1.0,
        doublings(stood.unwrap_or(last).nodes, last.nodes).min(MOST_DOUBLINGS),
        (1.0 + changes as f64).ln(),
        (share / (1.0 - share)).ln(),
        (-change).max(0.0),
        change.max(0.0),
        pawns(last.value.saturating_abs()).min(MOST_PAWNS),
        f64::from(u8::from(at_once)),
        (facts.moves.max(1) as f64).ln(),
        f64::from(u8::from(facts.in_check)),
        facts.stage as f64 / STAGES as f64,
        doublings(1, last.nodes),
    ]
}

impl Model {
    /// What going on is worth: the probability of another best move, weighed by how open the game is.
    #[must_use]
    pub fn worth_of_going_on(&self, inputs: &[f64; JUDGE_INPUTS]) -> f64 {
        let log_odds: f64 = inputs.iter().zip(&self.judge).map(|(x, &weight)| x * f64::from(weight)).sum();
        contract::logistic(log_odds / f64::from(NAT))
    }

    /// The share of the soft time after which a search should end.
    pub(crate) fn judged_share(&self, iterations: &[Iteration], facts: RootFacts) -> f64 {
        let inputs = judge_inputs(iterations, facts, self.pawn());
        self.worth_of_going_on(&inputs) * f64::from(self.judge_level[facts.stage])
            / f64::from(super::params::PERCENT)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: RootFacts = RootFacts { moves: 80, in_check: false, stage: 2 };

    fn search(bests: &[&str], best_nodes: u64) -> Vec<Iteration> {
        let nodes = |i: usize| 1000 << i;
        let iteration = |(i, best): (usize, &&str)| Iteration {
            best: best.parse().unwrap(),
            value: 50,
            best_nodes: best_nodes << i,
            nodes: nodes(i),
        };
        bests.iter().enumerate().map(iteration).collect()
    }

    #[test]
    fn the_inputs_are_what_they_are_called() {
        let mut iterations = search(&["7g7f", "2g2f", "7g7f", "7g7f"], 500);
        iterations[3].value = -150;
        let inputs = judge_inputs(&iterations, FACTS, 100);
        assert_eq!(inputs[0], 1.0);
        assert_eq!(inputs[1], 1.0, "it came back a doubling ago");
        assert_eq!(inputs[2], 3f64.ln(), "two changes");
        assert_eq!(inputs[3], 0.0, "half of the nodes");
        assert_eq!((inputs[4], inputs[5]), (2.0, 0.0), "two pawns down");
        assert_eq!(inputs[6], 1.5);
        assert_eq!(inputs[7], 0.0, "another was best in between");
        assert_eq!(judge_inputs(&[], FACTS, 100), [0.0; JUDGE_INPUTS]);
        let broken = Iteration { value: Value::MIN, nodes: 0, ..iterations[0] };
        assert!(judge_inputs(&[iterations[1], broken], FACTS, 0).iter().all(|input| input.is_finite()));
    }

    #[test]
    fn the_judge_inside_gives_doubtful_moves_more_time() {
        let model = Model::embedded();
        let share = |bests: &[&str], nodes| model.judged_share(&search(bests, nodes), FACTS);
        let settled = share(&["7g7f", "7g7f", "7g7f", "7g7f"], 900);
        let doubtful = share(&["7g7f", "2g2f", "7g7f", "2g2f"], 300);
        assert!(doubtful > 2.0 * settled, "{doubtful} and {settled}");
    }
}
