//! What is thought about: a position with its past, and the rules in force.

use shogi::{Color, Declaration, DeclarationRule, Move, Position};

use crate::score::Value;
use crate::{Choice, Decision, Score};

/// The rules that differ between servers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How an entered king wins.
    pub declaration: DeclarationRule,
    /// After this ply the game is a draw; 0 means never.
    pub max_moves: u16,
    /// What a draw is worth to each side when it is the one that thinks: `[color]`.
    pub draw_value: [Value; 2],
    /// Whether to consider moves without promotion that a better twin makes pointless.
    pub all_moves: bool,
}

impl Default for Rules {
    fn default() -> Self {
        Rules {
            declaration: DeclarationRule::default(),
            max_moves: 0,
            draw_value: [-2, -2],
            all_moves: false,
        }
    }
}

/// A position to think about, the moves that led there included.
#[derive(Clone, Debug)]
pub struct Root {
    /// The position; its history serves repetition.
    pub position: Position,
    /// The rules in force.
    pub rules: Rules,
}

impl Root {
    /// A position under the usual rules.
    #[must_use]
    pub fn new(position: Position) -> Root {
        Root { position, rules: Rules::default() }
    }

    /// What is decided without a search: an entered king, or no legal move.
    #[must_use]
    pub fn decided(&self, moves: &[Move]) -> Option<Decision> {
        let (choice, score) = match self.position.declaration(self.rules.declaration) {
            Some(Declaration::Win) => (Choice::Declare, Score::MateIn(1)),
            Some(Declaration::Try(m)) => (Choice::Move(m), Score::MateIn(1)),
            _ if moves.is_empty() => (Choice::Resign, Score::MatedIn(0)),
            _ => return None,
        };
        Some(Decision { choice, ponder: None, score, depth: 0, nodes: 0 })
    }

    /// What a draw is worth to `side` in this search.
    #[must_use]
    pub fn draw_value(&self, side: Color) -> Value {
        let thinker = self.position.side();
        let value = self.rules.draw_value[thinker.index()];
        if side == thinker { value } else { -value }
    }
}
