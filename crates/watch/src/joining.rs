//! How pages join and leave while watching.

use recrawl_model::{Hint, HintKind, PageId, Timestamp, Weight};
use recrawl_store::{Record, Standing, Store, Versions};
use url::Url;

use crate::event::Event;
use crate::pinned::Pinned;
use crate::sources::Local;
use crate::{WatchError, Watcher};

/// Name of the setting that says which pages were named last.
const SOURCES: &str = "sources";

/// Records appended together while many pages join.
const TOGETHER: usize = 8_192;

/// How a page was known when it was named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Known {
    New,
    Away,
    Watched,
}

impl<S: Store + Versions> Watcher<S> {
    /// Lets the pages that local sources name join, and pauses those they name
    /// no longer. Pages that only remote lists name are never paused.
    pub(crate) fn join_local(
        &mut self,
        local: &Local,
    ) -> Result<(usize, usize, usize), WatchError> {
        let mark = format!("{:016x}", local.fingerprint);
        let settings = &self.store.resume().settings;
        let nothing_named = local.pages.is_empty() && local.remotes.is_empty();
        if nothing_named || settings.get(SOURCES) == Some(&mark) {
            return Ok((0, 0, 0));
        }
        let at = self.live.now();
        let (mut added, mut back) = (0, 0);
        let mut named = Vec::with_capacity(local.pages.len());
        for (url, weight) in &local.pages {
            let (page, known) = self.join(url, *weight, at)?;
            named.push(page);
            added += usize::from(known == Known::New);
            back += usize::from(known == Known::Away);
            if self.records.len() >= TOGETHER {
                self.flush()?;
            }
        }
        let paused = if local.remotes.is_empty() {
            self.pause_all_but(named, at)?
        } else {
            0
        };
        let (name, value) = (SOURCES.to_owned(), mark);
        self.records.push(Record::Setting { name, value });
        self.flush()?;
        Ok((added, back, paused))
    }

    /// Lets one page join.
    fn join(
        &mut self,
        url: &Url,
        weight: Weight,
        at: Timestamp,
    ) -> Result<(PageId, Known), WatchError> {
        // A page named twice in one group is not in the store yet.
        if let Some(page) = self.store.find(url.as_str())? {
            if self.scheduler.collection().contains(page) {
                return Ok((page, Known::Watched));
            }
            self.scheduler.restore_page(page);
            let standing = Standing::Watched;
            self.records.push(Record::PageSet {
                page,
                at,
                standing,
                weight,
            });
            return Ok((page, Known::Away));
        }
        if let Some(page) = self.joining.get(url.as_str()) {
            return Ok((*page, Known::Watched));
        }
        let site = url.host_str().unwrap_or_default().to_owned();
        let number = self.scheduler.collection().slots();
        if number >= u32::MAX as usize - 1 {
            return Err(WatchError::TooManyPages);
        }
        let page = self.scheduler.add_page(self.sites.of(&site), weight);
        let url = url.to_string();
        self.joining.insert(url.clone(), page);
        self.records.push(Record::PageAdded {
            page,
            at,
            url,
            site,
            weight,
        });
        Ok((page, Known::New))
    }

    fn pause_all_but(
        &mut self,
        mut named: Vec<PageId>,
        at: Timestamp,
    ) -> Result<usize, WatchError> {
        named.sort_unstable();
        let slots = self.scheduler.collection().slots() as u32;
        let watched = (0..slots).map(PageId);
        let watched = watched.filter(|&page| self.scheduler.collection().contains(page));
        let pinned = Pinned::of(self.store.resume());
        let gone: Vec<PageId> = watched
            .filter(|page| named.binary_search(page).is_err() && !pinned.contains(*page))
            .collect();
        for group in gone.chunks(TOGETHER) {
            self.flush()?;
            let rows = self.store.rows(group)?;
            for (&page, row) in group.iter().zip(rows) {
                let weight = row.map_or(Weight::ONE, |row| row.weight);
                let standing = Standing::Paused;
                self.records.push(Record::PageSet {
                    page,
                    at,
                    standing,
                    weight,
                });
                self.scheduler.remove_page(page);
            }
        }
        Ok(gone.len())
    }

    /// Appends what waits, without visits: nothing is counted.
    fn flush(&mut self) -> Result<(), WatchError> {
        self.store.append(&self.records)?;
        self.records.clear();
        self.joining.clear();
        Ok(())
    }

    /// Looks whether files of addresses were edited. A file that cannot be
    /// read any more is told and changes nothing.
    pub(crate) fn reread_lists(
        &mut self,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        match self.named.edited() {
            None => {}
            Some(Err(error)) => tell(Event::Note(&format!("{error}; the pages stay as they are"))),
            Some(Ok(local)) => {
                self.commit(tell)?;
                let (added, back, paused) = self.join_local(&local)?;
                self.named.fingerprint = local.fingerprint;
                self.named.remotes = local.remotes;
                tell(Event::Pages {
                    added,
                    back,
                    paused,
                });
            }
        }
        Ok(())
    }

    /// Lets pages that remote lists name join, and hands their dates on as
    /// hints. Lists name pages, they take none away: a page that is gone says so
    /// itself.
    pub(crate) fn join_found(
        &mut self,
        named: &[(Url, Option<(HintKind, Timestamp)>)],
        at: Timestamp,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<(), WatchError> {
        self.commit(tell)?;
        let mut added = 0;
        for (url, said) in named {
            // Paused pages stay so: a person's word counts more than a sitemap's.
            match self.store.find(url.as_str())? {
                None => {
                    let (_, known) = self.join(url, Weight::ONE, at)?;
                    added += usize::from(known == Known::New);
                }
                Some(page) => self.hear(page, *said, at),
            }
            if self.records.len() >= TOGETHER {
                self.flush()?;
            }
        }
        self.flush()?;
        if added > 0 {
            let (back, paused) = (0, 0);
            tell(Event::Pages {
                added,
                back,
                paused,
            });
        }
        Ok(())
    }

    fn hear(&mut self, page: PageId, said: Option<(HintKind, Timestamp)>, heard_at: Timestamp) {
        if let Some((kind, said_modified_at)) = said {
            let hint = Hint {
                kind,
                said_modified_at,
                heard_at,
            };
            // A paused page hears nothing.
            let _ = self.scheduler.hint(page, hint);
        }
    }
}
