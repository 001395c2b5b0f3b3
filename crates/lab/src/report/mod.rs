//! What came of a run: its page, and its result for scripts.

mod forecast;
mod match_charts;
mod match_page;
mod result;

use runs::{RunDir, RunDirError};

use crate::matches::{End, GameRow, Manifest, Match};

pub use result::MatchResult;

/// The page of a match, as far as it has come: one file, nothing is fetched.
pub fn of_match(dir: &RunDir) -> Result<String, RunDirError> {
    dir.expect(Manifest::KIND)?;
    let manifest: Manifest = dir.manifest()?;
    let (stats, rows): (_, Vec<GameRow>) = Match::stats(dir, &manifest)?;
    Ok(match_page::page(&manifest, &stats, &rows))
}

/// Writes the result of a match and its page into the run's folder.
pub fn write(dir: &RunDir, result: &MatchResult) -> Result<(), RunDirError> {
    dir.write_json("result.json", result)?;
    dir.write("report.html", of_match(dir)?.as_bytes())
}

/// The end of a game as the log writes it, with spaces for hyphens.
#[must_use]
pub fn end_name(end: End) -> String {
    end.name().replace('-', " ")
}
