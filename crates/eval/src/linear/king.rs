//! Features of the effects around a king.

use shogi::{Bitboard, PieceKind, Square, attacks};

use super::layout::{Block, CODES};
use super::places::Facing;
use super::scene::{Sink, View};
use crate::vicinity::WITHIN_TWO;

/// Sums of effects beyond this number count as so many.
const MOST_EFFECTS: usize = 31;

pub(super) fn features(view: View<'_>, sink: &mut impl Sink) {
    let Some(king) = view.position.king(view.color) else { return };
    let facing = Facing::new(view.color, king);
    let corner = usize::from(facing.is_corner());
    around(view, facing, corner, sink);
    guards(view, king, corner, sink);
    freedom(view, king, corner, sink);
    support(view, king, sink);
    sums(view, sink);
}

/// The squares around the king: who reaches them, by which sort of move, and what stands there.
fn around(view: View<'_>, facing: Facing, corner: usize, sink: &mut impl Sink) {
    let (own, enemy) = (view.color.index(), (!view.color).index());
    let effects = view.effects;
    let bit = |set: Bitboard, square| usize::from(set.has(square));
    for square in WITHIN_TWO[facing.king.index()].minus(Bitboard::of(facing.king)) {
        let Some(place) = facing.around(square) else { continue };
        let side = |side: usize| {
            bit(effects.near[side], square) * 4
                + bit(effects.straight[side], square) * 2
                + bit(effects.diagonal[side], square)
        };
        let (own, enemy) = (side(own), side(enemy));
        let place = place * 2 + corner;
        sink.one(Block::AroundEffects.row(place * 64 + own * 8 + enemy));
        let covered = 2 * usize::from(own > 0) + usize::from(enemy > 0);
        sink.one(Block::AroundCovered.row((place * 4 + covered) * CODES + view.code(square)));
    }
}

/// The squares within two steps that are the side's own or beyond the edge.
fn guards(view: View<'_>, king: Square, corner: usize, sink: &mut impl Sink) {
    let own = view.position.pieces(view.color).minus(Bitboard::of(king));
    let (near, far) = (attacks::king_attacks(king), WITHIN_TWO[king.index()].minus(Bitboard::of(king)));
    let guards = |squares: Bitboard, all: u32| (all - squares.count() + (squares & own).count()) as usize;
    sink.one(Block::Guards.row(corner * 34 + guards(near, 8)));
    sink.one(Block::Guards.row(corner * 34 + 9 + guards(far, 24)));
}

/// Where the king could go if nothing were attacked, and how much of that is.
fn freedom(view: View<'_>, king: Square, corner: usize, sink: &mut impl Sink) {
    let free = attacks::king_attacks(king).minus(view.position.pieces(view.color));
    let attacked = free & view.effects.all(!view.color);
    sink.one(Block::KingFreedom.row((corner * 9 + free.count() as usize) * 9 + attacked.count() as usize));
}

/// Own pieces that reach the king's square: whoever took it there would be taken.
fn support(view: View<'_>, king: Square, sink: &mut impl Sink) {
    let own = view.color.index();
    let effects = view.effects;
    let bit = |set: Bitboard| usize::from(set.has(king));
    let steps = steps_to(view, king).min(3);
    sink.one(
        Block::KingSupport.row((bit(effects.diagonal[own]) * 2 + bit(effects.straight[own])) * 4 + steps),
    );
}

/// Own pieces that could step onto the king's square; lines have bits of their own.
fn steps_to(view: View<'_>, king: Square) -> usize {
    let near = WITHIN_TWO[king.index()] & view.position.pieces(view.color);
    let steps = |&square: &Square| {
        let Some(piece) = view.position.piece(square) else { return false };
        match piece.kind() {
            PieceKind::Lance | PieceKind::Bishop | PieceKind::Rook => false,
            PieceKind::Horse | PieceKind::Dragon => attacks::king_attacks(king).has(square),
            _ => attacks::reach(piece, square).has(king),
        }
    };
    near.into_iter().filter(steps).count()
}

/// All effects around both kings.
fn sums(view: View<'_>, sink: &mut impl Sink) {
    let (own, enemy) = (view.color.index(), (!view.color).index());
    let sum = |side: usize, king: usize| (view.effects.around[side][king] as usize).min(MOST_EFFECTS);
    let both = |first: usize, second: usize| first * (MOST_EFFECTS + 1) + second;
    sink.one(Block::EffectSums.row(both(sum(own, own), sum(enemy, own))));
    sink.one(Block::EnemyEffects.row(both(sum(enemy, own), sum(own, enemy))));
    sink.one(Block::OwnEffects.row(both(sum(own, own), sum(enemy, enemy))));
}
