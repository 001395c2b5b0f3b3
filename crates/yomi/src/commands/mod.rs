//! The commands, one file each.

mod perft;
mod show;

use clap::Subcommand;

/// Everything that `yomi` can be asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Perft(perft::Perft),
    Show(show::Show),
}

impl Command {
    /// Runs the command to its end.
    pub(crate) fn run(self) -> anyhow::Result<()> {
        match self {
            Command::Perft(perft) => perft.run(),
            Command::Show(show) => show.run(),
        }
    }
}
