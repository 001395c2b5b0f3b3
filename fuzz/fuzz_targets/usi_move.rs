//! USI moves: each text that is one leads back to itself, and is legal exactly if it is in the list.
#![no_main]

use libfuzzer_sys::fuzz_target;
use shogi::{Move, Position};

fuzz_target!(|text: &str| {
    let mut position = Position::start();
    for word in text.split_whitespace().take(300) {
        let Ok(m) = word.parse::<Move>() else { continue };
        assert_eq!(m.to_string().parse(), Ok(m));
        assert_eq!(Move::from_bits(m.bits()), Some(m));
        let legal = position.is_legal(m);
        assert_eq!(legal, position.legal_moves().contains(&m), "{m} in {position}");
        if legal {
            position.play(m);
        }
    }
    yomi_fuzz::sound(&mut position);
});
