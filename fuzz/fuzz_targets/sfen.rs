//! SFEN: parsed, printed and parsed again it is the same setup; a position leads back to its setup.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogi::{Position, Setup};

fuzz_target!(|text: &str| {
    let Ok(setup) = text.parse::<Setup>() else { return };
    assert_eq!(setup.to_string().parse::<Setup>().as_ref(), Ok(&setup));
    for mut position in [Position::new(&setup), Position::problem(&setup)].into_iter().flatten() {
        assert_eq!(position.setup(), setup);
        yomi_fuzz::sound(&mut position);
    }
});
