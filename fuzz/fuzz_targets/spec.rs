//! Players' specs: parsed, printed and parsed again they are the same.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| yomi_fuzz::spec::settles(text));
