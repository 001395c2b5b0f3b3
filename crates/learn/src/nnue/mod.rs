//! Training of NNUE nets on the CPU.
//!
//! A step takes a batch of positions through four stages, each shared among the threads: records become rows
//! ([`batch`]); the first layer sums them, a block of its columns per thread, so that a block's weights stay in the
//! cache and nobody writes where another one does; the small layers go forward and back, a group of positions per
//! thread ([`pass`]); and each block takes its gradient and makes its own step ([`adam`]). Sums are always made in the
//! same order: the result does not depend on the number of threads.

mod adam;
mod arch;
pub(crate) mod batch;
mod checkpoint;
mod kernels;
mod model;
pub(crate) mod pass;
pub(crate) mod pulled;
mod quantise;
pub(crate) mod schedule;
#[allow(unsafe_code)]
mod simd;
pub(crate) mod stream;
#[cfg(test)]
mod tests;
mod train;
mod validation;

pub use arch::{Arch, UnknownArch};
pub use batch::Target;
pub use checkpoint::rewritten_checkpoint;
pub use simd::Level;
pub use stream::StreamError;
pub use train::{
    CHECKPOINT, LOG, LogRow, Manifest, NET, Outcome, RESULT, Settings, TrainError, Training, Watch,
};
