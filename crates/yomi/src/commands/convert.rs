//! `yomi convert`: games, positions and books from one format to another.

use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::time::Instant;

use clap::{Args, ValueHint};
use records::convert::{ConvertError, FileFormat, FormatError, Job, Reason, Summary, Watch, gather, run};
use serde::Serialize;

use crate::command_line::bad_value;
use crate::output;
use crate::progress::ByteProgress;
use crate::standard_input::InputFile;
use crate::target::{Force, Target};

/// Convert games, positions and books.
///
/// Folders are searched for files, however deep. What cannot be read is reported with its place and the rest
/// goes on; the exit code is then 1. Every move of a game is checked on the way.
#[derive(Args)]
#[command(after_help = NOTES, override_usage = "yomi convert [OPTIONS] <IN>... <OUT>")]
pub(crate) struct Convert {
    /// The files to read, or folders of them, and last the file to write
    ///
    /// - is standard input or output. The last is a folder for formats with one game per file, or if it ends in a slash.
    #[arg(value_name = "PATH", required = true, value_hint = ValueHint::AnyPath)]
    paths: Vec<PathBuf>,

    /// The format of all input; by their extensions unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name)]
    from: Option<FileFormat>,

    /// The format to write; by the extension of OUT unless given
    #[arg(long, value_name = "FORMAT", value_parser = FileFormat::of_name)]
    to: Option<FileFormat>,

    #[command(flatten)]
    force: Force,

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
  yomi convert a.db b.db both.db          two books merged and put in order
  yomi convert game.kif - --to csa        to standard output";

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
struct Watcher<'a> {
    progress: ByteProgress,
    refused: u64,
    inputs: &'a [InputFile],
}

impl Watch for Watcher<'_> {
    fn advanced(&mut self, bytes: u64) {
        self.progress.advance(bytes);
    }

    fn refused(&mut self, path: &Path, reason: &Reason) {
        self.refused += 1;
        let line = match self.refused {
            ..=PRINTED => {
                let input = self.inputs.iter().find(|input| input.path() == path);
                let name = input.map_or_else(|| path.display().to_string(), InputFile::name);
                format!("refused: {name}: {reason}")
            }
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
        let Some((out, inputs)) = self.paths.split_last().filter(|(_, inputs)| !inputs.is_empty()) else {
            return Err(bad_value("convert", "what to read, and last what to write").into());
        };
        let to = self.target(out)?;
        let inputs = inputs.iter().map(|path| InputFile::take(path)).collect::<Result<Vec<_>, _>>()?;
        let paths: Vec<PathBuf> = inputs.iter().map(|input| input.path().to_owned()).collect();
        let sources = gather(&paths, self.from);
        let bytes = sources.iter().map(|source| source.bytes).sum();
        // What goes to standard output is made whole before.
        let spool = match Target::from(out.clone().into_os_string()) {
            Target::StandardOutput => Some(tempfile::tempdir()?),
            Target::File(_) => None,
        };
        let out = match &spool {
            Some(folder) => folder.path().join(format!("stdout.{}", to.extension())),
            None => out.clone(),
        };
        let job = Job { sources, out, to, existing: self.force.existing() };
        let mut watcher = Watcher { progress: ByteProgress::new(bytes), refused: 0, inputs: &inputs };
        let result = run(&job, &mut watcher);
        watcher.progress.finish();
        let Summary { read, written, refused, left_out } = result.map_err(with_hint)?;
        let (files, unit) = (job.sources.len(), to.content().to_string());
        let seconds = started.elapsed().as_secs_f64();
        let report = Report { files, read, written, unit, refused, left_out, seconds };
        if spool.is_none() {
            output::print(&if self.json { serde_json::to_string(&report)? + "\n" } else { report.text() })?;
        } else if written > 0 {
            output::print_bytes(&std::fs::read(&job.out)?)?;
        }
        match (refused, written) {
            (0, 1..) => Ok(()),
            (0, 0) => Err(anyhow::anyhow!("there was nothing to write")),
            _ => Err(anyhow::anyhow!("{refused} refused")),
        }
    }

    /// The format to write.
    fn target(&self, out: &Path) -> Result<FileFormat, clap::Error> {
        match (self.to, FileFormat::of_path(out)) {
            (Some(to), _) | (None, Ok(to)) => Ok(to),
            (None, Err(error @ FormatError::Unsupported { .. })) => Err(bad_value("convert", error)),
            (None, Err(error)) => {
                Err(bad_value("convert", format!("OUT {}: {error}; name one with --to", out.display())))
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
