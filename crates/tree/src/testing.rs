//! Searches of toy games, for tests of the methods.

use std::collections::HashSet;
use std::time::Duration;

use contract::{Control, Limits};

use super::driver::{SearchState, search};
use super::game::Game;
use super::growth::Tree;
use super::node::{Node, NodeId, Phase};
use super::policy::Policy;

/// Searches a game on so many threads until so many positions have been visited, or all is known.
pub(crate) fn grown<G: Game + Clone + Send, P: Policy>(
    policy: &P,
    game: &G,
    nodes: u64,
    threads: usize,
) -> Tree {
    // Room enough that nothing is thrown out.
    let tree = Tree::new(8);
    grow(&tree, policy, game, nodes, threads);
    tree
}

/// Goes on searching.
pub(crate) fn grow<G: Game + Clone + Send, P: Policy>(
    tree: &Tree,
    policy: &P,
    game: &G,
    nodes: u64,
    threads: usize,
) {
    let limits: Limits<u16> = Limits { nodes: Some(nodes), ..Limits::default() };
    let control = Control::new();
    let state = SearchState::new(&limits, &control, threads);
    search(tree, policy, &state, vec![game.clone(); threads], 7, &[], || {});
}

/// Searches a game on so many threads until all is known; whether that was so before the time was over.
pub(crate) fn is_settled<G: Game + Clone + Send, P: Policy>(policy: &P, game: &G, threads: usize) -> bool {
    let tree = Tree::new(1);
    let (limits, control): (Limits<u16>, Control) = (Limits::default(), Control::new());
    control.start_clock(TIME, TIME);
    let state = SearchState::new(&limits, &control, threads);
    search(&tree, policy, &state, vec![game.clone(); threads], 7, &[], || {});
    tree.root().phase() == Phase::Closed
}

/// A thousand times what settling a small game takes.
const TIME: Duration = Duration::from_secs(10);

/// Every node below and with a node, with its depth and its children, parents first.
pub(crate) fn all_nodes(tree: &Tree) -> Vec<(NodeId, usize)> {
    let mut found = vec![(NodeId::ROOT, 0)];
    let mut next = 0;
    while let Some(&(id, depth)) = found.get(next) {
        if let Some((first, count)) = tree.node(id).block() {
            found.extend((0..count).map(|index| (first.offset(index), depth + 1)));
        }
        next += 1;
    }
    found
}

/// A picture of the whole tree, to compare searches: moves, values, depths, visits.
pub(crate) fn picture(tree: &Tree) -> Vec<(u16, u32, u32, u32)> {
    let of = |node: &Node| {
        (node.packed_move(), node.value.get().to_bits(), node.depth.get().to_bits(), node.visits())
    };
    all_nodes(tree).into_iter().map(|(id, _)| of(tree.node(id))).collect()
}

/// No node is in two places, nothing is claimed for ever, and every expansion is in the tree once: none was lost or done twice.
pub(crate) fn assert_sound(tree: &Tree) {
    let nodes = all_nodes(tree);
    let distinct: HashSet<NodeId> = nodes.iter().map(|&(id, _)| id).collect();
    assert_eq!(distinct.len(), nodes.len(), "a node in two places");
    assert!(nodes.iter().all(|&(id, _)| tree.node(id).phase() != Phase::Claimed), "a claim left behind");
    let expanded = nodes.iter().filter(|&&(id, _)| tree.node(id).block().is_some()).count();
    assert_eq!(expanded as u64, tree.expansions(), "an expansion lost or done twice");
    let siblings = |id: NodeId| {
        let moves = tree.children(tree.node(id)).iter().map(Node::packed_move);
        let list: Vec<u16> = moves.collect();
        let set: HashSet<u16> = list.iter().copied().collect();
        set.len() == list.len()
    };
    assert!(nodes.iter().all(|&(id, _)| siblings(id)), "a move twice among siblings");
}
