//! One player: method, evaluator, book and clock, named by a spec.
//!
//! A [`PlayerSpec`] is one line of text that says everything about a player; a [`Player`] is one that can
//! think. A [`Session`] plays by USI messages; an [`analysis`] judges a game already played. This room formats
//! and prints nothing: it hands typed messages to whoever asked.

#![forbid(unsafe_code)]

pub mod analysis;
pub mod bench;
mod book;
pub mod clock;
pub mod options;
mod placement;
mod player;
mod session;
mod skill;
mod spec;
mod suggest;
mod win_rate;

pub use options::{OptionError, Options};
pub use placement::{PlacementError, place};
pub use player::{Nets, Player, PlayerError, STACK_BYTES};
pub use session::{Flow, Session, Sink};
pub use spec::{
    EvalName, EvalSource, ExternalSpec, MethodSpec, OwnSpec, ParameterFacts, PlayerSpec, SpecError,
};
pub use win_rate::{evaluation_of, scale_of, win_rate, win_rate_loss};
