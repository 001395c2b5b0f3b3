//! USI sessions: whatever is said, each `go` has one answer.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| yomi_fuzz::session::answers_every_go(text));
