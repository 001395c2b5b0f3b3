//! One thread's way through the tree: down to a leaf, and back.

use super::game::{End, Game};
use super::growth::{ScoredMove, Tree};
use super::node::{Node, NodeId, Phase};
use super::policy::Policy;
use contract::Rng;
use contract::score::{INFINITE, MAX_PLY, Value};

/// A thread with its game and the path it is on.
pub struct Worker<G: Game> {
    /// The game, where the path ends.
    pub game: G,
    /// Which of the threads it is.
    pub index: usize,
    /// How many threads there are.
    pub threads: usize,
    /// Its own random numbers.
    pub rng: Rng,
    /// The nodes from the root to where it stands.
    pub path: Vec<NodeId>,
    /// The moves that may be searched at the root; empty means all.
    root_moves: Vec<u16>,
    /// The longest path so far.
    pub deepest: usize,
    moves: Vec<G::Move>,
    scored: Vec<ScoredMove>,
    buffer: Vec<f32>,
}

/// An expanded node on the way down.
pub struct Selection<'a> {
    /// The node.
    pub node: &'a Node,
    /// Its children, one of which is to be selected.
    pub children: &'a [Node],
    /// Where the children begin.
    pub first: NodeId,
    /// Plies below the root.
    pub depth: usize,
    /// The worker's random numbers.
    pub rng: &'a mut Rng,
    /// Room for a number per child.
    pub buffer: &'a mut Vec<f32>,
}

/// Where a way down ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Descent {
    /// At a leaf that is claimed now.
    Leaf,
    /// Where another thread is at work, or nothing is left to search.
    Busy,
}

/// What came of a claimed leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Growth {
    /// It has children.
    Children,
    /// The game ends there.
    Ended,
    /// There is no room; it is a leaf as before.
    Full,
}

impl<G: Game> Worker<G> {
    pub(crate) fn new(game: G, index: usize, threads: usize, seed: u64, root_moves: Vec<u16>) -> Worker<G> {
        Worker {
            game,
            index,
            threads,
            rng: Rng::new(seed.wrapping_mul(0x9E37_79B9).wrapping_add(index as u64)),
            path: vec![NodeId::ROOT],
            root_moves,
            deepest: 0,
            moves: Vec::new(),
            scored: Vec::new(),
            buffer: Vec::new(),
        }
    }

    /// Goes down by the picks until there is a leaf to claim.
    pub fn descend(&mut self, tree: &Tree, mut pick: impl FnMut(Selection<'_>) -> Option<usize>) -> Descent {
        loop {
            let id = self.here();
            let node = tree.node(id);
            match node.phase() {
                Phase::Leaf => return if tree.claim(id) { Descent::Leaf } else { Descent::Busy },
                Phase::Claimed | Phase::Closed => return Descent::Busy,
                Phase::Open => {}
            }
            let Some((first, _)) = node.block() else { return Descent::Busy };
            let children = tree.children(node);
            let depth = self.path.len() - 1;
            let selection =
                Selection { node, children, first, depth, rng: &mut self.rng, buffer: &mut self.buffer };
            let Some(index) = pick(selection) else { return Descent::Busy };
            self.go(tree, first.offset(index));
        }
    }

    /// Goes on to a child.
    pub fn go(&mut self, tree: &Tree, child: NodeId) {
        self.path.push(child);
        self.deepest = self.deepest.max(self.path.len() - 1);
        self.game.play(G::unpack(tree.node(child).packed_move()));
    }

    /// Where it stands.
    pub fn here(&self) -> NodeId {
        *self.path.last().expect("the path begins at the root")
    }

    /// Goes back to the root.
    pub fn return_to_root(&mut self) {
        while self.path.len() > 1 {
            self.path.pop();
            self.game.undo();
        }
    }

    /// Expands the claimed leaf where it stands: every child with a value of its own, best first. Values more than `margin` below
    /// the best may be too high, up to that margin.
    pub fn expand<P: Policy>(&mut self, tree: &Tree, policy: &P, margin: f32) -> Growth {
        let (id, ply) = (self.here(), self.path.len() - 1);
        if ply > 0
            && let Some(end) = self.end_here(tree, id, ply)
        {
            tree.end(id, end);
            return Growth::Ended;
        }
        self.list_moves(ply);
        if self.moves.is_empty() {
            tree.end(id, self.game.no_moves());
            return Growth::Ended;
        }
        self.score_moves(ply, policy.evaluates().then_some(margin));
        let buffer = &mut self.buffer;
        if tree.expand(id, &self.scored, |children| policy.init_children(children, buffer)) {
            return Growth::Children;
        }
        tree.node(id).release();
        Growth::Full
    }

    /// The end of the game, or of what a path can hold.
    fn end_here(&mut self, tree: &Tree, id: NodeId, ply: usize) -> Option<End> {
        let too_deep = (ply >= MAX_PLY).then(|| End::PathValue(-tree.node(id).value.get() as Value));
        self.game.end(ply).or(too_deep)
    }

    fn list_moves(&mut self, ply: usize) {
        self.game.moves(&mut self.moves);
        if ply == 0 && !self.root_moves.is_empty() {
            let allowed = &self.root_moves;
            self.moves.retain(|&m| allowed.contains(&G::pack(m)));
        }
    }

    /// The moves with what they are worth; without a margin nothing is evaluated.
    fn score_moves(&mut self, ply: usize, margin: Option<f32>) {
        self.scored.clear();
        let mut best = -INFINITE;
        let margin = margin.map(|margin| margin.min(INFINITE as f32) as Value);
        for &m in &self.moves {
            self.game.play(m);
            let end = self.game.end(ply + 1);
            let value = match (end, margin) {
                (Some(End::Value(value) | End::PathValue(value)), _) => -value,
                // A proof brings its own value.
                (Some(End::Win(_) | End::Loss(_)), _) | (None, None) => 0,
                (None, Some(margin)) => -self.game.evaluate((margin - best).min(INFINITE)),
            };
            self.game.undo();
            if end.is_none() {
                best = best.max(value);
            }
            self.scored.push(ScoredMove { packed: G::pack(m), value: value as f32, end });
        }
        self.scored.sort_by(|a, b| order(b).total_cmp(&order(a)));
    }
}

/// Wins first, losses last.
fn order(child: &ScoredMove) -> f32 {
    match child.end {
        Some(End::Win(_)) => f32::NEG_INFINITY,
        Some(End::Loss(_)) => f32::INFINITY,
        _ => child.value,
    }
}
