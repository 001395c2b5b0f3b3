//! Learning the weights of linear evaluation.
//!
//! Either from the moves of records ([`bonanza`]) or, as nets are, from values and results ([`values`]). Both go through data
//! sets batch by batch, with checkpoints, and are judged on games that they have not learned from. A batch is
//! shared out twice: its positions among threads, which find features and gradients, and then the rows of weights, so that no
//! two threads write to one place and sums do not depend on the number of threads.

mod bonanza;
mod checkpoint;
mod judge;
mod model;
mod plots;
mod run;
mod shallow;
#[cfg(test)]
mod tests;
mod values;

pub use judge::Judgement;
pub use run::{
    CHECKPOINT, LOG, Learning, LinearLearnError, LogRow, Manifest, Method, Outcome, Settings, WEIGHTS, Watch,
};
