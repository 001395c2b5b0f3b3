use super::*;
use crate::testing::{all_nodes, assert_sound, grow, grown, is_settled, picture};
use crate::toys::{Comb, Nim, RandomTree};

fn softmax(adapt: Adapt) -> Softmax {
    Softmax::new(Params { adapt, ..Params::default() })
}

/// The value of a node for the side to move there, by the definition.
fn value_by_definition(softmax: &Softmax, tree: &Tree, node: &Node, depth: usize) -> f64 {
    let children = tree.children(node);
    if children.is_empty() {
        return -f64::from(node.value.get());
    }
    let values: Vec<f64> =
        children.iter().map(|child| -value_by_definition(softmax, tree, child, depth + 1)).collect();
    let best = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let temperature = softmax.temperature(children, best as f32, depth);
    let temperature = f64::from(temperature::of_values(&softmax.params, temperature));
    let weights: Vec<f64> = values.iter().map(|value| ((value - best) / temperature).exp()).collect();
    let total: f64 = weights.iter().sum();
    values.iter().zip(&weights).map(|(value, weight)| value * weight / total).sum()
}

/// Every leaf that may be expanded with its bits, as sums of logarithms along its line.
fn leaves_by_definition(
    softmax: &Softmax,
    tree: &Tree,
    id: NodeId,
    depth: usize,
    bits: f64,
) -> Vec<(NodeId, f64)> {
    let node = tree.node(id);
    let Some((first, _)) = node.block() else {
        return if node.phase() == Phase::Leaf { vec![(id, bits)] } else { Vec::new() };
    };
    let children = tree.children(node);
    let best = children.iter().map(|child| child.value.get()).fold(f32::NEG_INFINITY, f32::max);
    let temperature = f64::from(softmax.temperature(children, best, depth));
    let weight = |child: &Node| (f64::from(child.value.get() - best) / temperature).exp();
    let total: f64 = children.iter().map(weight).sum();
    let below = children.iter().enumerate().flat_map(|(index, child)| {
        let bits = bits - (weight(child) / total).log2();
        leaves_by_definition(softmax, tree, first.offset(index), depth + 1, bits)
    });
    below.collect()
}

#[test]
fn values_and_realization_probabilities_are_those_of_the_definition() {
    for (seed, adapt, backup) in
        [(1, Adapt::Fixed, 0.0), (2, Adapt::Spread, 0.0), (3, Adapt::Depth, 0.0), (4, Adapt::Fixed, 30.0)]
    {
        let softmax = Softmax::new(Params { adapt, backup, ..Params::default() });
        let tree = grown(&softmax, &RandomTree::new(seed, 9), 400, 1);
        let expected = value_by_definition(&softmax, &tree, tree.root(), 0);
        let found = -f64::from(tree.root().value.get());
        assert!((found - expected).abs() < 0.05, "{adapt:?}: {found} instead of {expected}");
        let leaves = leaves_by_definition(&softmax, &tree, NodeId::ROOT, 0, 0.0);
        let nearest = leaves.iter().map(|(_, bits)| *bits).fold(f64::INFINITY, f64::min);
        let found = f64::from(tree.root().extra.get());
        assert!(
            leaves.len() > 50 && (found - nearest).abs() < 0.01,
            "{adapt:?}: {found} instead of {nearest}"
        );
    }
}

/// The leaf that the next step expands, with its bits, and the bits of the most probable one.
fn next_expansion(softmax: &Softmax, tree: &Tree, game: &RandomTree) -> Option<(f64, f64)> {
    let leaves = leaves_by_definition(softmax, tree, NodeId::ROOT, 0, 0.0);
    let nearest = leaves.iter().map(|(_, bits)| *bits).fold(f64::INFINITY, f64::min);
    grow(tree, softmax, game, 1, 1);
    let expanded = leaves.iter().find(|(id, _)| tree.node(*id).phase() != Phase::Leaf)?;
    Some((expanded.1, nearest))
}

#[test]
fn with_a_small_step_the_most_probable_leaf_is_expanded_first_and_the_threshold_follows() {
    let softmax = Softmax::new(Params { adapt: Adapt::Fixed, step: 0.001, ..Params::default() });
    let game = RandomTree::new(5, 12);
    let tree = grown(&softmax, &game, 10, 1);
    for _ in 0..60 {
        let (expanded, nearest) = next_expansion(&softmax, &tree, &game).expect("a leaf to expand");
        assert!(expanded < nearest + 0.002, "a leaf of {expanded} bits and not that of {nearest}");
        assert!(f64::from(softmax.threshold().unwrap()) > nearest);
    }
}

#[test]
fn no_leaf_above_the_threshold_is_expanded_while_one_lies_below_it() {
    let step = 3.0;
    let softmax = Softmax::new(Params { adapt: Adapt::Fixed, step, ..Params::default() });
    let game = RandomTree::new(5, 12);
    let tree = grown(&softmax, &game, 10, 1);
    let mut others = 0;
    for _ in 0..80 {
        let (expanded, nearest) = next_expansion(&softmax, &tree, &game).expect("a leaf to expand");
        let theta = f64::from(softmax.threshold().unwrap());
        assert!(nearest < theta && expanded < theta, "{expanded} and {nearest} at {theta}");
        assert!((theta / f64::from(step)).fract() < 1e-6, "{theta}");
        others += usize::from(expanded > nearest + 0.01);
    }
    assert!(others > 10, "a line is followed as far as the threshold: {others} of 80");
}

#[test]
fn another_step_of_the_threshold_is_another_tree() {
    let of = |step| {
        let params = Params { adapt: Adapt::Fixed, step, ..Params::default() };
        picture(&grown(&Softmax::new(params), &RandomTree::new(8, 14), 3000, 1))
    };
    assert!(of(0.1) != of(1.0) && of(1.0) != of(10.0));
}

#[test]
fn the_same_search_twice_is_the_same_tree() {
    let of = || picture(&grown(&softmax(Adapt::Fixed), &RandomTree::new(8, 10), 3000, 1));
    let (first, second) = (of(), of());
    assert!(first.len() > 1000);
    assert_eq!(first, second);
}

#[test]
fn threads_neither_lose_nor_repeat_an_expansion() {
    for seed in 0..8 {
        let share = if seed % 2 == 0 { Share::Pgpp } else { Share::Plain };
        let softmax = Softmax::new(Params { adapt: Adapt::Fixed, share, ..Params::default() });
        assert_sound(&grown(&softmax, &RandomTree::new(seed, 14), 20_000, 2 + seed as usize % 3));
    }
}

#[test]
fn nim_is_solved() {
    for heap in [5, 6, 7, 8, 12, 13] {
        let tree = grown(&softmax(Adapt::Fixed), &Nim::new(heap), 100_000, 1);
        let expected = heap % 4 != 0;
        assert_eq!(matches!(tree.root().proof(), Some(crate::Proof::Loss(_))), expected, "{heap}");
        if expected {
            let best = softmax(Adapt::Fixed).rank(&tree, None)[0];
            assert_eq!(tree.children(tree.root())[best].packed_move(), heap % 4);
        }
    }
}

#[test]
fn threads_are_placed_on_the_most_probable_nodes() {
    let softmax = softmax(Adapt::Fixed);
    let tree = grown(&softmax, &RandomTree::new(6, 10), 2000, 1);
    let mut probabilities: Vec<(f32, NodeId)> = Vec::new();
    let mut policy = Vec::new();
    let mut known = std::collections::HashMap::from([(NodeId::ROOT, 1.0_f32)]);
    for (id, depth) in all_nodes(&tree) {
        let probability = known[&id];
        if tree.node(id).phase() != Phase::Closed {
            probabilities.push((probability, id));
        }
        if let Some((first, _)) = tree.node(id).block() {
            softmax.child_policy(tree.children(tree.node(id)), depth, &mut policy);
            known.extend(policy.iter().enumerate().map(|(i, own)| (first.offset(i), probability * own)));
        }
    }
    probabilities.sort_by(|a, b| b.0.total_cmp(&a.0));
    let expected: f32 = probabilities[..6].iter().map(|(probability, _)| probability).sum();
    let placed: Vec<Placement> = (0..6).map(|index| Placement::of(&tree, &softmax, index, 6)).collect();
    let own = |placement: &Placement| placement.path().last().copied().unwrap_or(NodeId::ROOT);
    let sum: f32 = placed.iter().map(|placement| known[&own(placement)]).sum();
    assert!((sum - expected).abs() < 1e-4, "{sum} instead of {expected}");
    for placement in &placed {
        let others = placed.iter().map(own).filter(|&id| id != own(placement));
        assert!(others.into_iter().all(|id| placement.is_others(id)) && !placement.is_others(own(placement)));
    }
}

#[test]
fn moves_can_be_drawn_by_their_probability() {
    let params = Params { decide: Decide::Probability, temperature: 200.0, ..Params::default() };
    let softmax = Softmax::new(params);
    let tree = grown(&softmax, &RandomTree::new(2, 9), 300, 1);
    let mut rng = Rng::new(3);
    let drawn: Vec<usize> = (0..200).map(|_| softmax.rank(&tree, Some(&mut rng))[0]).collect();
    let best = softmax.rank(&tree, None)[0];
    let share = drawn.iter().filter(|&&index| index == best).count();
    assert!((40..200).contains(&share), "{share} of 200");
}

#[test]
fn threads_settle_small_games_and_none_waits_for_ever() {
    for round in 0..300 {
        let share = if round % 2 == 0 { Share::Pgpp } else { Share::Plain };
        let softmax = Softmax::new(Params { share, ..Params::default() });
        assert!(is_settled(&softmax, &Comb::new(60, 3 + round % 4), 2 + round % 3), "round {round}");
    }
}

#[test]
fn a_backup_waits_for_the_one_under_way_and_reads_what_is_there_then() {
    let softmax = softmax(Adapt::Fixed);
    let tree = grown(&softmax, &Nim::new(9), 1, 1);
    let leaves: Vec<&Node> =
        tree.children(tree.root()).iter().filter(|child| child.phase() == Phase::Leaf).collect();
    assert!(!leaves.is_empty() && leaves.iter().all(|leaf| leaf.claim()));
    std::thread::scope(|scope| {
        let under_way = tree.backing_up(NodeId::ROOT);
        let other = scope.spawn(|| softmax.refresh(&tree, NodeId::ROOT, 0));
        // Long enough for the other thread to find every leaf claimed and nothing left to search.
        std::thread::sleep(std::time::Duration::from_millis(50));
        leaves.iter().for_each(|leaf| leaf.release());
        drop(under_way);
        other.join().unwrap();
    });
    assert!(tree.root().extra.get().is_finite(), "the root knows of the leaves that are free again");
}
