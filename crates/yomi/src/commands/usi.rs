//! `yomi usi`: plays by USI on standard input and output.

use std::io::{self, BufRead as _, IsTerminal as _, Read as _, Write as _};
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use engine::{Flow, Options, Session, Sink, options_file};

use crate::output;

/// Play by the USI protocol, as boards (ShogiHome, Shogidokoro, ShogiGUI) and match runners expect it. This
/// is also what happens without a command.
#[derive(Args, Default)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Usi {
    /// The player, e.g. 'alphabeta(hash=64)'; sets the option Player
    #[arg(long, value_name = "SPEC")]
    player: Option<engine::PlayerSpec>,

    /// Set an option before anything else, e.g. --option Threads=2; may be repeated
    #[arg(long = "option", value_name = "NAME=VALUE")]
    options: Vec<String>,

    /// Add all that is said in both directions to a file; sets the option DebugLogFile
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  yomi usi
  yomi usi --player 'alphabeta(net=nn.bin)' --option Threads=2
  yomi usi --log usi.log

Besides USI: d shows the board, eval its static value, bench the speed, 'go perft 5' counts moves,
getoption lists the options, help the commands.

Options are also read from a file engine_options.txt in the current folder or beside the program, one a
line: 'Threads 2', 'Threads = 2' or a line of the answer to usi with another default. What is given here
counts more, and what the board sets counts most.

At the end of the input, what was asked and ends by itself is finished first; quit ends everything.";

/// Longer lines are left aside: no message is that long.
const LONGEST_LINE: u64 = 1 << 20;

impl Usi {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let (options, remarks) = self.options()?;
        let stdin = io::stdin();
        if stdin.is_terminal() {
            let _ = writeln!(
                io::stderr(),
                "Yomi speaks USI here: type usi, isready, position startpos, go movetime 1000, quit. More: help"
            );
        }
        let mut session = Session::new(options, printer());
        session.remark_when_ready(remarks);
        // Boards on Windows may send bytes of another encoding in paths: they must not end the game.
        let mut line = Vec::new();
        let mut input = stdin.lock();
        let unreadable = "cannot read standard input";
        while input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line).context(unreadable)? > 0 {
            if line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
                let rest = input.skip_until(b'\n').context(unreadable)?;
                session.remark(format!("error: a line of {} bytes is left aside", line.len() + rest));
            } else if session.line(&String::from_utf8_lossy(&line)) == Flow::Quit {
                session.end();
                return Ok(());
            }
            line.clear();
        }
        session.finish();
        Ok(())
    }

    /// The options of the file and the arguments, and what is to be said about the file.
    fn options(&self) -> anyhow::Result<(Options, Vec<String>)> {
        let mut options = Options::default();
        let mut remarks = Vec::new();
        if let Some((path, text)) = options_file::find() {
            remarks = options_file::apply(&text, &path, &mut options);
            remarks
                .iter()
                .filter(|remark| remark.starts_with("error"))
                .for_each(|remark| output::warn(remark));
        }
        if let Some(player) = &self.player {
            options.player = player.to_string();
        }
        if let Some(log) = &self.log {
            options.debug_log = log.display().to_string();
        }
        for option in &self.options {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            options
                .set(name.trim(), Some(value))
                .map_err(|error| crate::command_line::bad_value("usi", error))?;
        }
        Ok((options, remarks))
    }
}

/// Prints messages, a line each, whole and at once. If nobody reads any more, there is nobody to play for.
fn printer() -> Sink {
    Arc::new(|message| {
        let mut stdout = io::stdout().lock();
        if writeln!(stdout, "{message}").and_then(|()| stdout.flush()).is_err() {
            std::process::exit(1);
        }
    })
}
