//! How a game of a match ended: a reason as records know it, and who decided.

use std::cmp::Ordering;

use records::compact::EndCode;
use records::game::EndReason;
use serde::{Deserialize, Serialize};

use super::row::FaultKind;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub enum End {
    /// By the rules of the game, or by a player's decision.
    Regular(EndCode),
    /// The loser did what no player should.
    Fault(FaultKind),
    /// The runner decided it, as if it had ended for this reason.
    Adjudicated(EndCode),
}

/// A text that names no end.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no end of a game")]
pub struct EndError(String);

/// The ends that matches have, with their names in the log, in the order of tables.
const NAMES: [(&str, End); 13] = [
    ("mate", End::Regular(EndCode::Mate)),
    ("resignation", End::Regular(EndCode::Resignation)),
    ("repetition", End::Regular(EndCode::Repetition)),
    ("perpetual-check", End::Regular(EndCode::PerpetualCheck)),
    ("declaration", End::Regular(EndCode::Declaration)),
    ("max-moves", End::Regular(EndCode::MaxMoves)),
    ("illegal-move", End::Fault(FaultKind::IllegalMove)),
    ("time-loss", End::Fault(FaultKind::TimeLoss)),
    ("crash", End::Fault(FaultKind::Crash)),
    ("stall", End::Fault(FaultKind::Stall)),
    ("adjudicated-resign", End::Adjudicated(EndCode::Resignation)),
    ("adjudicated-draw", End::Adjudicated(EndCode::Draw)),
    ("adjudicated-mate", End::Adjudicated(EndCode::Mate)),
];

impl End {
    fn place(self) -> usize {
        NAMES.iter().position(|(_, end)| *end == self).unwrap_or(NAMES.len())
    }

    /// Its name in the log.
    #[must_use]
    pub fn name(self) -> &'static str {
        NAMES.get(self.place()).map_or("other", |(name, _)| name)
    }

    /// The reason that a record of the game gives.
    #[must_use]
    pub fn reason(self) -> EndReason {
        let code = match self {
            End::Regular(code) | End::Adjudicated(code) => code,
            End::Fault(FaultKind::IllegalMove) => EndCode::IllegalMove,
            End::Fault(FaultKind::TimeLoss) => EndCode::TimeUp,
            End::Fault(FaultKind::Crash | FaultKind::Stall) => EndCode::Error,
        };
        code.reason().unwrap_or(EndReason::Error)
    }
}

impl Ord for End {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place().cmp(&other.place())
    }
}

impl PartialOrd for End {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<End> for &'static str {
    fn from(end: End) -> &'static str {
        end.name()
    }
}

impl TryFrom<String> for End {
    type Error = EndError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let named = NAMES.iter().find(|(name, _)| *name == text);
        named.map(|(_, end)| *end).ok_or(EndError(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_are_read_as_they_are_written_and_keep_their_order() {
        for (name, end) in NAMES {
            let json = serde_json::to_string(&end).unwrap();
            assert_eq!(json, format!("\"{name}\""));
            assert_eq!(serde_json::from_str::<End>(&json).unwrap(), end);
        }
        assert!(NAMES.is_sorted_by(|(_, a), (_, b)| a < b));
        let error = serde_json::from_str::<End>("\"boredom\"").unwrap_err().to_string();
        assert!(error.contains("'boredom' is no end of a game"), "{error}");
    }

    #[test]
    fn records_say_why_a_game_ended_whoever_decided_it() {
        for (end, reason) in [
            (End::Adjudicated(EndCode::Mate), EndReason::Mate),
            (End::Adjudicated(EndCode::Draw), EndReason::Draw),
            (End::Fault(FaultKind::TimeLoss), EndReason::TimeUp),
            (End::Fault(FaultKind::Stall), EndReason::Error),
            (End::Fault(FaultKind::IllegalMove), EndReason::IllegalMove(None)),
            (End::Regular(EndCode::PerpetualCheck), EndReason::PerpetualCheck),
        ] {
            assert_eq!(end.reason(), reason);
        }
    }
}
