//! Which temperature a node has.

use super::params::{Adapt, Params};
use crate::Node;

/// Children this far below the best say nothing about how many moves matter.
const WINDOW: f32 = 400.0;
/// The spread at which `adapt=spread` leaves the temperature as it is.
const USUAL_SPREAD: f32 = 100.0;
/// How far a rule may change the temperature.
const FACTOR: std::ops::RangeInclusive<f32> = 0.4..=2.5;

/// The temperature of values at a node whose probabilities have this one.
pub(super) fn of_values(params: &Params, temperature: f32) -> f32 {
    if params.backup > 0.0 { temperature * params.backup / params.temperature } else { temperature }
}

/// The temperature of a node with these children, the best of them worth `best`.
pub(super) fn of(params: &Params, children: &[Node], best: f32, depth: usize) -> f32 {
    let factor = match params.adapt {
        Adapt::Fixed => return params.temperature,
        Adapt::Spread => (spread(children, best).max(1.0) / USUAL_SPREAD).powf(params.spread),
        Adapt::Depth => (1.0 + params.slope).powi(depth as i32),
    };
    params.temperature * factor.clamp(*FACTOR.start(), *FACTOR.end())
}

/// How far the good children lie below the best, as a root mean square.
fn spread(children: &[Node], best: f32) -> f32 {
    let (mut sum, mut count) = (0.0, 0);
    for child in children {
        let below = best - child.value.get();
        if below < WINDOW {
            sum += below * below;
            count += 1;
        }
    }
    (sum / count.max(1) as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn children(values: &[f32]) -> Vec<Node> {
        values
            .iter()
            .map(|&value| {
                let node = Node::default();
                node.init(1, value);
                node
            })
            .collect()
    }

    #[test]
    fn each_rule_moves_the_temperature_its_own_way() {
        let base = Params { temperature: 80.0, spread: 0.5, slope: -0.1, ..Params::default() };
        let params = |adapt| Params { adapt, ..base.clone() };
        let (close, far) = (children(&[50.0, 45.0, 40.0]), children(&[50.0, -150.0, -250.0]));
        let at = |adapt, children: &[Node], depth| of(&params(adapt), children, 50.0, depth);
        assert_eq!(at(Adapt::Fixed, &close, 9), 80.0);
        assert!(at(Adapt::Spread, &close, 0) < 80.0 && at(Adapt::Spread, &far, 0) > 80.0);
        assert_eq!(at(Adapt::Depth, &far, 0), 80.0);
        assert!(at(Adapt::Depth, &far, 4) < at(Adapt::Depth, &far, 2));
        assert_eq!(of_values(&base, 160.0), 160.0);
        assert_eq!(of_values(&Params { backup: 20.0, ..base }, 160.0), 40.0);
    }
}
