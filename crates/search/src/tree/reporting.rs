//! What a tree has to say: lines, values, the decision.

use std::sync::atomic::Ordering::Relaxed;

use shogi::Move;

use super::growth::Tree;
use super::method::Think;
use super::node::{Node, Proof};
use super::policy::Policy;
use crate::score::{self, MAX_PLY};
use crate::{Bound, Choice, Decision, LogisticScale, Report, Rng, Score, TreeFacts};

/// Whoever reads the tree for reports.
pub(crate) struct Teller<'a, P> {
    pub(crate) tree: &'a Tree,
    pub(crate) policy: &'a P,
    pub(crate) scale: LogisticScale,
    pub(crate) think: &'a Think<'a>,
}

/// The score of a node for the side that chooses it.
pub(crate) fn score_of<P: Policy>(policy: &P, node: &Node) -> Score {
    match node.proof() {
        Some(proof) => Score::of(proof.value() as i32),
        None => {
            let limit = score::SUPERIOR as f32;
            Score::Centipawns(policy.centipawns(node).round().clamp(-limit, limit) as i32)
        }
    }
}

/// The win rate of a node for the side that chooses it.
pub(crate) fn win_rate<P: Policy>(policy: &P, scale: LogisticScale, node: &Node) -> f32 {
    match node.proof() {
        Some(Proof::Win(_)) => 1.0,
        Some(Proof::Loss(_)) => 0.0,
        None => scale.win_rate_f32(policy.centipawns(node)),
    }
}

fn unpacked(node: &Node) -> Option<Move> {
    Move::from_bits(node.packed_move())
}

impl<P: Policy> Teller<'_, P> {
    /// The line from a child of the root on.
    fn line(&self, child: &Node) -> Vec<Move> {
        let mut line: Vec<Move> = unpacked(child).into_iter().collect();
        let mut node = child;
        while line.len() < MAX_PLY {
            let children = self.tree.children(node);
            let Some(next) = self.policy.follow(children).and_then(|index| children.get(index)) else {
                break;
            };
            line.extend(unpacked(next));
            node = next;
        }
        line
    }

    /// Plies that the tree looks ahead in the mean.
    fn depth(&self) -> u32 {
        let depth = self.tree.root().depth.get().round() as u32;
        depth.clamp(1, MAX_PLY as u32)
    }

    /// Reports the best lines, as many as asked for.
    pub(crate) fn tell(&self, report: &mut dyn FnMut(&Report)) {
        let children = self.tree.children(self.tree.root());
        let mut shares = Vec::new();
        self.policy.shares(children, 0, &mut shares);
        let order = self.policy.rank(self.tree, None);
        let deepest = self.think.deepest.iter().map(|deepest| deepest.load(Relaxed)).max().unwrap_or(0);
        for (place, &index) in order.iter().take(self.think.limits.lines.max(1)).enumerate() {
            let child = &children[index];
            report(&Report {
                depth: self.depth(),
                selective_depth: deepest as u32,
                rank: place + 1,
                score: score_of(self.policy, child),
                bound: Bound::Exact,
                pv: self.line(child),
                nodes: self.think.total_nodes(),
                elapsed: self.think.control.elapsed(),
                hash_permille: self.tree.permille(),
                tree: Some(TreeFacts {
                    visits: child.visits(),
                    win_rate: win_rate(self.policy, self.scale, child),
                    depth: child.depth.get(),
                    probability: shares.get(index).copied().unwrap_or(0.0),
                    threshold: self.policy.threshold(),
                }),
            });
        }
    }
}

/// The last word; `None` if the root has no children.
pub(crate) fn decide<P: Policy>(teller: &Teller<'_, P>, seed: u64) -> Option<Decision> {
    let children = teller.tree.children(teller.tree.root());
    // The same position is decided alike, other positions by other numbers.
    let mut rng = Rng::new(seed ^ teller.tree.expansions() << 20);
    let child = &children[*teller.policy.rank(teller.tree, Some(&mut rng)).first()?];
    let line = teller.line(child);
    Some(Decision {
        choice: Choice::Move(*line.first()?),
        ponder: line.get(1).copied(),
        score: score_of(teller.policy, child),
        depth: teller.depth(),
        nodes: teller.think.total_nodes(),
    })
}
