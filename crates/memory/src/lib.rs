//! Large tables that are read at random: zeroed memory in huge pages.
//!
//! With small pages nearly every access would cost a page walk, so huge ones are asked for before the memory is
//! first touched. Where the system grants none, everything works as well, only slower.

use std::io;
use std::ops::{Deref, DerefMut};
use std::ptr::NonNull;

use memmap2::MmapMut;

/// What huge pages are aligned to.
const HUGE_PAGE: usize = 2 << 20;
/// What every mapping is aligned to.
const SMALL_PAGE: usize = 4 << 10;

/// What a [`Memory`] can hold.
///
/// # Safety
///
/// Bytes of zero must be a value of the type.
pub unsafe trait Zeroable {}

// SAFETY: zero is a number.
unsafe impl Zeroable for i16 {}
// SAFETY: as above.
unsafe impl Zeroable for std::sync::atomic::AtomicU64 {}
// SAFETY: an array of zeros is one of zeros.
unsafe impl<T: Zeroable, const N: usize> Zeroable for [T; N] {}

/// A slice of fixed length, all zero at first, which begins at a page.
///
/// ```
/// let mut squares = memory::Memory::<i16>::zeroed(1000)?;
/// squares[20] = 400;
/// assert_eq!(squares.iter().filter(|&&square| square != 0).count(), 1);
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct Memory<T> {
    start: NonNull<T>,
    len: usize,
    /// Owns what `start` points into.
    _mapping: MmapMut,
}

// SAFETY: a `Memory` owns its values as a box does.
unsafe impl<T: Send> Send for Memory<T> {}
// SAFETY: as above.
unsafe impl<T: Sync> Sync for Memory<T> {}

impl<T: Zeroable> Memory<T> {
    /// `len` values, or why there is no such memory. The system hands over a page when it is first touched.
    pub fn zeroed(len: usize) -> io::Result<Memory<T>> {
        const { assert!(align_of::<T>() <= SMALL_PAGE && !std::mem::needs_drop::<T>()) };
        let size = len.max(1).checked_mul(size_of::<T>().max(1));
        // Room to begin at a huge page, for tables that fill one.
        let room =
            size.and_then(|size| if size < HUGE_PAGE { Some(size) } else { size.checked_add(HUGE_PAGE) });
        let (Some(size), Some(room)) = (size, room) else { return Err(io::ErrorKind::OutOfMemory.into()) };
        let mut mapping = MmapMut::map_anon(room)?;
        #[cfg(target_os = "linux")]
        let _ = mapping.advise(memmap2::Advice::HugePage);
        let address = mapping.as_ptr() as usize;
        let skipped = if room > size { address.next_multiple_of(HUGE_PAGE) - address } else { 0 };
        let start = NonNull::from(&mut mapping[skipped..skipped + size]).cast();
        Ok(Memory { start, len, _mapping: mapping })
    }

    /// Has the system hand over every page now, so that whoever uses it first need not wait for them.
    #[must_use]
    pub fn touched(mut self) -> Memory<T> {
        // SAFETY: the range is that of the slice, and bytes of zero are values.
        unsafe { self.as_mut_ptr().write_bytes(0, self.len) };
        self
    }
}

impl<T> Memory<T> {
    /// Brings a value into the cache ahead of its use.
    #[inline(always)]
    pub fn prefetch(&self, index: usize) {
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

impl<T> Deref for Memory<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: `start` points to `len` values, zeroed at first, inside the mapping.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.len) }
    }
}

impl<T> DerefMut for Memory<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as above, and the borrow is exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.len) }
    }
}

/// A vector of one value in huge pages.
#[must_use]
pub fn huge_vec<T: Clone>(len: usize, value: T) -> Vec<T> {
    let mut vec: Vec<T> = Vec::with_capacity(len);
    #[cfg(target_os = "linux")]
    {
        let spare = vec.spare_capacity_mut();
        let begin = (spare.as_mut_ptr() as usize).next_multiple_of(HUGE_PAGE);
        let end = spare.as_mut_ptr() as usize + size_of_val(spare);
        if begin < end {
            // SAFETY: the range lies inside the vector's own memory; the advice changes no contents and may fail.
            unsafe { libc::madvise(begin as *mut libc::c_void, end - begin, libc::MADV_HUGEPAGE) };
        }
    }
    vec.resize(len, value);
    vec
}

/// Bytes that this process could still fill, as far as the system tells (Linux does): those that the machine has to give, or that the
/// limits of its group (a container's) leave.
#[must_use]
pub fn free_bytes() -> Option<u64> {
    let read = |path: &str| std::fs::read_to_string(path).ok();
    let kilobytes: u64 = number_after(&read("/proc/meminfo")?, "MemAvailable:")?;
    let group = || {
        let limit: u64 = read("/sys/fs/cgroup/memory.max")?.trim().parse().ok()?;
        // Files in memory give way; what programs wrote does not.
        Some(limit.saturating_sub(number_after(&read("/sys/fs/cgroup/memory.stat")?, "anon")?))
    };
    Some(group().unwrap_or(u64::MAX).min(kilobytes.saturating_mul(1024)))
}

/// The number behind a word that begins a line.
fn number_after(text: &str, word: &str) -> Option<u64> {
    let mut lines = text.lines().map(str::split_whitespace);
    let mut words = lines.find_map(|mut words| (words.next() == Some(word)).then_some(words))?;
    words.next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_of_any_length_is_zero_and_can_be_written_to_its_ends() {
        for len in [1, 2047, HUGE_PAGE / 2 - 1, HUGE_PAGE / 2, HUGE_PAGE / 2 + 1, 2 * HUGE_PAGE + 7] {
            let mut memory = Memory::<i16>::zeroed(len).unwrap();
            assert_eq!(memory.len(), len);
            assert!(memory.iter().all(|&value| value == 0));
            memory.prefetch(len - 1);
            memory[0] = 1;
            memory[len - 1] = -1;
            assert_eq!((memory[0], memory[len - 1]), if len == 1 { (-1, -1) } else { (1, -1) });
            assert!(memory.touched().iter().all(|&value| value == 0));
        }
    }

    #[test]
    fn tables_begin_at_a_page_and_large_ones_at_a_huge_page() {
        assert!(Memory::<[i16; 32]>::zeroed(3).unwrap().as_ptr().addr().is_multiple_of(64));
        assert!(Memory::<[i16; 32]>::zeroed(1 << 16).unwrap().as_ptr().addr().is_multiple_of(HUGE_PAGE));
    }

    #[test]
    fn memory_that_does_not_exist_is_refused() {
        assert!(Memory::<i16>::zeroed(usize::MAX).is_err());
        assert!(Memory::<i16>::zeroed(usize::MAX / 2).is_err());
        assert!(Memory::<i16>::zeroed(1 << 60).is_err());
    }

    #[test]
    fn free_memory_is_what_the_system_tells() {
        let text = "MemTotal:       16000 kB\nMemAvailable:    7000 kB\n";
        assert_eq!(number_after(text, "MemAvailable:"), Some(7000));
        assert_eq!(number_after(text, "Mem"), None);
        assert!(free_bytes().is_none_or(|bytes| bytes > 0));
    }

    #[test]
    fn nothing_is_a_slice_too() {
        assert!(Memory::<i16>::zeroed(0).unwrap().is_empty());
    }

    #[test]
    fn a_huge_vector_holds_its_value_everywhere() {
        assert_eq!(huge_vec(3 * HUGE_PAGE, 7u8), vec![7u8; 3 * HUGE_PAGE]);
        assert!(huge_vec(0, 7u8).is_empty());
    }
}
