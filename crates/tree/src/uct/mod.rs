//! UCT: the way down goes by bandit formulas over mean results; leaves are judged by the evaluation as a win rate, or by
//! games of random moves.
//!
//! A node's value is the mean result from 0 to 1 for the side that chooses it; where leaves are evaluated it begins with its own
//! evaluation as one sample, and where games are played out nothing is evaluated and nothing but games counts. Scores of
//! games (`leaf=score`) are results on a straight line from 0, the game lost, to 1, so that their mean is that of scores. A node's `first_value` is the prior probability, its `extra` the sum of squared deviations. A thread counts
//! its visits on the way down already, so that others are drawn elsewhere.

mod bandit;
mod params;
mod playout;

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use contract::{LogisticScale, Rng};

use crate::boltzmann::{self, ChildSummary, back_up_proof};
use crate::{
    Descent, Game, Growth, Node, NodeId, Phase, Policy, Proof, Selection, Step, Tree, Worker, best_by,
    sorted_by,
};
use bandit::Arm;
pub use params::{Decide, Leaf, Params, Select};
use playout::{Outcome, playout};

/// UCT.
pub struct Uct {
    params: Params,
    scale: LogisticScale,
    /// Games of random moves in this search, and those of them that were cut off.
    playouts: AtomicU64,
    capped: AtomicU64,
}

/// Values so many prior temperatures below the best need not be exact.
const MARGIN: f32 = 5.0;
/// Keeps proofs before and behind everything else.
const PROVEN: f32 = 1e9;

impl Uct {
    /// The method with these settings; `scale` turns values into win rates.
    #[must_use]
    pub fn new(params: Params, scale: LogisticScale) -> Uct {
        Uct { params, scale, playouts: AtomicU64::new(0), capped: AtomicU64::new(0) }
    }

    /// How many results the first value of a node counts for.
    fn first_samples(&self) -> f32 {
        if self.params.leaf == Leaf::Eval { 1.0 } else { 0.0 }
    }

    /// The results that a node's value is the mean of.
    fn samples(&self, node: &Node) -> f32 {
        node.visits() as f32 + self.first_samples()
    }

    /// A value in centipawns as a result from 0 to 1.
    fn result_of(&self, centipawns: f32) -> f32 {
        match self.params.leaf {
            Leaf::Eval | Leaf::Playout => self.scale.win_rate_f32(centipawns),
            Leaf::Score => 0.5 + 0.5 * (centipawns / self.params.game_score).clamp(-1.0, 1.0),
        }
    }

    fn pick(&self, selection: &Selection<'_>) -> Option<usize> {
        let visits = selection.node.visits() as f32;
        let searchable = |child: &Node| matches!(child.phase(), Phase::Leaf | Phase::Open);
        let index = |child: &Node| {
            let samples = self.samples(child);
            let arm = Arm {
                mean: child.value.get(),
                samples,
                variance: child.extra.get() / samples.max(1.0),
                prior: child.first_value.get(),
            };
            bandit::index(self.params.select, self.params.c, &arm, visits)
        };
        let best =
            best_by(
                selection.children,
                |child| if searchable(child) { index(child) } else { f32::NEG_INFINITY },
            )?;
        searchable(&selection.children[best]).then_some(best)
    }

    /// The result of the leaf where the worker stands, for the side that chose it.
    fn leaf_result<G: Game>(&self, tree: &Tree, worker: &mut Worker<G>, growth: Growth) -> f32 {
        let node = tree.node(worker.here());
        if let Some(proof) = node.proof() {
            return f32::from(u8::from(matches!(proof, Proof::Win(_))));
        }
        if growth == Growth::Ended {
            // The end has put centipawns there.
            node.value.set(self.result_of(node.value.get()));
            return node.value.get();
        }
        if self.params.leaf == Leaf::Eval {
            // All moves have been looked at: the best of them says more than the position as it stands.
            let best = tree.children(node).iter().map(|child| child.value.get()).fold(0.0, f32::max);
            return 1.0 - best;
        }
        self.play_out(worker)
    }

    /// The result of a game of random moves from where the worker stands, for the side that chose that.
    fn play_out<G: Game>(&self, worker: &mut Worker<G>) -> f32 {
        let (plies, scores) = (self.params.playout_plies as usize, self.params.leaf == Leaf::Score);
        let outcome = playout(&mut worker.game, plies, scores, &mut worker.rng);
        self.playouts.fetch_add(1, Relaxed);
        let rate = match outcome {
            Outcome::Won => 1.0,
            Outcome::Lost => 0.0,
            Outcome::Worth(value) => self.result_of(value as f32),
            Outcome::Capped(value) => {
                self.capped.fetch_add(1, Relaxed);
                value.map_or(0.5, |value| self.result_of(value as f32))
            }
        };
        1.0 - rate
    }

    /// Adds a result along the path, from the leaf upwards; visits have been counted on the way down.
    fn back_up<G: Game>(&self, tree: &Tree, worker: &Worker<G>, mut result: f32) {
        let leaf = worker.path.len() - 1;
        for (depth, &id) in worker.path.iter().enumerate().rev() {
            let node = tree.node(id);
            let samples = self.samples(node).max(1.0);
            let before = node.value.get();
            node.value.update(|mean| mean + (result - mean) / samples);
            let squares = (result - before) * (result - node.value.get());
            node.extra.update(|sum| sum + squares);
            let below = (leaf - depth) as f32 + 1.0;
            node.depth.update(|mean| mean + (below - mean) / (node.visits() as f32).max(1.0));
            self.back_up_proof_and_phase(tree, id);
            if let Some(proof) = node.proof() {
                result = f32::from(u8::from(matches!(proof, Proof::Win(_))));
            }
            result = 1.0 - result;
        }
    }

    /// Backs up what is proven about a node, and whether anything is left to search.
    fn back_up_proof_and_phase(&self, tree: &Tree, id: NodeId) {
        let _alone = tree.backing_up(id);
        let node = tree.node(id);
        let children = tree.children(node);
        if children.is_empty() {
            return;
        }
        let summary = ChildSummary::of(children);
        if back_up_proof(node, &summary) {
            node.value.set(f32::from(u8::from(matches!(node.proof(), Some(Proof::Win(_))))));
        } else if !summary.open && node.phase() == Phase::Open {
            tree.close_on_path(id);
        }
    }

    /// One game of random moves below the move of the root that had the fewest.
    fn step_evenly<G: Game>(&self, tree: &Tree, worker: &mut Worker<G>) -> Step {
        let root = tree.root();
        let Some((first, _)) = root.block() else { return Step::Busy };
        let children = tree.children(root);
        let few = |child: &Node| {
            if child.phase() == Phase::Leaf { -(child.visits() as f32) } else { f32::NEG_INFINITY }
        };
        let Some(index) = best_by(children, few).filter(|&index| children[index].phase() == Phase::Leaf)
        else {
            return Step::Busy;
        };
        worker.go(tree, first.offset(index));
        worker.path.iter().for_each(|&id| {
            tree.node(id).visit();
        });
        let result = self.play_out(worker);
        self.back_up(tree, worker, result);
        worker.return_to_root();
        Step::Grown
    }
}

impl Policy for Uct {
    fn begin(&self) {
        self.playouts.store(0, Relaxed);
        self.capped.store(0, Relaxed);
    }

    fn evaluates(&self) -> bool {
        self.params.leaf == Leaf::Eval
    }

    /// Turns values into win rates with prior probabilities.
    fn init_children(&self, children: &[Node], policy: &mut Vec<f32>) {
        boltzmann::policy(children, self.params.prior_temperature, policy);
        for (child, &probability) in children.iter().zip(policy.iter()) {
            child.first_value.set(probability);
            child.value.set(match child.proof() {
                Some(Proof::Win(_)) => 1.0,
                Some(Proof::Loss(_)) => 0.0,
                None => self.result_of(child.value.get()),
            });
        }
    }

    fn refresh(&self, tree: &Tree, id: NodeId, _: usize) {
        self.back_up_proof_and_phase(tree, id);
    }

    fn step<G: Game>(&self, tree: &Tree, worker: &mut Worker<G>) -> Step {
        if self.params.select == Select::Even {
            return self.step_evenly(tree, worker);
        }
        let descent = worker.descend(tree, |selection| self.pick(&selection));
        if descent == Descent::Busy {
            worker.return_to_root();
            return Step::Busy;
        }
        let growth = worker.expand(tree, self, MARGIN * self.params.prior_temperature);
        if growth == Growth::Full {
            worker.return_to_root();
            return Step::Full;
        }
        for &id in &worker.path {
            tree.node(id).visit();
        }
        let result = self.leaf_result(tree, worker, growth);
        self.back_up(tree, worker, result);
        worker.return_to_root();
        Step::Grown
    }

    fn rank(&self, tree: &Tree, _: Option<&mut Rng>) -> Vec<usize> {
        sorted_by(tree.children(tree.root()), |child| match child.proof() {
            Some(Proof::Win(plies)) => PROVEN - f32::from(plies),
            Some(Proof::Loss(plies)) => -PROVEN + f32::from(plies),
            // Where every move has as many visits as the others, they say nothing.
            None if self.params.decide == Decide::Value || self.params.select == Select::Even => {
                child.value.get()
            }
            // The mean decides between equals.
            None => child.visits() as f32 + child.value.get(),
        })
    }

    fn pv_child(&self, children: &[Node]) -> Option<usize> {
        best_by(children, |child| match child.proof() {
            Some(Proof::Win(plies)) => PROVEN - f32::from(plies),
            Some(Proof::Loss(plies)) => -PROVEN + f32::from(plies),
            None => child.visits() as f32 + child.value.get(),
        })
    }

    fn centipawns(&self, node: &Node) -> f32 {
        match self.params.leaf {
            Leaf::Eval | Leaf::Playout => self.scale.value_f32(node.value.get()),
            Leaf::Score => (node.value.get() - 0.5) * 2.0 * self.params.game_score,
        }
    }

    fn capped(&self) -> Option<f32> {
        let playouts = self.playouts.load(Relaxed);
        (playouts > 0).then(|| self.capped.load(Relaxed) as f32 / playouts as f32)
    }

    fn child_policy(&self, children: &[Node], _: usize, policy: &mut Vec<f32>) {
        policy.clear();
        policy.extend(children.iter().map(|child| child.visits() as f32 + child.first_value.get()));
        let total: f32 = policy.iter().sum();
        policy.iter_mut().for_each(|probability| *probability /= total);
    }
}

#[cfg(test)]
mod tests;
