//! `yomi completions`: what a shell needs to complete our arguments.

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::command_line::CommandLine;
use crate::output;

/// Print a script that lets a shell complete commands and options.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  yomi completions bash  to be kept as ~/.local/share/bash-completion/completions/yomi
  yomi completions zsh   to be kept as _yomi in a folder of $fpath
  yomi completions fish  to be kept as ~/.config/fish/completions/yomi.fish";

impl Completions {
    pub(super) fn run(&self) -> anyhow::Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut CommandLine::command(), "yomi", &mut script);
        output::print_bytes(&script)
    }
}
