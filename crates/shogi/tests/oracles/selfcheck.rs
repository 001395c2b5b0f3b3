//! What must hold within one position, whatever it is.

use std::collections::BTreeSet;

use shogi::{Move, MoveList, Pointless, Position, Stage};

use crate::random::Random;

type Set = BTreeSet<Move>;

pub(crate) fn moves(position: &Position, random: &mut Random) {
    let legal: Set = position.legal_moves().into_iter().collect();
    assert_eq!(legal.len(), position.legal_moves().len(), "no move twice in {position}");
    assert_eq!(legal.len() as u64, position.count_legal_moves(), "{position}");
    assert_eq!(!legal.is_empty(), position.has_legal_move());
    assert_eq!(position.in_check() && legal.is_empty(), position.is_checkmate());
    stages_make_up_the_legal_moves(position, &legal);
    checks_are_the_moves_that_give_check(position, &legal);
    recaptures_are_the_captures_on_a_square(position, random);
    // All 13,527 moves now and then, some of them always.
    let every = if random.below(64) == 0 { 1 } else { 199 };
    let offset = random.below(every) as u16;
    for bits in (offset..=u16::MAX).step_by(every) {
        if let Some(m) = Move::from_bits(bits) {
            assert_eq!(position.is_legal(m), legal.contains(&m), "{m} in {position}");
        }
    }
}

/// The moves of a stage that are legal; each is pseudo-legal and listed once.
fn stage(position: &Position, stage: Stage, pointless: Pointless) -> Set {
    let mut list = MoveList::new();
    position.generate(stage, pointless, &mut list);
    let info = position.check_info();
    let set: Set = list.iter().copied().collect();
    assert_eq!(set.len(), list.len(), "no move twice in {stage:?} of {position}");
    for &m in &list {
        assert!(position.is_pseudo_legal(m), "{m} of {stage:?} in {position}");
    }
    set.into_iter().filter(|&m| position.pseudo_is_legal(m, &info)).collect()
}

fn stages_make_up_the_legal_moves(position: &Position, legal: &Set) {
    let parts: &[Stage] =
        if position.in_check() { &[Stage::Evasions] } else { &[Stage::Loud, Stage::Quiets, Stage::Drops] };
    let mut all = Set::new();
    for &part in parts {
        for m in stage(position, part, Pointless::Include) {
            assert!(all.insert(m), "{m} in two stages of {position}");
        }
        let few = stage(position, part, Pointless::Skip);
        let skipped = stage(position, part, Pointless::Include).into_iter().filter(|m| !few.contains(m));
        for m in skipped {
            assert!(!m.is_promotion() && legal.contains(&m));
            let twin = Move::board(m.from().expect("not a drop"), m.to(), true);
            assert!(legal.contains(&twin), "{m} was skipped without a twin in {position}");
        }
    }
    assert_eq!(&all, legal, "{position}");
}

fn checks_are_the_moves_that_give_check(position: &Position, legal: &Set) {
    let info = position.check_info();
    let mut after = position.clone();
    let mut checking = Set::new();
    for &m in legal {
        after.play(m);
        if after.in_check() {
            checking.insert(m);
        }
        after.undo();
        assert_eq!(position.gives_check(m, &info), checking.contains(&m), "{m} in {position}");
    }
    assert_eq!(stage(position, Stage::Checks, Pointless::Include), checking, "{position}");
    let quiet: Set = checking.into_iter().filter(|m| position.piece(m.to()).is_none()).collect();
    assert_eq!(stage(position, Stage::QuietChecks, Pointless::Include), quiet, "{position}");
}

fn recaptures_are_the_captures_on_a_square(position: &Position, random: &mut Random) {
    let enemy = position.pieces(!position.side());
    let Some(square) = enemy.into_iter().nth(random.below(enemy.count() as usize)) else { return };
    let expected: Set = stage(position, Stage::Captures, Pointless::Include)
        .into_iter()
        .filter(|m| m.to() == square)
        .collect();
    assert_eq!(stage(position, Stage::Recaptures(square), Pointless::Include), expected, "{position}");
}

pub(crate) fn play_and_undo(position: &mut Position, random: &mut Random) {
    position.verify().unwrap();
    let before = position.clone();
    let moves = position.legal_moves();
    for _ in 0..3.min(moves.len()) {
        let m = moves[random.below(moves.len())];
        let key = position.board_key_after(m);
        position.play(m);
        position.verify().unwrap();
        assert_eq!(position.board_key(), key, "{m}");
        let fresh: Position = position.to_string().parse().unwrap();
        assert_eq!(fresh.key(), position.key());
        position.undo();
        assert_eq!(*position, before, "{m}");
    }
    if !position.in_check() {
        position.play_null();
        position.verify().unwrap();
        position.undo();
        assert_eq!(*position, before);
    }
}
