//! Features of squares: what is ahead of pawns, knights and silvers, who covers and who attacks what, pins.

use shogi::{Bitboard, Color, PieceKind, Square};

use super::layout::{Block, CODES, EMPTY, OUTSIDE, PIECES};
use super::scene::{Sink, View, distance};

pub(super) fn features(view: View<'_>, sink: &mut impl Sink) {
    ahead(view, sink);
    forward_moves(view, sink);
    cover(view, sink);
    pawn_drops(view, sink);
    pawn_files(view, sink);
    pins(view, sink);
}

/// Pawns and knights with the two squares ahead of them; squares two jumps of a knight away.
fn ahead(view: View<'_>, sink: &mut impl Sink) {
    for (index, kind) in [PieceKind::Pawn, PieceKind::Knight].into_iter().enumerate() {
        for square in view.own(kind) {
            let rank = usize::from(square.rank_from(view.color));
            let both = view.code_at(square, 0, -1) * CODES + view.code_at(square, 0, -2);
            sink.one(Block::Ahead.row(index * CODES * CODES + both));
            sink.one(Block::AheadByRank.row((index * 9 + rank) * CODES * CODES + both));
        }
    }
    for square in view.own(PieceKind::Knight) {
        let rank = usize::from(square.rank_from(view.color));
        for (is_aside, files) in [(0, 0), (1, -2), (1, 2)] {
            let code = view.code_at(square, files, -4);
            sink.one(Block::TwoJumps.row((is_aside * 9 + rank) * CODES + code));
        }
    }
}

/// Knights and silvers: whether their two moves forward are possible, and why not.
fn forward_moves(view: View<'_>, sink: &mut impl Sink) {
    for (index, (kind, ranks)) in [(PieceKind::Knight, -2), (PieceKind::Silver, -1)].into_iter().enumerate() {
        for square in view.own(kind) {
            let [left, right] = [-1, 1].map(|files| way(view, view.away(square, files, ranks)));
            let both = left.min(right) * 5 + left.max(right);
            let rank = usize::from(square.rank_from(view.color));
            sink.one(Block::BlockedForward.row((index * 10 + rank) * 25 + both));
            // Whatever the rank.
            sink.one(Block::BlockedForward.row((index * 10 + 9) * 25 + both));
        }
    }
}

/// Free, beyond the edge, a friend's, attacked, or an enemy's to take.
fn way(view: View<'_>, to: Option<Square>) -> usize {
    let Some(to) = to else { return 1 };
    match view.code(to) {
        EMPTY if view.effects.all(!view.color).has(to) => 3,
        EMPTY => 0,
        code if code < PIECES / 2 => 2,
        _ => 4,
    }
}

/// Every piece with who covers and who attacks it.
fn cover(view: View<'_>, sink: &mut impl Sink) {
    let color = view.color;
    for square in view.position.pieces(color) {
        let Some(piece) = view.position.piece(square) else { continue };
        let kind = piece.kind();
        let (supports, attackers) = (view.effects.count(color, square), view.effects.count(!color, square));
        let rank = usize::from(square.rank_from(color));
        let [supported, attacked] = [supports, attackers].map(|count| usize::from(count > 0));
        sink.one(Block::Supported.row(kind.index() * 4 + supported * 2 + attacked));
        sink.one(Block::CoverCounts.row((kind.index() * 9 + rank) * 16 + supports * 4 + attackers));
        if kind == PieceKind::Pawn && ADVANCED.contains(&rank) {
            let front = view.away(square, 0, -1);
            let attacked = front.is_some_and(|front| view.effects.all(!color).has(front));
            let index = (rank - ADVANCED.start()) * 4 + supported * 2 + usize::from(attacked);
            sink.one(Block::PawnFront.row(index));
        }
    }
}

/// The ranks, from the far one, on which a pawn has come forward but not entered.
const ADVANCED: std::ops::RangeInclusive<usize> = 2..=4;

/// The squares on which a pawn could be dropped.
fn pawn_drops(view: View<'_>, sink: &mut impl Sink) {
    if !view.position.hand(view.color).has(PieceKind::Pawn) {
        return;
    }
    let open = open_files(view, view.color).minus(view.scene.occupied);
    for square in open.minus(Bitboard::far_ranks(view.color, 1)) {
        let ahead = view.code_at(square, 0, -1);
        debug_assert_ne!(ahead, OUTSIDE);
        sink.one(Block::PawnDrops.row(view.covered(square) * CODES + ahead));
    }
}

/// The files on which a side has no pawn.
fn open_files(view: View<'_>, color: Color) -> Bitboard {
    let pawns = view.position.kind(PieceKind::Pawn) & view.position.pieces(color);
    let files = (0..9).map(Bitboard::file).filter(|&file| (pawns & file).is_empty());
    files.fold(Bitboard::EMPTY, |open, file| open | file)
}

/// Files with advanced pawns, and pawns that could still be dropped; both sides.
fn pawn_files(view: View<'_>, sink: &mut impl Sink) {
    let counts = [view.color, !view.color].map(|color| {
        let advanced = Bitboard::far_ranks(color, 5).minus(Bitboard::far_ranks(color, 2));
        let pawns = view.position.kind(PieceKind::Pawn) & view.position.pieces(color);
        let room = 9 - pawns.count().min(9) as usize;
        let held = usize::from(view.position.hand(color).count(PieceKind::Pawn));
        ((pawns & advanced).count().min(9) as usize, room.min(held).min(7))
    });
    let [(own, own_room), (enemy, enemy_room)] = counts;
    sink.one(Block::PawnFiles.row(own * 10 + enemy));
    sink.one(Block::PawnRoom.row(own_room * 8 + enemy_room));
}

/// The side's own pinned pieces.
fn pins(view: View<'_>, sink: &mut impl Sink) {
    let Some(king) = view.position.king(view.color) else { return };
    for square in view.position.blockers(king, !view.color) & view.position.pieces(view.color) {
        let Some(piece) = view.position.piece(square) else { continue };
        let is_aside = square.file() != king.file();
        let rank = |square: Square| square.rank_from(view.color);
        // Along the file forward and back; aside forward, level and back.
        let direction = match (is_aside, rank(square).cmp(&rank(king))) {
            (false, std::cmp::Ordering::Less) => 0,
            (false, _) => 1,
            (true, std::cmp::Ordering::Less) => 2,
            (true, std::cmp::Ordering::Equal) => 3,
            (true, std::cmp::Ordering::Greater) => 4,
        };
        let index = direction * 14 + piece.kind().index();
        sink.one(Block::Pinned.row(index));
        sink.one(Block::PinnedAt.row(index * 8 + distance(king, square) - 1));
    }
}
