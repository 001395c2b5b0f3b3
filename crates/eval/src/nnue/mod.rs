//! Evaluation by an efficiently updatable neural net, from the files that the shogi community shares.
//!
//! Each side sees the board as a set of features; their rows are summed into an accumulator, which a move
//! changes by a few rows. Both accumulators, that of the side to move first, go through three small layers.
//! All arithmetic is on integers and the same on every CPU.

mod accumulator;
mod architecture;
mod embedded;
mod evaluator;
mod features;
mod file;
mod fv_scale;
mod layers;
mod lines;
mod mapping;
mod net;
mod ordering;
mod refresh;
mod sample;
mod simd;
#[cfg(test)]
mod tests;
mod writing;

pub use architecture::{Architecture, FeatureSet, PIECE_AND_KING_ROWS, PIECE_ROWS, VERSION};
pub use evaluator::{Nnue, VALUE_LIMIT};
pub use file::{FileFacts, NetError, Refusal, Section};
pub use fv_scale::DEFAULT_FV_SCALE;
pub use net::{Net, NetOptions};
pub use sample::random_net_file;
pub use simd::Simd;
pub use writing::{LayerParameters, NetParameters};
