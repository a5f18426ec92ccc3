//! Many strings in one allocation.

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
    pub fn get(&self, index: usize) -> &str {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[index]]
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
}
