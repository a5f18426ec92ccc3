//! What a group of records changes in the rows: [`Changes`].

use std::collections::BTreeMap;

use fjall::OwnedWriteBatch;
use recrawl_model::{PageId, Timestamp, Weight};

use super::rows::{Rows, url_key};
use crate::codec::decode_standing;
use crate::fields::{Fields, Malformed, PutFields};
use crate::{Glance, Record, Standing, StoreError};

/// A page as its row has it, without what is held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StoredPage<'a> {
    pub(crate) added: Timestamp,
    pub(crate) weight: Weight,
    pub(crate) standing: Standing,
    pub(crate) site: &'a str,
    pub(crate) url: &'a str,
}

impl<'a> StoredPage<'a> {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(17 + self.site.len() + self.url.len());
        bytes.put_time(self.added);
        bytes.put_weight(self.weight);
        bytes.put_u8(self.standing as u8);
        bytes.put_bytes(self.site.as_bytes());
        bytes.extend_from_slice(self.url.as_bytes());
        bytes
    }

    pub(crate) fn decode(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut fields = Fields(bytes);
        let glance = read_glance(&mut fields)?;
        Ok(Self {
            added: glance.added,
            weight: glance.weight,
            standing: glance.standing,
            site: glance.site,
            url: std::str::from_utf8(fields.0).map_err(|_| Malformed::Value("url"))?,
        })
    }

    /// The row without its URL, which is not looked at.
    pub(crate) fn glance(bytes: &'a [u8]) -> Result<Glance<'a>, Malformed> {
        read_glance(&mut Fields(bytes))
    }
}

fn read_glance<'a>(fields: &mut Fields<'a>) -> Result<Glance<'a>, Malformed> {
    Ok(Glance {
        added: fields.time("added")?,
        weight: fields.weight()?,
        standing: decode_standing(fields.u8("standing")?)?,
        site: fields.text("site")?,
    })
}

/// Rows as they will be; what is not here stays as it is. What is held of pages is
/// not here: see `fresh.rs`.
#[derive(Debug, Default)]
pub(crate) struct Changes {
    pages: BTreeMap<PageId, Vec<u8>>,
    urls: BTreeMap<[u8; 8], Vec<u8>>,
}

impl Changes {
    pub(crate) fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.urls.is_empty()
    }

    /// Takes in a record; taking it in twice changes nothing more.
    pub(crate) fn take_in(&mut self, rows: &Rows, record: &Record) -> Result<(), StoreError> {
        match record {
            Record::PageAdded {
                page,
                at,
                url,
                site,
                weight,
            } => {
                let stored = StoredPage {
                    added: *at,
                    weight: *weight,
                    standing: Standing::Watched,
                    site,
                    url,
                };
                self.pages.insert(*page, stored.encode());
                self.index(rows, url, *page)
            }
            Record::PageSet {
                page,
                standing,
                weight,
                ..
            } => self.set(rows, *page, *standing, *weight),
            _ => Ok(()),
        }
    }

    fn set(
        &mut self,
        rows: &Rows,
        page: PageId,
        standing: Standing,
        weight: Weight,
    ) -> Result<(), StoreError> {
        let bytes = match self.pages.get(&page) {
            Some(bytes) => bytes.clone(),
            None => match rows.pages.get(page.0.to_be_bytes()) {
                Ok(Some(bytes)) => bytes.to_vec(),
                Ok(None) => return Ok(()), // refused by append, so never in a log
                Err(error) => return Err(rows.refused()(error)),
            },
        };
        if let Ok(stored) = StoredPage::decode(&bytes) {
            let changed = StoredPage {
                weight,
                standing,
                ..stored
            };
            self.pages.insert(page, changed.encode());
        }
        Ok(())
    }

    /// Adds a page to those with the hash of its URL.
    fn index(&mut self, rows: &Rows, url: &str, page: PageId) -> Result<(), StoreError> {
        let key = url_key(url);
        let known = match self.urls.get(&key) {
            Some(bytes) => bytes.clone(),
            None => rows
                .urls
                .get(key)
                .map_err(rows.refused())?
                .map(|bytes| bytes.to_vec())
                .unwrap_or_default(),
        };
        let (numbers, _) = known.as_chunks();
        if !numbers.contains(&page.0.to_be_bytes()) {
            let pages = [known.as_slice(), &page.0.to_be_bytes()].concat();
            self.urls.insert(key, pages);
        }
        Ok(())
    }

    /// Puts all changes into a batch.
    pub(crate) fn put(self, rows: &Rows, batch: &mut OwnedWriteBatch) {
        for (page, bytes) in self.pages {
            batch.insert(&rows.pages, page.0.to_be_bytes(), bytes);
        }
        for (key, bytes) in self.urls {
            batch.insert(&rows.urls, key, bytes);
        }
    }
}
