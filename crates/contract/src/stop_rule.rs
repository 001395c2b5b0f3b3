//! When enough has been thought: how much of the soft time a search should use.

use crate::Value;

/// Where a search stands when it asks whether to go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RootState<M> {
    /// The best move so far.
    pub best: M,
    /// Its value for the side to move.
    pub value: Value,
    /// The share of the nodes that went to it, from 0 to 1.
    pub effort: f64,
    /// Whether it is the only move.
    pub is_only: bool,
}

/// A rule that decides between the start of a clock and its hard limit, which the
/// [`Control`](crate::Control) enforces whatever the rule says.
pub trait StopRule<M> {
    /// Hears where the search stands, after each iteration or now and then; returns the share of the soft time after
    /// which it should end (see [`Control::is_enough`](crate::Control::is_enough)).
    fn soft_share(&mut self, state: &RootState<M>) -> f64;
}

/// All of the soft time, and a part of it for the only move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WholeTime {
    /// The share for the only move.
    pub only_move: f64,
}

impl<M> StopRule<M> for WholeTime {
    fn soft_share(&mut self, state: &RootState<M>) -> f64 {
        if state.is_only { self.only_move } else { 1.0 }
    }
}

/// How settled the search is: the less likely another best move and the more of the effort the best one took, the sooner it
/// ends; later while the value falls.
#[derive(Clone, Debug)]
pub struct Stability<M> {
    best: Option<M>,
    value: Value,
    iterations: u32,
    changes: u32,
    only_move: f64,
}

/// The share of the soft time that even a settled search uses.
const LEAST_SHARE: f64 = 0.4;
/// What is added for a best move that changes all the time.
const FOR_DOUBT: f64 = 0.6;
/// What is added when others take all of the effort.
const FOR_RIVALS: f64 = 0.5;
/// What is added while the value falls by a pawn or more.
const FOR_FALL: f64 = 0.5;
/// A pawn in the unit of values.
const PAWN: f64 = 100.0;

impl<M> Stability<M> {
    /// Nothing has been heard yet; `only_move` is the further share for the only move.
    #[must_use]
    pub fn new(only_move: f64) -> Stability<M> {
        Stability { best: None, value: 0, iterations: 0, changes: 0, only_move }
    }

    /// The probability that the next iteration has another best move, by Laplace's rule of succession.
    fn doubt(&self) -> f64 {
        f64::from(self.changes + 1) / f64::from(self.iterations + 2)
    }
}

impl<M: Copy + PartialEq> StopRule<M> for Stability<M> {
    fn soft_share(&mut self, state: &RootState<M>) -> f64 {
        let fall = if self.best.is_some() { f64::from(self.value - state.value) / PAWN } else { 0.0 };
        self.changes += u32::from(self.best.is_some_and(|best| best != state.best));
        self.iterations += u32::from(self.best.is_some());
        (self.best, self.value) = (Some(state.best), state.value);
        let share = LEAST_SHARE
            + FOR_DOUBT * self.doubt()
            + FOR_RIVALS * (1.0 - state.effort)
            + FOR_FALL * fall.clamp(0.0, 1.0);
        share * if state.is_only { self.only_move } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share_after(states: impl Iterator<Item = RootState<u16>>) -> f64 {
        let mut rule = Stability::new(0.2);
        states.map(|state| rule.soft_share(&state)).last().unwrap()
    }

    #[test]
    fn a_stable_move_needs_less_time_and_a_falling_value_more() {
        let calm = RootState { best: 1, value: 50, effort: 0.9, is_only: false };
        let stable = share_after((0..8).map(|_| calm));
        let changing = share_after((0..8).map(|i| RootState { best: i % 2, ..calm }));
        let falling = share_after((0..8).map(|i| RootState { value: 50 - 60 * i, ..calm }));
        let divided = share_after((0..8).map(|_| RootState { effort: 0.3, ..calm }));
        let only = share_after((0..8).map(|_| RootState { is_only: true, ..calm }));
        assert!(stable < changing && stable < falling && stable < divided && only < stable / 2.0);
    }

    #[test]
    fn the_whole_time_is_used_but_for_the_only_move() {
        let state = RootState { best: 'a', value: 0, effort: 0.5, is_only: false };
        let mut rule = WholeTime { only_move: 0.1 };
        assert_eq!(rule.soft_share(&state), 1.0);
        assert_eq!(rule.soft_share(&RootState { is_only: true, ..state }), 0.1);
    }
}
