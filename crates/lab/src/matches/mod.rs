//! Matches: players, openings and conditions in; games, and what they prove, out.
//!
//! A unit of work is a pair: one opening, played twice with colours reversed. Its number decides who plays and from
//! where, so that a run can be taken up from its log alone, and the results do not depend on who played what when.

mod adjudication;
mod conditions;
mod end;
mod entrants;
mod game;
mod manifest;
mod match_stats;
mod record;
mod row;
mod run;
mod schedule;

pub use adjudication::{Adjudication, DrawRule, ResignRule, RuleError};
pub use conditions::{Conditions, TimeControl, TimeError};
pub use end::{End, EndError};
pub use entrants::{Crowding, Entrant, Preflight, preflight};
pub use game::{Table, play};
pub use manifest::{Manifest, PlayerFacts};
#[cfg(test)]
pub(crate) use match_stats::tests::row;
pub use match_stats::{Faults, MatchStats, Pairing};
pub use record::{RecordFormat, to_record};
pub use row::{Fault, FaultKind, GameRow};
pub use run::{GAMES, GameJob, Match, MatchError, Watch};
pub use schedule::{Format, Schedule, Unit};
