//! Data sets: from games to positions that a learner can read one after the other.
//!
//! Whatever comes in (our games, psv, hcpe) becomes records of a position, a score and a result. Their scores may be
//! brought to one scale and look ahead. They are filtered,
//! split into training and validation by whole games, shuffled on disk, and written as psv, which other trainers
//! read too.

mod filter;
mod prepare;
mod reading;
mod shuffle;
mod source;
mod stats;

pub use filter::{Filter, Label, Verdict};
pub use prepare::{
    DataError, DataFiles, Manifest, NoDataSet, Prepared, STATS, TRAINING, VALIDATION, Watch, look, prepare,
};
pub use reading::{Reading, Scores};
pub use source::{InputError, Origin, examine, inputs};
pub use stats::{Stats, StatsReport};
