//! Parquet: row groups decoded side by side, a batch of rows at a time.

mod cells;
mod lane;
mod pages;
mod schema;

use std::io;

use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::errors::ParquetError;
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use crate::gather::Gather;
use crate::progress::Progress;
use crate::read::unreadable;
use crate::{LogError, ReadSettings};

use lane::Lane;
use schema::Plan;

/// Row groups decoded side by side. The number does not follow the machine, so
/// that of two bad rows the same one is reported everywhere.
const LANES: usize = 8;

/// Reads a Parquet file into `gather`. `open` gives a reader of its own to each
/// row group: readers of one file handle would move each other's position.
pub(crate) fn read<R: ChunkReader + 'static>(
    open: impl Fn() -> io::Result<R>,
    gather: &mut Gather,
    settings: &ReadSettings,
    progress: &dyn Progress,
) -> Result<(), LogError> {
    let file = gather.file();
    let footer = open().map_err(|source| unreadable(gather, source))?;
    let metadata = ArrowReaderMetadata::load(&footer, ArrowReaderOptions::new())
        .map_err(|refused| damaged(&file, &refused))?;
    let plan = Plan::new(&metadata, &file)?;
    let groups = metadata.metadata().row_groups();
    let mut next_group = 0;
    let mut next_row = 0;
    let mut lanes: Vec<Lane> = Vec::new();
    loop {
        while lanes.len() < LANES && next_group < groups.len() {
            let reader = open().map_err(|source| unreadable(gather, source))?;
            lanes.push(plan.lane(reader, next_group, next_row, settings.batch_rows)?);
            next_row += u64::try_from(groups[next_group].num_rows()).unwrap_or(0);
            progress.advance(u64::try_from(groups[next_group].compressed_size()).unwrap_or(0));
            next_group += 1;
        }
        if lanes.is_empty() {
            return Ok(());
        }
        let known = gather.known();
        let batches: Vec<_> = lanes
            .par_iter_mut()
            .map(|lane| {
                let first_row = lane.next_row;
                (first_row, lane.next(known, &plan))
            })
            .collect();
        for (first_row, batch) in batches {
            if let Some(batch) = batch? {
                gather.seek(first_row);
                gather.join(batch)?;
            }
        }
        lanes.retain(|lane| !lane.finished);
    }
}

/// What the decoder refused.
fn damaged(file: &str, refused: &ParquetError) -> LogError {
    LogError::Parquet {
        file: file.to_owned(),
        reason: crate::cell::shown(&refused.to_string()),
    }
}
