//! Softmax search in shogi.

use ::tree::softmax::Softmax;
pub use ::tree::softmax::{Adapt, Decide, Params};
use eval::Evaluator;

use crate::Method;
use crate::tree::{Resources, TreeMethod, TreeSettings};

/// A player by softmax search, with an evaluator for each thread.
pub fn method<E: Evaluator + Send + 'static>(
    evaluator: impl FnMut() -> E,
    resources: Resources,
    settings: TreeSettings,
    params: Params,
) -> Box<dyn Method> {
    Box::new(TreeMethod::new(evaluator, resources, settings, Softmax::new(params)))
}
