//! A list that only grows and whose snapshots share their items.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A list that only grows. A clone is a snapshot that costs nothing and stays as it is: the items are shared, and
/// what is added later to the one is not seen by the other.
///
/// Adding an item copies no other one, however many snapshots there are; only where two snapshots of one list are
/// both added to does the second get a copy of its own.
///
/// ```
/// use tools_core::Log;
///
/// let mut log = Log::default();
/// log.push("hello");
/// let before = log.clone();
/// log.push("world");
/// assert_eq!((before.len(), log.len()), (1, 2));
/// assert_eq!(log.iter().copied().collect::<Vec<_>>(), ["hello", "world"]);
/// ```
pub struct Log<T> {
    first: Arc<Chunk<T>>,
    last: Arc<Chunk<T>>,
    /// How many items stand in the chunks before the last one.
    before_last: usize,
    len: usize,
}

/// A slot is filled once, by the first snapshot that gets that far; snapshots end where they ended.
struct Chunk<T> {
    slots: Box<[OnceLock<T>]>,
    next: OnceLock<Arc<Chunk<T>>>,
}

impl<T> Chunk<T> {
    const SMALLEST: usize = 8;

    fn new(size: usize) -> Arc<Self> {
        let slots = std::iter::repeat_with(OnceLock::new).take(size).collect();
        Arc::new(Self { slots, next: OnceLock::new() })
    }
}

impl<T> Log<T> {
    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The items, oldest first.
    #[must_use]
    pub fn iter(&self) -> LogIter<'_, T> {
        LogIter { chunk: Some(&self.first), index: 0, left: self.len }
    }

    /// The newest item.
    #[must_use]
    pub fn last(&self) -> Option<&T> {
        self.get(self.len.checked_sub(1)?)
    }

    /// An item by its place, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<&T> {
        if index >= self.len {
            return None;
        }
        if let Some(in_last) = index.checked_sub(self.before_last) {
            return self.last.slots.get(in_last)?.get();
        }
        let (mut chunk, mut left) = (&self.first, index);
        while left >= chunk.slots.len() {
            left -= chunk.slots.len();
            chunk = chunk.next.get()?;
        }
        chunk.slots.get(left)?.get()
    }
}

impl<T: Clone> Log<T> {
    /// Adds an item at the end.
    pub fn push(&mut self, item: T) {
        if self.len - self.before_last == self.last.slots.len() {
            let size = self.last.slots.len();
            // Each chunk is as large as all before it, so that there are few of them however long the list is.
            let next = self.last.next.get_or_init(|| Chunk::new(size * 2));
            self.before_last += size;
            self.last = Arc::clone(next);
        }
        let slot = self.last.slots.get(self.len - self.before_last);
        match slot.map(|slot| slot.set(item)) {
            Some(Ok(())) => self.len += 1,
            Some(Err(item)) => {
                *self = self.iter().cloned().collect();
                self.push(item);
            }
            // Not reached: the last chunk has room.
            None => {}
        }
    }
}

/// The items of a [`Log`], oldest first.
pub struct LogIter<'l, T> {
    chunk: Option<&'l Arc<Chunk<T>>>,
    index: usize,
    left: usize,
}

impl<'l, T> Iterator for LogIter<'l, T> {
    type Item = &'l T;

    fn next(&mut self) -> Option<&'l T> {
        self.left = self.left.checked_sub(1)?;
        let mut chunk = self.chunk?;
        if self.index == chunk.slots.len() {
            chunk = chunk.next.get()?;
            (self.chunk, self.index) = (Some(chunk), 0);
        }
        self.index += 1;
        chunk.slots.get(self.index - 1)?.get()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl<T> ExactSizeIterator for LogIter<'_, T> {}

impl<T> Default for Log<T> {
    fn default() -> Self {
        let first = Chunk::new(Chunk::<T>::SMALLEST);
        Self { last: Arc::clone(&first), first, before_last: 0, len: 0 }
    }
}

impl<T> Clone for Log<T> {
    fn clone(&self) -> Self {
        Self {
            first: Arc::clone(&self.first),
            last: Arc::clone(&self.last),
            before_last: self.before_last,
            len: self.len,
        }
    }
}

impl<T: Clone> Extend<T> for Log<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, items: I) {
        items.into_iter().for_each(|item| self.push(item));
    }
}

impl<T: Clone> FromIterator<T> for Log<T> {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        let mut log = Self::default();
        log.extend(items);
        log
    }
}

impl<'l, T> IntoIterator for &'l Log<T> {
    type Item = &'l T;
    type IntoIter = LogIter<'l, T>;

    fn into_iter(self) -> LogIter<'l, T> {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for Log<T> {
    fn eq(&self, other: &Self) -> bool {
        self.len == other.len && self.iter().eq(other)
    }
}

impl<T: fmt::Debug> fmt::Debug for Log<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T: Serialize> Serialize for Log<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self)
    }
}

impl<'de, T: Deserialize<'de> + Clone> Deserialize<'de> for Log<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Vec::deserialize(deserializer)?.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use super::Log;

    #[test]
    fn a_snapshot_keeps_its_length_and_its_items_while_the_list_grows() {
        let mut log = Log::default();
        let snapshots: Vec<Log<usize>> = (0..1000)
            .map(|index| {
                log.push(index);
                log.clone()
            })
            .collect();
        for (index, snapshot) in snapshots.iter().enumerate() {
            assert_eq!(snapshot.len(), index + 1);
            assert_eq!(snapshot.last(), Some(&index));
            assert!(snapshot.iter().copied().eq(0..=index));
            assert_eq!(snapshot.get(index / 2), Some(&(index / 2)));
            assert_eq!(snapshot.get(index + 1), None);
        }
    }

    #[test]
    fn two_lists_that_grow_from_one_snapshot_do_not_see_each_other() {
        for shared in [0, 7, 8, 9, 40] {
            let trunk: Log<usize> = (0..shared).collect();
            let (mut left, mut right) = (trunk.clone(), trunk.clone());
            for step in 0..20 {
                left.push(100 + step);
                right.push(200 + step);
            }
            assert!(left.iter().copied().eq((0..shared).chain(100..120)), "{left:?}");
            assert!(right.iter().copied().eq((0..shared).chain(200..220)), "{right:?}");
            assert_eq!(trunk.len(), shared);
        }
    }
}
