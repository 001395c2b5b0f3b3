//! What a player is asked, what it says meanwhile, and what it answers.

use std::time::Duration;

use contract::{Clock, LogisticScale};
use search::{Choice, Decision, Limits, Report, Score};
use serde::{Deserialize, Serialize};
use shogi::{DeclarationRule, Move, Position};

/// The rules of a game that differ between servers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameRules {
    /// How an entered king wins.
    pub declaration: DeclarationRule,
    /// After this ply the game is a draw; 0 means never.
    pub max_moves: u16,
}

/// How long to think.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Time {
    /// As long as the [`search::Control`] allows: whoever holds it may have started its clock, or start it later.
    #[default]
    OfControl,
    /// As the clocks of both sides suggest, from now on.
    Clock(Clock),
    /// All of this, from now on.
    Exactly(Duration),
}

/// A position to decide about.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The position; its history serves repetition. Both sides must have a king.
    pub position: &'a Position,
    /// The rules in force.
    pub rules: GameRules,
    /// How long to think.
    pub time: Time,
    /// Bounds besides time. Where the player has its own, the tighter ones hold; 0 lines are as many as the player usually
    /// finds.
    pub limits: Limits,
    /// Whether this is analysis: only the search has a say, neither book nor mate solver.
    pub analysis: bool,
}

impl<'a> Request<'a> {
    /// A position under the usual rules within these limits.
    #[must_use]
    pub fn new(position: &'a Position, limits: Limits) -> Request<'a> {
        Request { position, rules: GameRules::default(), time: Time::OfControl, limits, analysis: false }
    }
}

/// What happens while a player decides.
#[derive(Clone, Debug, PartialEq)]
pub enum Event<'a> {
    /// The search has something to say.
    Report(&'a Report),
    /// A move of the book was chosen.
    BookMove(BookChoice),
    /// The book has moves here that are not legal.
    IllegalBookMoves(&'a [Move]),
    /// A mate is proven.
    ProvenMate {
        /// Its line.
        line: &'a [Move],
        /// Positions that the solver visited now; none for a mate that it proved before.
        nodes: u64,
        /// How long the solver took.
        elapsed: Duration,
    },
    /// The method decided without a report: the game is over, or it saw a mate before it searched.
    Unreported(&'a Decision),
    /// What the search's value means for the side to move.
    WinRate {
        /// From 0 to 1.
        win_rate: f64,
        /// How it was found from the value.
        scale: LogisticScale,
    },
}

/// A move of the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookChoice {
    /// The move.
    pub m: Move,
    /// The reply to expect, if it is legal.
    pub ponder: Option<Move>,
    /// What the book says it is worth, in centipawns for the side to move.
    pub value: Option<i32>,
    /// How deep it was searched for the book.
    pub depth: Option<u32>,
    /// Among how many moves of the book it was chosen.
    pub of: usize,
}

/// What a player decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// What to do.
    pub choice: Choice,
    /// The reply to expect; legal.
    pub ponder: Option<Move>,
    /// The value for the side to move; a book may have none.
    pub score: Option<Score>,
    /// The line it expects, its own move first; none unless it moves.
    pub line: Vec<Move>,
    /// Plies searched, if there was a search.
    pub depth: Option<u32>,
    /// Positions visited, if there was a search.
    pub nodes: Option<u64>,
}
