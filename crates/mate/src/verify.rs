//! Is a line a mate? Played out by the rules alone, whoever found it.

use shogi::{Move, Position};

/// Why a line is no mate.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum LineError {
    #[error("move {number}, {m}, is not legal")]
    Illegal { number: usize, m: Move },
    #[error("move {number}, {m}, gives no check")]
    NoCheck { number: usize, m: Move },
    #[error("move {number}, {m}, repeats a position for the fourth time")]
    Repetition { number: usize, m: Move },
    #[error("there is no mate at the end")]
    NoMate,
}

/// Plays a line out: every move legal, every other one a check, no position for the fourth time, mate at the end.
///
/// ```
/// use shogi::Position;
/// let position: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
/// assert!(mate::verify(&position, &["G*5b".parse().unwrap()]).is_ok());
/// assert!(mate::verify(&position, &["G*4b".parse().unwrap()]).is_err());
/// ```
pub fn verify(position: &Position, line: &[Move]) -> Result<(), LineError> {
    let mut position = position.clone();
    let attacker = position.side();
    for (number, &m) in (1..).zip(line) {
        if !position.is_legal(m) {
            return Err(LineError::Illegal { number, m });
        }
        position.play(m);
        if position.side() != attacker && !position.in_check() {
            return Err(LineError::NoCheck { number, m });
        }
        if position.repetition().is_some() {
            return Err(LineError::Repetition { number, m });
        }
    }
    if position.side() != attacker && position.is_checkmate() { Ok(()) } else { Err(LineError::NoMate) }
}
