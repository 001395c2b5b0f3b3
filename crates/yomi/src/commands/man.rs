//! `yomi man`: the manual pages.

use std::path::PathBuf;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _, ValueHint};
use clap_mangen::Man;

use crate::command_line::{CommandLine, bad_value};
use crate::output;

/// Print a manual page, or write all of them into a folder.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct ManPage {
    /// The command; the page of the whole program unless given
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,

    /// Write the pages of all commands here, as yomi.1, yomi-match.1, …
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    out: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  yomi man match  in roff, as 'man -l -' reads it
  yomi man --out man1";

impl ManPage {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let mut all = CommandLine::command();
        if let Some(folder) = &self.out {
            let written =
                std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(all, folder));
            return written.with_context(|| format!("cannot write to {}", folder.display()));
        }
        all.build();
        let command = match &self.command {
            None => all,
            Some(name) => match all.find_subcommand(name) {
                Some(command) => command.clone(),
                None => return Err(bad_value("man", format!("there is no command '{name}'")).into()),
            },
        };
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        output::print_bytes(&page)
    }
}
