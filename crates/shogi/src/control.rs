//! Which squares a side attacks, its own pieces' squares included (kiki, "effect").

use crate::attacks::attacks;
use crate::{Bitboard, Color, PieceKind, Position};

/// The squares that a side attacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Control {
    /// By one piece or more.
    pub once: Bitboard,
    /// By two pieces or more.
    pub twice: Bitboard,
    /// By pawns.
    pub pawns: Bitboard,
}

impl Position {
    /// The squares that `color` attacks.
    ///
    /// ```
    /// use shogi::{Color, Position};
    /// let control = Position::start().control(Color::Black);
    /// let [ahead, beside_the_king] = ["5f", "5h"].map(|square| square.parse().unwrap());
    /// assert!(control.pawns.has(ahead) && !control.twice.has(ahead) && control.twice.has(beside_the_king));
    /// ```
    #[must_use]
    pub fn control(&self, color: Color) -> Control {
        let own = self.pieces(color);
        let pawns = (self.kind(PieceKind::Pawn) & own).ahead(color);
        let (mut once, mut twice) = (pawns, Bitboard::EMPTY);
        for from in own.minus(self.kind(PieceKind::Pawn)) {
            let Some(piece) = self.piece(from) else { continue };
            let squares = attacks(piece, from, self.occupied());
            twice |= once & squares;
            once |= squares;
        }
        Control { once, twice, pawns }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Square;

    #[test]
    fn control_is_who_attacks_each_square() {
        for sfen in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
        ] {
            let position: Position = sfen.parse().unwrap();
            for color in Color::ALL {
                let control = position.control(color);
                for square in Square::all() {
                    let attackers = position.attackers(color, square, position.occupied());
                    let pawns = attackers & position.kind(PieceKind::Pawn);
                    assert_eq!(control.once.has(square), attackers.any(), "{square} in {sfen}");
                    assert_eq!(control.twice.has(square), attackers.many(), "{square} in {sfen}");
                    assert_eq!(control.pawns.has(square), pawns.any(), "{square} in {sfen}");
                }
            }
        }
    }
}
