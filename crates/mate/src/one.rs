//! Mate in one.

use shogi::attacks::{attacks, king_attacks};
use shogi::{Bitboard, CheckInfo, Move, MoveList, Piece, PieceKind, Pointless, Position, Square};

/// A move that mates at once, if there is one. The side to move must not be in check.
///
/// ```
/// use shogi::Position;
/// let mut position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
/// assert_eq!(mate::mate_in_one(&mut position), Some("G*5b".parse().unwrap()));
/// ```
pub fn mate_in_one(position: &mut Position) -> Option<Move> {
    let info = position.check_info();
    mate_in_one_with(position, &info)
}

/// [`mate_in_one`] for callers that have the position's check info already.
pub fn mate_in_one_with(position: &mut Position, info: &CheckInfo) -> Option<Move> {
    let (us, them) = (position.side(), !position.side());
    let king = position.king(them)?;
    let mut list = MoveList::new();
    // A check from afar hardly ever mates while the defender has something to drop in between.
    let interposes = PieceKind::HAND.iter().any(|&kind| position.hand(them).count(kind) > 0);
    let near = king_attacks(king) | info.squares(PieceKind::Knight);
    let target = if interposes { near } else { !position.pieces(us) };
    position.generate_checks_onto(target, Pointless::Skip, info, &mut list);
    if list.is_empty() {
        return None;
    }
    mate_among(position, &list, info)
}

/// A move that mates at once among pseudo-legal checks. Few mates are missed.
pub(crate) fn mate_among(position: &mut Position, checks: &[Move], info: &CheckInfo) -> Option<Move> {
    let (us, them) = (position.side(), !position.side());
    let king = position.king(them)?;
    let escapes = position.king_steps(them, king);
    let pinned = position.blockers(king, us) & position.pieces(them);
    checks.iter().copied().find(|&m| {
        may_mate(position, m, king, escapes, pinned) && position.pseudo_is_legal(m, info) && {
            position.play(m);
            let mate = !position.has_legal_move();
            position.undo();
            mate
        }
    })
}

/// Whether a check takes all escapes, and neither the king nor a free piece can simply take the checker. Lines that the move opens
/// elsewhere are not looked at: a few mates are missed for speed, as are most from afar.
fn may_mate(position: &Position, m: Move, king: Square, escapes: Bitboard, pinned: Bitboard) -> bool {
    let us = position.side();
    let to = Bitboard::of(m.to());
    let (kind, occupied) = match m.from() {
        Some(from) => {
            (position.piece(from).map(shogi::Piece::kind), position.occupied() ^ Bitboard::of(from))
        }
        None => (m.dropped(), position.occupied()),
    };
    let Some(kind) = kind else { return false };
    let kind = if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
    // The king out of the way, so that it cannot hide behind itself.
    let through = (occupied | to) ^ Bitboard::of(king);
    let covered = attacks(Piece::new(us, kind), m.to(), through) | to;
    if escapes.minus(covered).any() {
        return false;
    }
    let guards = position.attackers(us, m.to(), occupied);
    let guarded = m.from().map_or(guards, |from| guards.minus(Bitboard::of(from))).any();
    if king_attacks(king).has(m.to()) && !guarded {
        return false;
    }
    let takers = position.attackers(!us, m.to(), occupied);
    takers.minus(pinned | Bitboard::of(king)).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_found_mate_is_one_and_few_are_missed() {
        // Random games: whatever is found must mate; the plain search over all moves is the judge.
        let mut state = 42u64;
        let mut next = |n: usize| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % n
        };
        let (mut there, mut found) = (0, 0);
        for _ in 0..400 {
            let mut position = Position::start();
            for _ in 0..200 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                if !position.in_check() {
                    let mates = |m: Move| {
                        let mut after = position.clone();
                        after.play(m);
                        after.is_checkmate()
                    };
                    let exists = moves.iter().any(|&m| mates(m));
                    let one = mate_in_one(&mut position.clone());
                    assert!(one.is_none_or(mates), "{one:?} in {position}");
                    there += usize::from(exists);
                    found += usize::from(one.is_some());
                }
                position.play(moves[next(moves.len())]);
            }
        }
        assert!(there > 100 && found * 100 >= there * 95, "{found} of {there}");
    }
}
