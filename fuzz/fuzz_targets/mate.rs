//! The mate solver: no panic and no wrong claim.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| yomi_fuzz::mate::holds(text));
