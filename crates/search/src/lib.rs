//! Ways to look ahead.
//!
//! A [`Method`] thinks about a [`Root`] within [`Limits`] and comes to a [`Decision`]. Each method is one
//! folder and imports no other; what they share is here. Nothing in this room prints, parses or opens files.

#![forbid(unsafe_code)]

pub mod alphabeta;
mod depth;
pub mod exchange;
pub mod mcss;
mod move_kind;
mod move_scorer;
mod root;
pub mod softmax;
pub mod tree;
pub mod uct;

pub use contract::{
    Bound, Control, LogisticScale, Rng, RootState, Score, Stability, StopRule, TreeFacts, WholeTime, params,
    score,
};
pub use depth::Depth;
pub use move_kind::MoveKind;
pub use move_scorer::{MoveScorer, MvvLva};
pub use root::{Root, Rules};

/// [`contract::Limits`] in shogi.
pub type Limits = contract::Limits<shogi::Move>;
/// [`contract::Report`] in shogi.
pub type Report = contract::Report<shogi::Move>;
/// [`contract::Choice`] in shogi.
pub type Choice = contract::Choice<shogi::Move>;
/// [`contract::Decision`] in shogi.
pub type Decision = contract::Decision<shogi::Move>;

/// [`::tree::LeafGradient`] in shogi.
pub type LeafGradient = ::tree::LeafGradient<shogi::Move>;

/// A way to search.
pub trait Method: Send {
    /// Forgets what was learned in the last game.
    fn new_game(&mut self);

    /// Thinks until a limit or `control` ends it; blocks meanwhile. Reports get better over time; the
    /// decision is the last word.
    fn think(
        &mut self,
        root: &Root,
        limits: &Limits,
        control: &Control,
        report: &mut dyn FnMut(&Report),
    ) -> Decision;

    /// Thinks at the position of an opponent who is to move, until `control` ends it; what is found serves the next search, whatever
    /// he plays.
    fn ponder(&mut self, root: &Root, control: &Control) {
        self.think(root, &Limits::default(), control, &mut |_| {});
    }

    /// What to play at a position by all that is known already: nothing is searched and nothing forgotten.
    fn recall(&self, _root: &Root) -> Option<shogi::Move> {
        None
    }

    /// Every leaf of the tree with at least the share `least` in the value of the node after these moves from the root, and how that value
    /// hangs on it; `None` where values are no expectations over a tree.
    fn leaf_gradients(&self, _below: &[shogi::Move], _least: f64) -> Option<Vec<LeafGradient>> {
        None
    }

    /// The most probable `budget` nodes of the tree that the last search left; `None` where no tree is kept.
    fn view(&self, _budget: usize) -> Option<tree::TreeView> {
        None
    }
}
