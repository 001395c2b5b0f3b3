//! How games end, in the words of CSA (`%TORYO`); JKF uses the same words.

use shogi::{Color, Position, Repetition};

use crate::game::{EndReason, GameResult, Outcome};

/// What a word without its `%` means when `side` is to move in `position`.
pub(crate) fn read(word: &str, side: Color, position: &Position) -> (Option<GameResult>, EndReason) {
    use EndReason as R;
    use GameResult::{Draw, Win};
    match word {
        "TORYO" => (Some(Win(!side)), R::Resignation),
        "TIME_UP" => (Some(Win(!side)), R::TimeUp),
        "ILLEGAL_MOVE" => (Some(Win(!side)), R::IllegalMove(None)),
        "+ILLEGAL_ACTION" => (Some(Win(Color::White)), R::IllegalMove(None)),
        "-ILLEGAL_ACTION" => (Some(Win(Color::Black)), R::IllegalMove(None)),
        "KACHI" => (Some(Win(side)), R::Declaration),
        "TSUMI" => (Some(Win(!side)), R::Mate),
        "SENNICHITE" => (Some(Draw), R::Repetition),
        "OUTE_SENNICHITE" => (perpetual_check(side, position), R::PerpetualCheck),
        "JISHOGI" => (Some(Draw), R::Impasse),
        "HIKIWAKE" => (Some(Draw), R::Draw),
        "MAX_MOVES" => (Some(Draw), R::MaxMoves),
        "FUZUMI" => (None, R::NoMate),
        "CHUDAN" => (None, R::Interrupted),
        "MATTA" => (None, R::TakenBack),
        "ERROR" => (None, R::Error),
        _ => (None, R::Other(word.to_owned())),
    }
}

/// Who wins by the opponent's perpetual check.
pub(crate) fn perpetual_check(side: Color, position: &Position) -> Option<GameResult> {
    match position.repetition() {
        Some(Repetition::Win) => Some(GameResult::Win(side)),
        Some(Repetition::Loss) => Some(GameResult::Win(!side)),
        _ => None,
    }
}

/// The word for an outcome, without `%`. Where the usual word would name the wrong winner, a vaguer one.
pub(crate) fn word(outcome: &Outcome, side: Color) -> String {
    let foul_by = |loser: Color| if loser == Color::Black { "+ILLEGAL_ACTION" } else { "-ILLEGAL_ACTION" };
    let word = match (&outcome.reason, outcome.result) {
        (EndReason::Resignation, _) => "TORYO",
        (EndReason::TimeUp, _) => "TIME_UP",
        (EndReason::IllegalMove(None), Some(GameResult::Win(winner))) if winner != side => "ILLEGAL_MOVE",
        (EndReason::IllegalMove(_), Some(GameResult::Win(winner))) => foul_by(!winner),
        (EndReason::IllegalMove(_), _) => "ILLEGAL_MOVE",
        (EndReason::Declaration, _) => "KACHI",
        (EndReason::Mate, _) => "TSUMI",
        (EndReason::Repetition, _) => "SENNICHITE",
        // The standard knows the checking side's loss only as a foul.
        (EndReason::PerpetualCheck, Some(GameResult::Win(winner))) => foul_by(!winner),
        (EndReason::PerpetualCheck, _) => "SENNICHITE",
        (EndReason::Impasse, _) => "JISHOGI",
        (EndReason::Draw, _) => "HIKIWAKE",
        (EndReason::MaxMoves, _) => "MAX_MOVES",
        (EndReason::NoMate, _) => "FUZUMI",
        (EndReason::Interrupted | EndReason::Forfeit, _) => "CHUDAN",
        (EndReason::TakenBack, _) => "MATTA",
        (EndReason::Error, _) => "ERROR",
        (EndReason::Other(word), _) if is_word(word) => word,
        (EndReason::Other(_), _) => "CHUDAN",
    };
    word.to_owned()
}

fn is_word(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
}
