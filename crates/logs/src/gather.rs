//! Batches of rows joined into histories: [`Gather`].

use std::borrow::Cow;
use std::sync::Arc;

use recrawl_model::{HistorySet, HistorySetBuilder, PageId, SetError};

use crate::batch::Batch;
use crate::cell::shown;
use crate::page_table::{PageTable, TOGETHER, UNRESOLVED, hash};
use crate::{LogError, Place, PlaceUnit};

/// All rows read so far and the pages they name.
pub(crate) struct Gather {
    builder: HistorySetBuilder,
    table: PageTable,
    files: Vec<FileName>,
    /// Where rows stand in their files, in order of rows.
    anchors: Vec<Anchor>,
    /// Lines or rows of the current file before the next batch.
    position: u64,
}

struct FileName {
    name: Arc<str>,
    unit: PlaceUnit,
}

/// From `row` on (rows of all files counted together, from 0), rows stand one
/// after the other in `file`, the first at `number`.
struct Anchor {
    row: usize,
    file: u32,
    number: u64,
}

/// The pages of a [`Gather`], to be asked from many threads.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a>(&'a Gather);

impl Known<'_> {
    /// Appends the page of each name to `found`.
    pub(crate) fn find_all(self, hashes: &[u32], names: &[Cow<'_, str>], found: &mut Vec<PageId>) {
        let Gather { table, builder, .. } = self.0;
        table.find_all(builder.page_names(), hashes, names, found);
    }

    /// The page of that name, or [`UNRESOLVED`].
    pub(crate) fn find(self, name: &str) -> PageId {
        let Gather { table, builder, .. } = self.0;
        table.find(builder.page_names(), hash(name), name)
    }

    /// The site a page was put in.
    pub(crate) fn site(&self, page: PageId) -> Option<&str> {
        self.0.builder.site(page)
    }
}

impl Gather {
    /// No rows.
    pub(crate) fn new() -> Self {
        Self {
            builder: HistorySetBuilder::new(),
            table: PageTable::new(),
            files: Vec::new(),
            anchors: Vec::new(),
            position: 0,
        }
    }

    /// The batches to come are of this file, whose places are called `unit`.
    pub(crate) fn begin_file(&mut self, name: &str, unit: PlaceUnit) {
        let name = Arc::from(name);
        self.files.push(FileName { name, unit });
        self.position = 0;
    }

    /// The pages known now.
    pub(crate) fn known(&self) -> Known<'_> {
        Known(self)
    }

    /// The name of the current file.
    pub(crate) fn file(&self) -> String {
        self.files
            .last()
            .map_or_else(String::new, |file| file.name.to_string())
    }

    /// A place in the current file, `offset` lines after the batches so far.
    pub(crate) fn place(&self, offset: u64) -> Place {
        let file = (self.files.len() - 1) as u32;
        place_in(&self.files, file, self.position + offset + 1)
    }

    /// Passes over lines that hold no rows.
    pub(crate) fn skip(&mut self, lines: u64) {
        self.position += lines;
    }

    /// Says that the next batch starts at this line or row, counted from 0.
    pub(crate) fn seek(&mut self, position: u64) {
        self.position = position;
    }

    /// Joins the next batch of the current file.
    pub(crate) fn join(&mut self, mut batch: Batch) -> Result<(), LogError> {
        let first_row = self.builder.rows();
        self.anchor(first_row, &batch.jumps);
        self.settle_newcomers(&mut batch);
        for &(row, weight) in &batch.weights {
            let row = row as usize;
            self.builder
                .set_weight(batch.pages[row], batch.times[row], weight);
        }
        for (&row, site) in batch.site_rows.iter().zip(batch.sites.iter()) {
            let page = batch.pages[row as usize];
            if let Some(first) = self.builder.set_site(page, site) {
                let first = shown(first);
                return Err(self.two_sites(page, first, site, first_row + row as usize));
            }
        }
        if let Some((line, problem)) = batch.problem {
            let place = self.place(line);
            return Err(LogError::Row { place, problem });
        }
        self.position += batch.lines;
        self.builder
            .take_rows(batch.pages, batch.times, batch.outcomes, batch.modified);
        Ok(())
    }

    fn anchor(&mut self, first_row: usize, jumps: &[(u32, u64)]) {
        let file = (self.files.len() - 1) as u32;
        for &(row, line) in jumps {
            let row = first_row + row as usize;
            let number = self.position + line + 1;
            let goes_on = self.anchors.last().is_some_and(|last| {
                last.file == file && last.number + (row - last.row) as u64 == number
            });
            if !goes_on {
                self.anchors.push(Anchor { row, file, number });
            }
        }
    }

    fn settle_newcomers(&mut self, batch: &mut Batch) {
        let Self { table, builder, .. } = self;
        batch.settle(|number, hashes, name| {
            if number % TOGETHER == 0 {
                table.warm(&hashes[number..hashes.len().min(number + TOGETHER)]);
            }
            let hash = hashes[number];
            let mut page = table.find(builder.page_names(), hash, name);
            if page == UNRESOLVED {
                page = builder.add_page(name);
                table.insert(builder.page_names(), hash, page);
            }
            page
        });
    }

    fn two_sites(&self, page: PageId, first: String, second: &str, row: usize) -> LogError {
        let (file, number) = spot_of(&self.anchors, row);
        LogError::TwoSites {
            place: place_in(&self.files, file, number),
            page: shown(self.builder.page_name(page)),
            first,
            second: shown(second),
        }
    }

    /// Sorts all rows into histories.
    pub(crate) fn finish(self) -> Result<HistorySet, LogError> {
        if self.builder.rows() == 0 {
            let names: Vec<&str> = self.files.iter().map(|file| &*file.name).collect();
            let files = names.join(", ");
            return Err(LogError::NoObservations { files });
        }
        let Self {
            builder,
            table,
            files,
            anchors,
            ..
        } = self;
        drop(table); // not needed while the rows stand in memory twice
        builder.build().map_err(|refused| match refused {
            SetError::Duplicate {
                page,
                at,
                first_row,
                second_row,
            } => {
                // Row groups are read side by side: put the rows in file order.
                let mut spots = [first_row, second_row].map(|row| spot_of(&anchors, row));
                spots.sort_unstable();
                let [first, second] = spots.map(|(file, number)| place_in(&files, file, number));
                let page = shown(&page);
                LogError::Duplicate {
                    page,
                    at,
                    first,
                    second,
                }
            }
        })
    }
}

/// File and number of the line or row where a row of the log stands.
fn spot_of(anchors: &[Anchor], row: usize) -> (u32, u64) {
    let after = anchors.partition_point(|anchor| anchor.row <= row);
    let anchor = &anchors[after.saturating_sub(1)];
    (anchor.file, anchor.number + (row - anchor.row) as u64)
}

fn place_in(files: &[FileName], file: u32, number: u64) -> Place {
    let FileName { name, unit } = &files[file as usize];
    Place {
        file: name.clone(),
        unit: *unit,
        number,
    }
}
