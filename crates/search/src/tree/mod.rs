//! What the tree methods share: a game, nodes in memory of fixed size, threads that walk down and up.
//!
//! A method is a [`Policy`](policy::Policy): where to go down, what to tell on the way up, what to play in the end.

mod arena;
pub(crate) mod boltzmann;
mod game;
mod growth;
mod method;
mod node;
mod policy;
mod probable;
mod quiescence;
mod reporting;
mod settings;
mod shogi_game;
#[cfg(test)]
pub(crate) mod testing;
#[cfg(test)]
pub(crate) mod toys;
mod value_cache;
mod view;
mod worker;

pub use game::{End, Game};
#[cfg(test)]
pub(crate) use growth::Scored;
pub(crate) use growth::Tree;
pub use method::Resources;
pub(crate) use method::TreeMethod;
pub(crate) use node::{Cell, Node, NodeId, Phase, Proof};
pub(crate) use policy::{Policy, Step, best_by, depth_filtered, sorted_by};
pub(crate) use probable::most_probable;
pub use settings::{LeafSettings, TreeSettings};
pub use shogi_game::ShogiGame;
pub use view::{TreeView, ViewNode};
pub(crate) use worker::{Descent, Fork, Growth, Worker};
