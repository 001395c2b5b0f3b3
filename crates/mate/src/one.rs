//! Mate in one.

use shogi::attacks::{attacks, king_attacks, reach};
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
    let us = position.side();
    let king = position.king(!us)?;
    let cage = Cage::of(position, king);
    // A check from afar hardly ever mates while the defender has something to drop in between.
    let interposes = PieceKind::HAND.iter().any(|&kind| position.hand(!us).count(kind) > 0);
    let afar = if interposes { info.squares(PieceKind::Knight) } else { !king_attacks(king) };
    let target = cage.seen_from(position, cage.guarded | afar);
    let target = target.minus(cage.taken(position, target & cage.guarded));
    if target.is_empty() {
        return None;
    }
    let mut list = MoveList::new();
    position.generate_checks_onto(target, Pointless::Skip, info, &mut list);
    cage.mate_among(position, &list, info)
}

/// What all checks to one king have to overcome.
struct Cage {
    king: Square,
    /// The squares beside the king where the attacker may stand, since the king could not take there.
    guarded: Bitboard,
    /// Where the king can go before the check.
    escapes: Bitboard,
    /// Defenders that shield the king and so cannot take a checker off their line.
    pinned: Bitboard,
}

impl Cage {
    /// The surroundings of `king`, which belongs to the side that is not to move.
    #[inline]
    fn of(position: &Position, king: Square) -> Cage {
        let (ours, theirs) = (position.pieces(position.side()), position.pieces(!position.side()));
        let (beside, without_king) = (king_attacks(king), position.occupied() ^ Bitboard::of(king));
        let attacked = position.attacked_beside(king, beside, ours, without_king);
        Cage {
            king,
            guarded: attacked.minus(ours),
            escapes: beside.minus(attacked | theirs),
            pinned: position.blockers(king, position.side()) & theirs,
        }
    }

    /// The squares of `target` from which some piece may see all escapes.
    #[inline]
    fn seen_from(&self, position: &Position, target: Bitboard) -> Bitboard {
        let dragon = Piece::new(position.side(), PieceKind::Dragon);
        let horse = Piece::new(position.side(), PieceKind::Horse);
        self.escapes.into_iter().fold(target, |squares, escape| {
            squares & (reach(dragon, escape) | reach(horse, escape) | Bitboard::of(escape))
        })
    }

    /// The squares of `target`, beside the king, where a defender that is free to move takes any checker.
    #[inline]
    fn taken(&self, position: &Position, target: Bitboard) -> Bitboard {
        if target.is_empty() {
            return target;
        }
        let free = position.pieces(!position.side()).minus(self.pinned | Bitboard::of(self.king));
        position.attacked_beside(self.king, target, free, position.occupied())
    }

    fn mate_among(&self, position: &mut Position, checks: &[Move], info: &CheckInfo) -> Option<Move> {
        checks.iter().copied().find(|&m| {
            self.may_mate(position, m) && position.pseudo_is_legal(m, info) && {
                position.play(m);
                let mate = !position.has_legal_move();
                position.undo();
                mate
            }
        })
    }

    /// Whether a check takes all escapes, and neither the king nor a free piece can simply take the checker. Lines that the move opens
    /// elsewhere are not looked at: a few mates are missed for speed, as are most from afar.
    fn may_mate(&self, position: &Position, m: Move) -> bool {
        let us = position.side();
        let to = Bitboard::of(m.to());
        let (kind, occupied) = match m.from() {
            Some(from) => (position.piece(from).map(Piece::kind), position.occupied() ^ Bitboard::of(from)),
            None => (m.dropped(), position.occupied()),
        };
        let Some(kind) = kind else { return false };
        let kind = if m.is_promotion() { kind.promoted().unwrap_or(kind) } else { kind };
        // The king out of the way, so that it cannot hide behind itself.
        let through = (occupied | to) ^ Bitboard::of(self.king);
        let covered = attacks(Piece::new(us, kind), m.to(), through) | to;
        if self.escapes.minus(covered).any() {
            return false;
        }
        let guards = position.attackers(us, m.to(), occupied);
        let guarded = m.from().map_or(guards, |from| guards.minus(Bitboard::of(from))).any();
        if king_attacks(self.king).has(m.to()) && !guarded {
            return false;
        }
        let takers = position.attackers(!us, m.to(), occupied);
        takers.minus(self.pinned | Bitboard::of(self.king)).is_empty()
    }
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
