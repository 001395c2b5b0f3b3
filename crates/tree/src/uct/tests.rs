use super::*;
use crate::testing::{assert_sound, grown, picture};
use crate::toys::{Nim, RandomTree};

fn uct(params: Params) -> Uct {
    Uct { params, scale: LogisticScale::default() }
}

#[test]
fn nim_is_solved_by_every_formula() {
    for select in [Select::Puct, Select::Ucb1, Select::Tuned] {
        for heap in [6, 8, 11] {
            let tree = grown(&uct(Params { select, ..Params::default() }), &Nim::new(heap), 300_000, 1);
            let wins = matches!(tree.root().proof(), Some(Proof::Loss(_)));
            assert_eq!(wins, heap % 4 != 0, "{select:?} {heap}");
        }
    }
}

#[test]
fn playouts_prefer_the_winning_move_by_far() {
    for leaf in [Leaf::Playout, Leaf::Score] {
        let monte_carlo =
            uct(Params { select: Select::Even, leaf, decide: Decide::Value, ..Params::default() });
        let tree = grown(&monte_carlo, &Nim::new(6), 20_000, 1);
        let children = tree.children(tree.root());
        let best = monte_carlo.rank(&tree, None)[0];
        assert_eq!(children[best].packed_move(), 2, "{leaf:?}");
        let visits: Vec<u32> = children.iter().map(Node::visits).collect();
        assert!(visits.iter().max().unwrap() - visits.iter().min().unwrap() <= 1, "{visits:?}");
        assert!(children.iter().all(|child| child.block().is_none()), "plain Monte Carlo has no tree");
    }
}

#[test]
fn a_value_is_the_mean_of_its_results() {
    let uct = uct(Params::default());
    let tree = grown(&uct, &RandomTree::new(3, 12), 4000, 1);
    for child in tree.children(tree.root()) {
        let own = tree.children(child);
        if own.is_empty() || child.proof().is_some() || child.visits() < 20 {
            continue;
        }
        // Its results: one of its own when it was expanded, and those of its children.
        let below: f32 =
            own.iter().map(|c| 1.0 - c.value.get()).zip(own).map(|(v, c)| v * c.visits() as f32).sum();
        let visits: u32 = own.iter().map(Node::visits).sum();
        let mean = below / visits as f32;
        assert!((mean - child.value.get()).abs() < 0.1, "{mean} and {}", child.value.get());
        assert!(visits <= child.visits());
    }
}

#[test]
fn the_same_seed_gives_the_same_search() {
    let of =
        |leaf| picture(&grown(&uct(Params { leaf, ..Params::default() }), &RandomTree::new(8, 10), 3000, 1));
    assert_eq!(of(Leaf::Eval), of(Leaf::Eval));
    assert_eq!(of(Leaf::Playout), of(Leaf::Playout));
}

#[test]
fn threads_neither_lose_nor_repeat_an_expansion() {
    for seed in 0..6 {
        assert_sound(&grown(
            &uct(Params::default()),
            &RandomTree::new(seed, 14),
            20_000,
            2 + seed as usize % 3,
        ));
    }
}
