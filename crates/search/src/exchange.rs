//! What pieces are worth when they are taken, for ordering and exchanges. Alpha-beta has learned values of its own, a table
//! of its [`Model`](crate::alphabeta::Model).

use shogi::{ExchangeValues, Move, Position};

/// Round numbers in hundredths of a pawn: P L N S B R G K +P +L +N +S +B +R.
pub const VALUES: ExchangeValues =
    ExchangeValues::new([100, 300, 350, 500, 850, 1000, 550, 0, 550, 550, 550, 550, 1150, 1300]);

/// What a capture or promotion wins at once.
#[inline(always)]
#[must_use]
pub fn gain(position: &Position, m: Move, values: &ExchangeValues) -> i32 {
    let captured = position.piece(m.to()).map_or(0, |piece| values.of(piece.kind()));
    let Some(kind) = m.from().and_then(|from| position.piece(from)).map(shogi::Piece::kind) else {
        return captured;
    };
    let promoted = match kind.promoted() {
        Some(promoted) if m.is_promotion() => values.of(promoted) - values.of(kind),
        _ => 0,
    };
    captured + promoted
}
