//! The same code compiled for newer CPUs, chosen at run time. The only unsafe code of the room.

use crate::Position;

/// [`Position::count_legal`], with hardware bit counts where the CPU has them.
#[inline]
pub(crate) fn count_legal_moves(position: &Position) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if has_bit_instructions() {
        // SAFETY: exactly the features that the function is compiled for have been found.
        #[allow(unsafe_code)]
        return unsafe { count_with_bit_instructions(position) };
    }
    position.count_legal()
}

/// Whether the CPU has all that [`count_with_bit_instructions`] is compiled for.
#[cfg(target_arch = "x86_64")]
#[inline]
fn has_bit_instructions() -> bool {
    use std::arch::is_x86_feature_detected;
    is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("lzcnt")
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
fn count_with_bit_instructions(position: &Position) -> u64 {
    position.count_legal()
}
