//! How the value of a root hangs on the values of the leaves: for learning under softmax search.
//!
//! With `E(s) = sum pi(x) E(x)` and `pi(x) = exp(E(x)/T) / Z` the derivative is
//! `dE(s)/dE(x) = pi(x) (1 + (E(x) - E(s)) / T)`, and along a line the product of these, the sign turned at each ply (Igarashi,
//! Morioka and Yamamoto 2018). What a rule or a proof decided hangs on nothing. A temperature that itself follows the values
//! (`adapt=spread`) is taken for fixed.

use super::boltzmann::{self, ChildSummary};
use super::growth::Tree;
use super::node::{NodeId, Phase};
use super::policy::Policy;

/// A leaf and how the value of a node above it hangs on it.
#[derive(Clone, Debug, PartialEq)]
pub struct LeafGradient<M> {
    /// The moves from the node to the leaf.
    pub line: Vec<M>,
    /// By how much the value of the node, for the side to move there, rises with that of the leaf, for the side to move at the leaf.
    pub gradient: f64,
    /// The value of the leaf for the side to move there.
    pub value: f64,
}

/// A leaf by the packed moves that lead to it.
pub(crate) type PackedGradient = LeafGradient<u16>;

/// Every leaf below a node whose share in the node's value is at least `least`. None if the policy backs up no expectations.
pub(crate) fn leaf_gradients<P: Policy>(
    tree: &Tree,
    policy: &P,
    from: NodeId,
    from_depth: usize,
    least: f64,
) -> Option<Vec<PackedGradient>> {
    let mut found = Vec::new();
    let mut open = vec![(from, Vec::new(), 1.0)];
    while let Some((id, line, gradient)) = open.pop() {
        let node = tree.node(id);
        let Some((first, _)) = node.block() else {
            // Closed without children: a rule says what it is worth, not the evaluation.
            if node.phase() != Phase::Closed {
                found.push(LeafGradient { line, gradient, value: -f64::from(node.value.get()) });
            }
            continue;
        };
        if node.proof().is_some() {
            continue;
        }
        let children = tree.children(node);
        let best = ChildSummary::of(children).best;
        let temperature = policy.value_temperature(children, best, from_depth + line.len())?;
        let weights: Vec<f64> =
            children.iter().map(|child| f64::from(boltzmann::weight(child, best, temperature))).collect();
        let total: f64 = weights.iter().sum();
        let value = |index: usize| f64::from(children[index].value.get());
        let mean: f64 = weights.iter().enumerate().map(|(index, weight)| weight * value(index) / total).sum();
        for (index, weight) in weights.iter().enumerate() {
            let factor = weight / total * (1.0 + (value(index) - mean) / f64::from(temperature));
            // A child's value is for the side that chooses it: the sign turns when it is seen by the side to move there.
            let below = -gradient * factor;
            if below != 0.0 && below.abs() >= least {
                let mut line = line.clone();
                line.push(children[index].packed_move());
                open.push((first.offset(index), line, below));
            }
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mcss::{self, Mcss};
    use crate::softmax::{self, Adapt, Softmax};
    use crate::testing::{all_nodes, grown};
    use crate::toys::RandomTree;
    use crate::uct::{self, Uct};

    /// The value of a node for the side to move, with one leaf moved by `shift` for the side to move there.
    fn value<P: Policy>(tree: &Tree, policy: &P, id: NodeId, depth: usize, moved: NodeId, shift: f64) -> f64 {
        let node = tree.node(id);
        let Some((first, count)) = node.block() else {
            return -f64::from(node.value.get()) + if id == moved { shift } else { 0.0 };
        };
        let children = tree.children(node);
        let best = ChildSummary::of(children).best;
        let temperature = f64::from(policy.value_temperature(children, best, depth).unwrap());
        let values: Vec<f64> =
            (0..count).map(|i| -value(tree, policy, first.offset(i), depth + 1, moved, shift)).collect();
        let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights: Vec<f64> = values.iter().map(|value| ((value - best) / temperature).exp()).collect();
        let total: f64 = weights.iter().sum();
        values.iter().zip(&weights).map(|(value, weight)| value * weight / total).sum()
    }

    fn check<P: Policy>(policy: &P) {
        for seed in 0..4 {
            let tree = grown(policy, &RandomTree::new(seed, 8), 200, 1);
            let gradients = leaf_gradients(&tree, policy, NodeId::ROOT, 0, 0.0).unwrap();
            let mut checked = 0;
            for (leaf, _) in
                all_nodes(&tree).into_iter().filter(|(id, _)| tree.node(*id).phase() == Phase::Leaf)
            {
                let shift = 0.01;
                let at = |shift| value(&tree, policy, NodeId::ROOT, 0, leaf, shift);
                let expected = (at(shift) - at(-shift)) / (2.0 * shift);
                let line = path_to(&tree, leaf);
                let found = gradients.iter().find(|gradient| gradient.line == line);
                let found = found.map_or(0.0, |gradient| gradient.gradient);
                assert!((found - expected).abs() < 2e-3, "{line:?}: {found} instead of {expected}");
                checked += usize::from(expected.abs() > 0.01);
            }
            assert!(checked > 5, "{checked} leaves that matter");
        }
    }

    fn path_to(tree: &Tree, leaf: NodeId) -> Vec<u16> {
        let mut open = vec![(NodeId::ROOT, Vec::new())];
        while let Some((id, line)) = open.pop() {
            if id == leaf {
                return line;
            }
            if let Some((first, count)) = tree.node(id).block() {
                for child in (0..count).map(|i| first.offset(i)) {
                    let mut line: Vec<u16> = line.clone();
                    line.push(tree.node(child).packed_move());
                    open.push((child, line));
                }
            }
        }
        panic!("the leaf is in the tree")
    }

    #[test]
    fn gradients_are_the_finite_differences_of_whole_trees() {
        for temperature in [100.0, 400.0] {
            let params = softmax::Params { adapt: Adapt::Fixed, temperature, ..softmax::Params::default() };
            check(&Softmax::new(softmax::Params { backup: 2.0 * temperature, ..params.clone() }));
            check(&Softmax::new(params));
            let params = mcss::Params { backup_temperature: temperature, ..mcss::Params::default() };
            check(&Mcss::new(params));
        }
    }

    #[test]
    fn means_of_visits_have_no_such_gradient() {
        let uct = Uct::new(uct::Params::default(), contract::LogisticScale::default());
        let tree = grown(&uct, &RandomTree::new(1, 8), 200, 1);
        assert_eq!(leaf_gradients(&tree, &uct, NodeId::ROOT, 0, 0.0), None);
    }
}
