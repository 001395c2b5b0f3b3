//! Monte Carlo softmax search: each simulation draws its way down by a Boltzmann policy over selection values, expands one
//! leaf with all its children, and recomputes every node of the way from all its children.
//!
//! Three temperatures: `Ts` for the way down, `Tb` for values, `Td` for the expectation of search depth D. Selection
//! values are for the way down only; backup never sees them. A leaf that is being expanded is invisible to other
//! threads, and a simulation that finds nothing to do changes nothing.

mod params;
mod selection;

use contract::Rng;

use crate::boltzmann::{self, ChildSummary, back_up_proof};
use crate::{
    Descent, Game, Growth, Node, NodeId, Phase, Policy, Proof, Selection, Step, Tree, Worker, best_by,
    depth_filtered, sorted_by,
};
pub use params::{Decide, Params, Reading};
use selection::Facts;

/// Monte Carlo softmax search.
pub struct Mcss {
    params: Params,
}

/// Keeps proofs before and behind everything else.
const PROVEN: f32 = 1e9;

impl Mcss {
    /// How far below the best values of new children need not be exact.
    fn margin(&self) -> f32 {
        let temperatures = self.params.margin;
        if temperatures == 0.0 { f32::INFINITY } else { temperatures * self.params.select_temperature }
    }

    /// The method with these settings.
    #[must_use]
    pub fn new(params: Params) -> Mcss {
        Mcss { params }
    }

    /// The temperature of selection at a node, for one of so many threads.
    fn select_temperature(&self, visits: u32, index: usize, threads: usize) -> f32 {
        let Params { select_temperature, anneal, thread_spread, .. } = self.params;
        let place = if threads > 1 { index as f32 / (threads - 1) as f32 } else { 0.0 };
        let by_visits = if anneal == 0.0 { 1.0 } else { (visits as f32 + 1.0).powf(-anneal) };
        (select_temperature * by_visits * (1.0 + thread_spread * place)).max(1.0)
    }

    /// Draws a child that may be searched by the policy over selection values.
    fn draw(&self, selection: Selection<'_>, index: usize, threads: usize) -> Option<usize> {
        let Selection { node, children, rng, buffer: weights, .. } = selection;
        let Params { select, c, reading, .. } = self.params;
        let (d_parent, n_parent) = (node.depth.get(), node.visits() as f32);
        weights.clear();
        let mut best = f32::NEG_INFINITY;
        for child in children {
            let value = if matches!(child.phase(), Phase::Leaf | Phase::Open) {
                let (e, e0, d) = (child.value.get(), child.first_value.get(), child.depth.get());
                let facts = Facts { e, e0, d, n: child.visits() as f32, d_parent, n_parent };
                selection::value(select as u32, c, reading, &facts)
            } else {
                f32::NEG_INFINITY
            };
            best = best.max(value);
            weights.push(value);
        }
        if best == f32::NEG_INFINITY {
            return None;
        }
        let temperature = self.select_temperature(node.visits(), index, threads);
        let mut total = 0.0;
        for weight in weights.iter_mut() {
            let below = (*weight - best) / temperature;
            *weight = if below < -boltzmann::NEGLIGIBLE { 0.0 } else { below.exp() };
            total += *weight;
        }
        let mut left = rng.unit() as f32 * total;
        let mut last = None;
        for (index, &weight) in weights.iter().enumerate() {
            if weight > 0.0 {
                last = Some(index);
                left -= weight;
                if left < 0.0 {
                    break;
                }
            }
        }
        last
    }

    fn back_up_path<G: Game>(&self, tree: &Tree, worker: &Worker<G>) {
        for &id in worker.path.iter().rev() {
            if tree.node(id).block().is_some() {
                self.refresh(tree, id, 0);
            }
            tree.node(id).visit();
        }
    }

    /// What the decision goes by at the root. A proven loss comes last, a proven win first.
    fn decision_value(&self, child: &Node, root: &Node, best: f32) -> f32 {
        let c = self.params.decide_c;
        let (e, e0, d) = (child.value.get(), child.first_value.get(), child.depth.get());
        match child.proof() {
            Some(Proof::Win(plies)) => return PROVEN - f32::from(plies) * 1000.0,
            Some(Proof::Loss(plies)) => return -PROVEN + f32::from(plies) * 1000.0,
            None => {}
        }
        match self.params.decide {
            Decide::Pv0 => e + c * d,
            // In logarithms, where nothing underflows.
            Decide::Pv1 => (d + 1.0).ln() + (e - best) / c.abs().max(1e-3),
            Decide::Pv2 => {
                let p = c * (1.0 / d.max(1e-6)).min(1.0);
                (1.0 - p) * e + p * e0
            }
            Decide::Pv3 => depth_filtered(child, root, c),
        }
    }
}

impl Policy for Mcss {
    /// Recomputes a node from all its children, closed ones included.
    fn refresh(&self, tree: &Tree, id: NodeId, _: usize) {
        let _alone = tree.backing_up(id);
        let node = tree.node(id);
        let children = tree.children(node);
        let summary = ChildSummary::of(children);
        if back_up_proof(node, &summary) {
            return;
        }
        let Params { backup_temperature, depth_temperature, .. } = self.params;
        node.value.set(-boltzmann::expected_value(children, summary.best, backup_temperature));
        node.depth.set(boltzmann::expected_depth(children, summary.best, depth_temperature));
        if !summary.open && node.phase() == Phase::Open {
            tree.close_on_path(id);
        }
    }

    fn step<G: Game>(&self, tree: &Tree, worker: &mut Worker<G>) -> Step {
        let (index, threads) = (worker.index, worker.threads);
        let step = match worker.descend(tree, |selection| self.draw(selection, index, threads)) {
            Descent::Busy => Step::Busy,
            Descent::Leaf => match worker.expand(tree, self, self.margin()) {
                Growth::Full => Step::Full,
                Growth::Children | Growth::Ended => {
                    self.back_up_path(tree, worker);
                    Step::Grown
                }
            },
        };
        worker.return_to_root();
        step
    }

    fn rank(&self, tree: &Tree, _: Option<&mut Rng>) -> Vec<usize> {
        let root = tree.root();
        let children = tree.children(root);
        let best = ChildSummary::of(children).best;
        sorted_by(children, |child| self.decision_value(child, root, best))
    }

    fn pv_child(&self, children: &[Node]) -> Option<usize> {
        best_by(children, |child| child.value.get())
    }

    fn centipawns(&self, node: &Node) -> f32 {
        node.value.get()
    }

    fn child_policy(&self, children: &[Node], _: usize, policy: &mut Vec<f32>) {
        boltzmann::policy(children, self.params.backup_temperature, policy);
    }

    fn value_temperature(&self, _: &[Node], _: f32, _: usize) -> Option<f32> {
        Some(self.params.backup_temperature)
    }
}

#[cfg(test)]
mod tests;
