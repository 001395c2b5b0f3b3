//! One game, whatever file it came from.
//!
//! A game is a start, the main line, how it ended, and the variations that somebody noted. Whatever learns or counts (curves, books,
//! training) looks at the main line alone: that is what was played.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shogi::{Color, DeclarationRule, Move, Position, Setup, SetupError};

pub use shogi::{GameResult, SideResult};

/// A game: the start, the legal moves played from it, how it ended, and what the record says around it.
///
/// ```
/// use records::game::Game;
/// let mut game = Game::new(shogi::Position::start());
/// game.push("7g7f".parse().unwrap());
/// assert_eq!(game.last_position().side(), shogi::Color::White);
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Game {
    /// Where play begins; in mate problems the side to move may lack a king.
    pub start: Position,
    /// The moves played, each legal in its position.
    pub moves: Vec<PlayedMove>,
    /// How it ended; `None` if the record breaks off without a word.
    pub outcome: Option<Outcome>,
    /// Lines that were not played, in the order in which they leave the main line.
    pub variations: Vec<Variation>,
    /// Comment lines before the first move.
    pub comments: Vec<String>,
    /// Players, occasion and conditions.
    pub info: GameInfo,
}

/// One move of a game with what its player or an annotator noted about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedMove {
    /// The move.
    pub m: Move,
    /// Time used for it.
    pub time: Option<Duration>,
    /// What the position after the move was judged worth.
    pub evaluation: Option<Evaluation>,
    /// The expected continuation, beginning with the reply to this move; legal as far as it goes.
    pub pv: Vec<Move>,
    /// Nodes searched for the move.
    pub nodes: Option<u64>,
    /// Comment lines, without those that were understood as one of the fields above.
    pub comments: Vec<String>,
}

/// Moves that were not played but might have been.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Variation {
    /// How many moves come before its first one, counted from the start of the game.
    pub after: usize,
    /// Its moves, at least one, each legal in its position.
    pub moves: Vec<PlayedMove>,
    /// Lines that leave this one, in the order in which they do.
    pub variations: Vec<Variation>,
}

/// A judgement of a position that needs no side to move to be understood.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Evaluation {
    /// Centipawns as Black sees it: positive is good for Black, whoever moved.
    BlackCp(i32),
    /// A forced mate, with its length if it is known.
    Mate {
        /// Who mates.
        winner: Color,
        /// Plies until mate.
        plies: Option<u32>,
    },
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Who won; `None` if the game was broken off or the record does not tell.
    pub result: Option<GameResult>,
    /// Why.
    pub reason: EndReason,
    /// Time used for the last decision (resigning, declaring).
    pub time: Option<Duration>,
}

/// Why a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Hash)]
pub enum EndReason {
    /// The loser resigned.
    Resignation,
    /// The loser's time ran out.
    TimeUp,
    /// The loser made an illegal move or another foul. The move is given if the record has it; it is not
    /// among the moves played.
    IllegalMove(Option<Move>),
    /// The fourth occurrence of a position.
    Repetition,
    /// Repetition by perpetual check, which loses.
    PerpetualCheck,
    /// The winner declared the entered king.
    Declaration,
    /// Both kings entered and the players (or points) made it a draw.
    Impasse,
    /// A draw by agreement or by the referee.
    Draw,
    /// The limit of moves was reached.
    MaxMoves,
    /// The loser was mated.
    Mate,
    /// A mate problem was found to have no mate.
    NoMate,
    /// The game was broken off or adjourned.
    Interrupted,
    /// A move was taken back.
    TakenBack,
    /// The loser did not appear.
    Forfeit,
    /// A program failed.
    Error,
    /// Anything else, in the words of the record.
    Other(String),
}

/// What a record says about a game besides its moves. Pairs are `[Black, White]`.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct GameInfo {
    /// The players' names.
    pub players: [Option<String>; 2],
    /// The players' ratings.
    pub ratings: [Option<f64>; 2],
    /// The event.
    pub event: Option<String>,
    /// The place.
    pub site: Option<String>,
    /// The opening.
    pub opening: Option<String>,
    /// When it began, as the record writes it.
    pub started: Option<String>,
    /// When it ended, as the record writes it.
    pub ended: Option<String>,
    /// The time each side had.
    pub time: [Option<TimeControl>; 2],
    /// The rule about entered kings.
    pub declaration_rule: Option<DeclarationRule>,
    /// After how many moves the game is a draw.
    pub max_moves: Option<u32>,
    /// Everything else that has a name in the record.
    pub other: BTreeMap<String, String>,
}

/// The time one side has for the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct TimeControl {
    /// At the beginning.
    pub initial: Duration,
    /// For each move once that is used up.
    pub byoyomi: Duration,
    /// Added with each move.
    pub increment: Duration,
}

impl PlayedMove {
    /// A move about which nothing is noted.
    #[must_use]
    pub fn new(m: Move) -> PlayedMove {
        PlayedMove { m, time: None, evaluation: None, pv: Vec::new(), nodes: None, comments: Vec::new() }
    }
}

impl Outcome {
    /// A win for this side.
    #[must_use]
    pub fn win(winner: Color, reason: EndReason) -> Outcome {
        Outcome { result: Some(GameResult::Win(winner)), reason, time: None }
    }

    /// A draw.
    #[must_use]
    pub fn draw(reason: EndReason) -> Outcome {
        Outcome { result: Some(GameResult::Draw), reason, time: None }
    }

    /// An end without a result.
    #[must_use]
    pub fn undecided(reason: EndReason) -> Outcome {
        Outcome { result: None, reason, time: None }
    }
}

impl Game {
    /// A game about which only the start is known.
    #[must_use]
    pub fn new(start: Position) -> Game {
        Game {
            start,
            moves: Vec::new(),
            outcome: None,
            variations: Vec::new(),
            comments: Vec::new(),
            info: GameInfo::default(),
        }
    }

    /// Appends a move, which must be legal in [`Game::last_position`].
    pub fn push(&mut self, m: Move) {
        self.moves.push(PlayedMove::new(m));
    }

    /// Calls `visit` with each move and the position it is played in, in order. Nothing is copied per move.
    pub fn for_each_ply(&self, mut visit: impl FnMut(&Position, &PlayedMove)) {
        let mut position = self.start.clone();
        for played in &self.moves {
            visit(&position, played);
            position.play(played.m);
        }
    }

    /// Every position of the game, the start first; each is a copy with the moves that led to it.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        let mut moves = self.moves.iter();
        std::iter::successors(Some(self.start.clone()), move |position| {
            moves.next().map(|played| {
                let mut next = position.clone();
                next.play(played.m);
                next
            })
        })
    }

    /// The position after the last move.
    #[must_use]
    pub fn last_position(&self) -> Position {
        let mut position = self.start.clone();
        for played in &self.moves {
            position.play(played.m);
        }
        position
    }

    /// The winner, if there is one.
    #[must_use]
    pub fn winner(&self) -> Option<Color> {
        match self.outcome.as_ref()?.result? {
            GameResult::Win(color) => Some(color),
            GameResult::Draw => None,
        }
    }
}

/// The position that a record starts from: of a game, or of a mate problem whose attacker has no king.
pub fn start_of(setup: &Setup) -> Result<Position, SetupError> {
    match Position::new(setup) {
        Err(SetupError::NoKing { color }) if color == setup.side => Position::problem(setup),
        result => result,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_one_more_than_moves_and_end_in_the_last() {
        let mut game = Game::new(Position::start());
        for m in ["7g7f", "3c3d", "8h2b+"] {
            game.push(m.parse().unwrap());
        }
        let positions: Vec<Position> = game.positions().collect();
        assert_eq!(positions.len(), 4);
        assert_eq!(positions[3], game.last_position());
        let mut visited = Vec::new();
        game.for_each_ply(|position, played| visited.push((position.ply(), played.m.to_string())));
        assert_eq!(visited, [(1, "7g7f".into()), (2, "3c3d".into()), (3, "8h2b+".into())]);
    }

    #[test]
    fn only_the_attacker_of_a_problem_may_lack_a_king() {
        assert!(start_of(&"4k4/9/4P4/9/9/9/9/9/9 b G 1".parse().unwrap()).is_ok());
        assert_eq!(
            start_of(&"9/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap()),
            Err(SetupError::NoKing { color: Color::White })
        );
    }
}
