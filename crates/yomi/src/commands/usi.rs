//! `yomi usi`: plays by USI on standard input and output.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use engine::{Flow, Options, Session, Sink};

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
}

const EXAMPLES: &str = "\
Examples:
  yomi usi
  yomi usi --player 'alphabeta(net=nn.bin)' --option Threads=2

Besides USI: d shows the board, eval its static value, bench the speed, 'go perft 5' counts moves,
getoption lists the options.";

impl Usi {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        let options = self.options()?;
        let stdin = io::stdin();
        if stdin.is_terminal() {
            let _ = writeln!(
                io::stderr(),
                "Yomi speaks USI here: type usi, isready, position startpos, go movetime 1000, quit. More: yomi --help"
            );
        }
        let mut session = Session::new(options, printer());
        // Boards on Windows may send bytes of another encoding in paths: they must not end the game.
        let mut line = Vec::new();
        let mut input = stdin.lock();
        while input.read_until(b'\n', &mut line).context("cannot read standard input")? > 0 {
            if session.line(&String::from_utf8_lossy(&line)) == Flow::Quit {
                break;
            }
            line.clear();
        }
        session.end();
        Ok(())
    }

    fn options(&self) -> anyhow::Result<Options> {
        let mut options = Options::default();
        if let Some(player) = &self.player {
            options.player = player.to_string();
        }
        for option in &self.options {
            let (name, value) = option.split_once('=').unwrap_or((option, ""));
            options
                .set(name.trim(), Some(value))
                .map_err(|error| crate::command_line::bad_value("usi", error))?;
        }
        Ok(options)
    }
}

/// Prints messages, a line each, whole and at once. If nobody reads any more, the end of the input will follow.
fn printer() -> Sink {
    Arc::new(|message| {
        let mut stdout = io::stdout().lock();
        let _ = writeln!(stdout, "{message}").and_then(|()| stdout.flush());
    })
}
