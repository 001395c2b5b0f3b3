//! First guesses: how hard a position never seen is to prove and to disprove, and which moves can wait.
//!
//! The guesses follow what df-pn+ programs have found to matter, GPS Shogi first: who has more pieces on the
//! target square.

use shogi::{Bitboard, CheckInfo, Color, Move, PieceKind, Position, Square};

/// The numbers are counted in halves, so that guesses can differ by less than a whole position.
const UNIT: u32 = 2;

/// Proof and disproof number of the position after a check.
pub(crate) fn after_check(position: &Position, m: Move) -> (u32, u32) {
    let (us, to) = (position.side(), m.to());
    let (attackers, defenders) = support(position, us, to);
    let (mut pn, mut dn) = (UNIT, UNIT);
    if defenders >= 2 {
        pn += UNIT;
    }
    if attackers + u32::from(m.is_drop()) > defenders {
        dn += UNIT;
    } else {
        match position.piece(to).map(|captured| captured.kind().unpromoted()) {
            Some(PieceKind::Gold | PieceKind::Silver) => dn += UNIT,
            _ => pn += UNIT,
        }
    }
    (pn, dn)
}

/// Proof and disproof number of the position after an evasion.
pub(crate) fn after_evasion(position: &Position, m: Move) -> (u32, u32) {
    let (us, to) = (position.side(), m.to());
    if position.piece(to).is_some() {
        return (2 * UNIT, UNIT);
    }
    if m.from() == position.king(us) {
        return (UNIT, UNIT);
    }
    let (defenders, attackers) = support(position, us, to);
    if attackers < defenders + u32::from(m.is_drop()) { (2 * UNIT, UNIT) } else { (UNIT, 2 * UNIT) }
}

/// How many pieces of `us` and of the other side reach a square.
fn support(position: &Position, us: Color, square: Square) -> (u32, u32) {
    let occupied = position.occupied();
    (position.attackers(us, square, occupied).count(), position.attackers(!us, square, occupied).count())
}

/// Which move comes first among equals, the least: strong pieces near the king.
pub(crate) fn order(position: &Position, m: Move, king: Square) -> i16 {
    let kind = match m.from() {
        Some(from) => position.piece(from).map_or(PieceKind::Pawn, shogi::Piece::kind),
        None => m.dropped().unwrap_or(PieceKind::Pawn),
    };
    let after = if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
    10 * distance(king, m.to()) - strength(after)
}

fn strength(kind: PieceKind) -> i16 {
    match kind {
        PieceKind::Pawn => 10,
        PieceKind::Lance | PieceKind::Knight => 20,
        PieceKind::Silver => 30,
        PieceKind::King | PieceKind::Horse | PieceKind::Dragon => 80,
        _ => 50,
    }
}

fn distance(a: Square, b: Square) -> i16 {
    a.file().abs_diff(b.file()).max(a.rank().abs_diff(b.rank())).into()
}

/// Moves of one group are so alike that all but the first wait until it is decided: a piece that does not
/// promote where it had better, interpositions on one square, and interpositions that nothing protects.
pub(crate) fn group(position: &Position, m: Move, info: Option<&CheckInfo>) -> Option<u16> {
    let (us, to) = (position.side(), m.to());
    let Some(from) = m.from() else {
        // Only the defender's drops are alike: they stand in the way.
        let info = info?;
        let protected = position.attackers(us, to, position.occupied()).any();
        let alone = !protected && !position.gives_check(m, info);
        return Some(if alone { Square::COUNT as u16 } else { to.index() as u16 });
    };
    let kind = position.piece(from)?.kind();
    let zone = Bitboard::zone(us);
    let had_better_promote = match kind {
        PieceKind::Pawn | PieceKind::Bishop | PieceKind::Rook => zone.has(from) || zone.has(to),
        PieceKind::Lance => to.rank_from(us) == 1,
        _ => false,
    };
    had_better_promote.then(|| ((from.index() + 1) * 128 + to.index()) as u16)
}

/// Whether a check is one of twins with nearly the same consequences: a lance that may promote right before
/// the king.
pub(crate) fn is_twin(position: &Position, m: Move, king: Square) -> bool {
    let us = position.side();
    let Some(from) = m.from() else { return false };
    position.piece(from).is_some_and(|piece| piece.kind() == PieceKind::Lance)
        && (1..=2).contains(&m.to().rank_from(us))
        && distance(king, m.to()) == 1
        && king.file() == m.to().file()
}
