//! What any search is given and what it answers, in any game: limits, clocks and control, scores, reports and
//! decisions, tables of parameters, random numbers.
//!
//! A leaf: it knows no game, and nothing in it searches.

#![forbid(unsafe_code)]

mod clock;
mod control;
mod effort;
mod limits;
pub mod logistic;
pub mod params;
mod report;
mod rng;
pub mod score;
mod stop_rule;

pub use clock::Clock;
pub use control::Control;
pub use effort::{Effort, EffortError};
pub use limits::Limits;
pub use logistic::{LogisticScale, fit_scale, logistic};
pub use report::{Choice, Decision, Report, TreeFacts};
pub use rng::Rng;
pub use score::{Bound, Score, Value};
pub use stop_rule::{RootState, Stability, StopRule, WholeTime};
