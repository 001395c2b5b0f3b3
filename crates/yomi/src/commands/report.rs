//! `yomi report`: the page of a run.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, ValueHint};
use runs::RunDir;

use crate::{atomic_file, output};

/// Write the page of a run, at any time: one file with all its tables and pictures.
#[derive(Args)]
#[command(after_help = "Examples:\n  yomi report runs/new-old\n  yomi report runs/new-old --out page.html")]
pub(crate) struct Report {
    /// The folder of a run, as 'yomi match --out DIR' makes it
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: PathBuf,

    /// The page; DIR/report.html unless given
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<PathBuf>,
}

impl Report {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let dir = RunDir::existing(&self.dir)?;
        let html = lab::report::of_match(&dir)?;
        let path = self.out.unwrap_or_else(|| self.dir.join("report.html"));
        atomic_file::write(&path, html.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
        output::print(&format!("{}\n", path.display()))
    }
}
