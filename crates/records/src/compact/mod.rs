//! Our own file for millions of games: 16 bytes a game and 4 bytes a ply, appendable, safe against crashes.
//!
//! All numbers are little-endian. A file is a file header and any number of blocks; a block holds whole
//! games.
//!
//! | file header | 16 bytes |
//! |---|---|
//! | 0..8 | `YOMIGAME` |
//! | 8..10 | version, 1 |
//! | 10..12 | 0 |
//! | 12..16 | CRC-32 of the bytes before |
//!
//! | block header | 24 bytes |
//! |---|---|
//! | 0..4 | sync bytes `B1 59 47 0A` |
//! | 4..8 | length of the payload, at most 64 MiB |
//! | 8..12 | number of games |
//! | 12..16 | number of plies in them |
//! | 16..20 | CRC-32 of the payload |
//! | 20..24 | CRC-32 of the header's bytes before |
//!
//! | game | 16 bytes, or 50, and 4 a ply |
//! |---|---|
//! | 0 | start: 0 the usual position, 1 a position given below |
//! | 1 | result: 0 none, 1 Black won, 2 White won, 3 draw |
//! | 2 | why it ended, see [`EndCode`] |
//! | 3 | declaration rule in the order of [`shogi::DeclarationRule::NAMES`] |
//! | 4..6 | the most plies the game could have, 0 for no limit |
//! | 6..8 | number of plies |
//! | 8..16 | seed |
//! | then | for start 1: [`crate::packed::PackedSfen`] (32 bytes) and the ply of the first move (2 bytes) |
//! | then | for each ply: move (2 bytes, [`shogi::Move::bits`]) and evaluation (2 bytes, [`Eval`]) |
//!
//! A crash leaves at worst a torn block at the end: the reader stops before it and says so
//! ([`GameReader::torn_tail`]), the writer cuts it off and goes on ([`GameWriter::append`]). A bad block with
//! good ones behind it is corruption and an error; the reader can go on behind it. The last block of a file
//! is the only one where a crash and corruption look alike; it counts as torn.
//!
//! Moves are checked for legality when games are replayed ([`Replay`], [`Positions`]).

mod block;
mod end;
mod eval;
mod game;
mod of_game;
mod reader;
mod replay;
mod scan;
mod writer;

pub use block::BlockError;
pub use end::EndCode;
pub use eval::{Eval, EvalKind};
pub use game::{GameError, Ply, Start, StartError, StoredGame};
pub use reader::{GameReader, ReadError, TornTail};
pub use replay::{Positions, Replay, ReplayError, Sample};
pub use writer::{Durability, GameWriter, Recovery, WriteError};
