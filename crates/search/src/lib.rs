//! Ways to look ahead.
//!
//! A [`Method`] thinks about a [`Root`] within [`Limits`] and comes to a [`Decision`]. Each method is one
//! folder and imports no other; what they share is here. Nothing in this room prints, parses or opens files.

#![forbid(unsafe_code)]

pub mod alphabeta;
mod depth;
mod exchange;
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

    /// The most probable `budget` nodes of the tree that the last search left; `None` where no tree is kept.
    fn view(&self, _budget: usize) -> Option<tree::TreeView> {
        None
    }
}
