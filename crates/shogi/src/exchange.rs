//! Static exchange evaluation: what a capture is worth after all recaptures on its square.

use crate::attacks::line;
use crate::{Bitboard, Color, Move, Piece, PieceKind, Position, Square};

/// What each kind is worth in an exchange, promoted kinds included, in the order of [`PieceKind::ALL`]. A
/// captured piece counts as it stood on the board. The unit is the caller's; the king's value is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExchangeValues(pub [i32; PieceKind::COUNT]);

impl Default for ExchangeValues {
    /// Rough values in hundredths of a pawn.
    fn default() -> Self {
        ExchangeValues([100, 300, 350, 500, 850, 1000, 550, 0, 550, 550, 550, 550, 1150, 1300])
    }
}

/// In which order the pieces of a side are thrown in, by kind: P L N S B R G K +P +L +N +S +B +R.
const ORDER: [u8; PieceKind::COUNT] = [0, 1, 2, 4, 9, 10, 8, 13, 3, 5, 6, 7, 11, 12];

impl Position {
    /// Whether a pseudo-legal move gains at least `threshold` when both sides go on capturing on its target,
    /// the cheapest piece first, and may stop whenever that is better for them. The move's own promotion
    /// counts, later ones do not; pins are not looked at.
    ///
    /// ```
    /// use shogi::{ExchangeValues, Position};
    /// // A rook takes a pawn that a gold guards.
    /// let position: Position = "4k4/4g4/4p4/9/9/9/9/9/4RK3 b - 1".parse().unwrap();
    /// let values = ExchangeValues::default();
    /// let capture = "5i5c".parse().unwrap();
    /// assert!(!position.exchange_gains(capture, 0, &values));
    /// assert!(position.exchange_gains(capture, -900, &values));
    /// ```
    #[must_use]
    pub fn exchange_gains(&self, m: Move, threshold: i32, values: &ExchangeValues) -> bool {
        let worth = |kind: PieceKind| values.0[kind.index()];
        let to = m.to();
        let (Some(moved), mut occupied) = (match m.from() {
            Some(from) => (self.piece(from).map(Piece::kind), self.occupied() ^ Bitboard::of(from)),
            None => (m.dropped(), self.occupied()),
        }) else {
            return false;
        };
        let stands = if m.is_promotion() { moved.promoted().unwrap_or(moved) } else { moved };
        // What the side that is about to answer must still make good; it loses when it cannot.
        let gained =
            self.piece(to).map_or(0, |captured| worth(captured.kind())) + worth(stands) - worth(moved);
        let mut balance = gained - threshold;
        if balance < 0 {
            return false;
        }
        balance = worth(stands) - balance;
        if balance <= 0 || stands == PieceKind::King {
            return true;
        }
        occupied |= Bitboard::of(to);
        // Most moves go where nobody takes, or where the first to take settles it.
        let mut attackers = self.attackers(!self.side, to, occupied);
        let Some((mut kind, mut from)) = self.cheapest(attackers) else { return true };
        let supporters = || self.attackers(self.side, to, occupied) & occupied;
        if kind == PieceKind::King {
            return supporters().any();
        }
        balance = worth(kind) - balance;
        if balance < 0 {
            return false;
        }
        attackers |= supporters();
        let mut side = !self.side;
        loop {
            occupied ^= Bitboard::of(from);
            if line(to, from).any() {
                attackers |= self.slider_attackers(Color::Black, to, occupied)
                    | self.slider_attackers(Color::White, to, occupied);
            }
            attackers &= occupied;
            side = !side;
            let wins = side == self.side;
            let Some(taker) = self.cheapest(attackers & self.pieces(side)) else { return !wins };
            (kind, from) = taker;
            if kind == PieceKind::King {
                // It captures if nobody recaptures.
                return (attackers & self.pieces(!side)).is_empty() == wins;
            }
            balance = worth(kind) - balance;
            if balance < i32::from(wins) {
                return wins;
            }
        }
    }

    /// The cheapest piece of the set; the king counts as the dearest.
    #[inline(always)]
    fn cheapest(&self, set: Bitboard) -> Option<(PieceKind, Square)> {
        set.into_iter()
            .filter_map(|square| Some((self.piece(square)?.kind(), square)))
            .min_by_key(|(kind, _)| ORDER[kind.index()])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value for the side to answer, by plain recursion: take with the cheapest piece, or stop.
    fn answer(position: &Position, side: Color, to: Square, stands: PieceKind, occupied: Bitboard) -> i32 {
        let values = ExchangeValues::default().0;
        let own = position.attackers(side, to, occupied) & occupied;
        let taker = match position.cheapest(own) {
            Some((PieceKind::King, _)) if (position.attackers(!side, to, occupied) & occupied).any() => {
                return 0;
            }
            Some(found) => found,
            None => return 0,
        };
        let (kind, from) = taker;
        let left = occupied ^ Bitboard::of(from);
        (values[stands.index()] - answer(position, !side, to, kind, left)).max(0)
    }

    fn exchange(position: &Position, m: Move) -> i32 {
        let values = ExchangeValues::default().0;
        let moved = m.dropped().unwrap_or_else(|| position.piece(m.from().unwrap()).unwrap().kind());
        let stands = if m.is_promotion() { moved.promoted().unwrap() } else { moved };
        let mut occupied = position.occupied() | Bitboard::of(m.to());
        if let Some(from) = m.from() {
            occupied ^= Bitboard::of(from);
        }
        let captured = position.piece(m.to()).map_or(0, |piece| values[piece.kind().index()]);
        let gained = captured + values[stands.index()] - values[moved.index()];
        if stands == PieceKind::King {
            return gained;
        }
        gained - answer(position, !position.side(), m.to(), stands, occupied)
    }

    #[test]
    fn the_threshold_test_agrees_with_plain_recursion() {
        let values = ExchangeValues::default();
        let mut tested = 0;
        for sfen in [
            "l6nl/5+P1gk/2np1S3/p1p4Pp/3P2Sp1/1PPb2P1P/P5GS1/R8/LN4bKL w RGgsn5p 1",
            "6n1l/2+S1k4/2lp4p/1np1B2b1/3PP4/1N1S3rP/1P2+pPP+p1/1p1G5/3KG2r1 b GSN2L4Pgs2p 1",
            "l4S2l/4g1gs1/5p1p1/pr2N1pkp/4Gn3/PP3PPPP/2GPP4/1K7/L3r+s2L w BS2N5Pb 1",
            "ln3gsn1/7kl/3+B1p1p1/p4s2p/2P6/P2B3PP/1PNP+rPP2/2G3SK1/L4G1NL b G3Prs3p 65",
        ] {
            let mut position: Position = sfen.parse().unwrap();
            for first in position.legal_moves() {
                position.play(first);
                for m in position.legal_moves() {
                    let exact = exchange(&position, m);
                    assert!(position.exchange_gains(m, exact, &values), "{m} {exact} in {position}");
                    assert!(!position.exchange_gains(m, exact + 1, &values), "{m} {exact} in {position}");
                    tested += 1;
                }
                position.undo();
            }
        }
        assert!(tested > 50_000);
    }
}
