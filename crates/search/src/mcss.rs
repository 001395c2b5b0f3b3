//! Monte Carlo softmax search in shogi: a policy for [`tree::method`](crate::tree::method).

pub use ::tree::mcss::{Decide, Mcss, Params, Reading};
