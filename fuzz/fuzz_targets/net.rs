//! Nets: any bytes are a net that evaluates, or refused; any weights make a file that is read back. Odd inputs are
//! whole files, even ones weights.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [first, rest @ ..] = bytes else { return };
    if first % 2 == 1 { yomi_fuzz::net::evaluates_or_is_refused(rest) } else { yomi_fuzz::net::is_read_back(rest) }
});
