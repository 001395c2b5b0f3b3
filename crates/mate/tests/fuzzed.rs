//! The equation of the fuzz target, over problems and what lies near them, and over small random positions.
//!
//! `YOMI_POSITIONS` is how many of the latter; a few hundred by default.
#![allow(dead_code, unreachable_pub)]

mod small_positions;

#[path = "../../../fuzz/src/mutation.rs"]
mod mutation;
#[path = "../../../fuzz/src/mate.rs"]
mod solver;

use mutation::{Edit, mutated_text};
use proptest::collection::vec;
use proptest::prelude::*;
use small_positions::{Random, positions, random_position};

const PROBLEMS: [&str; 5] = [
    "7nl/7k1/6ppp/9/9/9/9/9/4K4 b 2G2R 1",
    "4k4/9/9/9/9/9/9/7r1/K8 w - 1",
    "k8/9/1K1+B5/9/9/9/9/9/8R b 3Pp2g2sn 1",
    "9/7B1/9/9/n1p6/+p8/4n4/+B1k1S4/N8 b G2S2r3gsn4l16p 1",
    "1pG1B4/Gs+P6/pP7/n1ls5/3k5/nL4+r1b/1+p1p+R4/1S7/2N6 b SP2gn2l11p 1",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn no_claim_is_wrong(which in 0..PROBLEMS.len(), edits in vec(any::<Edit>(), 0..3)) {
        solver::holds(&mutated_text(PROBLEMS[which], &edits));
    }
}

#[test]
fn no_claim_about_small_random_positions_is_wrong() {
    let mut random = Random(5);
    let found = std::iter::from_fn(|| Some(random_position(&mut random))).flatten();
    found.take(positions()).for_each(|position| solver::holds(&position.to_string()));
}
