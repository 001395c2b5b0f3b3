use super::*;
use crate::testing::{assert_sound, grow, grown, picture};
use crate::toys::{Nim, RandomTree};

fn mcss(params: Params) -> Mcss {
    Mcss { params }
}

/// A policy that looks at every move of a toy game: E0 keeps its weight where little has been searched.
fn broad() -> Mcss {
    mcss(Params { select: 18, ..Params::default() })
}

/// The sum of depth times probability over all leaves below a node.
fn depth_by_leaves(tree: &Tree, node: &Node, temperature: f32, depth: f32, probability: f64) -> f64 {
    let children = tree.children(node);
    if children.is_empty() {
        return f64::from(depth) * probability;
    }
    let mut policy = Vec::new();
    boltzmann::policy(children, temperature, &mut policy);
    let below = children.iter().zip(&policy).map(|(child, &own)| {
        depth_by_leaves(tree, child, temperature, depth + 1.0, probability * f64::from(own))
    });
    below.sum()
}

#[test]
fn search_depth_is_the_sum_over_leaves() {
    for seed in 0..4 {
        let mcss = mcss(Params::default());
        let tree = grown(&mcss, &RandomTree::new(seed, 10), 1500, 1);
        let expected = depth_by_leaves(&tree, tree.root(), mcss.params.depth_temperature, 0.0, 1.0);
        let found = f64::from(tree.root().depth.get());
        assert!(found > 1.5 && (found - expected).abs() < 1e-3, "{found} instead of {expected}");
    }
}

#[test]
fn cold_search_depth_is_the_length_of_the_principal_variation() {
    let mcss = mcss(Params { depth_temperature: 1.0, ..Params::default() });
    let tree = grown(&mcss, &RandomTree::new(9, 10), 1500, 1);
    let mut plies = 0.0;
    let mut node = tree.root();
    while let Some(best) = mcss.pv_child(tree.children(node)) {
        node = &tree.children(node)[best];
        plies += 1.0;
    }
    assert!(plies >= 2.0 && (tree.root().depth.get() - plies).abs() < 0.05, "{plies}");
}

#[test]
fn closed_children_count_in_backup_and_are_never_selected() {
    let mcss = mcss(Params::default());
    let tree = grown(&mcss, &RandomTree::new(3, 4), 4000, 1);
    let mut closed = 0;
    for (id, _) in crate::testing::all_nodes(&tree) {
        let node = tree.node(id);
        for child in tree.children(node) {
            if child.phase() == Phase::Closed && child.block().is_none() {
                closed += 1;
                assert_eq!(child.visits(), 0, "the end of the game was visited");
            }
        }
    }
    assert!(closed > 20);
    // The whole tree is known: every value is the expectation over all children, ends included.
    let children = tree.children(tree.root());
    let best = children.iter().map(|child| child.value.get()).fold(f32::NEG_INFINITY, f32::max);
    let expected = boltzmann::expected_value(children, best, mcss.params.backup_temperature);
    assert_eq!(-tree.root().value.get(), expected);
    assert_eq!(tree.root().phase(), Phase::Closed);
}

#[test]
fn backup_never_sees_selection_values() {
    // Whatever is selected: once a small tree is complete, its values are the same.
    let values: Vec<f32> = [0, 3, 9, 12, 16, 18]
        .map(|k| {
            let mcss = mcss(Params { select: k, c: 3.0, ..Params::default() });
            grown(&mcss, &RandomTree::new(3, 3), 100_000, 1).root().value.get()
        })
        .to_vec();
    assert!(values.iter().all(|value| (value - values[0]).abs() < 1e-3), "{values:?}");
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let of = || picture(&grown(&mcss(Params::default()), &RandomTree::new(8, 10), 3000, 1));
    assert_eq!(of(), of());
}

#[test]
fn each_leaf_is_expanded_once_and_abandoned_simulations_leave_no_trace() {
    for seed in 0..8 {
        let threads = 2 + seed as usize % 3;
        let tree = grown(&mcss(Params::default()), &RandomTree::new(seed, 14), 20_000, threads);
        assert_sound(&tree);
        // The root has been visited once for every expansion but its own; nothing else counts.
        assert_eq!(u64::from(tree.root().visits()) + 1, tree.expansions());
    }
}

#[test]
fn a_full_tree_goes_on_within_its_limit() {
    let mcss = broad();
    let game = RandomTree::new(1, 60);
    let tree = Tree::new(1);
    grow(&tree, &mcss, &game, 200_000, 1);
    assert!(tree.prunings() > 0, "the limit was never reached");
    assert!(tree.size() <= tree.limit());
    let before = tree.expansions();
    grow(&tree, &mcss, &game, 5000, 1);
    assert!(tree.expansions() > before + 100);
}

#[test]
fn the_tree_goes_on_below_the_move_that_was_played() {
    let mcss = broad();
    let mut game = RandomTree::new(12, 12);
    let mut tree = grown(&mcss, &game, 3000, 1);
    let best = mcss.rank(&tree, None)[0];
    let child = &tree.children(tree.root())[best];
    let (played, visits, value) = (child.packed_move(), child.visits(), child.value.get());
    let before = tree.size();
    assert!(tree.advance(played));
    assert_eq!((tree.root().visits(), tree.root().value.get()), (visits, value));
    tree.collect(|| false);
    assert!(tree.size() < before);
    game.play(played);
    grow(&tree, &mcss, &game, 500, 1);
    assert!(tree.root().visits() > visits);
    assert!(!tree.advance(999), "a move that is not there");
}

#[test]
fn nim_is_solved() {
    for heap in [5, 8, 11, 12] {
        let mcss = mcss(Params::default());
        let tree = grown(&mcss, &Nim::new(heap), 200_000, 1);
        let wins = matches!(tree.root().proof(), Some(Proof::Loss(_)));
        assert_eq!(wins, heap % 4 != 0, "{heap}");
    }
}

/// A root with children of given values, first values and depths.
fn root_of(facts: &[(f32, f32, f32)], depth: f32) -> Tree {
    let tree = Tree::new(1);
    let scored =
        facts.iter().zip(1..).map(|(&(value, ..), packed)| crate::ScoredMove { packed, value, end: None });
    assert!(tree.claim(NodeId::ROOT));
    assert!(tree.expand(NodeId::ROOT, &scored.collect::<Vec<_>>(), |_| {}));
    for (child, &(_, first_value, depth)) in tree.children(tree.root()).iter().zip(facts) {
        child.first_value.set(first_value);
        child.depth.set(depth);
    }
    tree.root().depth.set(depth);
    tree
}

#[test]
fn each_decision_has_its_own_favourite() {
    // The best value is hardly searched; the second best is deep; the third had the best first value.
    let tree = root_of(&[(100.0, 60.0, 0.0), (95.0, 20.0, 9.0), (90.0, 160.0, 4.0)], 8.0);
    let best = |decide, decide_c| mcss(Params { decide, decide_c, ..Params::default() }).rank(&tree, None)[0];
    assert_eq!(best(Decide::Pv0, 0.0), 0);
    assert_eq!(best(Decide::Pv0, 2.0), 1);
    assert_eq!(best(Decide::Pv1, 1000.0), 1);
    assert_eq!(best(Decide::Pv1, 1.0), 0);
    assert_eq!(best(Decide::Pv2, 0.0), 0);
    assert_eq!(best(Decide::Pv2, 0.6), 2);
    assert_eq!(best(Decide::Pv3, 0.5), 1);
    assert_eq!(best(Decide::Pv3, 0.0), 0);
    // Nothing is deep enough: the best value after all.
    let shallow = root_of(&[(10.0, 0.0, 1.0), (30.0, 0.0, 1.0)], 20.0);
    assert_eq!(mcss(Params::default()).rank(&shallow, None)[0], 1);
}

#[test]
fn proofs_go_before_every_rule() {
    let tree = root_of(&[(100.0, 100.0, 9.0), (0.0, 0.0, 0.0), (50.0, 50.0, 9.0)], 8.0);
    let children = tree.children(tree.root());
    children[0].prove(Proof::Loss(4));
    children[1].prove(Proof::Win(3));
    for decide in [Decide::Pv0, Decide::Pv1, Decide::Pv2, Decide::Pv3] {
        let order = mcss(Params { decide, ..Params::default() }).rank(&tree, None);
        assert_eq!(order, [1, 2, 0], "{decide:?}");
    }
}

#[test]
fn temperatures_follow_visits_and_threads() {
    let mcss =
        mcss(Params { select_temperature: 120.0, anneal: 0.5, thread_spread: 1.0, ..Params::default() });
    assert_eq!(mcss.select_temperature(0, 0, 2), 120.0);
    assert_eq!(mcss.select_temperature(0, 1, 2), 240.0);
    assert!(mcss.select_temperature(15, 0, 1) < 31.0);
}
