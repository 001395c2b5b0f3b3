//! Features of lines and steps: whom pawns, lances, knights, bishops and rooks hit, and how far they reach.

use shogi::{Bitboard, Color, Piece, PieceKind, Square, attacks};

use super::layout::{Block, PIECES};
use super::scene::{Sink, View, distance};

/// The lines that reach far come first; a pawn and a knight only hit.
const LANCE: usize = 0;
const BISHOP: usize = 1;
const ROOK: usize = 3;
const HORSE: usize = 5;
const DRAGON: usize = 7;
const PAWN: usize = 9;
const KNIGHT: usize = 10;

/// Squares reached beyond this number count as so many.
const MOST: usize = 16;

pub(super) fn features(view: View<'_>, sink: &mut impl Sink) {
    steps(view, PieceKind::Pawn, PAWN, sink);
    steps(view, PieceKind::Knight, KNIGHT, sink);
    for square in view.own(PieceKind::Lance) {
        let reached = attacks::lance_attacks(view.color, square, view.scene.occupied);
        line(view, LANCE, square, reached, sink);
    }
    let mut rooks = [0; 4];
    let mut bishops = [0; 4];
    let (mut rook_count, mut bishop_count) = (0, 0);
    for (kind, first) in [(PieceKind::Bishop, BISHOP), (PieceKind::Horse, HORSE)] {
        for square in view.own(kind) {
            let reached = attacks::bishop_attacks(square, view.scene.occupied);
            let ahead = reached & Bitboard::far_ranks(view.color, square.rank_from(view.color));
            let forward = line(view, first, square, ahead, sink);
            let back = line(view, first + 1, square, reached.minus(ahead), sink);
            bishops[bishop_count] = (forward + back).min(MOST);
            bishop_count += 1;
        }
    }
    for (kind, first) in [(PieceKind::Rook, ROOK), (PieceKind::Dragon, DRAGON)] {
        for square in view.own(kind) {
            let reached = attacks::rook_attacks(square, view.scene.occupied);
            let upright = reached & Bitboard::file(square.file());
            let vertical = line(view, first, square, upright, sink);
            let level = line(view, first + 1, square, reached.minus(upright), sink);
            rooks[rook_count] = (vertical + level).min(MOST);
            rook_count += 1;
            if view.position.king(!view.color).is_some_and(|king| king.rank() == square.rank()) {
                sink.one(Block::RookOnKingRank.row(usize::from(square.rank_from(view.color))));
            }
        }
    }
    for rook in &rooks[..rook_count] {
        for bishop in &bishops[..bishop_count] {
            sink.one(Block::RookBishopReach.row(rook * (MOST + 1) + bishop));
        }
    }
}

/// The pieces that pawns or knights hit.
fn steps(view: View<'_>, kind: PieceKind, class: usize, sink: &mut impl Sink) {
    let piece = Piece::new(view.color, kind);
    for square in view.own(kind) {
        for hit in attacks::reach(piece, square) & view.scene.occupied {
            sink.one(hit_row(view, class, hit));
        }
    }
}

fn hit_row(view: View<'_>, class: usize, hit: Square) -> usize {
    let is_covered = usize::from(view.effects.all(enemy(view)).has(hit));
    Block::Hits.row((class * PIECES + view.code(hit)) * 2 + is_covered)
}

fn enemy(view: View<'_>) -> Color {
    !view.color
}

/// One line with all that it hits; how many squares the piece may go to along it.
fn line(view: View<'_>, class: usize, from: Square, reached: Bitboard, sink: &mut impl Sink) -> usize {
    for hit in reached & view.scene.occupied {
        sink.one(hit_row(view, class, hit));
        let steps = distance(from, hit) - 1;
        sink.one(Block::HitDistance.row((class * PIECES + view.code(hit)) * 8 + steps));
    }
    let free = reached.minus(view.position.pieces(view.color));
    let squares = (free.count() as usize).min(MOST);
    let attacked = ((free & view.effects.all(enemy(view))).count() as usize).min(MOST);
    sink.one(Block::Reach.row((class * (MOST + 1) + squares) * (MOST + 1) + attacked));
    squares
}
