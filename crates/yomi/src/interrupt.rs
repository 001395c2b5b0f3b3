//! Ctrl-C: the first one ends a run in good order, the second one at once.

use std::path::Path;

use runs::{RunDir, on_interrupt};

use crate::output::note;

/// Takes over Ctrl-C for a command whose work can be broken off. May be called once.
pub(crate) fn take_over() -> anyhow::Result<()> {
    on_interrupt(|| note("stopping after the work under way; Ctrl-C again ends at once"))?;
    Ok(())
}

/// The folder of a run that Ctrl-C ends in good order.
pub(crate) fn open_run(path: &Path, manifest: &impl serde::Serialize) -> anyhow::Result<RunDir> {
    let dir = RunDir::open(path, manifest)?;
    take_over()?;
    Ok(dir)
}

/// Says how to go on with a run that was stopped; nothing about one that was not.
pub(crate) fn say_how_to_go_on(dir: &RunDir, is_kept: bool) {
    if dir.is_stopped() && is_kept {
        note(&format!("stopped; the same command goes on with {}", dir.path().display()));
    } else if dir.is_stopped() {
        note("stopped; without --out there is nothing to go on with");
    }
}
