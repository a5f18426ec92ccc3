//! Visits that are over: from a reading to the log, then to the engine.

use recrawl_detect::{Body, Memory};
use recrawl_fetch::Answer;
use recrawl_model::{Cost, Observation, Outcome, PageId, Timestamp, Weight};
use recrawl_store::{PageRow, Received, Record, Store, Versions};

use crate::event::{Event, Visited};
use crate::planned::{FirstLook, Planned, Underway};
use crate::reading::{Content, Reading};
use crate::{WatchError, Watcher};

/// A visit whose record is on its way to the disk.
#[derive(Debug)]
pub(crate) struct Settled {
    visited: Visited,
    seen: Observation,
    /// What the engine is to hear: a second look was not its idea.
    told: Told,
    version: Option<Content>,
}

impl Settled {
    /// The version of the page it brought.
    fn received(&self) -> Option<Received<'_>> {
        let content = self.version.as_ref()?;
        Some(Received {
            page: self.visited.number,
            at: self.visited.time,
            content_type: content.content_type.as_deref(),
            body: &content.body,
        })
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Told {
    Engine,
    Nobody,
}

impl<S: Store + Versions> Watcher<S> {
    /// Takes in what came back from a page.
    pub(crate) fn arrived(
        &mut self,
        underway: Underway,
        reading: Reading,
        answer: Option<&Answer>,
        now: Timestamp,
    ) -> Result<(), WatchError> {
        let Underway {
            visit,
            host,
            planned,
        } = underway;
        let until = self.hosts.done(host, now, reading.answered);
        if until > now.after(self.settings.manners.gap) {
            self.hold_over_restarts(&planned, until);
        }
        match planned.first {
            Some(mut first) => {
                if let Some(answer) = answer {
                    self.compare_looks(planned.page, &mut first.reading, answer)?;
                }
                self.settle_first(planned.page, &planned.row, *first);
                let second = second_look(&reading);
                self.settle(visit, planned.page, &planned.row, second, Told::Nobody);
            }
            None if reading.wants_second_look && self.pay_for_second_look() => {
                let first = Some(Box::new(FirstLook { visit, reading }));
                self.totals.second_looks += 1;
                self.hosts.enqueue(host, Planned { first, ..planned });
            }
            None => self.settle(visit, planned.page, &planned.row, reading, Told::Engine),
        }
        Ok(())
    }

    /// Settles the first of two looks.
    pub(crate) fn settle_first(&mut self, page: PageId, row: &PageRow, first: FirstLook) {
        self.settle(first.visit, page, row, first.reading, Told::Engine);
    }

    /// Writes a visit down; it counts once [`Watcher::commit`] has run.
    fn settle(&mut self, visit: u64, page: PageId, row: &PageRow, reading: Reading, told: Told) {
        let Reading {
            at,
            outcome,
            last_modified,
            note,
            held,
            standing,
            version,
            ..
        } = reading;
        let location = held.as_ref().and_then(|held| held.location.clone());
        let visited = Visited {
            visit,
            time: at,
            number: page,
            page: row.url.clone(),
            site: row.site.clone(),
            outcome,
            status: note.status,
            reason: (!note.reason.is_empty()).then(|| note.reason.clone()),
            bytes: note.bytes,
            millis: note.millis,
            location,
        };
        self.records.push(Record::Seen {
            visit,
            page,
            at,
            outcome,
            last_modified,
            note: Some(note),
            held,
        });
        // What a person said of the page meanwhile stands.
        if let Some(standing) = standing
            && self.scheduler.collection().contains(page)
        {
            let weight = Weight::new(self.scheduler.collection().weight(page));
            self.records.push(Record::PageSet {
                page,
                at,
                standing,
                weight: weight.unwrap_or(row.weight),
            });
        }
        let mut seen = Observation::new(at, outcome);
        seen.last_modified = last_modified;
        self.settled.push(Settled {
            visited,
            seen,
            told,
            version,
        });
    }

    /// Makes everything since the last call durable, then lets it count:
    /// observations reach the engine, requests may leave.
    pub(crate) fn commit(&mut self, tell: &mut dyn FnMut(Event<'_>)) -> Result<(), WatchError> {
        if !self.records.is_empty() {
            self.store.append(&self.records)?;
            self.records.clear();
        }
        let settled = std::mem::take(&mut self.settled);
        let versions = settled.iter().filter_map(Settled::received);
        let versions: Vec<Received<'_>> = versions.collect();
        let most = self.settings.keep.max(1);
        self.store.keep_all(&versions, most)?;
        for settled in settled {
            self.totals.count(settled.seen.outcome);
            if settled.told == Told::Engine {
                let page = settled.visited.number;
                if self.scheduler.observe(page, settled.seen).is_err() {
                    // Paused and watched again meanwhile, it was seen all the
                    // same; removed, it is not missed.
                    let _ = self.scheduler.record(page, settled.seen);
                }
            }
            tell(Event::Visited(&settled.visited));
        }
        Ok(())
    }

    /// Whether a second look may be had: seldom, and from the same budget.
    fn pay_for_second_look(&mut self) -> bool {
        let share = self.settings.second_looks * self.totals.visits as f64;
        let rare = (self.totals.second_looks as f64) < share.max(1.0);
        rare && self.scheduler.spend(Cost::DOWNLOAD).is_ok()
    }

    /// Says what the first look saw, now that the second shows what differs by
    /// itself: if nothing else differs from the version held, nothing changed.
    fn compare_looks(
        &self,
        page: PageId,
        first: &mut Reading,
        again: &Answer,
    ) -> Result<(), WatchError> {
        let Some(held) = &mut first.held else {
            return Ok(());
        };
        let Ok(memory) = Memory::from_bytes(&held.memory) else {
            return Ok(());
        };
        let Some(seen) = &first.version else {
            return Ok(());
        };
        if !(200..300).contains(&again.status) {
            return Ok(()); // 304: nothing differs by itself
        }
        let seen = Body::new(&seen.body, seen.content_type.as_deref());
        let again = Body::new(&again.body, again.content_type.as_deref());
        let learned = self.detector.learn_noise(&memory, &seen, &again);
        held.memory = learned.to_bytes();
        let versions = self.store.versions(page)?;
        if learned.masked_parts() == 0 || first.outcome != Outcome::Changed {
            return Ok(());
        }
        let Some(before) = versions.first() else {
            return Ok(());
        };
        let before = Body::new(&before.body, before.content_type.as_deref());
        if self.detector.compare(&learned, &before).outcome == Outcome::Unchanged {
            first.outcome = Outcome::Unchanged;
            "only parts differ that differ by themselves".clone_into(&mut first.note.reason);
            first.version = None;
        }
        Ok(())
    }

    fn hold_over_restarts(&mut self, planned: &Planned, until: Timestamp) {
        let host = planned.url.host_str().unwrap_or_default().to_owned();
        self.records.push(Record::HostHeld { host, until });
    }
}

/// A second look says nothing of change since the last visit.
fn second_look(reading: &Reading) -> Reading {
    let reason = "second look, to learn what differs by itself";
    let mut second = Reading::unknown(reading.at, reading.note.status, reason);
    second.note.bytes = reading.note.bytes;
    second.note.millis = reading.note.millis;
    second
}
