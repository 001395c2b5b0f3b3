//! Memory that is handed over beside the search.
//!
//! The system hands a page over when it is first touched, and clears it before. A huge page can take it longer than a stop may take, and
//! whoever touches it cannot be told to stop meanwhile. So another thread touches the pages, and the search waits for them, where it hears.

use std::io;
use std::ops::{Deref, Range};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use memory::Memory;

/// A cache line.
pub(crate) type Bucket = [AtomicU64; 8];

/// Buckets, of which the system has handed over as many as were asked for.
pub(crate) struct Room(Arc<Shared>);

struct Shared {
    buckets: Memory<Bucket>,
    /// So many, from the first on, can be used without waiting for the system.
    touched: AtomicUsize,
}

/// Buckets that are touched before anybody hears of it: a huge page.
const CHUNK: usize = (2 << 20) / size_of::<Bucket>();
/// Buckets of the smallest page.
const PAGE: usize = (4 << 10) / size_of::<Bucket>();
/// How long to wait for a page before the next question whether to go on.
const PATIENCE: Duration = Duration::from_millis(1);

impl Room {
    /// So many buckets, all zero, the first `ready` of them handed over. Blocks for that long.
    pub(crate) fn new(buckets: usize, ready: usize) -> io::Result<Room> {
        let shared = Shared { buckets: Memory::zeroed(buckets)?, touched: AtomicUsize::new(0) };
        shared.touch(0..ready.min(buckets));
        Ok(Room(Arc::new(shared)))
    }

    /// Waits until the first `wanted` buckets are handed over; `false` if it is `interrupted` before.
    pub(crate) fn wait_for(&self, wanted: usize, interrupted: &mut dyn FnMut() -> bool) -> bool {
        if self.0.touched.load(Relaxed) >= wanted {
            return true;
        }
        let (sender, receiver) = mpsc::channel();
        let shared = Arc::clone(&self.0);
        // It ends with the chunk at hand when nobody listens any more, and nobody waits for that.
        let toucher = std::thread::Builder::new().spawn(move || {
            shared.chunks(wanted).all(|chunk| {
                shared.touch(chunk);
                sender.send(()).is_ok()
            })
        });
        if toucher.is_err() {
            return self.0.chunks(wanted).all(|chunk| {
                self.0.touch(chunk);
                !interrupted()
            });
        }
        loop {
            if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Disconnected) {
                return true;
            }
            if interrupted() {
                return false;
            }
        }
    }
}

impl Deref for Room {
    type Target = Memory<Bucket>;

    #[inline(always)]
    fn deref(&self) -> &Memory<Bucket> {
        &self.0.buckets
    }
}

impl Shared {
    /// What is left of the first `wanted` buckets.
    fn chunks(&self, wanted: usize) -> impl Iterator<Item = Range<usize>> + use<> {
        let starts = (self.touched.load(Relaxed)..wanted).step_by(CHUNK);
        starts.map(move |start| start..wanted.min(start + CHUNK))
    }

    /// Writes to every page what is there, also while others write. Compilers make a mere load of adding nothing, and a page that is only
    /// read is not handed over.
    fn touch(&self, chunk: Range<usize>) {
        for bucket in self.buckets[chunk.clone()].iter().step_by(PAGE) {
            let _ = bucket[0].compare_exchange(0, 0, Relaxed, Relaxed);
        }
        self.touched.fetch_max(chunk.end, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_handed_over_is_as_it_was() {
        let room = Room::new(5 * CHUNK, CHUNK / 2).unwrap();
        room[3][0].store(7, Relaxed);
        room[2 * CHUNK][0].store(8, Relaxed);
        assert!(room.wait_for(5 * CHUNK, &mut || false));
        assert_eq!(room.iter().map(|bucket| bucket[0].load(Relaxed)).sum::<u64>(), 15);
        assert!(room.wait_for(5 * CHUNK, &mut || panic!("nothing is left to wait for")));
    }

    #[test]
    fn who_is_interrupted_does_not_wait_and_may_ask_again() {
        let room = Room::new(64 * CHUNK, 1).unwrap();
        assert!(!room.wait_for(64 * CHUNK, &mut || true));
        assert!(room.wait_for(64 * CHUNK, &mut || false));
        assert_eq!(room.0.touched.load(Relaxed), 64 * CHUNK);
    }
}
