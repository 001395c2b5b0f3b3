//! Softmax search in shogi: a policy for [`tree::method`](crate::tree::method).

pub use ::tree::softmax::{Adapt, Decide, Params, Share, Softmax};
