//! Three tables become one collection.

use std::collections::HashMap;

use recrawl_model::Timestamp;
use recrawl_simulate::{Histories, PageLife};

use crate::error::ReadError;
use crate::table::Table;
use crate::{Files, Grouping, PageName};

pub(crate) fn read(files: &Files, grouping: &Grouping) -> Result<Histories, ReadError> {
    let ends = files.sites.as_deref().map(SiteEnds::read).transpose()?;
    let pages = Pages::read(files, grouping, ends.as_ref())?;
    let updates = Updates::read(files, &pages)?;
    updates.join(&pages)
}

pub(crate) fn names(files: &Files) -> Result<Vec<PageName>, ReadError> {
    let table = Table::read(&files.pages, &["site", "path"], &[])?;
    let (sites, paths) = (table.texts("site")?, table.texts("path")?);
    let name = |row| PageName {
        site: sites.get(row).unwrap_or_default().to_owned(),
        path: paths.get(row).unwrap_or_default().to_owned(),
    };
    Ok((0..table.rows()).map(name).collect())
}

/// Where the histories of sites stop.
struct SiteEnds {
    file: String,
    ends: HashMap<String, Option<Timestamp>>,
}

impl SiteEnds {
    fn read(path: &std::path::Path) -> Result<Self, ReadError> {
        let table = Table::read(path, &["site", "end"], &[])?;
        let (sites, times) = (table.texts("site")?, table.times("end")?);
        let mut ends = HashMap::new();
        for row in 0..table.rows() {
            let end = times
                .get(row)
                .map_err(|reason| table.bad_cell(row, "end", reason))?;
            ends.insert(sites.get(row).unwrap_or_default().to_owned(), end);
        }
        Ok(Self {
            file: table.file,
            ends,
        })
    }
}

/// The pages with their numbers in the files.
struct Pages {
    lives: Vec<PageLife>,
    ids: Vec<u64>,
    index: HashMap<u64, u32>,
    file: String,
}

const NEEDED: [&str; 5] = ["page_id", "site", "path", "born", "died"];

impl Pages {
    fn read(
        files: &Files,
        grouping: &Grouping,
        ends: Option<&SiteEnds>,
    ) -> Result<Self, ReadError> {
        let mut needed = NEEDED.to_vec();
        if let Grouping::Column(column) = grouping {
            needed.push(column);
        }
        let table = Table::read(&files.pages, &needed, &["weight", "bytes"])?;
        let groups = groups(&table, grouping)?;
        let mut pages = Self {
            lives: Vec::with_capacity(table.rows()),
            ids: Vec::with_capacity(table.rows()),
            index: HashMap::with_capacity(table.rows()),
            file: table.file.clone(),
        };
        let (ids, sites) = (table.numbers("page_id")?, table.texts("site")?);
        let (born, died) = (table.times("born")?, table.times("died")?);
        let (weights, bytes) = (table.numbers("weight")?, table.numbers("bytes")?);
        for (row, &group) in groups.iter().enumerate() {
            let bad = |column, reason| table.bad_cell(row, column, reason);
            let id = ids.id(row).map_err(|reason| bad("page_id", reason))?;
            let birth = born.get(row).map_err(|reason| bad("born", reason))?;
            let life = PageLife {
                site: group,
                born: birth.ok_or_else(|| bad("born", "it is empty".to_owned()))?,
                died: died.get(row).map_err(|reason| bad("died", reason))?,
                watched_until: end_of(ends, &table, row, sites.get(row).unwrap_or_default())?,
                weight: weights
                    .get(row)
                    .map_err(|reason| bad("weight", reason))?
                    .unwrap_or(1.0),
                bytes: bytes
                    .get(row)
                    .map_err(|reason| bad("bytes", reason))?
                    .map(|bytes| bytes as u32),
            };
            if pages.index.insert(id, row as u32).is_some() {
                return Err(ReadError::DoublePage {
                    place: table.place(row),
                    page: id,
                    file: table.file.clone(),
                });
            }
            pages.ids.push(id);
            pages.lives.push(life);
        }
        if pages.lives.is_empty() {
            return Err(ReadError::NoPages(table.file));
        }
        Ok(pages)
    }
}

fn end_of(
    ends: Option<&SiteEnds>,
    table: &Table,
    row: usize,
    site: &str,
) -> Result<Option<Timestamp>, ReadError> {
    let Some(sites) = ends else {
        return Ok(None);
    };
    let known = sites.ends.get(site).copied();
    known.ok_or_else(|| ReadError::UnknownSite {
        place: table.place(row),
        site: site.to_owned(),
        sites: sites.file.clone(),
    })
}

/// The group of every row, numbered in order of appearance.
fn groups(table: &Table, grouping: &Grouping) -> Result<Vec<u32>, ReadError> {
    let (sites, paths) = (table.texts("site")?, table.texts("path")?);
    let own = match grouping {
        Grouping::Column(column) => Some(table.texts_of(column)?),
        Grouping::Site | Grouping::Directory => None,
    };
    let mut numbers: HashMap<String, u32> = HashMap::new();
    let mut groups = Vec::with_capacity(table.rows());
    for row in 0..table.rows() {
        let site = sites.get(row).unwrap_or_default();
        let name = match (grouping, &own) {
            (Grouping::Column(_), Some(values)) => values.get(row).unwrap_or_default().to_owned(),
            (Grouping::Directory, _) => {
                let path = paths.get(row).unwrap_or_default();
                let directory = path.rsplit_once('/').map_or("", |(directory, _)| directory);
                format!("{site}\n{directory}") // no site and no path has a line end
            }
            _ => site.to_owned(),
        };
        let next = numbers.len() as u32;
        groups.push(*numbers.entry(name).or_insert(next));
    }
    Ok(groups)
}

/// Updates in the order of the file.
struct Updates {
    table: Table,
    /// Row of the page, time and row of each update.
    rows: Vec<(u32, Timestamp, u32)>,
}

impl Updates {
    fn read(files: &Files, pages: &Pages) -> Result<Self, ReadError> {
        let table = Table::read(&files.updates, &["page_id", "t"], &[])?;
        let (ids, times) = (table.numbers("page_id")?, table.times("t")?);
        let mut rows = Vec::with_capacity(table.rows());
        for row in 0..table.rows() {
            let bad = |column, reason| table.bad_cell(row, column, reason);
            let id = ids.id(row).map_err(|reason| bad("page_id", reason))?;
            let at = times.get(row).map_err(|reason| bad("t", reason))?;
            let at = at.ok_or_else(|| bad("t", "it is empty".to_owned()))?;
            let Some(&page) = pages.index.get(&id) else {
                return Err(ReadError::UnknownPage {
                    place: table.place(row),
                    page: id,
                    pages: pages.file.clone(),
                });
            };
            rows.push((page, at, row as u32));
        }
        Ok(Self { table, rows })
    }

    fn join(mut self, pages: &Pages) -> Result<Histories, ReadError> {
        if !self.rows.is_sorted() {
            self.rows.sort_unstable();
        }
        let mut histories = Histories::new();
        let mut times = Vec::new();
        let mut next = 0;
        for (page, life) in pages.lives.iter().enumerate() {
            times.clear();
            while let Some(&(owner, at, row)) = self.rows.get(next)
                && owner as usize == page
            {
                self.check(life, pages.ids[page], at, row as usize, times.last())?;
                times.push(at);
                next += 1;
            }
            let pushed = histories.push(*life, &times);
            debug_assert!(pushed.is_ok(), "updates were checked one by one");
        }
        Ok(histories)
    }

    fn check(
        &self,
        life: &PageLife,
        page: u64,
        at: Timestamp,
        row: usize,
        before: Option<&Timestamp>,
    ) -> Result<(), ReadError> {
        let place = || self.table.place(row);
        if at <= life.born {
            return Err(ReadError::BeforeBirth {
                place: place(),
                page,
                at,
                born: life.born,
            });
        }
        if let Some(died) = life.died.filter(|&died| at > died) {
            return Err(ReadError::AfterDeath {
                place: place(),
                page,
                at,
                died,
            });
        }
        if before == Some(&at) {
            return Err(ReadError::DoubleUpdate {
                place: place(),
                page,
                at,
            });
        }
        Ok(())
    }
}
