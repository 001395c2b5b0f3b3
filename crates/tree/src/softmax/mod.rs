//! Softmax search: the tree grows where the realization probability is highest.
//!
//! Every position is played by a Boltzmann policy over the values of its moves; a value is the expectation under that
//! policy, not the maximum. The realization probability of a node is the product of the probabilities on the way
//! to it, kept as bits of improbability, so that products become sums. A threshold of bits rises step by
//! step; below it the most probable leaf is expanded first.
//!
//! Each expanded node keeps the bits from itself to the most probable leaf below it. Only the nodes on the way to an
//! expanded leaf change, so that the best leaf of the whole tree is always found by one walk down.

mod params;
mod placement;
mod temperature;

use contract::Rng;

use crate::boltzmann::{self, ChildSummary, back_up_proof};
use crate::{
    AtomicF32, Descent, Game, Growth, Node, NodeId, Phase, Policy, Selection, Step, Tree, Worker, best_by,
    depth_filtered, sorted_by,
};
pub use params::{Adapt, Decide, Params};
use placement::Placement;

/// Softmax search.
pub struct Softmax {
    params: Params,
    /// The threshold of the present iteration, in bits.
    threshold: AtomicF32,
}

impl Softmax {
    /// How far below the best values of new children need not be exact.
    fn margin(&self) -> f32 {
        let temperatures = self.params.margin;
        if temperatures == 0.0 { f32::INFINITY } else { temperatures * self.params.temperature }
    }

    /// The method with these settings.
    #[must_use]
    pub fn new(params: Params) -> Softmax {
        Softmax { params, threshold: AtomicF32::default() }
    }

    fn temperature(&self, children: &[Node], best: f32, depth: usize) -> f32 {
        temperature::of(&self.params, children, best, depth)
    }

    /// Raises the threshold until the most probable leaf lies below it: a new iteration.
    fn deepen(&self, bits: f32) {
        if bits.is_finite() && bits >= self.threshold.get() {
            let step = self.params.step;
            self.threshold.set(((bits / step).floor() + 1.0) * step);
        }
    }

    /// The child on the way to the most probable leaf that nobody else is to look after.
    fn likeliest(&self, selection: &Selection<'_>, placement: &Placement) -> Option<usize> {
        let best = selection.children.iter().map(|child| child.value.get()).fold(f32::NEG_INFINITY, f32::max);
        let temperature = self.temperature(selection.children, best, selection.depth);
        let mut chosen: Option<(usize, f32)> = None;
        for (index, child) in selection.children.iter().enumerate() {
            let bits =
                (best - child.value.get()) / (temperature * std::f32::consts::LN_2) + bits_below(child);
            let nearer = chosen.is_none_or(|(_, known)| bits < known);
            if nearer && bits.is_finite() && !placement.is_others(selection.first.offset(index)) {
                chosen = Some((index, bits));
            }
        }
        chosen.map(|(index, _)| index)
    }

    /// Backs up from the last node of the path to the root.
    fn back_up_path<G: Game>(&self, tree: &Tree, worker: &Worker<G>) {
        for (depth, &id) in worker.path.iter().enumerate().rev() {
            if tree.node(id).block().is_some() {
                self.refresh(tree, id, depth);
            }
            tree.node(id).visit();
        }
    }
}

/// Bits from a node to the most probable leaf below it.
#[inline(always)]
fn bits_below(node: &Node) -> f32 {
    match node.phase() {
        Phase::Leaf => 0.0,
        Phase::Open => node.extra.get(),
        Phase::Claimed | Phase::Closed => f32::INFINITY,
    }
}

impl Policy for Softmax {
    fn begin(&self) {
        self.threshold.set(self.params.step);
    }

    fn refresh(&self, tree: &Tree, id: NodeId, depth: usize) {
        let node = tree.node(id);
        let children = tree.children(node);
        let summary = ChildSummary::of(children);
        if back_up_proof(node, &summary) {
            return;
        }
        let temperature = self.temperature(children, summary.best, depth);
        let of_values = temperature::of_values(&self.params, temperature);
        let (mut total, mut plies) = (0.0, 0.0);
        let mut nearest = f32::INFINITY;
        for child in children {
            let weight = boltzmann::weight(child, summary.best, temperature);
            let below = child.value.get() - summary.best;
            if weight > 0.0 {
                total += weight;
                plies += weight * (child.depth.get() + 1.0);
            }
            nearest = nearest.min(bits_below(child) - below / (temperature * std::f32::consts::LN_2));
        }
        node.value.set(-boltzmann::expected_value(children, summary.best, of_values));
        node.depth.set(plies / total);
        node.extra.set(nearest + total.log2());
        if !summary.open && node.phase() == Phase::Open {
            tree.close_on_path(id);
        }
    }

    fn step<G: Game>(&self, tree: &Tree, worker: &mut Worker<G>) -> Step {
        let mut placement = Placement::of(tree, self, worker.index, worker.threads);
        for &id in placement.path() {
            worker.go(tree, id);
        }
        let mut descent = worker.descend(tree, |selection| self.likeliest(&selection, &placement));
        if descent == Descent::Busy && placement.is_restricted() {
            // Nothing is left in its own part: it helps wherever there is something to do.
            worker.return_to_root();
            placement = Placement::anywhere();
            descent = worker.descend(tree, |selection| self.likeliest(&selection, &placement));
        }
        let step = if descent == Descent::Leaf {
            self.deepen(tree.root().extra.get());
            match worker.expand(tree, self, self.margin()) {
                Growth::Full => Step::Full,
                Growth::Children | Growth::Ended => {
                    self.back_up_path(tree, worker);
                    Step::Grown
                }
            }
        } else {
            Step::Busy
        };
        worker.return_to_root();
        step
    }

    fn rank(&self, tree: &Tree, rng: Option<&mut Rng>) -> Vec<usize> {
        let children = tree.children(tree.root());
        let by_value = || sorted_by(children, |child| child.value.get());
        match (self.params.decide, rng) {
            (Decide::Depth, _) => {
                sorted_by(children, |child| depth_filtered(child, tree.root(), self.params.deep))
            }
            (Decide::Probability, Some(rng)) => {
                let mut policy = Vec::new();
                self.child_policy(children, 0, &mut policy);
                let weights: Vec<f64> = policy.iter().map(|&probability| f64::from(probability)).collect();
                let mut order = by_value();
                if let Some(drawn) = rng.weighted(&weights) {
                    order.retain(|&index| index != drawn);
                    order.insert(0, drawn);
                }
                order
            }
            _ => by_value(),
        }
    }

    fn pv_child(&self, children: &[Node]) -> Option<usize> {
        best_by(children, |child| child.value.get())
    }

    fn centipawns(&self, node: &Node) -> f32 {
        node.value.get()
    }

    fn child_policy(&self, children: &[Node], depth: usize, policy: &mut Vec<f32>) {
        let best = ChildSummary::of(children).best;
        boltzmann::policy(children, self.temperature(children, best, depth), policy);
    }

    fn threshold(&self) -> Option<f32> {
        Some(self.threshold.get())
    }
}

#[cfg(test)]
mod tests;
