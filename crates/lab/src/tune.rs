//! Tuning: simultaneous perturbation (SPSA, Spall 1992) over a method's table of parameters.
//!
//! In each step every parameter is moved up or down at random, and the player so made meets the one moved the other
//! way, in a pair of games. What won is followed a little. The steps' sizes fall as Spall advises; they are chosen by
//! where they should be at the end, as fishtest does.

pub mod kinds;
mod pair;
mod param;
mod run;
pub mod screen;

use contract::Rng;
use serde::{Deserialize, Serialize};

pub use pair::StepJob;
pub use param::SpsaParamError;
pub use run::{STEPS, TuneError, TuneManifest, TuneResult, Tuning};

/// A parameter to be tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaParam {
    /// Its name in the method's table.
    pub name: String,
    /// Where it starts.
    pub start: f64,
    /// Its smallest value.
    pub min: f64,
    /// Its largest value.
    pub max: f64,
    /// By how much it is moved at the end (fishtest's name for it).
    #[serde(rename = "nudge")]
    pub c_end: f64,
}

/// One step's outcome.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// Its number.
    pub step: u64,
    /// Half points of the player whose parameters were moved with the signs, of 4.
    pub half_points: usize,
}

/// The course of a tuning: a function of its seed and the outcomes so far.
#[derive(Clone, Debug)]
pub struct Spsa {
    params: Vec<SpsaParam>,
    seed: u64,
    steps: u64,
    /// How far a half point moves a parameter at the end, in its `c_end`.
    rate_at_end: f64,
    /// Where the parameters are.
    values: Vec<f64>,
}

/// Spall's exponents.
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// How far a half point of surplus moves a parameter at the end, in its `c_end`, unless told otherwise (fishtest's
/// default, for tens of thousands of steps).
pub const USUAL_RATE: f64 = 0.002;
/// The part of all steps that holds the first ones back.
const STABILITY: f64 = 0.1;

impl Spsa {
    /// A tuning of so many steps.
    #[must_use]
    pub fn new(params: Vec<SpsaParam>, steps: u64, rate_at_end: f64, seed: u64) -> Spsa {
        let values = params.iter().map(|param| param.start).collect();
        Spsa { params, seed, steps: steps.max(1), rate_at_end, values }
    }

    /// Where the parameters are.
    #[must_use]
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// The parameters.
    #[must_use]
    pub fn params(&self) -> &[SpsaParam] {
        &self.params
    }

    /// By how much a parameter is moved in a step.
    fn c_at(&self, param: &SpsaParam, step: u64) -> f64 {
        param.c_end * (self.steps as f64 / (step + 1) as f64).powf(GAMMA)
    }

    /// How far a result is followed in a step, in units of the parameter.
    fn rate(&self, param: &SpsaParam, step: u64) -> f64 {
        let hold = STABILITY * self.steps as f64;
        let falling = ((hold + self.steps as f64) / (hold + (step + 1) as f64)).powf(ALPHA);
        self.rate_at_end * param.c_end * param.c_end * falling / self.c_at(param, step).powi(2)
    }

    /// The directions of a step.
    fn signs(&self, step: u64) -> Vec<f64> {
        let mut rng = Rng::new(self.seed ^ (step + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15));
        self.params.iter().map(|_| if rng.draw() >> 63 == 0 { 1.0 } else { -1.0 }).collect()
    }

    /// The two sets of parameters that meet in a step.
    #[must_use]
    pub fn contestants(&self, step: u64) -> [Vec<f64>; 2] {
        let signs = self.signs(step);
        [1.0, -1.0].map(|way| {
            let moved = self.params.iter().zip(&self.values).zip(&signs).map(|((param, value), sign)| {
                (value + way * sign * self.c_at(param, step)).clamp(param.min, param.max)
            });
            moved.collect()
        })
    }

    /// Follows an outcome.
    pub fn learn(&mut self, outcome: Step) {
        let surplus = outcome.half_points.min(4) as f64 - 2.0;
        let signs = self.signs(outcome.step);
        let moved: Vec<f64> = self
            .params
            .iter()
            .zip(&self.values)
            .zip(&signs)
            .map(|((param, value), sign)| {
                let push = self.rate(param, outcome.step) * self.c_at(param, outcome.step) * surplus * sign;
                (value + push).clamp(param.min, param.max)
            })
            .collect();
        self.values = moved;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(name: &str, start: f64) -> SpsaParam {
        SpsaParam { name: name.to_owned(), start, min: 0.0, max: 200.0, c_end: 8.0 }
    }

    #[test]
    fn parameters_go_where_games_are_won() {
        // Strength falls with the distance from (120, 60); a pair's points follow from the difference at random.
        let strength =
            |values: &[f64]| -((values[0] - 120.0) / 60.0).powi(2) - ((values[1] - 60.0) / 60.0).powi(2);
        let mut spsa = Spsa::new(vec![param("a", 60.0), param("b", 100.0)], 20_000, USUAL_RATE, 3);
        let mut rng = Rng::new(8);
        for step in 0..20_000 {
            let [with, against] = spsa.contestants(step);
            let p = 1.0 / (1.0 + (-4.0 * (strength(&with) - strength(&against))).exp());
            let half_points = (0..2).map(|_| if rng.unit() < p { 2 } else { 0 }).sum();
            spsa.learn(Step { step, half_points });
        }
        let found = spsa.values();
        assert!((found[0] - 120.0).abs() < 15.0 && (found[1] - 60.0).abs() < 15.0, "{found:?}");
    }

    #[test]
    fn nothing_leaves_its_range_and_the_outcomes_decide_all() {
        let mut spsa = Spsa::new(vec![param("a", 199.0)], 10, USUAL_RATE, 1);
        let mut again = spsa.clone();
        for step in 0..10 {
            for values in spsa.contestants(step) {
                assert!((0.0..=200.0).contains(&values[0]));
            }
            let outcome = Step { step, half_points: (step % 5) as usize };
            spsa.learn(outcome);
            again.learn(outcome);
        }
        assert_eq!(spsa.values(), again.values());
    }
}
