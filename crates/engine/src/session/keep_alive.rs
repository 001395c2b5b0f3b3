//! Signs of life during long work.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::Duration;

use protocol::usi::EngineMessage;

use super::Sink;

/// Says that the engine is alive, again and again until stopped.
pub(super) struct KeepAlive {
    stop: Sender<()>,
    thread: JoinHandle<()>,
}

impl KeepAlive {
    pub(super) fn start(sink: Sink, interval: Duration) -> KeepAlive {
        let (stop, stopped) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                sink(EngineMessage::KeepAlive);
            }
        });
        KeepAlive { stop, thread }
    }

    /// Nothing is said after this returns.
    pub(super) fn stop(self) {
        drop(self.stop);
        // A thread that failed has nothing more to say either.
        let _ = self.thread.join();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    #[test]
    fn it_repeats_until_it_is_stopped_and_never_after() {
        let count = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&count);
        let keep_alive = KeepAlive::start(
            Arc::new(move |message| {
                assert_eq!(message, EngineMessage::KeepAlive);
                counted.fetch_add(1, Ordering::Relaxed);
            }),
            Duration::from_millis(2),
        );
        while count.load(Ordering::Relaxed) < 3 {
            std::thread::sleep(Duration::from_millis(1));
        }
        keep_alive.stop();
        let messages = count.load(Ordering::Relaxed);
        std::thread::sleep(Duration::from_millis(10));
        assert_eq!(count.load(Ordering::Relaxed), messages);
    }
}
