//! Shogi for the tree methods: the game they search, and what they do besides.

mod method;
mod quiescence;
mod settings;
mod shogi_game;
mod value_cache;

pub use ::tree::{End, Game};
pub use method::{Resources, method};
pub use settings::{LeafSettings, TreeSettings};
pub use shogi_game::ShogiGame;

/// [`tree::TreeView`](::tree::TreeView) in shogi.
pub type TreeView = ::tree::TreeView<shogi::Move>;
/// [`tree::ViewNode`](::tree::ViewNode) in shogi.
pub type ViewNode = ::tree::ViewNode<shogi::Move>;
