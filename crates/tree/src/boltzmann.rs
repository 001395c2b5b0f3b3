//! Boltzmann policies over children, and what they make of values and depths.

use super::node::{Node, PROVEN_DEPTH, Phase, Proof};

/// Children so many temperatures below the best are as good as never chosen.
pub const NEGLIGIBLE: f32 = 16.0;

/// What the children say together, before any temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChildSummary {
    /// The best value of a child that does not lose by force.
    pub best: f32,
    /// What is proven for the side that chooses among them: the quickest win, or the slowest of losses only.
    pub proof: Option<Proof>,
    /// Whether some child may still be searched, now or when another thread is done with it.
    pub open: bool,
}

impl ChildSummary {
    /// What these children say.
    #[must_use]
    pub fn of(children: &[Node]) -> ChildSummary {
        let mut best = f32::NEG_INFINITY;
        let mut quickest: Option<u16> = None;
        let mut slowest = 0;
        let mut all_lost = true;
        let mut open = false;
        for child in children {
            match child.proof() {
                Some(Proof::Win(plies)) => {
                    quickest = Some(quickest.map_or(plies, |known| known.min(plies)));
                    all_lost = false;
                }
                Some(Proof::Loss(plies)) => slowest = slowest.max(plies),
                None => {
                    all_lost = false;
                    best = best.max(child.value.get());
                    open |= child.phase() != Phase::Closed;
                }
            }
        }
        let proof = match quickest {
            Some(plies) => Some(Proof::Win(plies)),
            None if all_lost => Some(Proof::Loss(slowest)),
            None => None,
        };
        ChildSummary { best, proof, open }
    }
}

/// How likely each child is at a temperature, by its value; the sum is 1 unless every child loses by force.
pub fn policy(children: &[Node], temperature: f32, policy: &mut Vec<f32>) {
    policy.clear();
    let summary = ChildSummary::of(children);
    if let Some(proof) = summary.proof {
        // Only what the proof rests on counts: one of the quickest wins, or of the slowest losses.
        let index = children.iter().position(|child| child.proof() == Some(proof));
        policy.extend((0..children.len()).map(|i| f32::from(u8::from(Some(i) == index))));
        return;
    }
    policy.extend(children.iter().map(|child| weight(child, summary.best, temperature)));
    let total: f32 = policy.iter().sum();
    policy.iter_mut().for_each(|probability| *probability /= total);
}

/// The weight of a child that does not lose by force, 1 for the best.
#[inline(always)]
pub fn weight(child: &Node, best: f32, temperature: f32) -> f32 {
    let below = (child.value.get() - best) / temperature;
    if below < -NEGLIGIBLE || matches!(child.proof(), Some(Proof::Loss(_))) {
        0.0
    } else {
        below.min(0.0).exp()
    }
}

/// The expectation of the children's values for the side that chooses among them.
pub fn expected_value(children: &[Node], best: f32, temperature: f32) -> f32 {
    let (mut sum, mut total) = (0.0, 0.0);
    for child in children {
        let weight = weight(child, best, temperature);
        if weight > 0.0 {
            sum += weight * (child.value.get() - best);
            total += weight;
        }
    }
    best + sum / total
}

/// The expectation of search depth of their parent.
pub fn expected_depth(children: &[Node], best: f32, temperature: f32) -> f32 {
    let (mut sum, mut total) = (0.0, 0.0);
    for child in children {
        let weight = weight(child, best, temperature);
        if weight > 0.0 {
            sum += weight * (child.depth.get() + 1.0);
            total += weight;
        }
    }
    sum / total
}

/// Backs up what is proven among the children to their parent. `true` if it is settled.
pub fn back_up_proof(node: &Node, summary: &ChildSummary) -> bool {
    match summary.proof {
        Some(Proof::Win(plies)) => node.prove(Proof::Loss(plies + 1)),
        Some(Proof::Loss(plies)) => node.prove(Proof::Win(plies + 1)),
        None => return false,
    }
    debug_assert_eq!(node.depth.get(), PROVEN_DEPTH);
    true
}
