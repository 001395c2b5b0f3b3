//! Features of numbers of pieces: hands, totals, whose turn it is, who has a bishop.

use shogi::{Bitboard, Color, PieceKind, Position};

use super::layout::Block;
use super::scene::{Sink, View};
use crate::vicinity::WITHIN_THREE;

/// Sorts of pieces: small (pawn, lance, knight), metal (silver, gold and what moves like one), big.
const SORTS: usize = 3;

/// What is counted once for both sides.
pub(super) struct Counts {
    /// `[color][sort]` pieces with those in hand.
    totals: [[usize; SORTS]; 2],
    /// `[color]` kinds in hand.
    kinds: [usize; 2],
    /// `[color]` whether a bishop is on the board or in hand.
    bishop: [bool; 2],
    /// `[color][sort][whose king]` pieces near a king, at most 7.
    near: [[[usize; 2]; SORTS]; 2],
}

impl Counts {
    pub(super) fn of(position: &Position) -> Counts {
        let kind = |kind| position.kind(kind);
        let big = kind(PieceKind::Bishop)
            | kind(PieceKind::Rook)
            | kind(PieceKind::Horse)
            | kind(PieceKind::Dragon);
        let small = kind(PieceKind::Pawn) | kind(PieceKind::Lance) | kind(PieceKind::Knight);
        let metal = position.goldlike() | kind(PieceKind::Silver);
        let sorts = [small, metal, big];
        let bishops = kind(PieceKind::Bishop) | kind(PieceKind::Horse);
        let zones = Color::ALL
            .map(|color| position.king(color).map_or(Bitboard::EMPTY, |king| WITHIN_THREE[king.index()]));
        Counts {
            totals: Color::ALL.map(|color| {
                let held = in_hand(position, color);
                let on_board = sorts.map(|sort| (sort & position.pieces(color)).count() as usize);
                std::array::from_fn(|sort| on_board[sort] + held[sort])
            }),
            kinds: Color::ALL.map(|color| position.hand(color).iter().count()),
            bishop: Color::ALL.map(|color| {
                (bishops & position.pieces(color)).any() || position.hand(color).has(PieceKind::Bishop)
            }),
            near: Color::ALL.map(|color| {
                sorts.map(|sort| {
                    zones.map(|zone| ((sort & zone & position.pieces(color)).count() as usize).min(7))
                })
            }),
        }
    }
}

fn in_hand(position: &Position, color: Color) -> [usize; SORTS] {
    let [pawn, lance, knight, silver, bishop, rook, gold] = position.hand(color).counts().map(usize::from);
    [pawn + lance + knight, silver + gold, bishop + rook]
}

pub(super) fn features(view: View<'_>, counts: &Counts, sink: &mut impl Sink) {
    let (position, color) = (view.position, view.color);
    let (own, enemy) = (color.index(), (!color).index());
    let hand = position.hand(color);
    let counted = |color: Color, kind| usize::from(position.hand(color).count(kind));
    for (kind, count) in hand.iter() {
        sink.one(Block::HandCount.row(kind.index() * 19 + usize::from(count)));
    }
    let kinds = counts.kinds[own];
    sink.one(Block::HandKinds.row(kinds));
    let pawns = [color, !color].map(|color| counted(color, PieceKind::Pawn));
    sink.one(Block::HandPawns.row(pawns[0] * 19 + pawns[1]));
    let has_pawn = usize::from(pawns[0] > 0);
    sink.one(Block::HandKindsByPawn.row(has_pawn * 7 + kinds - has_pawn));
    let [small, metal, big] = counts.totals[own];
    let totals = [small + metal + big, small, metal, big];
    for (sort, total) in totals.into_iter().enumerate() {
        sink.one(Block::PieceTotals.row(sort * 41 + total.min(40)));
    }
    if position.side() == color {
        sink.one(Block::Turn.row(0));
        sink.one(Block::TurnHandKinds.row(kinds));
        for (sort, total) in totals.into_iter().enumerate() {
            sink.one(Block::TurnPieceTotals.row(sort * 41 + total.min(40)));
        }
    }
    for sort in 0..SORTS {
        let both = |counts: [usize; 2]| (sort * 8 + counts[0]) * 8 + counts[1];
        let near = |side: usize| counts.near[side][sort];
        sink.one(Block::NearCounts.row(both([near(own)[enemy], near(own)[own]])));
        sink.one(Block::NearEnemyKing.row(both([near(own)[enemy], near(enemy)[own]])));
        sink.one(Block::NearOwnKing.row(both([near(own)[own], near(enemy)[enemy]])));
        let [mine, others] = [own, enemy].map(|side| counts.totals[side][sort].min(15));
        sink.one(Block::SortTotals.row((sort * 16 + mine) * 16 + others));
    }
    bishops(view, counts, sink);
}

/// Who has a bishop, and how many there are of each kind.
fn bishops(view: View<'_>, counts: &Counts, sink: &mut impl Sink) {
    let [own, enemy] = [view.color, !view.color].map(|color| usize::from(counts.bishop[color.index()]));
    for kind in PieceKind::ALL {
        let count = view.own(kind).count() as usize;
        if count > 0 && kind != PieceKind::King {
            sink.one(Block::Bishops.row(((own * 2 + enemy) * 14 + kind.index()) * 19 + count.min(18)));
        }
    }
}
