//! One player: method, evaluator, book and clock, named by a spec.
//!
//! A [`PlayerSpec`] is one line of text about a player; a [`ResolvedSpec`] leaves nothing open, and an [`Agent`] is the
//! player that can be asked. A [`Session`] plays by USI messages; an [`analysis`] judges a game already played. This
//! room prints nothing: it hands typed events and messages to whoever asked, and only the session has words for them.

#![forbid(unsafe_code)]

mod agent;
pub mod analysis;
pub mod bench;
mod book;
pub mod clock;
mod explanation;
pub mod options;
pub mod options_file;
mod placement;
mod session;
mod skill;
mod spec;
mod suggest;
mod win_rate;

pub use agent::{
    Agent, AgentError, Answer, BookChoice, Event, GameRules, Listener, Nets, Request, STACK_BYTES,
    SearchFailed, Time, WeightsFileError, linear_weights, search_model,
};
pub use book::{BookFileError, OpenBook, book_chances};
pub use explanation::{Explained, ExplainedPart, Explainer, Sides, explain};
pub use options::{OptionError, Options, Settings};
pub use placement::{PlacementError, place};
pub use session::{Flow, Session, Sink};
pub use spec::{
    Defaults, EvalName, EvalSource, ExternalSpec, MethodSpec, OwnSpec, ParameterFacts, PlayerSpec,
    ResolvedSpec, SpecError,
};
pub use win_rate::{evaluation_of, scale_of, win_rate, win_rate_loss};
