//! Records whose format nobody tells: what is read can be written in every format.
#![no_main]

use libfuzzer_sys::fuzz_target;
use records::text::{Format, read_each};

fuzz_target!(|bytes: &[u8]| {
    let Ok(games) = read_each(bytes, None) else { return };
    for game in games.take(4).flatten() {
        for format in Format::ALL {
            yomi_fuzz::settles(&game, format);
        }
    }
});
