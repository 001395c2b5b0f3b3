//! What results of games prove: Elo with its error, a sequential test, ratings.

mod estimate;
pub(crate) mod linear;
mod normal;
mod pentanomial;
mod ratings;
mod sprt;

pub use estimate::{CONFIDENCE, Estimate, Tally, elo_of_score, score_of_elo};
pub use normal::{normal_below, two_sided};
pub use pentanomial::Pentanomial;
pub use ratings::{Meeting, Rating, ratings};
pub use sprt::{Sprt, SprtError, SprtState, Verdict};
