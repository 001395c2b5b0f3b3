//! What a thought about one position of a game teaches.
//!
//! Three losses of a tree, after Igarashi, Morioka and Yamamoto (2018). With `w(v)` the chance to win that a value stands for, `E` the
//! value of the root, `z` how the game ended for the side to move there:
//!
//! - regression: the cross entropy of `w(E)` and `z`;
//! - bootstrapping: the cross entropy of `w` of a node's own value, captures played out, and `w` of the value that the tree
//!   behind it gave it, the mean over the probable nodes of the tree by how probable they are. The latter value counts as given;
//! - policy gradient: `-(z - w(E)) ln pi(a)` for the move `a` that was drawn from `pi`, where `w(E)` counts as given.
//!
//! Each becomes slopes of the loss by the static values of positions, which the net's trainer takes.

use contract::{LogisticScale, logistic};
use serde::{Deserialize, Serialize};
use shogi::{Color, GameResult};

use crate::nnue::pulled::Pull;

/// How much each way of learning counts.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mix {
    /// The value of the root towards the result.
    pub regression: f64,
    /// A node's own value towards that of the tree behind it.
    pub bootstrap: f64,
    /// Moves that went well more probable than those that did not.
    pub policy: f64,
}

/// A node's own value beside that of the tree behind it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Judged {
    /// The position that its own value is of; the slope is 1 or -1, as the side to move there is the node's or the other one.
    pub(super) own: Pull,
    pub(super) own_value: f64,
    pub(super) tree_value: f64,
    /// How probable it is.
    pub(super) share: f64,
}

/// What is known when a move was chosen, the result aside.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Lesson {
    pub(super) mover: Color,
    /// The value of the root for the mover, in centipawns.
    pub(super) value: f64,
    /// How that value hangs on positions.
    pub(super) leaves: Vec<Pull>,
    /// The logarithm of the probability of the move that was played, and how it hangs on positions.
    pub(super) log_probability: f64,
    pub(super) choice: Vec<Pull>,
    pub(super) nodes: Vec<Judged>,
}

/// The losses of a lesson, or their means.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Cross entropy of the root's chance and the result.
    pub regression: f64,
    /// Cross entropy of nodes' own chances and those by their trees, above the least possible.
    pub bootstrap: f64,
    /// What the policy gradient goes down.
    pub policy: f64,
}

impl Losses {
    pub(super) fn add(&mut self, other: Losses, weight: f64) {
        self.regression += weight * other.regression;
        self.bootstrap += weight * other.bootstrap;
        self.policy += weight * other.policy;
    }

    /// The sum, each as it counts.
    #[must_use]
    pub fn mixed(&self, mix: &Mix) -> f64 {
        mix.regression * self.regression + mix.bootstrap * self.bootstrap + mix.policy * self.policy
    }
}

/// `-t ln w - (1 - t) ln(1 - w)` of the logarithm of odds of `w`.
fn cross_entropy(odds: f64, target: f64) -> f64 {
    odds.max(0.0) + (-odds.abs()).exp().ln_1p() - target * odds
}

/// The result for a side: 1, 1/2 or 0.
pub(super) fn result_for(result: GameResult, side: Color) -> f64 {
    match result {
        GameResult::Win(winner) if winner == side => 1.0,
        GameResult::Win(_) => 0.0,
        _ => 0.5,
    }
}

impl Lesson {
    /// Its losses if the game ended so.
    pub(super) fn losses(&self, result: GameResult, scale: LogisticScale) -> Losses {
        let (result, odds) = (result_for(result, self.mover), |value: f64| value / scale.centipawns());
        let total: f64 = self.nodes.iter().map(|node| node.share).sum();
        let apart = |node: &Judged| {
            let (own, tree) = (odds(node.own_value), odds(node.tree_value));
            node.share / total * (cross_entropy(own, logistic(tree)) - cross_entropy(tree, logistic(tree)))
        };
        Losses {
            regression: cross_entropy(odds(self.value), result),
            bootstrap: self.nodes.iter().map(apart).sum(),
            policy: -(result - logistic(odds(self.value))) * self.log_probability,
        }
    }

    /// The slopes of the mixed loss, times a weight, by the values of positions.
    pub(super) fn pulls(self, result: GameResult, scale: LogisticScale, mix: &Mix, weight: f64) -> Vec<Pull> {
        let chance = |value: f64| logistic(value / scale.centipawns());
        let surplus = result_for(result, self.mover) - chance(self.value);
        let times = |pulls: Vec<Pull>, factor: f64| {
            pulls.into_iter().map(move |pull| Pull { slope: pull.slope * factor * weight, ..pull })
        };
        let mut pulls = Vec::new();
        if mix.regression != 0.0 {
            pulls.extend(times(self.leaves, -mix.regression * surplus / scale.centipawns()));
        }
        if mix.policy != 0.0 {
            pulls.extend(times(self.choice, -mix.policy * surplus));
        }
        if mix.bootstrap != 0.0 {
            let total: f64 = self.nodes.iter().map(|node| node.share).sum();
            for node in self.nodes {
                let apart = chance(node.own_value) - chance(node.tree_value);
                let factor = mix.bootstrap * node.share / total * apart / scale.centipawns();
                pulls.extend(times(vec![node.own], factor));
            }
        }
        pulls
    }
}
