//! Studies: a file that names players, matches, curves, fits and tunings, and the page that comes of them.
//!
//! Every step of a study is a command of the program, so that whoever doubts a number can run what made it. This room reads
//! the file, plans the commands, and makes a report of what they left; whoever has the program runs them.

mod cost;
mod file;
mod plan;
mod report;
mod results;

pub use cost::Cost;
pub use file::{Run, Step, StudyFile, StudyFileError};
pub use plan::{Plan, PlannedStep, Scale};
pub use report::{Figure, Section, StudyReport};
pub use results::{DoneStep, ResultError, report_of};
