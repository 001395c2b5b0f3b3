//! Where a run is kept and how its result is printed: what the commands of the laboratory have in common.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueHint};
use runs::RunDir;
use serde::Serialize;
use tempfile::TempDir;

use crate::{interrupt, output};

/// What becomes of a run.
#[derive(Args)]
pub(crate) struct RunOutput {
    /// The folder of the run, new or to be continued; without it nothing is kept
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) out: Option<PathBuf>,

    /// End with one JSON object instead of text
    #[arg(long)]
    json: bool,
}

/// The folder of a run: the one that was named, or one that goes with this value.
pub(crate) struct RunFolder {
    pub(crate) dir: RunDir,
    fleeting: Option<TempDir>,
}

impl RunFolder {
    /// Whether it will still be there afterwards.
    pub(crate) fn is_kept(&self) -> bool {
        self.fleeting.is_none()
    }

    /// Says how to go on if the run was stopped.
    pub(crate) fn say_how_to_go_on(&self) {
        interrupt::say_how_to_go_on(&self.dir, self.is_kept());
    }
}

impl RunOutput {
    /// Opens the folder; refuses one that holds another run.
    pub(crate) fn open(&self, manifest: &impl Serialize) -> anyhow::Result<RunFolder> {
        self.open_prolonged(manifest, None)
    }

    /// The same for a run whose number of this name may grow.
    pub(crate) fn open_prolonged(
        &self,
        manifest: &impl Serialize,
        length: Option<&str>,
    ) -> anyhow::Result<RunFolder> {
        if let Some(path) = &self.out {
            let dir = RunDir::open_prolonged(path, manifest, length)?;
            interrupt::take_over()?;
            return Ok(RunFolder { dir, fleeting: None });
        }
        let fleeting = tempfile::tempdir().context("cannot make a folder for the run")?;
        let dir = interrupt::open_run(&fleeting.path().join("run"), manifest)?;
        Ok(RunFolder { dir, fleeting: Some(fleeting) })
    }

    /// Prints the result as one line of JSON, or what people read.
    pub(crate) fn print(&self, result: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        output::print(&if self.json { serde_json::to_string(result)? + "\n" } else { text() })
    }
}
