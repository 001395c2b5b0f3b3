//! Who wins by force: the one place where the laboratory asks for mates.

use std::cell::RefCell;

use mate::{Answer, Effort, Length, Solver};
use shogi::{Color, Position};

/// Megabytes: ten thousand positions need little.
const HASH: usize = 4;

thread_local! {
    /// It begins afresh with every position, but to get its memory would cost more than most proofs do.
    static SOLVER: RefCell<Option<Solver>> = const { RefCell::new(None) };
}

/// The side that mates by force: the side to move if the solver finds so within so many positions, the other one
/// if it has mated. Positions without both kings prove nothing.
///
/// ```
/// let position: shogi::Position = "4k4/9/4P4/9/9/9/9/9/4K4 b G 1".parse().unwrap();
/// assert_eq!(lab::mate_proof::proven_winner(&position, 1000), Some(shogi::Color::Black));
/// assert_eq!(lab::mate_proof::proven_winner(&shogi::Position::start(), 100), None);
/// ```
#[must_use]
pub fn proven_winner(position: &Position, nodes: u64) -> Option<Color> {
    let side = position.side();
    if position.king(side).is_none() || position.king(!side).is_none() {
        return None;
    }
    if !position.has_legal_move() {
        return Some(!side);
    }
    let effort = Effort { nodes: Some(nodes), length: Length::Any };
    SOLVER.with_borrow_mut(|solver| {
        if solver.is_none() {
            *solver = Solver::new(HASH);
        }
        let solution = solver.as_mut()?.solve(position, &effort, &mut |_| false);
        matches!(solution.answer, Answer::Mate(_)).then_some(side)
    })
}
