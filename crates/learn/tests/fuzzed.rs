//! The equations of the fuzz target for checkpoints, over a valid one and what lies near it.
#![allow(dead_code, unreachable_pub)]

#[path = "../../../fuzz/src/checkpoint.rs"]
mod checkpoint;
#[path = "../../../fuzz/src/mutation.rs"]
mod mutation;

use learn::nnue::{Arch, rewritten_checkpoint};
use mutation::{Edit, mutated};
use proptest::collection::vec;
use proptest::prelude::*;

/// The beginning of a checkpoint: its word, the length of the state, the state. Weights follow.
fn beginning(state: &str) -> Vec<u8> {
    [b"YOMILRN1", &(state.len() as u64).to_le_bytes(), state.as_bytes()].concat()
}

const STATE: &str = r#"{"step":3,"step_in_epoch":3,"epoch":0,"best":[0.5,1],"running":[0.25,3]}"#;
/// More than the weights of the smallest net and their moments take.
const ENOUGH: usize = 8 << 20;

/// A whole checkpoint with weights of one byte, found by cutting off what is too much.
fn whole(byte: u8) -> Vec<u8> {
    let mut bytes = beginning(STATE);
    let (mut low, mut high) = (0, ENOUGH / 4);
    // The file is refused as too short or as too long; only one length is neither.
    while low < high {
        let middle = (low + high) / 2;
        let tried = [bytes.as_slice(), &vec![byte; 4 * middle]].concat();
        match rewritten_checkpoint(&tried, Arch::Kp256) {
            Ok(_) => return tried,
            Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => low = middle + 1,
            Err(_) => high = middle,
        }
    }
    bytes.clear();
    bytes
}

#[test]
fn a_checkpoint_is_read_as_it_was_written() {
    let bytes = whole(0x3C);
    assert!(!bytes.is_empty(), "no length is right");
    checkpoint::settles_or_is_refused(&bytes);
    assert!(rewritten_checkpoint(&bytes, Arch::ZoneKp256).is_err(), "a net of another kind");
    for end in [0, 7, 8, 15, 16, 40, bytes.len() / 2, bytes.len() - 1] {
        assert!(rewritten_checkpoint(&bytes[..end], Arch::Kp256).is_err(), "cut off at {end}");
    }
    assert!(rewritten_checkpoint(&[bytes, vec![0]].concat(), Arch::Kp256).is_err(), "a byte too many");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]
    #[test]
    fn what_is_no_checkpoint_is_refused(edits in vec(any::<Edit>(), 1..5), state in ".{0,80}") {
        checkpoint::settles_or_is_refused(&mutated(&beginning(STATE), &edits));
        checkpoint::settles_or_is_refused(&beginning(&state));
    }
}
