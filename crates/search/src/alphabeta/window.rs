//! The window of an iteration at the root (aspiration search): as wide as the value has lately moved between iterations.

use super::params::{PERCENT, Params};
use crate::Bound;
use crate::score::{EVAL_LIMIT, INFINITE, Value};

/// The first iteration with a narrow window: before it, there are not two changes to tell how much the value moves.
const FIRST_NARROW: i32 = 4;
/// One part in so many of what is remembered is the latest change.
const MEMORY: i32 = 4;
/// Parts of a value in which the mean is kept.
const PARTS: i32 = 16;

/// What to expect of the value of a line in the next iteration.
#[derive(Clone, Debug, Default)]
pub(crate) struct Outlook {
    last: Option<Value>,
    /// The running mean of the changes between iterations, in parts.
    swing: i32,
}

impl Outlook {
    /// An iteration has ended with a value. Changes from and to values that are no evaluations say nothing about others.
    pub(crate) fn observe(&mut self, value: Value) {
        if let Some(last) = self.last.filter(|last| last.abs().max(value.abs()) < EVAL_LIMIT) {
            self.swing += ((value - last).abs() * PARTS - self.swing) / MEMORY;
        }
        self.last = Some(value);
    }

    /// The window of an iteration.
    pub(crate) fn window(&self, depth: i32, params: &Params) -> Window {
        let margin = params.window_least + params.window_z * self.swing / (PERCENT * PARTS);
        match self.last {
            Some(last) if depth >= FIRST_NARROW && last.abs() < EVAL_LIMIT => {
                Window { alpha: last - margin, beta: last + margin, below: margin, above: margin }
                    .within_evaluations()
            }
            _ => Window { alpha: -INFINITE, beta: INFINITE, below: 0, above: 0 },
        }
    }
}

/// A window whose sides grow on their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) alpha: Value,
    pub(crate) beta: Value,
    /// How far alpha was put below what was expected.
    below: Value,
    /// How far beta was put above it.
    above: Value,
}

impl Window {
    /// What a value found in the window means.
    pub(crate) fn bound(&self, value: Value) -> Bound {
        if value <= self.alpha {
            Bound::Upper
        } else if value >= self.beta {
            Bound::Lower
        } else {
            Bound::Exact
        }
    }

    /// Takes in a value that lay outside, and more on that side.
    pub(crate) fn widen(&mut self, value: Value, params: &Params) {
        let growth = |width: Value| (width * params.window_growth / PERCENT).max(1);
        match self.bound(value) {
            Bound::Upper => {
                let more = growth(self.below);
                self.alpha = value - more;
                self.below += more;
            }
            Bound::Lower => {
                let more = growth(self.above);
                self.beta = value + more;
                self.above += more;
            }
            Bound::Exact => {}
        }
        *self = self.within_evaluations();
    }

    /// Beyond evaluations there are only ends of the game, which are not worth several searches: a side that gets there
    /// is open.
    fn within_evaluations(self) -> Window {
        let alpha = if self.alpha <= -EVAL_LIMIT { -INFINITE } else { self.alpha };
        let beta = if self.beta >= EVAL_LIMIT { INFINITE } else { self.beta };
        Window { alpha, beta, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::mate_in;

    fn settled(value: Value) -> Outlook {
        let mut outlook = Outlook::default();
        outlook.observe(value);
        outlook
    }

    fn width(window: Window) -> Value {
        window.beta - window.alpha
    }

    #[test]
    fn restless_values_get_wider_windows() {
        let params = Params::default();
        let calm = settled(50).window(9, &params);
        assert_eq!((calm.alpha, calm.beta), (50 - params.window_least, 50 + params.window_least));
        let mut restless = settled(50);
        [150, 20, 130, 50].into_iter().for_each(|value| restless.observe(value));
        assert!(width(restless.window(9, &params)) > 3 * width(calm));
    }

    #[test]
    fn shallow_iterations_and_ends_of_the_game_have_open_windows() {
        let params = Params::default();
        let open = 2 * INFINITE;
        assert_eq!(width(settled(50).window(1, &params)), open);
        assert_eq!(width(settled(mate_in(5)).window(9, &params)), open);
        let mut outlook = settled(mate_in(5));
        outlook.observe(40);
        assert_eq!(width(outlook.window(9, &params)), 2 * params.window_least, "no change of evaluation");
    }

    #[test]
    fn only_the_side_that_failed_grows_until_the_value_fits() {
        let params = Params::default();
        let mut window = settled(0).window(9, &params);
        let beta = window.beta;
        assert_eq!(window.bound(-40), Bound::Upper);
        window.widen(-40, &params);
        assert_eq!(window.bound(-40), Bound::Exact);
        assert_eq!(window.beta, beta);
        window.widen(mate_in(9), &params);
        assert_eq!((window.beta, window.bound(mate_in(1))), (INFINITE, Bound::Exact));
        let mut falls = 0;
        while window.alpha > -INFINITE {
            window.widen(window.alpha, &params);
            falls += 1;
        }
        assert!(falls < 16, "{falls}");
    }
}
