//! Why a game ended, in one byte.

use shogi::{GameEnd, Repetition};

use crate::game::EndReason;

/// An [`EndReason`] without its details; the number is the code in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum EndCode {
    Interrupted = 0,
    Resignation = 1,
    Mate = 2,
    Repetition = 3,
    PerpetualCheck = 4,
    Declaration = 5,
    MaxMoves = 6,
    /// A program that runs matches decided it, by the evaluations or by tables.
    Adjudication = 7,
    TimeUp = 8,
    /// The move is not kept.
    IllegalMove = 9,
    Impasse = 10,
    Draw = 11,
    NoMate = 12,
    TakenBack = 13,
    Forfeit = 14,
    Error = 15,
    /// The record does not tell, or in words that have no code.
    Unknown = 16,
}

impl From<GameEnd> for EndCode {
    fn from(end: GameEnd) -> EndCode {
        match end {
            GameEnd::NoMoves => EndCode::Mate,
            GameEnd::MaxMoves => EndCode::MaxMoves,
            GameEnd::Repetition(Repetition::Win | Repetition::Loss) => EndCode::PerpetualCheck,
            GameEnd::Repetition(_) => EndCode::Repetition,
        }
    }
}

/// The word of records for an adjudicated game.
const ADJUDICATION: &str = "ADJUDICATION";

impl EndCode {
    /// Every code in its order.
    pub const ALL: [EndCode; 17] = [
        EndCode::Interrupted,
        EndCode::Resignation,
        EndCode::Mate,
        EndCode::Repetition,
        EndCode::PerpetualCheck,
        EndCode::Declaration,
        EndCode::MaxMoves,
        EndCode::Adjudication,
        EndCode::TimeUp,
        EndCode::IllegalMove,
        EndCode::Impasse,
        EndCode::Draw,
        EndCode::NoMate,
        EndCode::TakenBack,
        EndCode::Forfeit,
        EndCode::Error,
        EndCode::Unknown,
    ];

    /// The code that comes nearest to a reason.
    #[must_use]
    pub fn of(reason: &EndReason) -> EndCode {
        match reason {
            EndReason::Resignation => EndCode::Resignation,
            EndReason::TimeUp => EndCode::TimeUp,
            EndReason::IllegalMove(_) => EndCode::IllegalMove,
            EndReason::Repetition => EndCode::Repetition,
            EndReason::PerpetualCheck => EndCode::PerpetualCheck,
            EndReason::Declaration => EndCode::Declaration,
            EndReason::Impasse => EndCode::Impasse,
            EndReason::Draw => EndCode::Draw,
            EndReason::MaxMoves => EndCode::MaxMoves,
            EndReason::Mate => EndCode::Mate,
            EndReason::NoMate => EndCode::NoMate,
            EndReason::Interrupted => EndCode::Interrupted,
            EndReason::TakenBack => EndCode::TakenBack,
            EndReason::Forfeit => EndCode::Forfeit,
            EndReason::Error => EndCode::Error,
            EndReason::Other(word) if word == ADJUDICATION => EndCode::Adjudication,
            EndReason::Other(_) => EndCode::Unknown,
        }
    }

    /// The reason; `None` for [`EndCode::Unknown`].
    #[must_use]
    pub fn reason(self) -> Option<EndReason> {
        Some(match self {
            EndCode::Interrupted => EndReason::Interrupted,
            EndCode::Resignation => EndReason::Resignation,
            EndCode::Mate => EndReason::Mate,
            EndCode::Repetition => EndReason::Repetition,
            EndCode::PerpetualCheck => EndReason::PerpetualCheck,
            EndCode::Declaration => EndReason::Declaration,
            EndCode::MaxMoves => EndReason::MaxMoves,
            EndCode::Adjudication => EndReason::Other(ADJUDICATION.to_owned()),
            EndCode::TimeUp => EndReason::TimeUp,
            EndCode::IllegalMove => EndReason::IllegalMove(None),
            EndCode::Impasse => EndReason::Impasse,
            EndCode::Draw => EndReason::Draw,
            EndCode::NoMate => EndReason::NoMate,
            EndCode::TakenBack => EndReason::TakenBack,
            EndCode::Forfeit => EndReason::Forfeit,
            EndCode::Error => EndReason::Error,
            EndCode::Unknown => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_stands_at_its_number_and_leads_back_from_its_reason() {
        for (number, code) in EndCode::ALL.into_iter().enumerate() {
            assert_eq!(code as usize, number);
            assert_eq!(code.reason().as_ref().map_or(EndCode::Unknown, EndCode::of), code);
        }
    }
}
