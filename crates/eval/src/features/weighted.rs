//! An evaluation with features added that it lacks, by weights that were fitted to results.
//!
//! With `progress * f_attack` and `progress * f_defence` this is e'(p) of Takeuchi, Kaneko and Yamaguchi, equation (6), for an
//! evaluation that is one and the same in the opening and the endgame.

use std::sync::Arc;

use shogi::{Color, Delta, Position};

use super::{Expression, PositionFeatures};
use crate::Evaluator;

/// Features and what a unit of each is worth, in centipawns for Black.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    terms: Vec<(Expression, f64)>,
}

/// Why weights cannot be played with.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[allow(missing_docs)]
pub enum WeightsError {
    #[error("'{expression}' hangs on {feature}, which only a record tells: no position has it in play")]
    OfRecord { expression: String, feature: &'static str },
    #[error("the weight of '{expression}' is no number")]
    NoNumber { expression: String },
}

/// Nothing that is added is farther from zero.
const LIMIT: f64 = 20_000.0;

impl Weights {
    /// Weights of features that a position tells by itself.
    pub fn new(terms: Vec<(Expression, f64)>) -> Result<Weights, WeightsError> {
        for (expression, weight) in &terms {
            let expression = || expression.to_string();
            if !weight.is_finite() {
                return Err(WeightsError::NoNumber { expression: expression() });
            }
        }
        for (expression, _) in &terms {
            if let Some(feature) = expression.features().into_iter().find(|feature| feature.is_of_record()) {
                let (expression, feature) = (expression.to_string(), feature.name());
                return Err(WeightsError::OfRecord { expression, feature });
            }
        }
        Ok(Weights { terms })
    }

    /// What they add to a position, for Black. What a position makes no number of adds nothing.
    #[must_use]
    pub fn value(&self, position: &Position) -> f64 {
        let features = PositionFeatures::new(position);
        let sum: f64 =
            self.terms.iter().map(|(expression, weight)| weight * expression.value(&features)).sum();
        if sum.is_nan() { 0.0 } else { sum.clamp(-LIMIT, LIMIT) }
    }
}

/// An evaluator with weighted features added.
pub struct Weighted<E> {
    inner: E,
    weights: Arc<Weights>,
}

impl<E: Evaluator> Weighted<E> {
    /// What `inner` says, and the weights on top of it.
    #[must_use]
    pub fn new(inner: E, weights: Arc<Weights>) -> Weighted<E> {
        Weighted { inner, weights }
    }
}

impl<E: Evaluator> Evaluator for Weighted<E> {
    fn reset(&mut self, position: &Position) {
        self.inner.reset(position);
    }

    #[inline(always)]
    fn push(&mut self, delta: &Delta) {
        self.inner.push(delta);
    }

    #[inline(always)]
    fn pop(&mut self) {
        self.inner.pop();
    }

    fn evaluate(&mut self, position: &Position) -> i32 {
        let added = self.weights.value(position).round() as i32;
        self.inner.evaluate(position) + if position.side() == Color::Black { added } else { -added }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Material;
    use crate::features::Feature;
    use crate::walk::random_walk;

    fn weights(terms: &[(&str, f64)]) -> Result<Weights, WeightsError> {
        Weights::new(terms.iter().map(|(text, weight)| (text.parse().unwrap(), *weight)).collect())
    }

    #[test]
    fn the_evaluation_is_that_of_equation_six() {
        let terms = [("progress * king_attack", -115.0), ("progress * king_defence", 83.0)];
        let weights = Arc::new(weights(&terms).unwrap());
        let mut plain = Material::new();
        let mut weighted = Weighted::new(Material::new(), weights);
        let mut changed = 0;
        random_walk(9, 300, &mut weighted, |weighted, position| {
            plain.reset(position);
            let of = |feature: Feature| feature.of(position);
            let (attack, defence) = (of(Feature::KingAttack), of(Feature::KingDefence));
            let added = of(Feature::Progress) * (-115.0 * attack + 83.0 * defence);
            let sign = if position.side() == Color::Black { 1.0 } else { -1.0 };
            let expected = f64::from(plain.evaluate(position)) + sign * added;
            assert!((f64::from(weighted.evaluate(position)) - expected).abs() <= 0.51, "{position}");
            changed += usize::from(added.abs() > 20.0);
        });
        assert!(changed > 20, "{changed} positions have another value");
    }

    #[test]
    fn what_no_position_tells_cannot_be_weighed() {
        let error = weights(&[("castle", 3.0), ("progress * left", 3.0)]).unwrap_err().to_string();
        assert!(error.contains("'progress * left' hangs on left"), "{error}");
        assert!(weights(&[("castle", f64::NAN)]).is_err());
        let divided = weights(&[("castle / 0", 3.0)]).unwrap();
        assert_eq!(divided.value(&Position::start()), 0.0);
    }
}
