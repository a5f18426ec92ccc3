//! Visits of pages that are watched for changing their ways, learned in blocks.

use recrawl_model::PageId;

use super::Knowledge;
use crate::bayes::columns::BLOCK;
use crate::bayes::evidence::{Interval, Prior};
use crate::bayes::visits::{Visit, Visits};

/// Pages are told apart by so many marks before they are compared one by one.
const MARKS: usize = 1_024;

/// An interval between two visits, as it is taken in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    pub(super) page: PageId,
    /// That of the page's site.
    pub(super) prior: Prior,
    pub(super) interval: Interval,
    pub(super) cycles: f32,
}

/// Where an interval lies in the life of a version.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spell {
    /// Cycles from the last change seen to where it begins.
    pub(super) age: f32,
    /// Its busy days, as if the page changed at a steady rate.
    pub(super) busy: f64,
}

/// Visits that are learned together, no two of one page.
pub(super) struct Watched {
    visits: Visits,
    taken: Vec<Taken>,
    /// Where some of them lie in the lives of versions, by their numbers.
    spells: Vec<(usize, Spell)>,
    /// The law of any page.
    any: Prior,
    /// Which last digits pages among them have, in the system of base [`MARKS`].
    marks: [bool; MARKS],
}

impl Watched {
    /// None yet; any page is believed to follow that law.
    pub(super) fn new(any: Prior) -> Self {
        Self {
            visits: Visits::new(any),
            taken: Vec::with_capacity(BLOCK),
            spells: Vec::new(),
            any,
            marks: [false; MARKS],
        }
    }

    fn has(&self, page: PageId) -> bool {
        self.marks[page.index() % MARKS] && self.taken.iter().any(|taken| taken.page == page)
    }
}

impl Knowledge {
    /// Takes in an interval of a page that is watched; where it lies in the life of a
    /// version, if chances by age are to be learned from it.
    pub(super) fn watch(&mut self, watched: &mut Watched, taken: Taken, spell: Option<Spell>) {
        let Taken {
            page,
            prior,
            interval,
            cycles,
        } = taken;
        if watched.has(page) {
            self.learn_watched(watched); // what was learned before is needed
        }
        let evidence = self.evidence[page.index()];
        if evidence.is_none() {
            self.evidence[page.index()] = evidence.taking(prior, interval);
            return;
        }
        if let Some(spell) = spell {
            watched.spells.push((watched.taken.len(), spell));
        }
        watched.visits.push(Visit {
            prior,
            evidence,
            second: self.ways.of(page),
            days: interval.days,
            cycles,
            changed: interval.changed,
        });
        watched.taken.push(taken);
        watched.marks[page.index() % MARKS] = true;
        if watched.visits.is_full() {
            self.learn_watched(watched);
        }
    }

    /// Learns the visits that were taken in.
    pub(super) fn learn_watched(&mut self, watched: &mut Watched) {
        watched.visits.reckon(self.forgetting.reference());
        self.forgetting.learn(watched.visits.likely());
        for (at, Spell { age, busy }) in watched.spells.drain(..) {
            let (taken, likely) = (&watched.taken[at], watched.visits.likely());
            if let Some(own) = watched.visits.own(at) {
                let chance = f64::from(likely.own[at]);
                let found = taken.interval.changed.then_some(chance);
                self.recency
                    .learn(age, taken.cycles, own.mean() * busy, found);
            }
        }
        let needed = self.forgetting.is_needed();
        for (at, taken) in watched.taken.drain(..).enumerate() {
            let readings = watched.visits.readings(at);
            let (page, laws) = (taken.page, [taken.prior, watched.any]);
            let evidence = &mut self.evidence[page.index()];
            if needed {
                self.ways
                    .learn(page, evidence, readings, laws, taken.interval);
            } else {
                self.ways
                    .try_out(page, evidence, readings, laws, taken.interval);
            }
        }
        watched.visits.clear();
        watched.marks.fill(false);
    }
}
