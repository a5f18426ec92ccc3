//! Pages somebody asked for by hand: [`Pinned`].

use std::fmt::Write;

use recrawl_model::PageId;
use recrawl_store::{Record, Resume};

/// Name of the setting that holds them.
const PINNED: &str = "pinned";

/// Pages that are watched whatever files of addresses name. A setting of the
/// store holds them as ranges of numbers, `3,7-12`.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Pinned {
    /// First and last of each range, apart from each other and rising.
    ranges: Vec<(u32, u32)>,
}

impl Pinned {
    /// Those a store knows.
    pub(crate) fn of(resume: &Resume) -> Self {
        let text = resume.settings.get(PINNED);
        let text = text.map(String::as_str).unwrap_or_default();
        let parse = |range: &str| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some((first.parse().ok()?, last.parse().ok()?))
        };
        Self {
            ranges: text.split(',').filter_map(parse).collect(),
        }
    }

    pub(crate) fn contains(&self, page: PageId) -> bool {
        let after = self.ranges.partition_point(|&(first, _)| first <= page.0);
        after > 0 && page.0 <= self.ranges[after - 1].1
    }

    /// Adds pages; says whether one of them is new here.
    pub(crate) fn extend(&mut self, pages: impl IntoIterator<Item = PageId>) -> bool {
        let new = pages.into_iter().filter(|&page| !self.contains(page));
        let new: Vec<(u32, u32)> = new.map(|page| (page.0, page.0)).collect();
        let grown = !new.is_empty();
        let mut ranges = std::mem::take(&mut self.ranges);
        ranges.extend(new);
        ranges.sort_unstable();
        for (first, last) in ranges {
            match self.ranges.last_mut() {
                Some(before) if first <= before.1.saturating_add(1) => {
                    before.1 = before.1.max(last);
                }
                _ => self.ranges.push((first, last)),
            }
        }
        grown
    }

    /// The record that makes it so.
    pub(crate) fn record(&self) -> Record {
        Record::Setting {
            name: PINNED.to_owned(),
            value: self.text(),
        }
    }

    fn text(&self) -> String {
        let mut text = String::new();
        for (first, last) in &self.ranges {
            let comma = if text.is_empty() { "" } else { "," };
            let _ = write!(text, "{comma}{first}");
            if last > first {
                let _ = write!(text, "-{last}");
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let mut pinned = Pinned::default();
        assert!(pinned.extend([12, 3, 7, 9, 8].map(PageId)));
        assert!(!pinned.extend([PageId(8)]));
        assert_eq!(pinned.text(), "3,7-9,12");
        assert!(pinned.extend([10, 11, 2].map(PageId)));
        assert_eq!(pinned.text(), "2-3,7-12");
        let mut resume = Resume::new();
        resume.settings.insert(PINNED.to_owned(), pinned.text());
        assert_eq!(Pinned::of(&resume), pinned);
        let inside = [2, 3, 7, 10, 12].map(PageId);
        assert!(inside.iter().all(|&page| pinned.contains(page)));
        assert!(
            [1, 4, 6, 13]
                .iter()
                .all(|&page| !pinned.contains(PageId(page)))
        );
    }
}
