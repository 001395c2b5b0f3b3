//! Positions in 32 bytes, as training data of other programs stores them.
//!
//! There are two encodings that look alike and are not: [`PackedSfen`] (YaneuraOu, in [`Psv`] records of 40
//! bytes) and [`Hcp`] (Apery, in [`Hcpe`] records of 38 bytes). They differ in codes, in the order of flag
//! bits and in the numbering of moves, so each is a type of its own. Unpacking leads to a [`shogi::Setup`];
//! whether that is a position of the game is [`shogi::Position::new`]'s question.
//!
//! Records come from and go to streams through [`RecordReader`] and [`RecordWriter`].

mod apery_move;
mod bits;
mod codebook;
mod hcpe;
mod position;
mod psv;
mod stream;

pub use apery_move::{AperyMove, AperyMoveError};
pub use codebook::Encoding;
pub use hcpe::{Hcpe, HcpeError};
pub use position::{Hcp, PackError, PackedSfen, UnpackError};
pub use psv::{Psv, PsvError, PsvMove};
pub use stream::{Record, RecordReader, RecordWriter, StreamError};

/// Reads a stream of [`Psv`] records.
pub type PsvReader<R> = RecordReader<R, Psv>;

/// Reads a stream of [`Hcpe`] records.
pub type HcpeReader<R> = RecordReader<R, Hcpe>;
