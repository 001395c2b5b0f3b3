//! One line of the log: a finished game.

use contract::score::{LONGEST_MATE, MATE, mate_value};
use records::game::Evaluation;
use serde::{Deserialize, Serialize};
use shogi::{Color, GameResult};

use super::end::End;
use crate::seat::ProtocolWarnings;

/// What a player did that no player should.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// It played a move that is none, or declared what it had not.
    IllegalMove,
    /// It answered too late.
    TimeLoss,
    /// Its program ended, or failed inside.
    Crash,
    /// It did not answer.
    Stall,
}

/// A fault with what is needed to look into it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Whose.
    pub player: usize,
    /// What.
    pub kind: FaultKind,
    /// In words.
    pub words: String,
    /// Where, as a `position` command has it.
    pub position: String,
    /// What the program said last, oldest first.
    pub last_lines: Vec<String>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// The pair's number.
    pub pair: u64,
    /// The game of the pair: 0, or 1 with colours reversed.
    pub game: u8,
    /// Who was Black.
    pub black: usize,
    /// Who was White.
    pub white: usize,
    /// The opening's number.
    pub opening: usize,
    /// Where the opening's moves begin.
    pub start: String,
    /// How many of the moves are the opening's.
    pub opening_plies: usize,
    /// All moves.
    pub moves: String,
    /// Who won.
    #[serde(with = "winner_name")]
    pub winner: GameResult,
    /// How.
    pub end: End,
    /// What went wrong, if something did.
    pub fault: Option<Fault>,
    /// Microseconds that each move of the players took.
    pub times_us: Vec<u64>,
    /// What each mover thought, in centipawns for Black; a mate in n plies is ±(32000 - n).
    pub evals: Vec<Option<i32>>,
    /// Nodes of each move.
    pub nodes: Vec<Option<u64>>,
    /// Depth of each move.
    pub depths: Vec<Option<u32>>,
    /// Seconds the game took.
    pub seconds: f64,
    /// Microseconds per move that neither player used.
    pub overhead_us: f64,
    /// The most of them that one move took.
    pub worst_overhead_us: Option<f64>,
    /// What programs said beyond what they were asked: `[color]`.
    #[serde(default)]
    pub noise: [ProtocolWarnings; 2],
    /// The largest overrun of a clock in microseconds; negative if all answered earlier. `None` without clocks.
    pub latest_us: Option<i64>,
    /// Where the loser made no move and said nothing about the position: what is known about it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub never_moved: Option<String>,
}

/// A result as rows name it.
mod winner_name {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;
    use shogi::{Color, GameResult};

    const NAMES: [(&str, GameResult); 3] = [
        ("black", GameResult::Win(Color::Black)),
        ("white", GameResult::Win(Color::White)),
        ("draw", GameResult::Draw),
    ];

    pub(super) fn serialize<S: Serializer>(result: &GameResult, serializer: S) -> Result<S::Ok, S::Error> {
        let named = NAMES.iter().find(|(_, known)| known == result);
        serializer.serialize_str(named.map_or("draw", |(name, _)| name))
    }

    pub(super) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<GameResult, D::Error> {
        let text = String::deserialize(deserializer)?;
        let named = NAMES.iter().find(|(name, _)| *name == text);
        let result = named.map(|(_, result)| *result);
        result.ok_or_else(|| D::Error::unknown_variant(&text, &["black", "white", "draw"]))
    }
}

impl GameRow {
    /// Half points of the pair's first player, who is Black in its first game.
    #[must_use]
    pub fn first_half_points(&self) -> usize {
        let first = if self.game == 0 { Color::Black } else { Color::White };
        self.winner.seen_by(first).half_points()
    }

    /// Whose turn it was at each move that the players thought about.
    pub fn movers(&self) -> impl Iterator<Item = Color> {
        let first = if self.start.contains(" w ") { Color::White } else { Color::Black };
        let sides = [first, !first].into_iter().cycle();
        sides.skip(self.opening_plies % 2).take(self.times_us.len())
    }

    /// Who lost, if anybody did.
    #[must_use]
    pub fn loser(&self) -> Option<usize> {
        match self.winner {
            GameResult::Win(winner) => Some(self.player(!winner)),
            GameResult::Draw => None,
        }
    }

    /// Who played a side.
    #[must_use]
    pub fn player(&self, side: Color) -> usize {
        if side == Color::Black { self.black } else { self.white }
    }

    /// The pair's first player and the other.
    #[must_use]
    pub fn players(&self) -> (usize, usize) {
        if self.game == 0 { (self.black, self.white) } else { (self.white, self.black) }
    }
}

/// Numbers beyond this are mates.
const MATE_BOUND: i32 = MATE - LONGEST_MATE as i32 - 1;

/// An evaluation as a number for Black.
#[must_use]
pub(super) fn number_of(evaluation: Evaluation) -> i32 {
    match evaluation {
        Evaluation::BlackCp(cp) => cp.clamp(-MATE_BOUND, MATE_BOUND),
        Evaluation::Mate { winner, plies } => {
            let value = mate_value(plies);
            if winner == Color::Black { value } else { -value }
        }
    }
}

/// The evaluation of such a number.
#[must_use]
pub(super) fn evaluation_of(number: i32) -> Evaluation {
    if number.abs() <= MATE_BOUND {
        return Evaluation::BlackCp(number);
    }
    let winner = if number > 0 { Color::Black } else { Color::White };
    Evaluation::Mate { winner, plies: Some((MATE - number.abs()).max(0) as u32) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_winner_is_named_as_ever() {
        #[derive(Serialize, Deserialize)]
        struct Row(#[serde(with = "winner_name")] GameResult);
        for (result, name) in [
            (GameResult::Win(Color::Black), "\"black\""),
            (GameResult::Win(Color::White), "\"white\""),
            (GameResult::Draw, "\"draw\""),
        ] {
            assert_eq!(serde_json::to_string(&Row(result)).unwrap(), name);
            assert_eq!(serde_json::from_str::<Row>(name).unwrap().0, result);
        }
        assert!(serde_json::from_str::<Row>("\"nobody\"").is_err());
    }

    #[test]
    fn evaluations_survive_as_numbers() {
        let mate = |winner, plies| Evaluation::Mate { winner, plies: Some(plies) };
        for evaluation in [Evaluation::BlackCp(-77), mate(Color::Black, 3), mate(Color::White, 0)] {
            assert_eq!(evaluation_of(number_of(evaluation)), evaluation);
        }
    }
}
