//! UCT in shogi: a policy for [`tree::method`](crate::tree::method).

pub use ::tree::uct::{Decide, Leaf, Params, Select, Uct};
