//! The usual handicap starts. White gives the handicap and moves first.

use crate::{Position, START_SFEN};

/// A usual start of the game, by the name that JKF gives it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Handicap {
    /// The name in JKF and on our command line, e.g. `2`.
    pub name: &'static str,
    /// The Japanese name, as KIF files write it.
    pub japanese: &'static str,
    /// The board, White to move except in the even game.
    pub sfen: &'static str,
}

const fn handicap(name: &'static str, japanese: &'static str, sfen: &'static str) -> Handicap {
    Handicap { name, japanese, sfen }
}

/// All usual starts, the even game first.
pub const HANDICAPS: [Handicap; 16] = [
    handicap("HIRATE", "平手", START_SFEN),
    handicap("KY", "香落ち", "lnsgkgsn1/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("KY_R", "右香落ち", "1nsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("KA", "角落ち", "lnsgkgsnl/1r7/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("HI", "飛車落ち", "lnsgkgsnl/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("HIKY", "飛香落ち", "lnsgkgsn1/7b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("2", "二枚落ち", "lnsgkgsnl/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("3", "三枚落ち", "lnsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("4", "四枚落ち", "1nsgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("5", "五枚落ち", "2sgkgsn1/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("5_L", "左五枚落ち", "1nsgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("6", "六枚落ち", "2sgkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("7_L", "左七枚落ち", "2sgkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("7_R", "右七枚落ち", "3gkgs2/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("8", "八枚落ち", "3gkg3/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
    handicap("10", "十枚落ち", "4k4/9/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - 1"),
];

impl Handicap {
    /// The start with this JKF or Japanese name.
    #[must_use]
    pub fn named(name: &str) -> Option<Handicap> {
        HANDICAPS.into_iter().find(|h| h.name == name || h.japanese == name)
    }

    /// The start that the position is, if it is a usual one.
    #[must_use]
    pub fn of(position: &Position) -> Option<Handicap> {
        let sfen = position.to_string();
        HANDICAPS.into_iter().find(|handicap| handicap.sfen == sfen)
    }

    /// The position itself.
    #[must_use]
    pub fn position(self) -> Position {
        self.sfen.parse().expect("handicap starts are legal")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, PieceKind};

    #[test]
    fn every_start_is_legal_and_found_by_name() {
        for handicap in HANDICAPS {
            let position = handicap.position();
            assert_eq!(Handicap::of(&position), Some(handicap));
            assert_eq!(Handicap::named(handicap.japanese), Some(handicap));
            assert_eq!(position.side() == Color::Black, handicap.name == "HIRATE");
        }
    }

    #[test]
    fn the_number_in_the_name_is_the_number_of_missing_pieces() {
        for handicap in HANDICAPS {
            let Ok(missing) = handicap.name.split('_').next().unwrap().parse::<u32>() else { continue };
            let setup = handicap.position().setup();
            let present: u32 = PieceKind::HAND.iter().map(|&kind| setup.count(kind)).sum();
            assert_eq!(38 - present, missing, "{}", handicap.name);
        }
    }
}
