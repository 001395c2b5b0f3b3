//! The same code compiled for newer CPUs, chosen at run time. The only unsafe code of the room.

use crate::Position;

/// [`Position::count_legal`], with hardware bit counts where the CPU has them.
#[inline]
pub(crate) fn count_legal_moves(position: &Position) -> u64 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("bmi2") && std::arch::is_x86_feature_detected!("popcnt") {
        // SAFETY: the features that the function is compiled for have just been found.
        #[allow(unsafe_code)]
        return unsafe { count_with_bit_instructions(position) };
    }
    position.count_legal()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt")]
fn count_with_bit_instructions(position: &Position) -> u64 {
    position.count_legal()
}
