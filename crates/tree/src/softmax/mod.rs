//! Softmax search: the tree grows where the realization probability is highest.
//!
//! Every position is played by a Boltzmann policy over the values of its moves; a value is the expectation under that
//! policy, not the maximum. The realization probability of a node is the product of the probabilities on the way
//! to it, kept as bits of improbability, so that products become sums.
//!
//! Iterative deepening: a threshold of bits, theta, rises step by step. While a leaf lies below it, the way down takes at every
//! node the most probable child that leads to such a leaf, so that a line is followed until it meets the threshold
//! and then the next one. The smaller the step, the nearer this is to expanding the most probable leaf of all.
//!
//! Each expanded node keeps the bits from itself to the most probable leaf below it. Only the nodes on the way to an
//! expanded leaf change, so that one walk down finds its leaf, and one walk up repairs what changed.

mod params;
mod placement;
mod temperature;

use contract::Rng;

use crate::boltzmann::{self, ChildSummary, back_up_proof};
use crate::{
    AtomicF32, Descent, Game, Growth, Node, NodeId, Phase, Policy, Selection, Step, Tree, Worker, best_by,
    depth_filtered, sorted_by,
};
pub use params::{Adapt, Decide, Params, Share};
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

    /// Where the way goes on, among the children that nobody else is to look after: to the most probable one with a leaf below
    /// the threshold; if there is none, to the most probable leaf. `spent` are the bits of the way so far.
    fn next_child(&self, selection: &Selection<'_>, placement: &Placement, spent: &mut f32) -> Option<usize> {
        let children = selection.children;
        let best = children.iter().map(|child| child.value.get()).fold(f32::NEG_INFINITY, f32::max);
        let unit = self.temperature(children, best, selection.depth) * std::f32::consts::LN_2;
        let own_bits = |child: &Node| (best - child.value.get()) / unit;
        let nearest =
            children.iter().map(|child| own_bits(child) + bits_below(child)).fold(f32::INFINITY, f32::min);
        // The bits of the best child: what the node knows of its nearest leaf, less what that leaf is above the best child.
        let best_bits = (selection.node.extra.get() - nearest).max(0.0);
        let left = self.threshold.get() - *spent - best_bits;
        let mut chosen: Option<(usize, (bool, f32))> = None;
        for (index, child) in children.iter().enumerate() {
            let (own, below) = (own_bits(child), bits_below(child));
            let to_leaf = own + below;
            let order = if to_leaf < left { (false, own) } else { (true, to_leaf) };
            let sooner = chosen.is_none_or(|(_, known)| order < known);
            if sooner && to_leaf.is_finite() && !placement.is_others(selection.first.offset(index)) {
                chosen = Some((index, order));
            }
        }
        let (index, _) = chosen?;
        *spent += own_bits(&children[index]) + best_bits;
        Some(index)
    }

    /// One way down from a place to a leaf.
    fn descend<G: Game>(&self, tree: &Tree, worker: &mut Worker<G>, placement: &Placement) -> Descent {
        let mut spent = placement.bits();
        for &id in placement.path() {
            worker.go(tree, id);
        }
        worker.descend(tree, |selection| self.next_child(&selection, placement, &mut spent))
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
        let _alone = tree.backing_up(id);
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
        self.deepen(tree.root().extra.get());
        let placement = match self.params.share {
            Share::Pgpp => Placement::of(tree, self, worker.index, worker.threads),
            Share::Plain => Placement::anywhere(),
        };
        let mut descent = self.descend(tree, worker, &placement);
        if descent == Descent::Busy && placement.is_restricted() {
            // Nothing is left in its own part: it helps wherever there is something to do.
            worker.return_to_root();
            descent = self.descend(tree, worker, &Placement::anywhere());
        }
        let step = if descent == Descent::Leaf {
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

    fn value_temperature(&self, children: &[Node], best: f32, depth: usize) -> Option<f32> {
        Some(temperature::of_values(&self.params, self.temperature(children, best, depth)))
    }

    fn threshold(&self) -> Option<f32> {
        Some(self.threshold.get())
    }
}

#[cfg(test)]
mod tests;
