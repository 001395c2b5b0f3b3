//! `yomi report`: the page of a run.

use std::path::PathBuf;

use clap::{Args, ValueHint};
use records::whole_file::Existing;
use runs::RunDir;

use crate::output;
use crate::target::{Force, Target};

/// Write the page of a run, at any time: one file with all its tables and pictures.
#[derive(Args)]
#[command(
    after_help = "Examples:\n  yomi report runs/new-old\n  yomi report runs/new-old --out page.html\n  yomi report runs/new-old --out -"
)]
pub(crate) struct Report {
    /// The folder of a run, as 'yomi match --out DIR' or 'yomi learn loop --out DIR' makes it
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    dir: PathBuf,

    /// The page; DIR/report.html, which is replaced, unless given; - is standard output
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    out: Option<Target>,

    #[command(flatten)]
    force: Force,
}

impl Report {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let dir = RunDir::existing(&self.dir)?;
        let html = match dir.expect(learn::turns::Manifest::KIND) {
            Ok(()) => learn::turns::page_of(&dir)?,
            Err(_) => lab::report::of_match(&dir)?,
        };
        let (target, existing) = match self.out {
            Some(target) => (target, self.force.existing()),
            None => (Target::File(self.dir.join("report.html")), Existing::Replace),
        };
        target.check(existing)?;
        target.write(html.as_bytes(), existing)?;
        match target.path() {
            Some(path) => output::print(&format!("{}\n", path.display())),
            None => Ok(()),
        }
    }
}
