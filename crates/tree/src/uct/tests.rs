use super::*;
use crate::testing::{assert_sound, grown, picture};
use crate::toys::{Nim, RandomTree};

fn uct(params: Params) -> Uct {
    Uct::new(params, LogisticScale::default())
}

#[test]
fn nim_is_solved_by_every_formula() {
    for select in [Select::Puct, Select::Ucb1, Select::Tuned, Select::PaperUcb1, Select::PaperTuned] {
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

/// The probability that the side to move wins a heap when both sides take at random.
fn random_wins(left: u16) -> f32 {
    let replies = left.min(3);
    (1..=replies).map(|taken| 1.0 - random_wins(left - taken)).sum::<f32>() / f32::from(replies.max(1))
}

#[test]
fn plain_monte_carlo_is_the_mean_of_games_to_their_end_and_of_nothing_else() {
    for leaf in [Leaf::Playout, Leaf::Score] {
        let monte_carlo = uct(Params { select: Select::Even, leaf, ..Params::default() });
        let tree = grown(&monte_carlo, &Nim::new(10), 100_000, 1);
        for child in tree.children(tree.root()) {
            let (rate, visits) = (child.value.get(), child.visits() as f32);
            let wins = rate * visits;
            assert!(visits > 3000.0 && (wins - wins.round()).abs() < 0.1, "{wins} games won of {visits}");
            let expected = 1.0 - random_wins(10 - child.packed_move());
            assert!((rate - expected).abs() < 0.04, "{leaf:?}: {rate} instead of {expected}");
            let score = (2.0 * rate - 1.0) * 3000.0;
            assert!(leaf == Leaf::Playout || (monte_carlo.centipawns(child) - score).abs() < 1.0);
        }
        assert_eq!(monte_carlo.capped(), Some(0.0));
    }
}

#[test]
fn games_that_are_cut_off_are_counted_as_such_and_won_by_nobody() {
    let params =
        Params { select: Select::Even, leaf: Leaf::Playout, playout_plies: 3.0, ..Params::default() };
    let monte_carlo = uct(params);
    let tree = grown(&monte_carlo, &Nim::new(40), 2000, 1);
    assert_eq!(monte_carlo.capped(), Some(1.0));
    assert!(tree.children(tree.root()).iter().all(|child| child.value.get() == 0.5));
}

#[test]
fn a_tree_over_playouts_has_no_first_guess() {
    let params = Params { select: Select::PaperUcb1, leaf: Leaf::Playout, ..Params::default() };
    let tree = grown(&uct(params), &Nim::new(30), 20_000, 1);
    for child in tree.children(tree.root()) {
        let games = child.value.get() * child.visits() as f32;
        assert!(child.visits() > 10 && (games - games.round()).abs() < 0.1, "{games}");
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
