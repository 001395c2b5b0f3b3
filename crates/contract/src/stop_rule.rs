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

/// How stable the best move and its value are over the iterations: the longer the best move has stood and the more of the
/// effort it took, the sooner the search ends; the more its value falls, the later.
#[derive(Clone, Debug)]
pub struct Stability<M> {
    best: Option<M>,
    stable: u32,
    values: Vec<Value>,
    only_move: f64,
}

impl<M> Stability<M> {
    /// Nothing has been heard yet; `only_move` is the further share for the only move.
    #[must_use]
    pub fn new(only_move: f64) -> Stability<M> {
        Stability { best: None, stable: 0, values: Vec::new(), only_move }
    }

    fn share(&self, effort: f64) -> f64 {
        let stability = 1.35 - 0.07 * f64::from(self.stable.min(10));
        let now = self.values.last().copied().unwrap_or(0);
        let before = self.values.len().checked_sub(4).map_or(now, |i| self.values[i]);
        let falling = (1.0 + f64::from(before - now) / 250.0).clamp(0.75, 1.5);
        let shared = (1.45 - effort).clamp(0.55, 1.2);
        stability * falling * shared
    }
}

impl<M: Copy + PartialEq> StopRule<M> for Stability<M> {
    fn soft_share(&mut self, state: &RootState<M>) -> f64 {
        self.stable = if self.best == Some(state.best) { self.stable + 1 } else { 0 };
        self.best = Some(state.best);
        self.values.push(state.value);
        self.share(state.effort) * if state.is_only { self.only_move } else { 1.0 }
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
