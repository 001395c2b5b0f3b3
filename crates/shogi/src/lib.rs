//! The game of shogi: squares, pieces, positions, moves and rules.
//!
//! This room is pure: no input or output, no threads, no clock, no evaluation, and nothing is allocated
//! while moves are played and taken back. A [`Setup`] is a board as somebody describes it and may be
//! illegal; only validation leads from it to a [`Position`].

#![deny(unsafe_code)]

mod as_text;
pub mod attacks;
mod bitboard;
mod check;
mod color;
mod control;
mod declaration;
mod exchange;
mod game_end;
mod generate;
mod hand;
mod handicap;
mod history;
mod legality;
mod moves;
mod perft;
mod piece;
mod play;
mod position;
mod repetition;
mod result;
mod setup;
mod sfen;
mod simd;
mod sink;
mod square;
mod text_board;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use check::CheckInfo;
pub use color::{Color, ColorError};
pub use control::Control;
pub use declaration::{Declaration, DeclarationRule, DeclarationRuleError};
pub use exchange::ExchangeValues;
pub use game_end::GameEnd;
pub use generate::{Pointless, Stage};
pub use hand::Hand;
pub use handicap::{HANDICAPS, Handicap};
pub use moves::{MAX_LEGAL_MOVES, Move, MoveList, MoveTextError};
pub use perft::{Leaves, divide, perft};
pub use piece::{Piece, PieceKind};
pub use play::{Captured, Delta, Source};
pub use position::{Position, PositionError, START_SFEN};
pub use repetition::Repetition;
pub use result::{GameResult, SideResult};
pub use setup::{Kings, Setup, SetupError};
pub use sfen::SfenError;
pub use square::{Square, SquareError};
pub use text_board::{Lettering, TextBoard};
