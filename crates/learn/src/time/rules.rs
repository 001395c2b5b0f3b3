//! Rules to stop by, tried on long searches: how often each would have played what the long search plays.

use contract::{RootState, Stability, StopRule as _};
use search::alphabeta::{Iteration, Model, judge_inputs};
use serde::Serialize;
use shogi::Move;

use super::game::LongSearch;

/// A search may take so many times what its move deserves.
const HARD: f64 = 5.0;
/// What the rule by stability gives the only move; there is none here.
const ONLY_MOVE: f64 = 1.0;
/// Halvings of the range in which a level is looked for.
const HALVINGS: usize = 50;
/// The greatest level.
const GREATEST: f64 = 99.99;

/// A search that rules to stop by are tried on.
#[derive(Clone)]
pub(super) struct Tried {
    iterations: Vec<Iteration>,
    /// How open the game is where the search ends: a move there matters so much.
    weight: f64,
}

/// What a rule came to.
#[derive(Clone, Debug, Serialize)]
pub struct Compared {
    /// The rule.
    pub rule: &'static str,
    /// By what its shares are multiplied to use as many nodes as the others.
    pub level: f64,
    /// Nodes in the mean, as a share of what a move deserves.
    pub nodes: f64,
    /// Of moves weighed by how open the game is, the share that differs from those of the long searches.
    pub misses: f64,
}

/// The shares of the soft time that a rule asks for after each iteration, for each search.
pub(super) type Shares = Vec<Vec<f64>>;

impl Tried {
    pub(super) fn new(search: &LongSearch, openness: impl Fn(i32) -> f64) -> Option<Tried> {
        let iterations = search.iterations();
        let weight = openness(iterations.last()?.value);
        Some(Tried { iterations, weight })
    }

    /// Nodes used and the move played by shares of what it deserves.
    fn stop(&self, shares: &[f64], level: f64, soft: f64) -> (f64, Move) {
        let hard = HARD * soft;
        let last = self.iterations.len() - 1;
        for (i, (iteration, share)) in self.iterations.iter().zip(shares).enumerate() {
            let nodes = iteration.nodes as f64;
            if i == last || nodes >= level * share * soft {
                return (nodes.min(hard), iteration.best);
            }
            if self.iterations[i + 1].nodes as f64 > hard {
                return (hard, iteration.best);
            }
        }
        (0.0, self.iterations[last].best)
    }
}

/// Always the same share.
pub(super) fn constant(searches: &[Tried]) -> Shares {
    searches.iter().map(|search| vec![1.0; search.iterations.len()]).collect()
}

/// By how settled the search is.
pub(super) fn stability(searches: &[Tried]) -> Shares {
    let of = |search: &Tried| {
        let mut rule = Stability::new(ONLY_MOVE);
        let share = |i: &Iteration| {
            let effort = i.best_nodes as f64 / i.nodes.max(1) as f64;
            rule.soft_share(&RootState { best: i.best, value: i.value, effort, is_only: false })
        };
        search.iterations.iter().map(share).collect()
    };
    searches.iter().map(of).collect()
}

/// By what going on is worth.
pub(super) fn judge(logged: &[&LongSearch], searches: &[Tried], model: &Model) -> Shares {
    let of = |(log, search): (&&LongSearch, &Tried)| {
        let share = |i: usize| {
            let inputs = judge_inputs(&search.iterations[..=i], log.facts(), model.pawn());
            model.worth_of_going_on(&inputs)
        };
        (0..search.iterations.len()).map(share).collect()
    };
    logged.iter().zip(searches).map(of).collect()
}

/// Nodes in the mean, and moves that differ.
fn outcome(searches: &[Tried], shares: &Shares, level: f64, soft: f64) -> (f64, f64) {
    let (mut nodes, mut missed, mut weights) = (0.0, 0.0, 0.0);
    for (search, shares) in searches.iter().zip(shares) {
        let (used, played) = search.stop(shares, level, soft);
        nodes += used;
        weights += search.weight;
        if search.iterations.last().is_some_and(|last| last.best != played) {
            missed += search.weight;
        }
    }
    (nodes / soft / searches.len().max(1) as f64, missed / f64::max(weights, f64::MIN_POSITIVE))
}

/// What a rule comes to if its level makes it use so many nodes in the mean.
pub(super) fn compare(
    rule: &'static str,
    searches: &[Tried],
    shares: &Shares,
    wanted: f64,
    soft: f64,
) -> Compared {
    let (mut low, mut high) = (0.0, GREATEST);
    for _ in 0..HALVINGS {
        let middle = f64::midpoint(low, high);
        let (nodes, _) = outcome(searches, shares, middle, soft);
        if nodes < wanted { low = middle } else { high = middle }
    }
    let (nodes, misses) = outcome(searches, shares, high, soft);
    Compared { rule, level: high, nodes, misses }
}

/// What the rule by stability uses as it is.
pub(super) fn usual_nodes(searches: &[Tried], soft: f64) -> f64 {
    outcome(searches, &stability(searches), 1.0, soft).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two searches of twelve doublings: one changes its mind late, one never.
    fn searches() -> Vec<Tried> {
        let search = |change: usize| {
            let best = |i: usize| if i < change { "7g7f" } else { "2g2f" }.parse().unwrap();
            let iteration =
                |i: usize| Iteration { best: best(i), value: 0, best_nodes: 1 << i, nodes: 2 << i };
            Tried { iterations: (0..12).map(iteration).collect(), weight: 1.0 }
        };
        vec![search(8), search(0)]
    }

    #[test]
    fn a_rule_that_knows_where_doubt_is_misses_less_with_as_many_nodes() {
        let (searches, soft) = (searches(), 256.0);
        let blind = compare("blind", &searches, &constant(&searches), 1.0, soft);
        let knowing = vec![vec![2.0; 12], vec![0.1; 12]];
        let knowing = compare("knowing", &searches, &knowing, 1.0, soft);
        assert!(knowing.nodes <= blind.nodes + 0.3, "{knowing:?} {blind:?}");
        assert_eq!((blind.misses, knowing.misses), (0.5, 0.0));
    }

    #[test]
    fn nothing_goes_beyond_the_hard_limit() {
        let searches = searches();
        let (used, _) = searches[0].stop(&[99.0; 12], 9.0, 100.0);
        assert_eq!(used, HARD * 100.0);
    }
}
