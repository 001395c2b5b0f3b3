//! Results that arrive in any order and are wanted in that of their numbers.

use std::collections::BTreeMap;

/// Results that wait for those before them.
///
/// ```
/// let mut results = runs::InOrder::from(5);
/// results.put(6, 'b');
/// assert_eq!(results.take(), None);
/// results.put(5, 'a');
/// assert_eq!((results.take(), results.take()), (Some((5, 'a')), Some((6, 'b'))));
/// results.put(5, 'x');
/// assert_eq!(results.take(), None, "taken already");
/// ```
#[derive(Clone, Debug)]
pub struct InOrder<R> {
    next: u64,
    waiting: BTreeMap<u64, R>,
}

impl<R> InOrder<R> {
    /// The first number is this.
    #[must_use]
    pub fn from(first: u64) -> InOrder<R> {
        InOrder { next: first, waiting: BTreeMap::new() }
    }

    /// The number that comes next.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Takes in a result; one that is there already, or was taken out, changes nothing.
    pub fn put(&mut self, number: u64, result: R) {
        if number >= self.next {
            self.waiting.entry(number).or_insert(result);
        }
    }

    /// The next result with its number, if it has arrived.
    pub fn take(&mut self) -> Option<(u64, R)> {
        let result = self.waiting.remove(&self.next)?;
        self.next += 1;
        Some((self.next - 1, result))
    }
}
