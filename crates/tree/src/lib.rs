//! Best-first search over any game.
//!
//! A [`Game`] says what can be played and what positions are worth; a [`Policy`] says where the tree grows and how values
//! go up: [`softmax`], [`mcss`] and [`uct`] are policies. [`TreeSearch`] runs a policy on any number of threads, within
//! limits, and keeps the tree from one move to the next. Everything is compiled for each game by itself.
//!
//! One heap of matches; a move takes one, two or three, and whoever takes the last one wins:
//!
//! ```
//! use contract::{Choice, Control, Limits, LogisticScale, Score};
//! use tree::softmax::{Params, Softmax};
//! use tree::{End, Game, TreeSearch};
//!
//! #[derive(Clone)]
//! struct Nim { left: u16, taken: Vec<u16> }
//!
//! impl Game for Nim {
//!     type Move = u16;
//!     fn pack(m: u16) -> u16 { m }
//!     fn unpack(bits: u16) -> u16 { bits }
//!     fn moves(&mut self, list: &mut Vec<u16>) {
//!         list.clear();
//!         list.extend(1..=self.left.min(3));
//!     }
//!     fn play(&mut self, m: u16) {
//!         self.left -= m;
//!         self.taken.push(m);
//!     }
//!     fn undo(&mut self) {
//!         self.left += self.taken.pop().unwrap();
//!     }
//!     fn end(&mut self, _ply: usize) -> Option<End> { None }
//!     fn no_moves(&self) -> End { End::Loss(0) }
//!     fn evaluate(&mut self, _beta: i32) -> i32 { 0 }
//!     fn nodes(&self) -> u64 { 0 }
//! }
//!
//! let heap = |left| Nim { left, taken: Vec::new() };
//! let mut search = TreeSearch::new(Softmax::new(Params::default()), 1, LogisticScale::default(), 1);
//! // Until all is proven: nothing else ends this search.
//! let decision = search.search(vec![heap(7)], &Limits::default(), &Control::new(), &mut |_| {}).unwrap();
//! assert_eq!(decision.choice, Choice::Move(3));
//! assert!(matches!(decision.score, Score::MateIn(_)));
//! // The tree below the move is kept.
//! assert!(search.advance::<Nim>(3));
//! assert_eq!(search.view::<Nim>(4).nodes[0].played, None);
//! ```

#![forbid(unsafe_code)]

mod arena;
pub mod boltzmann;
mod driver;
mod game;
mod gradient;
mod growth;
pub mod mcss;
mod node;
mod policy;
mod probable;
mod reporting;
pub mod softmax;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod toys;
pub mod uct;
mod view;
mod worker;

pub use driver::TreeSearch;
pub use game::{End, Game};
pub use gradient::LeafGradient;
pub use growth::{ScoredMove, Tree};
pub use node::{AtomicF32, Node, NodeId, Phase, Proof};
pub use policy::{Policy, Step, best_by, depth_filtered, sorted_by};
pub use probable::{ProbableNode, most_probable};
pub use view::{TreeView, ViewNode};
pub use worker::{Descent, Growth, Selection, Worker};
