//! Trainings under way.

use learn::nnue::{Arch, rewritten_checkpoint};

/// Bytes are refused or are a checkpoint; what is written of it is read as the same.
pub fn settles_or_is_refused(bytes: &[u8]) {
    let Ok(written) = rewritten_checkpoint(bytes, Arch::Kp256) else { return };
    assert!(rewritten_checkpoint(&written, Arch::Kp256).expect("our own checkpoint") == written);
}
