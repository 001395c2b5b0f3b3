//! What somebody wants to know about a position, as the address says it.

use records::position_text;
use serde::Deserialize;
use shogi::Position;

use crate::refusal::Refusal;

/// A position with the moves that led there, and how to look at it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Question {
    /// Where play began: `startpos`, a handicap or an SFEN.
    pub(crate) start: String,
    /// The moves since, as USI writes them, with commas between them.
    pub(crate) moves: String,
    /// Who looks; the usual player if empty.
    pub(crate) player: String,
    /// How many lines.
    pub(crate) lines: usize,
    /// How many positions to visit; 0 leaves it open.
    pub(crate) nodes: u64,
}

/// The longest start and the longest game.
const LONGEST_START: usize = 200;
const LONGEST_MOVES: usize = 8000;
/// As many lines as can be read.
const MOST_LINES: usize = 10;

impl Question {
    /// The position of a game.
    pub(crate) fn position(&self) -> Result<Position, Refusal> {
        let text = self.text()?;
        position_text::game_position(&text).map_err(|error| Refusal::bad("position", &error))
    }

    /// The position, in which the side to move may lack a king.
    pub(crate) fn problem(&self) -> Result<Position, Refusal> {
        let text = self.text()?;
        position_text::game_or_problem(&text).map_err(|error| Refusal::bad("position", &error))
    }

    fn text(&self) -> Result<String, Refusal> {
        let start = if self.start.is_empty() { "startpos" } else { &self.start };
        if start.len() > LONGEST_START || self.moves.len() > LONGEST_MOVES {
            return Err(Refusal::bad("position", "the game is too long"));
        }
        if self.moves.is_empty() {
            return Ok(start.to_owned());
        }
        Ok(format!("{start} moves {}", self.moves.replace(',', " ")))
    }

    /// Between one and as many lines as can be read.
    pub(crate) fn lines(&self) -> usize {
        self.lines.clamp(1, MOST_LINES)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_is_a_position_or_a_reason_why_not() {
        let asked = |start: &str, moves: &str| {
            let question = Question { start: start.into(), moves: moves.into(), ..Question::default() };
            question.position().map(|position| position.plies_played()).map_err(|refusal| refusal.code)
        };
        assert_eq!(asked("", "7g7f,3c3d"), Ok(2));
        assert_eq!(asked("4", "5a5b"), Ok(1));
        assert_eq!(asked("", "7g7e"), Err("position"));
        assert_eq!(asked("<script>", ""), Err("position"));
        assert_eq!(asked("", &"7g7f,".repeat(3000)), Err("position"));
        assert_eq!(Question { lines: 99, ..Question::default() }.lines(), 10);
    }
}
