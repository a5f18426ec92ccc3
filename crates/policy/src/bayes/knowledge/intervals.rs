//! What intervals between visits teach of pages, and of pages that change their
//! ways.

use recrawl_model::{PageId, Timestamp};

use super::watched::{Spell, Taken, Watched};
use super::{AHEAD, Knowledge};
use crate::Collection;
use crate::bayes::calendar::days_between;
use crate::bayes::columns::Turning;
use crate::bayes::evidence::Interval;
use crate::bayes::ways::{Second, Turned};

/// Part of the chance to turn that is believed of pages nobody has looked at
/// since: it was learned from pages that are visited, the livelier ones.
const UNSEEN: f64 = 0.5;

/// About so many intervals of a cycle tell how chances go with the time since a
/// change; more would hardly tell more.
const SPELLS: usize = 4_096;

/// While pages keep their ways, about so many are watched for changing them.
const WATCHED: usize = 16_384;

impl Knowledge {
    /// What a page last seen at `from` may be like if it changed its ways, and
    /// how likely it has not; `None` if pages keep their ways.
    pub(in crate::bayes) fn turned(
        &self,
        page: PageId,
        from: Timestamp,
        now: Timestamp,
    ) -> Option<Turned> {
        let any = self.any.filter(|_| self.forgetting.is_needed())?;
        let cycles = now.days_since(from) / self.cycle_days;
        let kept = self.forgetting.kept(UNSEEN * cycles.max(0.0));
        Some(Turned::new(self.ways.of(page), kept, any))
    }

    /// The same for many pages: how they change their ways.
    pub(in crate::bayes) fn turning(&self) -> Option<Turning> {
        let any = self.any.filter(|_| self.forgetting.is_needed())?;
        Some(Turning {
            a_day: (UNSEEN * self.forgetting.chance() / self.cycle_days) as f32,
            any: [any.shape() as f32, any.weight() as f32],
        })
    }

    /// The second reading of a page.
    #[inline]
    pub(in crate::bayes) fn second(&self, page: PageId) -> Second {
        self.ways.of(page)
    }

    /// Ends a cycle for the chance that pages change their ways.
    pub(super) fn judge_forgetting(&mut self) {
        let needed = self.forgetting.is_needed();
        self.forgetting.end_cycle();
        if needed && !self.forgetting.is_needed() {
            self.ways.settle(&mut self.evidence);
        }
    }

    /// Learns the intervals that waited.
    pub(super) fn settle(&mut self, collection: &Collection) {
        let stride = if self.forgetting.is_needed() {
            1
        } else {
            collection.slots().div_ceil(WATCHED).max(1)
        };
        self.ways.watch_every(stride);
        let mut pending = std::mem::take(&mut self.pending);
        let one_in = pending.len().div_ceil(SPELLS).max(1);
        let mut watched = self.any.map(|any| Watched::new(any.into()));
        let mut dated = std::mem::take(&mut self.pending_dates);
        let mut dates = dated.iter().peekable();
        for (index, interval) in pending.iter().enumerate() {
            if index.is_multiple_of(AHEAD) {
                let next = pending[index..].iter().take(AHEAD);
                next.for_each(|next| self.ask_own_memory(next.page));
            }
            let date = dates.next_if(|&&(dated, _)| dated == index);
            let Some(site) = self.site(interval.site) else {
                continue;
            };
            let busy = |from| site.busy_interval(&self.calendar, from, interval.until);
            let days = busy(interval.from);
            if days <= 0.0 {
                continue;
            }
            let plain = days_between(interval.from, interval.until) as f32;
            let recency = f64::from(self.recency_in(interval.quiet, plain) * interval.told);
            let seen = Interval {
                days: days * recency,
                changed: interval.changed,
                since: date.map(|&(_, date)| busy(date) * recency),
            };
            let sampled = index.is_multiple_of(one_in);
            let (prior, page) = (site.prior(), interval.page);
            self.sites[interval.site.index()].count();
            let taken = Taken {
                page,
                prior,
                interval: seen,
                cycles: self.recency.cycles(plain),
            };
            let quiet = interval.quiet.days().filter(|_| sampled);
            let spell = quiet.map(|quiet| Spell {
                age: self.recency.cycles(quiet),
                busy: days,
            });
            match &mut watched {
                Some(watched) if self.ways.is_watched(page) => self.watch(watched, taken, spell),
                _ => {
                    let evidence = &mut self.evidence[page.index()];
                    *evidence = evidence.taking(prior, seen);
                }
            }
        }
        if let Some(watched) = &mut watched {
            self.learn_watched(watched);
        }
        pending.clear();
        dated.clear();
        (self.pending, self.pending_dates) = (pending, dated);
    }
}
