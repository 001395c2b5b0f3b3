//! How safe a king is, by who stands near it and who looks at it.

use shogi::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::vicinity::WITHIN_TWO;

/// Each gold or silver next to the king.
const GUARD: i32 = 22;
/// Guards beyond this number add nothing.
const ENOUGH_GUARDS: u32 = 3;
/// A pawn (or any piece) of the king's own right ahead of it.
const ROOF: i32 = 14;
/// What attackers cost, by their weight: a lone one is harmless, several are not.
const DANGER: [i32; 12] = [0, 8, 24, 52, 90, 135, 185, 240, 300, 360, 420, 480];

/// The safety of `color`'s king; 0 for a side without one.
#[inline]
pub(super) fn value(position: &Position, color: Color) -> i32 {
    let Some(king) = position.king(color) else { return 0 };
    let ring = attacks::king_attacks(king);
    let generals = position.goldlike() | position.kind(PieceKind::Silver);
    let guards = (ring & generals & position.pieces(color)).count().min(ENOUGH_GUARDS);
    let ahead = attacks::reach(shogi::Piece::new(color, PieceKind::Pawn), king);
    let roof = if (ahead & position.pieces(color)).any() { ROOF } else { 0 };
    GUARD * guards as i32 + roof - danger(position, color, king, ring)
}

/// What the enemies near the king and the sliders that look at its ring cost.
#[inline]
fn danger(position: &Position, color: Color, king: Square, ring: Bitboard) -> i32 {
    let enemies = position.pieces(!color);
    let near = WITHIN_TWO[king.index()] & enemies;
    let majors = position.kind(PieceKind::Horse) | position.kind(PieceKind::Dragon);
    let pawns = position.kind(PieceKind::Pawn);
    let mut weight = near.minus(pawns).count() + (near & majors).count() + (near & pawns).count() / 2;
    let occupied = position.occupied();
    for rook in (position.kind(PieceKind::Rook) | position.kind(PieceKind::Dragon)) & enemies {
        weight += u32::from((attacks::rook_attacks(rook, occupied) & ring).any());
    }
    for bishop in (position.kind(PieceKind::Bishop) | position.kind(PieceKind::Horse)) & enemies {
        weight += u32::from((attacks::bishop_attacks(bishop, occupied) & ring).any());
    }
    let hand = position.hand(!color);
    let in_hand = [PieceKind::Silver, PieceKind::Gold, PieceKind::Bishop, PieceKind::Rook];
    let reserves: i32 = in_hand.into_iter().map(|kind| i32::from(hand.count(kind))).sum();
    // Reserves in hand turn an attack into a mate: each makes it a sixth worse.
    DANGER[weight.min(11) as usize] * (6 + reserves.min(6)) / 6
}
