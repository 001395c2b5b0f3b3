//! `yomi convert`: games, positions and books from one format to another.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use records::convert::{ConvertError, FileFormat, FormatError, Job, Reason, Summary, Watch, gather, run};
use records::whole_file::Existing;
use serde::Serialize;

use crate::command_line::bad_value;
use crate::output;
use crate::progress::ByteProgress;

/// Convert games, positions and books.
///
/// Folders are searched for files, however deep. What cannot be read is reported with its place and the rest
/// goes on; the exit code is then 1. Every move of a game is checked on the way.
#[derive(Args)]
#[command(after_help = NOTES)]
pub(crate) struct Convert {
    /// The files to read, or folders of them
    #[arg(value_name = "IN", required = true, value_hint = ValueHint::AnyPath)]
    inputs: Vec<PathBuf>,

    /// The file to write; a folder for formats with one game per file, or if it ends in a slash
    #[arg(value_name = "OUT", required = true, value_hint = ValueHint::AnyPath)]
    out: PathBuf,

    /// The format of all input; by their extensions unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name)]
    from: Option<FileFormat>,

    /// The format to write; by the extension of OUT unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name)]
    to: Option<FileFormat>,

    /// Replace what is in the way of OUT
    #[arg(long)]
    force: bool,

    /// Print one JSON object instead of text
    #[arg(long)]
    json: bool,
}

const NOTES: &str = "\
Formats (extension):
  games      csa (.csa)  csa3 (.csa, version 3)  kif kifu ki2 ki2u (the same)  jkf (.jkf .json)
             usi (.sfen .usi, a game per line)  compact (.yomi, millions of games)
  positions  psv (.psv)  hcpe (.hcpe)
  book       db (.db)
A .bin file may be several things: name its format.

Examples:
  yomi convert game.kif game.csa
  yomi convert games/ all.yomi            every record below a folder into one file
  yomi convert all.yomi kifu/ --to kifu   and each game into a file of its own
  yomi convert all.yomi train.psv         positions with evaluation and result
  yomi convert a.db b.db both.db          two books merged and put in order";

/// How many refusals are printed one by one; the rest is only counted.
const PRINTED: u64 = 20;

/// The result, under the names of the JSON object.
#[derive(Serialize)]
struct Report {
    files: usize,
    read: u64,
    written: u64,
    unit: String,
    refused: u64,
    left_out: u64,
    seconds: f64,
}

/// Shows progress and prints refusals on standard error.
struct Watcher {
    progress: ByteProgress,
    refused: u64,
}

impl Watch for Watcher {
    fn advanced(&mut self, bytes: u64) {
        self.progress.advance(bytes);
    }

    fn refused(&mut self, path: &Path, reason: &Reason) {
        self.refused += 1;
        let line = match self.refused {
            ..=PRINTED => format!("refused: {}: {reason}", path.display()),
            count if count == PRINTED + 1 => "refused: more, which are only counted".to_owned(),
            _ => return,
        };
        // Nobody reads it if standard error is closed.
        self.progress.suspend(|| drop(writeln!(io::stderr(), "{line}")));
    }
}

impl Convert {
    pub(super) fn run(self) -> anyhow::Result<()> {
        let started = Instant::now();
        let to = self.target()?;
        let sources = gather(&self.inputs, self.from);
        let bytes = sources.iter().map(|source| source.bytes).sum();
        let existing = if self.force { Existing::Replace } else { Existing::Keep };
        let job = Job { sources, out: self.out, to, existing };
        let mut watcher = Watcher { progress: ByteProgress::new(bytes), refused: 0 };
        let result = run(&job, &mut watcher);
        watcher.progress.finish();
        let summary = result.map_err(with_hint)?;
        let Summary { read, written, refused, left_out } = summary;
        let (files, unit) = (job.sources.len(), to.content().to_string());
        let seconds = started.elapsed().as_secs_f64();
        let report = Report { files, read, written, unit, refused, left_out, seconds };
        output::print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.text() })?;
        match (refused, written) {
            (0, 1..) => Ok(()),
            (0, 0) => Err(anyhow::anyhow!("there was nothing to write")),
            _ => Err(anyhow::anyhow!("{refused} refused")),
        }
    }

    /// The format to write.
    fn target(&self) -> Result<FileFormat, clap::Error> {
        match (self.to, FileFormat::of_path(&self.out)) {
            (Some(to), _) | (None, Ok(to)) => Ok(to),
            (None, Err(error @ FormatError::Unsupported { .. })) => Err(bad_value("convert", error)),
            (None, Err(error)) => {
                Err(bad_value("convert", format!("OUT {}: {error}; name one with --to", self.out.display())))
            }
        }
    }
}

fn with_hint(error: ConvertError) -> anyhow::Error {
    match error {
        ConvertError::Exists { .. } => anyhow::anyhow!("{error}; --force replaces it"),
        error => error.into(),
    }
}

impl Report {
    fn text(&self) -> String {
        let Report { files, read, written, unit, refused, left_out, seconds } = self;
        let mut text = format!("files    {files}\nread     {read}\nwritten  {written} {unit}\n");
        text += &format!("refused  {refused}\n");
        if *left_out > 0 {
            text += &format!("left out {left_out} positions without evaluation or result\n");
        }
        text + &format!("seconds  {seconds:.3}\n")
    }
}
