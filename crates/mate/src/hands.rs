//! Proof hands and disproof hands.
//!
//! Whoever holds more mates more easily: a mate with one hand is a mate with every hand that covers it, since
//! what the attacker has more the defender has less. So a proof is kept under the least hand that it needs, a
//! disproof under the greatest that it withstands. All hands here are the attacker's; the defender holds the
//! rest of the pieces that are off the board.

use shogi::attacks::between;
use shogi::{Bitboard, CheckInfo, Hand, Move, PieceKind, Position};

/// The attacker's hand before the move that led to `after`, as little of it as is certain.
pub(crate) fn before_move(position: &Position, m: Move, after: Hand) -> Hand {
    if let Some(kind) = m.dropped() {
        return after.with(kind, after.count(kind) + 1);
    }
    match position.piece(m.to()) {
        Some(captured) => {
            let kind = captured.kind().unpromoted();
            after.with(kind, after.count(kind).saturating_sub(1))
        }
        None => after,
    }
}

/// The attacker's hand after his move.
pub(crate) fn after_move(position: &Position, m: Move, before: Hand) -> Hand {
    if let Some(kind) = m.dropped() {
        return before.with(kind, before.count(kind).saturating_sub(1));
    }
    match position.piece(m.to()) {
        Some(captured) => {
            let kind = captured.kind().unpromoted();
            before.with(kind, before.count(kind) + 1)
        }
        None => before,
    }
}

/// Everything that is off the board.
pub(crate) fn off_board(position: &Position) -> Hand {
    let (us, them) = (position.hand(position.side()), position.hand(!position.side()));
    us.iter().fold(them, |sum, (kind, count)| sum.with(kind, sum.count(kind) + count))
}

/// The least hand for a mate when the defender is to move, given one that serves all his moves: of the kinds
/// that he has none of but could interpose, the attacker must keep all.
pub(crate) fn against_interposition(position: &Position, hand: Hand) -> Hand {
    let (us, them) = (position.side(), !position.side());
    let (Some(king), Some(checker)) = (position.king(us), position.checkers().first()) else { return hand };
    let between = between(king, checker);
    if position.checkers().many() || between.is_empty() {
        return hand;
    }
    let (held, kept) = (position.hand(us), position.hand(them));
    let mut needed = hand;
    for (kind, count) in kept.iter() {
        if !held.has(kind) && can_drop(position, kind, between) {
            needed = needed.with(kind, count);
        }
    }
    needed
}

/// The greatest hand without mate when the attacker is to move, given one that no move of his overcomes:
/// kinds that he has none of and that could give check must stay with the defender.
pub(crate) fn without_other_checks(position: &Position, info: &CheckInfo, hand: Hand) -> Hand {
    let held = position.hand(position.side());
    let empty = !position.occupied();
    let mut withstood = hand;
    for (kind, _) in hand.iter() {
        if !held.has(kind) && can_drop(position, kind, info.squares(kind) & empty) {
            withstood = withstood.with(kind, 0);
        }
    }
    withstood
}

/// The greatest hand without mate when the defender saves himself by `m`: a piece that he drops must be his.
pub(crate) fn allowing_drop(position: &Position, m: Move, hand: Hand) -> Hand {
    let Some(kind) = m.dropped() else { return hand };
    let all = off_board(position).count(kind);
    if hand.count(kind) < all { hand } else { hand.with(kind, all.saturating_sub(1)) }
}

/// Whether the side to move could drop this kind on one of the empty squares, mate by a pawn drop aside.
fn can_drop(position: &Position, kind: PieceKind, squares: Bitboard) -> bool {
    let us = position.side();
    let pawns = position.pieces_of(us, PieceKind::Pawn);
    squares.into_iter().any(|square| {
        square.rank_from(us) >= kind.forbidden_ranks()
            && !(kind == PieceKind::Pawn && (pawns & Bitboard::file(square.file())).any())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use shogi::Setup;

    fn problem(sfen: &str) -> Position {
        Position::problem(&sfen.parse::<Setup>().unwrap()).unwrap()
    }

    fn hand(counts: &[(PieceKind, u8)]) -> Hand {
        counts.iter().fold(Hand::EMPTY, |hand, &(kind, count)| hand.with(kind, count))
    }

    #[test]
    fn moves_change_the_hand_there_and_back() {
        let position = problem("4k4/4p4/4P4/9/9/9/9/9/9 b 2G 1");
        let held = position.hand(position.side());
        for text in ["G*6b", "5c5b+"] {
            let m = text.parse().unwrap();
            let after = after_move(&position, m, held);
            assert_ne!(after, held);
            assert_eq!(before_move(&position, m, after), held, "{text}");
        }
    }

    #[test]
    fn what_could_be_interposed_must_be_kept() {
        // The rook checks from afar; White holds gold only, Black pawns and a silver.
        let position = problem("4k4/9/9/9/9/9/9/9/4R3K w 3PSg 1");
        let needed = against_interposition(&position, Hand::EMPTY);
        assert_eq!(needed, hand(&[(PieceKind::Pawn, 3), (PieceKind::Silver, 1)]));
        // A second pawn on the file could not be dropped.
        let position = problem("4k4/9/9/9/9/9/4R4/4p4/8K w 3PSg 1");
        assert!(!against_interposition(&position, Hand::EMPTY).has(PieceKind::Pawn));
    }

    #[test]
    fn what_could_give_check_must_not_come() {
        let position = problem("4k4/9/9/9/9/9/9/9/9 b G 1");
        let all = hand(&[(PieceKind::Gold, 4), (PieceKind::Silver, 2), (PieceKind::Pawn, 1)]);
        let withstood = without_other_checks(&position, &position.check_info(), all);
        assert_eq!(withstood, hand(&[(PieceKind::Gold, 4)]));
    }

    #[test]
    fn a_dropped_defender_must_be_there() {
        let position = problem("4k4/9/9/9/9/9/9/9/4R3K w Sg 1");
        let drop: Move = "G*5b".parse().unwrap();
        let kept = allowing_drop(&position, drop, hand(&[(PieceKind::Gold, 4), (PieceKind::Silver, 1)]));
        assert_eq!(kept, hand(&[(PieceKind::Silver, 1)]));
    }
}
