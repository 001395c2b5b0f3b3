//! Static exchange evaluation: what a capture is worth after all recaptures on its square.
//!
//! The exchange on one square is a game on one line: each side takes with its cheapest piece or stops. To know whether it
//! is worth a threshold, the line need only be followed until a side is content to stop.

use crate::{Bitboard, Move, PieceKind, Position, Square};

/// What each kind is worth in an exchange, promoted kinds included, in the order of [`PieceKind::ALL`]. A
/// captured piece counts as it stood on the board. The unit is the caller's; the king's value is not used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExchangeValues {
    values: [i32; PieceKind::COUNT],
    /// The kinds from the cheapest to the dearest, the king last.
    order: [PieceKind; PieceKind::COUNT],
}

impl ExchangeValues {
    /// Values of all kinds.
    #[must_use]
    pub const fn new(values: [i32; PieceKind::COUNT]) -> ExchangeValues {
        let mut order = PieceKind::ALL;
        let mut end = 1;
        while end < order.len() {
            let mut i = end;
            while i > 0 && price(&values, order[i - 1]) > price(&values, order[i]) {
                (order[i - 1], order[i]) = (order[i], order[i - 1]);
                i -= 1;
            }
            end += 1;
        }
        ExchangeValues { values, order }
    }

    /// What a kind is worth.
    #[inline(always)]
    #[must_use]
    pub const fn of(&self, kind: PieceKind) -> i32 {
        self.values[kind.index()]
    }
}

/// What it costs to lose a piece: everything for the king.
const fn price(values: &[i32; PieceKind::COUNT], kind: PieceKind) -> i32 {
    if matches!(kind, PieceKind::King) { i32::MAX } else { values[kind.index()] }
}

impl Default for ExchangeValues {
    /// Rough values in hundredths of a pawn.
    fn default() -> Self {
        const { ExchangeValues::new([100, 300, 350, 500, 850, 1000, 550, 0, 550, 550, 550, 550, 1150, 1300]) }
    }
}

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
        let (us, to) = (self.side(), m.to());
        let mut occupied = self.occupied() | Bitboard::of(to);
        let moved = match m.from() {
            Some(from) => {
                occupied ^= Bitboard::of(from);
                self.piece(from).map(crate::Piece::kind)
            }
            None => m.dropped(),
        };
        let Some(moved) = moved else { return false };
        let mut stands = if m.is_promotion() { moved.promoted().unwrap_or(moved) } else { moved };
        let captured = self.piece(to).map_or(0, |piece| values.of(piece.kind()));
        let mut balance = captured + values.of(stands) - values.of(moved);
        if balance < threshold || stands == PieceKind::King {
            return balance >= threshold;
        }
        if balance - values.of(stands) >= threshold {
            return true;
        }
        let theirs = self.attackers(!us, to, occupied) & occupied;
        if theirs.is_empty() {
            return true;
        }
        let mut attackers = self.attackers(us, to, occupied) | theirs;
        let mut side = us;
        loop {
            // Whoever is to take may stop instead, and does if that is enough.
            side = !side;
            let content = (balance >= threshold) == (side == us);
            attackers &= occupied;
            let taker = if content { None } else { self.cheapest(attackers & self.pieces(side), values) };
            let Some((kind, from)) = taker else { return balance >= threshold };
            if kind == PieceKind::King && (attackers & self.pieces(!side)).any() {
                return balance >= threshold;
            }
            balance += if side == us { values.of(stands) } else { -values.of(stands) };
            stands = kind;
            occupied ^= Bitboard::of(from);
            attackers |= self.slider_attackers(us, to, occupied) | self.slider_attackers(!us, to, occupied);
        }
    }

    /// The cheapest piece of a set.
    #[inline(always)]
    fn cheapest(&self, set: Bitboard, values: &ExchangeValues) -> Option<(PieceKind, Square)> {
        if set.is_empty() {
            return None;
        }
        values.order.iter().find_map(|&kind| (set & self.kind(kind)).first().map(|square| (kind, square)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Color;

    /// The value for the side to answer, by plain recursion: take with the cheapest piece, or stop.
    fn answer(position: &Position, side: Color, to: Square, stands: PieceKind, occupied: Bitboard) -> i32 {
        let values = ExchangeValues::default();
        let own = position.attackers(side, to, occupied) & occupied;
        let taker = match position.cheapest(own, &values) {
            Some((PieceKind::King, _)) if (position.attackers(!side, to, occupied) & occupied).any() => {
                return 0;
            }
            Some(found) => found,
            None => return 0,
        };
        let (kind, from) = taker;
        let left = occupied ^ Bitboard::of(from);
        (values.of(stands) - answer(position, !side, to, kind, left)).max(0)
    }

    fn exchange(position: &Position, m: Move) -> i32 {
        let values = ExchangeValues::default();
        let moved = m.dropped().unwrap_or_else(|| position.piece(m.from().unwrap()).unwrap().kind());
        let stands = if m.is_promotion() { moved.promoted().unwrap() } else { moved };
        let mut occupied = position.occupied() | Bitboard::of(m.to());
        if let Some(from) = m.from() {
            occupied ^= Bitboard::of(from);
        }
        let captured = position.piece(m.to()).map_or(0, |piece| values.of(piece.kind()));
        let gained = captured + values.of(stands) - values.of(moved);
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
