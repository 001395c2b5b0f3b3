//! Ends that no rule of the game knows: off unless asked for, and shown in the result.

use std::str::FromStr;

use contract::score::MATE;
use records::compact::EndCode;
use records::game::Evaluation;
use serde::{Deserialize, Serialize};
use shogi::{Color, GameResult, Position};

use crate::mate_proof;

/// What is adjudicated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// A side that thinks itself lost for some moves has lost.
    pub resign: Option<ResignRule>,
    /// A game that both think even for some moves is a draw.
    pub draw: Option<DrawRule>,
    /// A mate that the runner proves, with so many nodes, is taken for played.
    pub mate_nodes: Option<u64>,
}

/// `CP,MOVES`: so many of a side's own moves in a row with a value of -CP or less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct ResignRule {
    pub cp: i32,
    pub moves: u32,
}

/// `CP,MOVES,PLY`: from this ply on, so many moves in a row, of both sides, with a value within ±CP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[allow(missing_docs)]
pub struct DrawRule {
    pub cp: i32,
    pub moves: u32,
    pub from_ply: u16,
}

/// Why a text is no rule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {expected}, found '{found}'")]
#[allow(missing_docs)]
pub struct RuleError {
    expected: &'static str,
    found: String,
}

fn numbers<const N: usize>(text: &str) -> Option<[i32; N]> {
    let parsed: Vec<i32> = text.split(',').map(|word| word.trim().parse().ok()).collect::<Option<_>>()?;
    <[i32; N]>::try_from(parsed).ok().filter(|numbers| numbers.iter().all(|n| (0..=60_000).contains(n)))
}

impl FromStr for ResignRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match numbers(text) {
            Some([cp, moves]) if moves > 0 => Ok(ResignRule { cp, moves: moves as u32 }),
            _ => Err(RuleError { expected: "CP,MOVES, as 2000,4", found: text.to_owned() }),
        }
    }
}

impl FromStr for DrawRule {
    type Err = RuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match numbers(text) {
            Some([cp, moves, ply]) if moves > 0 => {
                Ok(DrawRule { cp, moves: moves as u32, from_ply: ply as u16 })
            }
            _ => Err(RuleError { expected: "CP,MOVES,PLY, as 20,16,160", found: text.to_owned() }),
        }
    }
}

/// Watches one game.
#[derive(Debug)]
pub(super) struct Arbiter {
    rules: Adjudication,
    /// Own moves in a row with a lost value: `[color]`.
    lost: [u32; 2],
    /// Moves in a row with an even value.
    even: u32,
}

impl Arbiter {
    pub(super) fn new(rules: Adjudication) -> Arbiter {
        Arbiter { rules, lost: [0; 2], even: 0 }
    }

    /// After a move of `side` that led to `after`, with what it thought of it.
    pub(super) fn judge(
        &mut self,
        side: Color,
        evaluation: Option<Evaluation>,
        after: &Position,
    ) -> Option<(GameResult, EndCode)> {
        let own = evaluation.map(|evaluation| value_for(evaluation, side));
        if let Some(rule) = self.rules.resign {
            let lost = &mut self.lost[side.index()];
            *lost = if own.is_some_and(|own| own <= -rule.cp) { *lost + 1 } else { 0 };
            if *lost >= rule.moves {
                return Some((GameResult::Win(!side), EndCode::Resignation));
            }
        }
        if let Some(rule) = self.rules.draw {
            let is_even = after.ply() > rule.from_ply && own.is_some_and(|own| own.abs() <= rule.cp);
            self.even = if is_even { self.even + 1 } else { 0 };
            if self.even >= rule.moves {
                return Some((GameResult::Draw, EndCode::Draw));
            }
        }
        let nodes = self.rules.mate_nodes?;
        mate_proof::proven_winner(after, nodes).map(|winner| (GameResult::Win(winner), EndCode::Mate))
    }
}

/// A value in centipawns as a side sees it; mates lie beyond all others.
fn value_for(evaluation: Evaluation, side: Color) -> i32 {
    match evaluation {
        Evaluation::BlackCp(cp) if side == Color::Black => cp,
        Evaluation::BlackCp(cp) => cp.saturating_neg(),
        Evaluation::Mate { winner, .. } => {
            if winner == side {
                MATE
            } else {
                -MATE
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read_or_refused_with_their_form() {
        assert_eq!("2000,4".parse(), Ok(ResignRule { cp: 2000, moves: 4 }));
        assert_eq!("20,16,160".parse(), Ok(DrawRule { cp: 20, moves: 16, from_ply: 160 }));
        for text in ["", "2000", "2000,0", "a,b", "1,2,3", "-5,2"] {
            assert!(text.parse::<ResignRule>().unwrap_err().to_string().contains("CP,MOVES"), "{text}");
        }
        assert!("20,16".parse::<DrawRule>().is_err());
    }

    #[test]
    fn lost_means_lost_in_ones_own_eyes_and_in_a_row() {
        let rules = Adjudication { resign: Some(ResignRule { cp: 1000, moves: 2 }), ..Default::default() };
        let mut arbiter = Arbiter::new(rules);
        let position = Position::start();
        let mut judge = |side, cp| arbiter.judge(side, Some(Evaluation::BlackCp(cp)), &position);
        assert_eq!(judge(Color::Black, -1500), None);
        assert_eq!(judge(Color::White, -1500), None, "White is happy with that");
        assert_eq!(judge(Color::Black, 0), None);
        assert_eq!(judge(Color::Black, -1500), None);
        assert_eq!(judge(Color::Black, -1000), Some((GameResult::Win(Color::White), EndCode::Resignation)));
    }

    #[test]
    fn a_draw_needs_both_sides_and_the_ply() {
        let rule = DrawRule { cp: 10, moves: 3, from_ply: 40 };
        let mut arbiter = Arbiter::new(Adjudication { draw: Some(rule), ..Default::default() });
        let early = Position::start();
        let late: Position = "4k4/9/9/9/9/9/9/9/4K4 b - 60".parse().unwrap();
        let even = Some(Evaluation::BlackCp(5));
        for _ in 0..5 {
            assert_eq!(arbiter.judge(Color::Black, even, &early), None);
        }
        assert_eq!(arbiter.judge(Color::Black, even, &late), None);
        assert_eq!(arbiter.judge(Color::White, None, &late), None);
        assert_eq!(arbiter.judge(Color::Black, even, &late), None);
        assert_eq!(arbiter.judge(Color::White, even, &late), None);
        assert_eq!(arbiter.judge(Color::Black, even, &late), Some((GameResult::Draw, EndCode::Draw)));
    }

    #[test]
    fn a_proven_mate_ends_the_game_if_asked_for() {
        let mate: Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
        assert_eq!(Arbiter::new(Adjudication::default()).judge(Color::White, None, &mate), None);
        let rules = Adjudication { mate_nodes: Some(1000), ..Default::default() };
        let verdict = Arbiter::new(rules).judge(Color::White, None, &mate);
        assert_eq!(verdict, Some((GameResult::Win(Color::Black), EndCode::Mate)));
    }
}
