//! How good is this position?
//!
//! An [`Evaluator`] follows a position move by move and says, when asked, how good it is for the side to
//! move. This room neither searches nor trains.

#![deny(unsafe_code)]

pub mod features;
pub mod linear;
mod material;
pub mod nnue;
mod vicinity;
#[cfg(test)]
mod walk;

pub use features::{Weighted, Weights, WeightsError};
pub use linear::{Linear, LinearTables, LinearWeights};
pub use material::Material;
pub use nnue::{Net, NetOptions, Nnue};

use shogi::{Delta, Position};

/// Follows a position and evaluates it. Hot loops are generic over the evaluator, so that a net's calls are direct; the others
/// go by a box and share one copy of the search.
///
/// `push` and `pop` go in step with [`Position::play`] and [`Position::undo`]; null moves are not told, since
/// they move no piece.
pub trait Evaluator {
    /// Starts afresh at a position.
    fn reset(&mut self, position: &Position);
    /// A move was played, and this is what it changed. Cheap: work may be put off until `evaluate`.
    fn push(&mut self, delta: &Delta);
    /// The last move was taken back.
    fn pop(&mut self);
    /// The value of the position for the side to move. The unit is a hundredth of a pawn, roughly.
    fn evaluate(&mut self, position: &Position) -> i32;
}

impl<E: Evaluator + ?Sized> Evaluator for Box<E> {
    fn reset(&mut self, position: &Position) {
        (**self).reset(position);
    }

    fn push(&mut self, delta: &Delta) {
        (**self).push(delta);
    }

    fn pop(&mut self) {
        (**self).pop();
    }

    fn evaluate(&mut self, position: &Position) -> i32 {
        (**self).evaluate(position)
    }
}
