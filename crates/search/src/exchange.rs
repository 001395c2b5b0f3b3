//! What pieces are worth when they are taken, for ordering and exchanges.

use shogi::{ExchangeValues, Move, Position};

/// Near what evaluators learn: P L N S B R G K +P +L +N +S +B +R.
pub(crate) const VALUES: ExchangeValues =
    ExchangeValues([90, 315, 405, 495, 855, 990, 540, 0, 540, 540, 540, 540, 945, 1395]);

/// What a capture or promotion wins at once.
#[inline(always)]
pub(crate) fn gain(position: &Position, m: Move) -> i32 {
    let captured = position.piece(m.to()).map_or(0, |piece| VALUES.0[piece.kind().index()]);
    let Some(kind) = m.from().and_then(|from| position.piece(from)).map(shogi::Piece::kind) else {
        return captured;
    };
    let promoted = match kind.promoted() {
        Some(promoted) if m.is_promotion() => VALUES.0[promoted.index()] - VALUES.0[kind.index()],
        _ => 0,
    };
    captured + promoted
}
