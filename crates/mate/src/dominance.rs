//! Hands for which more than one answer holds at once.
//!
//! What is not on the board is in one of the two hands, so that more for the attacker is less for the defender: a mate stays one with a
//! greater hand, and its absence with a smaller one (Seo 1999; Nagai 2002 keeps proofs with the least hand and disproofs with the
//! greatest). These functions bring such hands from the positions below to the one above.

use shogi::attacks::between;
use shogi::{CheckInfo, Color, Hand, Move, PieceKind, Position};

/// What both sides hold together: no hand can be greater.
pub(crate) fn everything(position: &Position) -> Hand {
    let (black, white) = (position.hand(Color::Black), position.hand(Color::White));
    let sum = |hand: Hand, (kind, count)| with_more(hand, kind, count);
    white.iter().fold(black, sum)
}

/// The attacker's hand after his move.
pub(crate) fn after(position: &Position, m: Move) -> Hand {
    let hand = position.hand(position.side());
    match (m.dropped(), position.piece(m.to())) {
        (Some(kind), _) => with_less(hand, kind),
        (None, Some(captured)) => with_more(hand, captured.kind().unpromoted(), 1),
        (None, None) => hand,
    }
}

/// The hand before the attacker's move that leads to a given one after it.
pub(crate) fn before(position: &Position, m: Move, hand: Hand) -> Hand {
    match (m.dropped(), position.piece(m.to())) {
        (Some(kind), _) => with_more(hand, kind, 1),
        (None, Some(captured)) => with_less(hand, captured.kind().unpromoted()),
        (None, None) => hand,
    }
}

/// What the attacker must hold, the defender being in check and to move, so that the defender has nothing else to put in between than he
/// has now: all of every kind of which the defender has none.
pub(crate) fn kept_from_defender(position: &Position) -> Hand {
    let defender = position.side();
    let Some(king) = position.king(defender) else { return Hand::EMPTY };
    let checkers = position.checkers();
    let can_interpose =
        !checkers.many() && checkers.first().is_some_and(|checker| between(king, checker).any());
    if !can_interpose {
        return Hand::EMPTY;
    }
    let held = position.hand(defender);
    let others = position.hand(!defender).iter().filter(|&(kind, _)| !held.has(kind));
    others.fold(Hand::EMPTY, |hand, (kind, count)| hand.with(kind, count))
}

/// The greatest hand with which the attacker, to move, has no other checks than now: none of a kind that he does not hold and could drop
/// with check.
pub(crate) fn without_new_checks(position: &Position, info: &CheckInfo) -> Hand {
    let held = position.hand(position.side());
    let empty = !position.occupied();
    let is_new =
        |kind: PieceKind| !held.has(kind) && position.drop_squares(kind, info.squares(kind) & empty).any();
    let new = PieceKind::HAND.into_iter().filter(|&kind| is_new(kind));
    new.fold(everything(position), |hand, kind| hand.with(kind, 0))
}

/// The greatest hand of the attacker with which the defender can still play a move.
pub(crate) fn that_allows(position: &Position, m: Move) -> Hand {
    let all = everything(position);
    m.dropped().map_or(all, |kind| with_less(all, kind))
}

fn with_more(hand: Hand, kind: PieceKind, count: u8) -> Hand {
    hand.with(kind, hand.count(kind) + count)
}

fn with_less(hand: Hand, kind: PieceKind) -> Hand {
    hand.with(kind, hand.count(kind).saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(sfen: &str) -> Position {
        Position::problem(&sfen.parse().unwrap()).unwrap()
    }

    fn hand(pieces: &[(PieceKind, u8)]) -> Hand {
        pieces.iter().fold(Hand::EMPTY, |hand, &(kind, count)| hand.with(kind, count))
    }

    #[test]
    fn a_mate_from_afar_needs_what_the_defender_could_put_in_between() {
        let mut from_afar = position("k8/9/1K1+B5/9/9/9/9/9/8R b 2G 1");
        from_afar.play("1i1a+".parse().unwrap());
        assert_eq!(kept_from_defender(&from_afar), hand(&[(PieceKind::Gold, 2)]));
        let mut close = position("4k4/9/4P4/9/9/9/9/9/9 b 2G 1");
        close.play("G*5b".parse().unwrap());
        assert_eq!(kept_from_defender(&close), Hand::EMPTY);
    }

    #[test]
    fn kinds_that_would_check_are_kept_from_the_attacker() {
        let quiet = position("4k4/9/9/9/9/9/9/9/9 b P2gn 1");
        let greatest = without_new_checks(&quiet, &quiet.check_info());
        // A pawn he has; golds and the knight would give new checks.
        assert_eq!(greatest, hand(&[(PieceKind::Pawn, 1)]));
    }

    #[test]
    fn hands_before_and_after_a_move_are_each_others_reverse() {
        let position = position("4k4/4p4/9/9/4R4/9/9/9/9 b G 1");
        for text in ["5e5b", "5e5b+", "G*6b"] {
            let m = text.parse().unwrap();
            let there = after(&position, m);
            assert_eq!(before(&position, m, there), position.hand(Color::Black), "{text}");
        }
    }
}
