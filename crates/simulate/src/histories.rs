//! When pages were born, updated and ended: [`Histories`].

use std::time::Duration;

use recrawl_model::{PageId, Timestamp, format_span};
use thiserror::Error;

/// A page of a collection whose every update is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageLife {
    /// The group it is sampled with, its site as a rule, counted from 0.
    pub site: u32,
    /// When it came to be.
    pub born: Timestamp,
    /// When it was deleted; `None` if it never was.
    pub died: Option<Timestamp>,
    /// When the history of its site stops: it leaves the world after that.
    pub watched_until: Option<Timestamp>,
    /// Importance.
    pub weight: f64,
    /// Bytes of one download; `None` if unknown.
    pub bytes: Option<u32>,
}

/// The lives of a collection of pages, in columns.
#[derive(Debug, Clone, Default)]
pub struct Histories {
    pub(crate) pages: Vec<PageLife>,
    /// Where the updates of page i end.
    ends: Vec<usize>,
    updates: Vec<Timestamp>,
}

/// What keeps lives from being a world.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum HistoriesError {
    /// An update that comes before its page, or not after the update before it.
    #[error("update {row} of page {page}, at {at}, does not come after {before}")]
    OutOfOrder {
        /// The page.
        page: u32,
        /// The update among those of the page, counted from 0.
        row: usize,
        /// Its time.
        at: Timestamp,
        /// The page's birth or the update before.
        before: Timestamp,
    },
    /// There is no page at all.
    #[error("the histories hold no page")]
    Empty,
    /// One cycle alone is longer than all that is known.
    #[error("a cycle of {cycle} is longer than the history, which spans {history}")]
    CycleTooLong {
        /// The cycle.
        cycle: String,
        /// From the first birth to the end.
        history: String,
    },
    /// The window lies where nothing is known.
    #[error(
        "the window from {start} to {end} lies outside the history, which goes from {first} to {last}"
    )]
    Outside {
        /// Start of the window.
        start: Timestamp,
        /// End of the window.
        end: Timestamp,
        /// The first birth.
        first: Timestamp,
        /// End of the history.
        last: Timestamp,
    },
    /// Nobody lives through the whole window.
    #[error(
        "no page lives from {start} to {end}, the whole window; choose fewer cycles, another --from, or all pages"
    )]
    NobodyStays {
        /// Start of the window.
        start: Timestamp,
        /// End of the window.
        end: Timestamp,
    },
}

/// Consecutive cycles that are simulated: an update at the very end of a cycle
/// belongs to it, one at its very start to the cycle before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Window {
    /// Start of the first cycle.
    pub start: Timestamp,
    /// Length of a cycle.
    pub cycle: Duration,
    /// How many cycles.
    pub cycles: u32,
}

impl Window {
    /// `cycles` cycles of which the last ends at `end`.
    #[must_use]
    pub fn ending(end: Timestamp, cycle: Duration, cycles: u32) -> Self {
        let length = cycle.saturating_mul(cycles).as_micros();
        let length = i64::try_from(length).unwrap_or(i64::MAX);
        let start = Timestamp::from_micros(end.micros().saturating_sub(length));
        Self {
            start,
            cycle,
            cycles,
        }
    }

    /// End of the last cycle.
    #[must_use]
    pub fn end(self) -> Timestamp {
        self.start.after(self.cycle.saturating_mul(self.cycles))
    }

    /// Start of the last cycle.
    #[must_use]
    pub fn last_cycle(self) -> Timestamp {
        let before = self.cycles.saturating_sub(1);
        self.start.after(self.cycle.saturating_mul(before))
    }
}

impl Histories {
    /// No pages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a page with its updates in order of time.
    ///
    /// # Errors
    /// [`HistoriesError::OutOfOrder`] for an update at or before the page's
    /// birth or the update before it.
    pub fn push(
        &mut self,
        life: PageLife,
        updates: &[Timestamp],
    ) -> Result<PageId, HistoriesError> {
        let page = self.pages.len() as u32;
        let mut before = life.born;
        for (row, &at) in updates.iter().enumerate() {
            if at <= before {
                return Err(HistoriesError::OutOfOrder {
                    page,
                    row,
                    at,
                    before,
                });
            }
            before = at;
        }
        self.pages.push(life);
        self.updates.extend_from_slice(updates);
        self.ends.push(self.updates.len());
        Ok(PageId(page))
    }

    /// How many pages there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.pages.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pages.is_empty()
    }

    /// A page's site, birth and end.
    #[must_use]
    pub fn life(&self, page: PageId) -> &PageLife {
        &self.pages[page.index()]
    }

    /// A page's updates in order of time.
    #[must_use]
    pub fn updates(&self, page: PageId) -> &[Timestamp] {
        let start = page
            .index()
            .checked_sub(1)
            .map_or(0, |before| self.ends[before]);
        &self.updates[start..self.ends[page.index()]]
    }

    /// The first birth and the end: the last end of a site where sites say so,
    /// else the last birth, update or death.
    #[must_use]
    pub fn span(&self) -> Option<(Timestamp, Timestamp)> {
        let first = self.pages.iter().map(|page| page.born).min()?;
        let told = self
            .pages
            .iter()
            .filter_map(|page| page.watched_until)
            .max();
        let last = told.or_else(|| {
            let moments = self.pages.iter().map(|page| page.died.unwrap_or(page.born));
            moments.chain(self.updates.iter().copied()).max()
        })?;
        Some((first, last))
    }

    /// The window of so many cycles from `from` on, or by default the last
    /// ones before the end of the histories.
    ///
    /// # Errors
    /// If there are no pages, one cycle is longer than all that is known, or
    /// the window does not meet the history.
    pub fn window(
        &self,
        from: Option<Timestamp>,
        cycle: Duration,
        cycles: u32,
    ) -> Result<Window, HistoriesError> {
        let (first, last) = self.span().ok_or(HistoriesError::Empty)?;
        let known = last.since(first);
        if cycle > known {
            return Err(HistoriesError::CycleTooLong {
                cycle: format_span(cycle),
                history: format_span(known),
            });
        }
        let start = from.unwrap_or_else(|| before(last, cycle.saturating_mul(cycles)));
        let window = Window {
            start,
            cycle,
            cycles,
        };
        if start >= last || window.end() <= first {
            return Err(HistoriesError::Outside {
                start,
                end: window.end(),
                first,
                last,
            });
        }
        Ok(window)
    }
}

/// The moment `span` before `at`, held within the range.
fn before(at: Timestamp, span: Duration) -> Timestamp {
    let micros = i64::try_from(span.as_micros()).unwrap_or(i64::MAX);
    Timestamp::from_micros(at.micros().saturating_sub(micros))
}
