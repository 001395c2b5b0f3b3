//! Conditions over features: parsed, printed and parsed again they say the same about every position.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| yomi_fuzz::expression::settles(text));
