//! Monte Carlo softmax search in shogi.

use ::tree::mcss::Mcss;
pub use ::tree::mcss::{Decide, Params, Reading};
use eval::Evaluator;

use crate::Method;
use crate::tree::{Resources, TreeMethod, TreeSettings};

/// A player by Monte Carlo softmax search, with an evaluator for each thread.
pub fn method<E: Evaluator + Send + 'static>(
    evaluator: impl FnMut() -> E,
    resources: Resources,
    settings: TreeSettings,
    params: Params,
) -> Box<dyn Method> {
    Box::new(TreeMethod::new(evaluator, resources, settings, Mcss::new(params)))
}
