//! Weights of linear evaluation: any bytes, with the checksum that they have or a right one, are refused or weights that are
//! written and read again as they were.
#![no_main]

use libfuzzer_sys::fuzz_target;
use yomi_fuzz::linear::{is_read_back_or_refused, weights_of, with_checksum};

fuzz_target!(|bytes: &[u8]| {
    let [first, rest @ ..] = bytes else { return };
    match first % 3 {
        0 => is_read_back_or_refused(rest),
        1 => is_read_back_or_refused(&with_checksum(rest)),
        _ => is_read_back_or_refused(&weights_of(rest).to_bytes()),
    }
});
