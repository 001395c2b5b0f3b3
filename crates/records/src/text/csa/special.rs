//! How games end, in the words of CSA (`%TORYO`); JKF uses the same words.

use shogi::{Color, Position, Repetition};

use crate::game::{EndReason, GameResult, Outcome};

/// What a word without its `%` means when `side` is to move in `position`.
pub(crate) fn read(word: &str, side: Color, position: &Position) -> (GameResult, EndReason) {
    use EndReason as R;
    use GameResult::{Draw, Undecided, Win};
    match word {
        "TORYO" => (Win(!side), R::Resignation),
        "TIME_UP" => (Win(!side), R::TimeUp),
        "ILLEGAL_MOVE" => (Win(!side), R::IllegalMove(None)),
        "+ILLEGAL_ACTION" => (Win(Color::White), R::IllegalMove(None)),
        "-ILLEGAL_ACTION" => (Win(Color::Black), R::IllegalMove(None)),
        "KACHI" => (Win(side), R::Declaration),
        "TSUMI" => (Win(!side), R::Mate),
        "SENNICHITE" => (Draw, R::Repetition),
        "OUTE_SENNICHITE" => (perpetual_check(side, position), R::PerpetualCheck),
        "JISHOGI" => (Draw, R::Impasse),
        "HIKIWAKE" => (Draw, R::Draw),
        "MAX_MOVES" => (Draw, R::MaxMoves),
        "FUZUMI" => (Undecided, R::NoMate),
        "CHUDAN" => (Undecided, R::Interrupted),
        "MATTA" => (Undecided, R::TakenBack),
        "ERROR" => (Undecided, R::Error),
        _ => (Undecided, R::Other(word.to_owned())),
    }
}

/// Who wins by the opponent's perpetual check.
pub(crate) fn perpetual_check(side: Color, position: &Position) -> GameResult {
    match position.repetition() {
        Some(Repetition::Win) => GameResult::Win(side),
        Some(Repetition::Loss) => GameResult::Win(!side),
        _ => GameResult::Undecided,
    }
}

/// The word for an outcome, without `%`. Where the usual word would name the wrong winner, a vaguer one.
pub(crate) fn word(outcome: &Outcome, side: Color) -> String {
    let foul_by = |loser: Color| if loser == Color::Black { "+ILLEGAL_ACTION" } else { "-ILLEGAL_ACTION" };
    let word = match (&outcome.reason, outcome.result) {
        (EndReason::Resignation, _) => "TORYO",
        (EndReason::TimeUp, _) => "TIME_UP",
        (EndReason::IllegalMove(None), GameResult::Win(winner)) if winner != side => "ILLEGAL_MOVE",
        (EndReason::IllegalMove(_), GameResult::Win(winner)) => foul_by(!winner),
        (EndReason::IllegalMove(_), _) => "ILLEGAL_MOVE",
        (EndReason::Declaration, _) => "KACHI",
        (EndReason::Mate, _) => "TSUMI",
        (EndReason::Repetition, _) => "SENNICHITE",
        // The standard knows the checking side's loss only as a foul.
        (EndReason::PerpetualCheck, GameResult::Win(winner)) => foul_by(!winner),
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
