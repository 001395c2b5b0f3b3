//! What pieces are worth when they are taken, for ordering and exchanges.

use shogi::{ExchangeValues, Move, Position};

/// P L N S B R G K +P +L +N +S +B +R.
pub(crate) const VALUES: ExchangeValues =
    ExchangeValues::new([100, 300, 350, 500, 850, 1000, 550, 0, 550, 550, 550, 550, 1150, 1300]);

/// What a capture or promotion wins at once.
#[inline(always)]
pub(crate) fn gain(position: &Position, m: Move) -> i32 {
    let captured = position.piece(m.to()).map_or(0, |piece| VALUES.of(piece.kind()));
    let Some(kind) = m.from().and_then(|from| position.piece(from)).map(shogi::Piece::kind) else {
        return captured;
    };
    let promoted = match kind.promoted() {
        Some(promoted) if m.is_promotion() => VALUES.of(promoted) - VALUES.of(kind),
        _ => 0,
    };
    captured + promoted
}
