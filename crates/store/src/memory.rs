//! The twin that keeps everything in memory: [`MemoryStore`].

use std::collections::BTreeMap;

use recrawl_model::PageId;

use crate::resume::Checked;
use crate::{
    Glance, PageRow, Received, Record, Refusal, Resume, Standing, Store, StoreError, Version,
    Versions,
};

/// A store without a disk, for tests and the demo. It answers as
/// [`DirectoryStore`](crate::DirectoryStore) does, and forgets all when dropped.
#[derive(Debug, Default)]
pub struct MemoryStore {
    records: Vec<Record>,
    rows: Vec<PageRow>,
    pages: BTreeMap<String, PageId>,
    resume: Resume,
    versions: BTreeMap<PageId, Vec<Version>>,
}

impl MemoryStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self {
            resume: Resume::new(),
            ..Self::default()
        }
    }

    fn check(&self, records: &[Record]) -> Result<(), Refusal> {
        let mut checked = Checked::after(&self.resume);
        let mut new_urls = BTreeMap::new();
        for record in records {
            checked.check(record)?;
            if let Record::PageAdded { page, url, .. } = record {
                let known = self.pages.get(url).copied();
                if let Some(page) = new_urls.insert(url.as_str(), *page).or(known) {
                    return Err(Refusal::UrlTaken {
                        url: url.clone(),
                        page,
                    });
                }
            }
        }
        Ok(())
    }

    fn apply(&mut self, record: &Record) {
        match record {
            Record::PageAdded {
                page,
                at,
                url,
                site,
                weight,
            } => {
                self.pages.insert(url.clone(), *page);
                self.rows.push(PageRow {
                    url: url.clone(),
                    site: site.clone(),
                    weight: *weight,
                    added: *at,
                    standing: Standing::Watched,
                    held: None,
                });
            }
            Record::PageSet {
                page,
                standing,
                weight,
                ..
            } => {
                let row = &mut self.rows[page.index()];
                row.standing = *standing;
                row.weight = *weight;
            }
            Record::Seen {
                page,
                held: Some(held),
                ..
            } => self.rows[page.index()].held = Some(held.clone()),
            _ => {}
        }
    }
}

impl Store for MemoryStore {
    fn append(&mut self, records: &[Record]) -> Result<(), StoreError> {
        self.check(records)?;
        for record in records {
            self.apply(record);
            self.resume.take_in(record);
            let mut kept = record.clone();
            if let Record::Seen { held, .. } = &mut kept {
                *held = None;
            }
            self.records.push(kept);
        }
        Ok(())
    }

    fn rows(&self, pages: &[PageId]) -> Result<Vec<Option<PageRow>>, StoreError> {
        Ok(pages
            .iter()
            .map(|page| self.rows.get(page.index()).cloned())
            .collect())
    }

    fn find(&self, url: &str) -> Result<Option<PageId>, StoreError> {
        Ok(self.pages.get(url).copied())
    }

    fn glance(&self, each: &mut dyn FnMut(PageId, Glance<'_>)) -> Result<(), StoreError> {
        for (page, row) in (0..).zip(&self.rows) {
            each(PageId(page), row.glance());
        }
        Ok(())
    }

    fn replay(&self, each: &mut dyn FnMut(&Record)) -> Result<(), StoreError> {
        self.records.iter().for_each(each);
        Ok(())
    }

    fn resume(&self) -> &Resume {
        &self.resume
    }
}

impl Versions for MemoryStore {
    fn keep_all(&mut self, versions: &[Received<'_>], most: usize) -> Result<(), StoreError> {
        for version in versions {
            let kept = self.versions.entry(version.page).or_default();
            kept.retain(|old| old.at != version.at);
            kept.push(Version {
                at: version.at,
                content_type: version.content_type.map(str::to_owned),
                body: version.body.to_vec(),
            });
            kept.sort_by_key(|version| std::cmp::Reverse(version.at));
            kept.truncate(most);
        }
        Ok(())
    }

    fn versions(&self, page: PageId) -> Result<Vec<Version>, StoreError> {
        Ok(self.versions.get(&page).cloned().unwrap_or_default())
    }
}
