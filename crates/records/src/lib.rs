//! Games, positions and opening books on disk.
//!
//! Text records (CSA, KIF, KI2, JKF, USI) all become one [`game::Game`], whose every move is checked for
//! legality on the way in. Packed positions and compact games are for millions of them.

#![forbid(unsafe_code)]

pub mod book;
pub mod compact;
pub mod convert;
pub mod game;
pub mod mate_problems;
pub mod packed;
pub mod position_text;
pub mod text;
pub mod whole_file;
