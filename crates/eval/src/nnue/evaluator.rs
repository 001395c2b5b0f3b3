//! The evaluator of one thread.

use std::sync::Arc;

use shogi::{Delta, Position};

use super::accumulator::Accumulators;
use super::net::Net;
use crate::Evaluator;

/// No value is farther from zero, which leaves room for mate scores.
pub const VALUE_LIMIT: i32 = 30_000;

/// Evaluates by a net. Begins at the start of the game.
pub struct Nnue {
    net: Arc<Net>,
    accumulators: Accumulators,
}

impl Nnue {
    /// An evaluator for one thread.
    #[must_use]
    pub fn new(net: Arc<Net>) -> Nnue {
        let accumulators = Accumulators::new(&net);
        let mut nnue = Nnue { net, accumulators };
        nnue.reset(&Position::start());
        nnue
    }

    /// The net that it uses.
    #[must_use]
    pub fn net(&self) -> &Arc<Net> {
        &self.net
    }

    /// The output for the side to move before it is divided.
    #[inline]
    pub fn raw_output(&mut self, position: &Position) -> i32 {
        let side = position.side();
        self.accumulators.ensure(&self.net, position, side);
        self.accumulators.ensure(&self.net, position, !side);
        self.net.output(self.accumulators.top(side), self.accumulators.top(!side))
    }
}

impl Evaluator for Nnue {
    fn reset(&mut self, position: &Position) {
        self.accumulators.reset(&self.net, position);
    }

    #[inline(always)]
    fn push(&mut self, delta: &Delta) {
        self.accumulators.push(delta);
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.accumulators.pop();
    }

    /// The net's output divided by its scale, towards zero: a pawn is about 90.
    #[inline]
    fn evaluate(&mut self, position: &Position) -> i32 {
        let value = self.raw_output(position) / self.net.fv_scale() as i32;
        value.clamp(-VALUE_LIMIT, VALUE_LIMIT)
    }
}
