//! The equations of the fuzz target for conditions, over valid ones and what lies near them.
#![allow(dead_code, unreachable_pub)]

#[path = "../../../fuzz/src/expression.rs"]
mod expression;
#[path = "../../../fuzz/src/mutation.rs"]
mod mutation;

use mutation::{Edit, mutated_text};
use proptest::collection::vec;
use proptest::prelude::*;

const CONDITIONS: [&str; 5] = [
    "ply >= 60 && abs(material) < 200 && !in_check",
    "-(1 + 2) * min(progress, max(king_safety, .5)) / 3 - -castle != 4 || hand == 0",
    "!!(rating > 1500) || !moves <= captures",
    "1e3 + 0.5e-3 * 2.",
    "progress * king_safety",
];

proptest! {
    #[test]
    fn conditions_are_printed_as_they_are_read(
        which in 0..CONDITIONS.len(),
        edits in vec(any::<Edit>(), 0..6),
    ) {
        expression::settles(&mutated_text(CONDITIONS[which], &edits));
    }
}

#[test]
fn conditions_without_end_are_refused_not_followed_to_the_end_of_the_stack() {
    for part in ["!", "-", "(", "abs(", "1+", "1-", "ply<", "min(1,"] {
        let endless = part.repeat(200_000);
        expression::settles(&endless);
        expression::settles(&(endless + "1"));
    }
}
