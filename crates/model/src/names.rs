//! Many strings in one allocation.

use std::hint::black_box;
use std::ops::Range;

use rayon::prelude::*;

/// Bytes of a name compared at once when names are sorted.
const KEY_BYTES: usize = 8;

/// Keys after which names with a common start are compared as wholes.
const KEYS: usize = 32;

/// Names below which sorting is not worth a second thread.
const WORTH_A_THREAD: usize = 1 << 12;

/// An append-only list of strings kept in one buffer: a hundred million page
/// names cost their bytes and eight more each, not an allocation each.
#[derive(Debug, Clone, Default)]
pub struct Names {
    text: String,
    ends: Vec<usize>,
}

impl Names {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Makes room for `names` more names of `bytes` bytes together.
    pub fn reserve(&mut self, names: usize, bytes: usize) {
        self.ends.reserve_exact(names);
        self.text.reserve_exact(bytes);
    }

    /// Appends a name and returns its index.
    pub fn push(&mut self, name: &str) -> usize {
        self.text.push_str(name);
        self.ends.push(self.text.len());
        self.ends.len() - 1
    }

    /// The name at `index`.
    ///
    /// # Panics
    /// If `index` is not below [`Names::len`].
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> &str {
        &self.text[self.range(index)]
    }

    /// Where the name at `index` stands in [`Names::text`].
    ///
    /// # Panics
    /// If `index` is not below [`Names::len`].
    #[must_use]
    #[inline]
    pub fn range(&self, index: usize) -> Range<usize> {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[index]
    }

    /// Reads the first byte of each of these names, none of which waits for another,
    /// so that the names are in the cache when they are needed.
    pub(crate) fn warm(&self, indices: &[u32]) {
        let text = self.text.as_bytes();
        let byte = |index: &u32| text.get(self.range(*index as usize).start).copied();
        let all = indices
            .iter()
            .fold(0, |all, index| all ^ byte(index).unwrap_or(0));
        black_box(all);
    }

    /// All names, one after the other.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// How many names there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        (0..self.len()).map(|index| self.get(index))
    }

    /// The indices of all names in order of the names, of equal ones as they
    /// were added.
    ///
    /// # Panics
    /// Beyond 2^32 names.
    #[must_use]
    pub fn order(&self) -> Vec<u32> {
        assert!(u32::try_from(self.len()).is_ok(), "more names than 2^32");
        let mut entries: Vec<Entry> = (0..self.len() as u32)
            .map(|index| Entry { key: 0, index })
            .collect();
        self.sort(&mut entries, 0);
        entries.into_iter().map(|entry| entry.index).collect()
    }

    /// Sorts names that agree in their first `depth` keys. Comparing whole
    /// names would fetch each from memory again and again; a key of the next
    /// bytes is fetched once and then moves with its entry.
    fn sort(&self, entries: &mut [Entry], depth: usize) {
        if depth == KEYS {
            entries.sort_unstable_by_key(|entry| (self.get(entry.index as usize), entry.index));
            return;
        }
        for entry in &mut *entries {
            entry.key = key(self.get(entry.index as usize), depth * KEY_BYTES);
        }
        let sort_run = |run: &mut [Entry]| {
            if run.len() > 1 {
                self.sort_run(run, depth);
            }
        };
        if entries.len() < WORTH_A_THREAD {
            entries.sort_unstable();
            entries
                .chunk_by_mut(|a, b| a.key == b.key)
                .for_each(sort_run);
        } else {
            entries.par_sort_unstable();
            entries
                .par_chunk_by_mut(|a, b| a.key == b.key)
                .for_each(sort_run);
        }
    }

    /// Sorts names that agree in the key of this depth too.
    fn sort_run(&self, run: &mut [Entry], depth: usize) {
        // A name that ends within the key comes before those that go on, and is
        // filled with zeros the others may really have: only lengths tell.
        let compared = (depth + 1) * KEY_BYTES;
        let length = |entry: &Entry| self.range(entry.index as usize).len().min(compared + 1);
        let mut ended = 0;
        if run.iter().any(|entry| length(entry) <= compared) {
            run.sort_by_key(length);
            ended = run.partition_point(|entry| length(entry) <= compared);
        }
        if run.len() - ended > 1 {
            self.sort(&mut run[ended..], depth + 1);
        }
    }
}

/// A name being sorted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    key: u64,
    index: u32,
}

/// The bytes of `name` from `start` on as a number that sorts as they do, zeros
/// where the name has ended.
fn key(name: &str, start: usize) -> u64 {
    let rest = name.as_bytes().get(start..).unwrap_or_default();
    if let Some(bytes) = rest.first_chunk() {
        return u64::from_be_bytes(*bytes);
    }
    let mut bytes = [0; KEY_BYTES];
    bytes[..rest.len()].copy_from_slice(rest);
    u64::from_be_bytes(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn names(list: &[String]) -> Names {
        let mut names = Names::new();
        for name in list {
            names.push(name);
        }
        names
    }

    proptest! {
        #[test]
        fn order_is_that_of_the_strings(
            list in prop::collection::vec("(https://site)?[a\0é]{0,20}", 0..60),
            repeat in 0usize..40,
        ) {
            let list: Vec<String> = list
                .into_iter()
                .map(|name| "common start".repeat(repeat) + &name)
                .collect();
            let mut expected: Vec<u32> = (0..list.len() as u32).collect();
            expected.sort_by_key(|&index| &list[index as usize]);
            prop_assert_eq!(names(&list).order(), expected);
        }
    }

    #[test]
    fn many_names_are_sorted_on_several_threads_as_on_one() {
        let list: Vec<String> = (0..10_000u32)
            .map(|n| {
                format!(
                    "https://site{}.example/{n}",
                    n.wrapping_mul(2_654_435_761) % 97
                )
            })
            .collect();
        let mut expected: Vec<u32> = (0..list.len() as u32).collect();
        expected.sort_by_key(|&index| &list[index as usize]);
        assert_eq!(names(&list).order(), expected);
    }
}
