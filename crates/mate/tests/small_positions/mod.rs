//! Small random positions, as many as `YOMI_POSITIONS` says.

use shogi::{Color, Piece, PieceKind, Position, Setup, Square};

/// A sequence of random numbers from a seed.
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// A few pieces around a king, a few in hand; half the time without the attacker's king.
pub(crate) fn random_position(random: &mut Random) -> Option<Position> {
    let mut setup = Setup::empty();
    let defender = if random.below(4) == 0 { Color::Black } else { Color::White };
    setup.side = !defender;
    // Near the far corner, where mates are common.
    let home = |at: usize| if defender == Color::White { at } else { 8 - at } as u8;
    let king = Square::new(random.below(9) as u8, home(random.below(3)));
    setup.put(king, Some(Piece::new(defender, PieceKind::King)));
    if random.below(2) == 0 {
        let other = Square::from_index(random.below(81))?;
        if other == king {
            return None;
        }
        setup.put(other, Some(Piece::new(!defender, PieceKind::King)));
    }
    for _ in 0..2 + random.below(6) {
        let near = |at: u8, step: usize| (at + step as u8).saturating_sub(2).min(8);
        let square = Square::new(near(king.file(), random.below(5)), near(king.rank(), random.below(5)));
        if setup.piece(square).is_none() {
            let kind = PieceKind::ALL[random.below(PieceKind::COUNT)];
            let color = if random.below(5) < 2 { defender } else { !defender };
            if kind != PieceKind::King {
                setup.put(square, Some(Piece::new(color, kind)));
            }
        }
    }
    for _ in 0..random.below(5) {
        setup.hands[(!defender).index()][random.below(7)] += 1;
    }
    for _ in 0..random.below(3) {
        setup.hands[defender.index()][random.below(7)] += 1;
    }
    Position::problem(&setup).ok()
}

/// How many random positions are solved.
pub(crate) fn positions() -> usize {
    std::env::var("YOMI_POSITIONS").map_or(800, |text| text.parse().expect("YOMI_POSITIONS is a number"))
}
