//! The loop that nets are learned in: games of the best net, positions of these games, a net learned from them, a match
//! that decides whether it is better. That is a turn, and then comes the next.
//!
//! Every stage of a turn is an ordinary run in a folder of its own, made as the commands make it; what is complete there
//! is not done again. So a loop goes on wherever it was broken off, and what it did follows from its manifest.
//!
//! | file or folder | what it is |
//! |---|---|
//! | `manifest.json` | what the loop is |
//! | `turns.jsonl` | a row for every turn that is over |
//! | `nn.bin` | the best net, once a candidate has won |
//! | `result.json`, `report.html` | all turns, for scripts and for people |
//! | `turn-001/games` | the games of the best net |
//! | `turn-001/data` | the positions of these games |
//! | `turn-001/net-1` | the training of a candidate |
//! | `turn-001/match` | the match of the best candidate with the best net |
//!
//! Turn 0 is that of games that were there before: it has data and a candidate, but plays no games for learning.

mod contest;
mod history;
mod manifest;
mod net_id;
mod page;
mod run;
mod turn;

pub use contest::{Contest, ContestResult, ContestTerms, ContestVerdict, Referee};
pub use history::{Candidate, History, LOG, TurnRow};
pub use manifest::{Manifest, SelfPlayTerms};
pub use net_id::{NetId, NoNetId};
pub use page::page_of;
pub use run::{Stage, TurnError, Turns, Watch};
