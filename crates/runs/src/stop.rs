//! Ctrl-C that ends a run in good order.

use std::sync::atomic::{AtomicBool, Ordering};

/// Signals belong to the process, and so does this.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The exit code of a process that an interrupt ended.
pub const INTERRUPTED_CODE: u8 = 130;

/// Why Ctrl-C cannot be taken over.
#[derive(Debug, thiserror::Error)]
#[error("cannot take over Ctrl-C: {0}")]
pub struct InterruptError(#[from] ctrlc::Error);

/// From now on the first Ctrl-C stops every run of this process after the jobs under way, and calls `first`. A second one
/// ends the process at once. May be called once.
pub fn on_interrupt(first: impl Fn() + Send + 'static) -> Result<(), InterruptError> {
    ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(INTERRUPTED_CODE.into());
        }
        first();
    })?;
    Ok(())
}

/// Whether Ctrl-C has asked this process to end.
#[must_use]
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
