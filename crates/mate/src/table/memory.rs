//! The memory of the table: large, zeroed only when touched, in huge pages. The only unsafe code of the room.
#![allow(unsafe_code)]

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use super::entry::Entry;

/// A slice of entries, all zero at first.
pub(super) struct Memory {
    start: NonNull<Entry>,
    len: usize,
}

/// What huge pages are aligned to.
const HUGE_PAGE: usize = 2 << 20;

// SAFETY: a `Memory` owns its entries, which are plain numbers.
unsafe impl Send for Memory {}

impl Memory {
    /// `len` entries, or `None` if there is no such memory.
    pub(super) fn zeroed(len: usize) -> Option<Memory> {
        let layout = Self::layout(len)?;
        // SAFETY: the layout has a size above zero.
        let start: NonNull<Entry> = NonNull::new(unsafe { alloc_zeroed(layout) })?.cast();
        advise_huge_pages(start.as_ptr().cast(), layout.size());
        Some(Memory { start, len })
    }

    /// Brings an entry into the cache ahead of its use.
    #[inline(always)]
    pub(super) fn prefetch(&self, index: usize) {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: prefetching has no effect on memory, whatever the address.
        unsafe {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            _mm_prefetch::<_MM_HINT_T0>(self.start.as_ptr().wrapping_add(index).cast());
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = index;
    }

    fn layout(len: usize) -> Option<Layout> {
        let size = len.max(1).checked_mul(size_of::<Entry>())?;
        Layout::from_size_align(size, align_of::<Entry>()).ok()
    }
}

/// Asks for huge pages before the memory is first touched: the table is read at random, and small pages would
/// cost a page walk each time.
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
    let _ = (start, bytes, HUGE_PAGE);
}

impl Deref for Memory {
    type Target = [Entry];

    #[inline(always)]
    fn deref(&self) -> &[Entry] {
        // SAFETY: `start` points to `len` entries, zeroed at first, which is a valid value of an entry.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl DerefMut for Memory {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [Entry] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        let layout = Self::layout(self.len).expect("the layout it was allocated with");
        // SAFETY: allocated in `zeroed` with the same layout.
        unsafe { dealloc(self.start.as_ptr().cast(), layout) };
    }
}
