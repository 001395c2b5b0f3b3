//! Values of leaves seen before: other orders of the same moves lead to the same position.

use crate::score::Value;

/// Values by position, for one thread. A newer one replaces an older one in its place.
pub(crate) struct ValueCache {
    /// The key's upper 47 bits, whether the value is exact, the value.
    entries: Vec<u64>,
}

/// A megabyte: as much as the second-level cache holds.
const ENTRIES: usize = 1 << 17;
const KEY: u64 = !0x1_FFFF;
const EXACT: u64 = 0x1_0000;

/// A value, or only a lower bound of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) value: Value,
    pub(crate) exact: bool,
}

impl ValueCache {
    pub(crate) fn new() -> ValueCache {
        ValueCache { entries: vec![0; ENTRIES] }
    }

    fn place(key: u64) -> usize {
        key as usize % ENTRIES
    }

    #[inline(always)]
    pub(crate) fn get(&self, key: u64) -> Option<Known> {
        let entry = self.entries[Self::place(key)];
        // An empty place has the key 0, which no position is likely to have.
        let known = entry & KEY == key & KEY && entry != 0;
        known.then(|| Known { value: Value::from(entry as u16 as i16), exact: entry & EXACT != 0 })
    }

    #[inline(always)]
    pub(crate) fn put(&mut self, key: u64, known: Known) {
        let exact = if known.exact { EXACT } else { 0 };
        self.entries[Self::place(key)] = key & KEY | exact | u64::from(known.value as i16 as u16);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_come_back_under_their_key_only() {
        let mut cache = ValueCache::new();
        let key = 0x1234_5678_9ABC_DEF0;
        assert_eq!(cache.get(key), None);
        for (value, exact) in [(-27_000, true), (512, false)] {
            cache.put(key, Known { value, exact });
            assert_eq!(cache.get(key), Some(Known { value, exact }));
            assert_eq!(cache.get(key ^ (1 << 40)), None);
        }
    }
}
