//! Ways to look ahead.
//!
//! A [`Method`] thinks about a [`Root`] within [`Limits`] and comes to a [`Decision`]. Each method is one
//! folder and imports no other; what they share is here. Nothing in this room prints, parses or opens files.

#![forbid(unsafe_code)]

pub mod alphabeta;
mod chance;
mod control;
mod exchange;
mod limits;
pub mod mcss;
pub mod params;
mod report;
mod root;
pub mod score;
pub mod softmax;
pub mod tree;
pub mod uct;

pub use chance::Chance;
pub use control::Control;
pub use limits::Limits;
pub use report::{Bound, Choice, Decision, Report, TreeFacts};
pub use root::{Root, Rules};
pub use score::Score;

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
