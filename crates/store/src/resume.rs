//! Where a driver takes up again: [`Resume`].

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use recrawl_model::{Cost, PageId, Timestamp};

use crate::{Record, Refusal};

/// What a driver needs to know after a restart. It is kept up to date by every
/// append, and needs a few bytes for each visit of the cycle.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Resume {
    /// The number the next page gets.
    pub next_page: u32,
    /// The least number the next visit may have.
    pub next_visit: u64,
    /// The cycle under way.
    pub cycle: Option<CycleState>,
    /// Visits asked for and never seen, by number: the process died in between,
    /// or they are on their way.
    pub outstanding: Vec<Outstanding>,
    /// Hosts to be left alone, and until when. Some may be past.
    pub hosts: BTreeMap<String, Timestamp>,
    /// The settings of drivers by name.
    pub settings: BTreeMap<String, String>,
    /// The latest time in the log that was ours: of imported and pushed
    /// observations, none. A clock that tells an earlier one has jumped.
    pub last_time: Option<Timestamp>,
}

/// A cycle under way.
#[derive(Debug, Clone, PartialEq)]
pub struct CycleState {
    /// Its number.
    pub number: u64,
    /// When it began.
    pub at: Timestamp,
    /// How long it lasts.
    pub length: Duration,
    /// What it may spend.
    pub budget: Cost,
    /// What it has spent on visits asked for.
    pub spent: Cost,
    /// The page of each visit asked for, in order.
    pub visited: Vec<PageId>,
}

/// A visit asked for and never seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outstanding {
    /// The visit.
    pub visit: u64,
    /// Its page.
    pub page: PageId,
    /// When it was asked for.
    pub at: Timestamp,
}

impl Resume {
    /// The state of an empty store.
    #[must_use]
    pub fn new() -> Self {
        Self {
            next_visit: 1,
            ..Self::default()
        }
    }

    /// Takes in a record that was checked with [`Checked`] or stands in the log.
    pub(crate) fn take_in(&mut self, record: &Record) {
        // What somebody else saw says nothing of our clock.
        if !matches!(record, Record::Seen { visit: 0, .. }) {
            self.last_time = self.last_time.max(record.at());
        }
        match record {
            Record::PageAdded { page, .. } => self.next_page = page.0.saturating_add(1),
            Record::PageSet { .. } => {}
            Record::Asked {
                visit,
                page,
                at,
                cost,
            } => {
                self.next_visit = visit.saturating_add(1);
                self.outstanding.push(Outstanding {
                    visit: *visit,
                    page: *page,
                    at: *at,
                });
                if let Some(cycle) = &mut self.cycle {
                    cycle.spent = cycle.spent + *cost;
                    cycle.visited.push(*page);
                }
            }
            Record::Seen { visit, .. } => {
                if let Ok(index) = self.find_outstanding(*visit) {
                    self.outstanding.remove(index);
                }
            }
            Record::CycleBegun {
                number,
                at,
                length,
                budget,
            } => {
                self.cycle = Some(CycleState {
                    number: *number,
                    at: *at,
                    length: *length,
                    budget: *budget,
                    spent: Cost::ZERO,
                    visited: Vec::new(),
                });
            }
            Record::HostHeld { host, until } => {
                self.hosts.insert(host.clone(), *until);
            }
            Record::Setting { name, value } => {
                self.settings.insert(name.clone(), value.clone());
            }
        }
    }

    fn find_outstanding(&self, visit: u64) -> Result<usize, usize> {
        self.outstanding
            .binary_search_by_key(&visit, |asked| asked.visit)
    }
}

/// Checks that a group of records can follow what is there, without changing
/// anything: what the group itself adds is remembered here.
pub(crate) struct Checked<'a> {
    resume: &'a Resume,
    next_page: u32,
    next_visit: u64,
    asked: BTreeMap<u64, PageId>,
    seen: BTreeSet<u64>,
}

impl<'a> Checked<'a> {
    pub(crate) fn after(resume: &'a Resume) -> Self {
        Self {
            resume,
            next_page: resume.next_page,
            next_visit: resume.next_visit,
            asked: BTreeMap::new(),
            seen: BTreeSet::new(),
        }
    }

    /// Checks the next record of the group; URLs are looked at elsewhere.
    pub(crate) fn check(&mut self, record: &Record) -> Result<(), Refusal> {
        match record {
            Record::PageAdded { page, .. } => {
                if page.0 != self.next_page || page.0 == u32::MAX {
                    return Err(Refusal::PageOutOfTurn {
                        page: *page,
                        expected: self.next_page,
                    });
                }
                self.next_page += 1;
                Ok(())
            }
            Record::PageSet { page, .. } => self.known(*page),
            Record::Asked { visit, page, .. } => {
                self.known(*page)?;
                if *visit < self.next_visit || *visit == 0 {
                    return Err(Refusal::VisitOutOfTurn {
                        visit: *visit,
                        least: self.next_visit,
                    });
                }
                self.next_visit = visit.saturating_add(1);
                self.asked.insert(*visit, *page);
                Ok(())
            }
            Record::Seen { visit, page, .. } => {
                self.known(*page)?;
                if *visit == 0 {
                    return Ok(());
                }
                let before = self.resume.find_outstanding(*visit).ok();
                let before = before.map(|index| self.resume.outstanding[index].page);
                let asked = self.asked.get(visit).copied().or(before);
                if asked != Some(*page) || !self.seen.insert(*visit) {
                    return Err(Refusal::NotOutstanding {
                        visit: *visit,
                        page: *page,
                    });
                }
                Ok(())
            }
            Record::CycleBegun { .. } | Record::HostHeld { .. } | Record::Setting { .. } => Ok(()),
        }
    }

    fn known(&self, page: PageId) -> Result<(), Refusal> {
        if page.0 < self.next_page {
            Ok(())
        } else {
            Err(Refusal::NoSuchPage { page })
        }
    }
}
