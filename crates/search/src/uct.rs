//! UCT in shogi.

use ::tree::uct::Uct;
pub use ::tree::uct::{Decide, Leaf, Params, Select};
use eval::Evaluator;

use crate::Method;
use crate::tree::{Resources, TreeMethod, TreeSettings};

/// A player by UCT, with an evaluator for each thread.
pub fn method<E: Evaluator + Send + 'static>(
    evaluator: impl FnMut() -> E,
    resources: Resources,
    settings: TreeSettings,
    params: Params,
) -> Box<dyn Method> {
    Box::new(TreeMethod::new(evaluator, resources, settings, Uct::new(params, resources.scale)))
}
