//! Checkpoints of trainings: any bytes are one that is written as it was read, or refused.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| yomi_fuzz::checkpoint::settles_or_is_refused(bytes));
