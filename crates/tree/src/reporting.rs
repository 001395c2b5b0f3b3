//! What a tree reports: lines, values, the decision.

use std::sync::atomic::Ordering::Relaxed;

use contract::score::{self, MAX_PLY};
use contract::{Bound, Choice, Decision, LogisticScale, Report, Rng, Score, TreeFacts};

use super::driver::SearchState;
use super::game::Game;
use super::growth::Tree;
use super::node::{Node, Proof};
use super::policy::Policy;

/// Reads the tree for reports and the decision.
pub(crate) struct Reporter<'a, P> {
    pub(crate) tree: &'a Tree,
    pub(crate) policy: &'a P,
    pub(crate) scale: LogisticScale,
    /// How many best lines are asked for.
    pub(crate) lines: usize,
    pub(crate) state: &'a SearchState<'a>,
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

fn unpacked<G: Game>(node: &Node) -> G::Move {
    G::unpack(node.packed_move())
}

impl<P: Policy> Reporter<'_, P> {
    /// The line from a child of the root on.
    fn line<G: Game>(&self, child: &Node) -> Vec<G::Move> {
        let mut line = vec![unpacked::<G>(child)];
        let mut node = child;
        while line.len() < MAX_PLY {
            let children = self.tree.children(node);
            let Some(next) = self.policy.pv_child(children).and_then(|index| children.get(index)) else {
                break;
            };
            line.push(unpacked::<G>(next));
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
    pub(crate) fn report<G: Game>(&self, report: &mut dyn FnMut(&Report<G::Move>)) {
        let children = self.tree.children(self.tree.root());
        let mut probabilities = Vec::new();
        self.policy.child_policy(children, 0, &mut probabilities);
        let order = self.policy.rank(self.tree, None);
        let deepest = self.state.deepest.iter().map(|deepest| deepest.load(Relaxed)).max().unwrap_or(0);
        for (place, &index) in order.iter().take(self.lines.max(1)).enumerate() {
            let child = &children[index];
            report(&Report {
                depth: self.depth(),
                selective_depth: deepest as u32,
                rank: place + 1,
                score: score_of(self.policy, child),
                bound: Bound::Exact,
                pv: self.line::<G>(child),
                nodes: self.state.total_nodes(),
                elapsed: self.state.control.elapsed(),
                hash_permille: self.tree.permille(),
                tree: Some(TreeFacts {
                    visits: child.visits(),
                    win_rate: win_rate(self.policy, self.scale, child),
                    depth: child.depth.get(),
                    probability: probabilities.get(index).copied().unwrap_or(0.0),
                    threshold: self.policy.threshold(),
                    capped: self.policy.capped(),
                }),
            });
        }
    }
}

/// The last word; `None` if the root has no children.
pub(crate) fn decide<G: Game, P: Policy>(reporter: &Reporter<'_, P>, seed: u64) -> Option<Decision<G::Move>> {
    let children = reporter.tree.children(reporter.tree.root());
    // The same position is decided alike, other positions by other numbers.
    let mut rng = Rng::new(seed ^ reporter.tree.expansions() << 20);
    let child = &children[*reporter.policy.rank(reporter.tree, Some(&mut rng)).first()?];
    let line = reporter.line::<G>(child);
    Some(Decision {
        choice: Choice::Move(*line.first()?),
        ponder: line.get(1).copied(),
        score: score_of(reporter.policy, child),
        depth: reporter.depth(),
        nodes: reporter.state.total_nodes(),
    })
}
