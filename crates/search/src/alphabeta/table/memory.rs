//! The memory of the hash table: large, zeroed, aligned for huge pages. The only unsafe code of the room.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc, dealloc};
use std::ops::Deref;
use std::ptr::NonNull;
use std::sync::atomic::AtomicU64;

/// Four entries in one cache line; see [`super::Table`] for the meaning of the two words of an entry.
#[repr(C, align(64))]
#[derive(Default)]
pub(crate) struct Bucket(pub(crate) [[AtomicU64; 2]; 4]);

/// A slice of buckets, all zero at first.
pub(crate) struct Memory {
    start: NonNull<Bucket>,
    len: usize,
}

/// Asks for huge pages, which must come before the memory is first touched: the tables are read at random,
/// and small pages would cost a page walk each time.
fn advise_huge_pages(start: *mut u8, bytes: usize) {
    #[cfg(target_os = "linux")]
    {
        let begin = (start as usize).next_multiple_of(HUGE_PAGE);
        let end = start as usize + bytes;
        if begin < end {
            // SAFETY: the range lies inside an allocation of the caller's; the advice changes no contents and
            // may fail.
            unsafe { libc::madvise(begin as *mut libc::c_void, end - begin, libc::MADV_HUGEPAGE) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = (start, bytes);
}

/// A vector of one value in huge pages.
pub(crate) fn huge_vec<T: Clone>(len: usize, value: T) -> Vec<T> {
    let mut vec: Vec<T> = Vec::with_capacity(len);
    advise_huge_pages(vec.as_mut_ptr().cast(), len * size_of::<T>());
    vec.resize(len, value);
    vec
}

/// What huge pages are aligned to.
const HUGE_PAGE: usize = 2 << 20;

// SAFETY: a `Memory` owns its buckets, and they consist of atomics only.
unsafe impl Send for Memory {}
// SAFETY: as above; shared access goes through atomics.
unsafe impl Sync for Memory {}

impl Memory {
    /// `len` buckets, or `None` if there is no such memory.
    pub(crate) fn zeroed(len: usize) -> Option<Memory> {
        let layout = Self::layout(len)?;
        // SAFETY: the layout has a size above zero.
        let start: NonNull<Bucket> = NonNull::new(unsafe { alloc(layout) })?.cast();
        advise_huge_pages(start.as_ptr().cast(), layout.size());
        // SAFETY: the range has just been allocated, and zero is a valid value of atomics.
        unsafe { start.as_ptr().write_bytes(0, len.max(1)) };
        Some(Memory { start, len })
    }

    fn layout(len: usize) -> Option<Layout> {
        let size = len.max(1).checked_mul(size_of::<Bucket>())?;
        Layout::from_size_align(size, HUGE_PAGE).ok()
    }

    /// Brings a bucket into the cache ahead of its use.
    #[inline(always)]
    pub(crate) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching has no effect on memory, whatever the address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.start.as_ptr().wrapping_add(index).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }
}

impl Deref for Memory {
    type Target = [Bucket];

    #[inline(always)]
    fn deref(&self) -> &[Bucket] {
        // SAFETY: `start` points to `len` buckets, zeroed at first, which is a valid value of atomics.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let layout = Self::layout(self.len).expect("the layout it was allocated with");
        // SAFETY: allocated in `zeroed` with the same layout.
        unsafe { dealloc(self.start.as_ptr().cast(), layout) };
    }
}
