//! The equations of the fuzz targets for nets and linear weights, over valid files and what lies near them.
#![allow(dead_code, unreachable_pub)]

#[path = "../../../fuzz/src/linear.rs"]
mod linear;
#[path = "../../../fuzz/src/mutation.rs"]
mod mutation;
#[path = "../../../fuzz/src/net.rs"]
mod net;

use std::sync::LazyLock;

use eval::nnue::random_net_file;
use mutation::{Edit, mutated};
use proptest::collection::vec;
use proptest::prelude::*;

static FILE: LazyLock<Vec<u8>> = LazyLock::new(|| random_net_file(net::SMALL, 7));

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn changed_nets_evaluate_or_are_refused(edits in vec(any::<Edit>(), 0..4)) {
        net::evaluates_or_is_refused(&mutated(&FILE, &edits));
    }

    #[test]
    fn changed_weights_are_read_back_or_refused(weights in vec(any::<u8>(), 0..100), edits in vec(any::<Edit>(), 0..4)) {
        let changed = mutated(&linear::weights_of(&weights).to_bytes(), &edits);
        linear::is_read_back_or_refused(&changed);
        linear::is_read_back_or_refused(&linear::with_checksum(&changed));
    }

    #[test]
    fn any_bytes_are_refused_or_a_net(bytes in vec(any::<u8>(), 0..300)) {
        net::evaluates_or_is_refused(&bytes);
        net::evaluates_or_is_refused(&[&FILE[..20], &bytes].concat());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn any_weights_make_a_net_that_is_read_back(weights in vec(any::<u8>(), 0..300)) {
        net::is_read_back(&weights);
    }
}
