//! A game as it is kept on disk: everything that a restarted server needs to go on.

use records::game::{EndReason, Game, Outcome, PlayedMove, TimeControl};
use serde::{Deserialize, Serialize};
use shogi::{Color, DeclarationRule, GameResult, Handicap, Move, Position};
use std::time::Duration;

use super::clock::TimeRule;

/// A game between a visitor and a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct SavedGame {
    /// Its name, which is part of its address.
    pub(crate) id: String,
    /// The name of the visitor whose game it is.
    pub(crate) owner: String,
    /// Seconds since 1970.
    pub(crate) begun: u64,
    /// Where play began.
    pub(crate) start: String,
    /// The visitor's side.
    pub(crate) human: Side,
    /// The other player, as a spec or a name.
    pub(crate) player: String,
    /// How strong it is to be; full strength unless said.
    pub(crate) level: Option<i64>,
    /// The clocks.
    pub(crate) clock: Option<TimeRule>,
    /// The moves with the milliseconds that they took.
    pub(crate) moves: Vec<(Move, u64)>,
    /// Milliseconds on the clocks before each move: `[Black, White]`, so that moves can be taken back.
    pub(crate) left: Vec<[u64; 2]>,
    /// How it ended.
    pub(crate) end: Option<End>,
}

/// Black or White, in words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub(crate) enum Side {
    Black,
    White,
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct End {
    /// Nobody in a draw.
    pub(crate) winner: Option<Side>,
    pub(crate) reason: Reason,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Reason {
    Mate,
    Resignation,
    Time,
    Repetition,
    PerpetualCheck,
    Declaration,
    TooLong,
}

impl From<Color> for Side {
    fn from(color: Color) -> Side {
        match color {
            Color::Black => Side::Black,
            Color::White => Side::White,
        }
    }
}

impl From<Side> for Color {
    fn from(side: Side) -> Color {
        match side {
            Side::Black => Color::Black,
            Side::White => Color::White,
        }
    }
}

impl End {
    fn outcome(self) -> Outcome {
        let reason = match self.reason {
            Reason::Mate => EndReason::Mate,
            Reason::Resignation => EndReason::Resignation,
            Reason::Time => EndReason::TimeUp,
            Reason::Repetition => EndReason::Repetition,
            Reason::PerpetualCheck => EndReason::PerpetualCheck,
            Reason::Declaration => EndReason::Declaration,
            Reason::TooLong => EndReason::MaxMoves,
        };
        let result = self.winner.map_or(GameResult::Draw, |winner| GameResult::Win(winner.into()));
        Outcome { result: Some(result), reason, time: None }
    }
}

impl SavedGame {
    /// The position before the first move; `None` if the file was changed by somebody who cannot play.
    pub(crate) fn start(&self) -> Option<Position> {
        self.start.parse().ok()
    }

    /// The rule about entered kings: what a usual handicap left away counts for White.
    pub(crate) fn declaration_rule(&self) -> DeclarationRule {
        let handicap = self.start().as_ref().and_then(Handicap::of);
        match handicap {
            Some(handicap) if handicap.name != "HIRATE" => DeclarationRule::Points27Handicap,
            _ => DeclarationRule::Points27,
        }
    }

    /// What the player is called.
    pub(crate) fn player_name(&self) -> String {
        match self.level {
            Some(level) if level < 20 => format!("{} (level {level})", self.player),
            _ => self.player.clone(),
        }
    }

    /// The game as a record.
    pub(crate) fn record(&self) -> Option<Game> {
        let mut game = Game::new(self.start()?);
        let mut players = [None, None];
        let human = Color::from(self.human);
        players[human.index()] = Some("human".to_owned());
        players[(!human).index()] = Some(self.player_name());
        game.info.players = players;
        game.info.declaration_rule = Some(self.declaration_rule());
        let time = self.clock.map(|rule| TimeControl {
            initial: rule.main(),
            byoyomi: rule.byoyomi(),
            increment: Duration::from_secs(rule.increment.into()),
        });
        game.info.time = [time, time];
        game.moves = self
            .moves
            .iter()
            .map(|&(m, ms)| PlayedMove { time: Some(Duration::from_millis(ms)), ..PlayedMove::new(m) })
            .collect();
        game.outcome = self.end.map(End::outcome);
        Some(game)
    }
}
