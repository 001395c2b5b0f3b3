//! Where results and errors leave the process.

use std::io::{self, Write as _};
use std::process::ExitCode;

use anyhow::Context as _;

/// Writes to standard output. A reader that has gone away, as `head` does, is no failure.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_bytes(text.as_bytes())
}

/// Writes what need not be text to standard output, as [`print`] does.
pub(crate) fn print_bytes(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    match stdout.write_all(bytes).and_then(|()| stdout.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result.context("cannot write to standard output"),
    }
}

/// Prints on standard error what is no failure.
pub(crate) fn warn(text: &str) {
    // Nobody reads it if standard error is closed.
    let _ = writeln!(io::stderr(), "warning: {text}");
}

/// Prints on standard error what is neither result nor trouble.
pub(crate) fn note(text: &str) {
    // Nobody reads it if standard error is closed.
    let _ = writeln!(io::stderr(), "{text}");
}

/// Says what went wrong, with its causes. The code is 2 for wrong arguments (0 for `--help`), 130
/// after Ctrl-C, else 1.
pub(crate) fn report(error: &anyhow::Error) -> ExitCode {
    // Nobody reads it if standard error is closed too.
    if let Some(wrong_arguments) = error.downcast_ref::<clap::Error>() {
        let _ = wrong_arguments.print();
        return ExitCode::from(u8::try_from(wrong_arguments.exit_code()).unwrap_or(2));
    }
    let _ = writeln!(io::stderr(), "error: {error:#}");
    ExitCode::from(if runs::is_interrupted() { runs::INTERRUPTED_CODE } else { 1 })
}
