//! What results of games prove: Elo with its error, a sequential test, ratings.

mod estimate;
pub(crate) mod linear;
mod normal;
mod pentanomial;
mod rank;
mod ratings;
mod sprt;
mod student;

pub use estimate::{CONFIDENCE, Estimate, Tally, elo_of_score, score_of_elo, signed};
pub use normal::{normal_below, two_sided};
pub use pentanomial::Pentanomial;
pub use rank::rank_correlation;
pub use ratings::{Meeting, Rating, ratings};
pub use sprt::{Sprt, SprtError, SprtState, Verdict};
pub use student::{student_below, student_confidence};
