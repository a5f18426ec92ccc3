//! What a store holds, in numbers: [`Overview`].

use std::collections::{BTreeMap, BTreeSet};

use recrawl_model::{Outcome, Timestamp};

use crate::{Record, Resume, Standing, StoreError};

/// What a log tells in all.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Overview {
    /// Pages by standing; every standing is there.
    pub pages: BTreeMap<Standing, u64>,
    /// Distinct sites.
    pub sites: u64,
    /// Observations by outcome, in the order of [`Outcome`].
    pub observations: [u64; 4],
    /// Of these, those that were imported or pushed from elsewhere.
    pub imported: u64,
    /// Times of the first and the last observation.
    pub span: Option<(Timestamp, Timestamp)>,
    /// Where a driver would take up again.
    pub resume: Resume,
}

impl Overview {
    /// Reads a log, as [`Store::replay`](crate::Store::replay) or
    /// [`LogReader::replay`](crate::LogReader::replay) tell it.
    ///
    /// # Errors
    /// What `replay` says.
    pub fn read(
        replay: impl FnOnce(&mut dyn FnMut(&Record)) -> Result<(), StoreError>,
    ) -> Result<Self, StoreError> {
        let mut overview = Self {
            resume: Resume::new(),
            ..Self::default()
        };
        let mut standings = Vec::new();
        let mut sites = BTreeSet::new();
        replay(&mut |record| {
            overview.resume.take_in(record);
            match record {
                Record::PageAdded { site, .. } => {
                    standings.push(Standing::Watched);
                    if !sites.contains(site) {
                        sites.insert(site.clone());
                    }
                }
                Record::PageSet { page, standing, .. } => {
                    if let Some(slot) = standings.get_mut(page.index()) {
                        *slot = *standing;
                    }
                }
                Record::Seen {
                    visit, at, outcome, ..
                } => overview.count(*visit, *at, *outcome),
                _ => {}
            }
        })?;
        overview.sites = sites.len() as u64;
        overview.pages = Standing::ALL.map(|standing| (standing, 0)).into();
        for standing in standings {
            *overview.pages.entry(standing).or_default() += 1;
        }
        Ok(overview)
    }

    fn count(&mut self, visit: u64, at: Timestamp, outcome: Outcome) {
        self.observations[outcome as usize] += 1;
        self.imported += u64::from(visit == 0);
        let (first, last) = self.span.unwrap_or((at, at));
        self.span = Some((first.min(at), last.max(at)));
    }
}
