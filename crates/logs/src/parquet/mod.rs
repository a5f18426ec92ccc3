//! Parquet: row groups decoded side by side, a batch of rows at a time.

mod cells;
mod guard;
mod lane;
mod pages;
mod schema;

use std::io;

use parquet::arrow::arrow_reader::{ArrowReaderMetadata, ArrowReaderOptions};
use parquet::file::reader::ChunkReader;
use rayon::prelude::*;

use crate::batch::Batch;
use crate::cell::shown;
use crate::gather::Gather;
use crate::progress::Progress;
use crate::read::unreadable;
use crate::{LogError, ReadSettings};

use guard::{check_footer, guarded};
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
    let metadata = guarded(|| {
        ArrowReaderMetadata::load(&footer, ArrowReaderOptions::new())
            .map_err(|refused| refused.to_string())
    });
    let metadata = metadata.map_err(|reason| damaged(&file, &reason))?;
    check_footer(metadata.metadata(), footer.len()).map_err(|reason| damaged(&file, &reason))?;
    let plan = Plan::new(&metadata, &file)?;
    let groups = metadata.metadata().row_groups();
    let mut waiting = groups.iter().enumerate();
    let (mut next_row, mut bytes_left) = (0, footer.len());
    let mut lanes: Vec<Lane> = Vec::new();
    let mut batches = Vec::new();
    loop {
        let mut begin_lanes = || {
            for (index, group) in waiting.by_ref().take(LANES - lanes.len()) {
                let reader = open().map_err(|source| unreadable(gather, source))?;
                lanes.push(plan.lane(reader, index, next_row, settings.batch_rows)?);
                next_row += u64::try_from(group.num_rows()).unwrap_or(0);
                let bytes = u64::try_from(group.compressed_size()).unwrap_or(0);
                progress.advance(bytes.min(bytes_left));
                bytes_left = bytes_left.saturating_sub(bytes);
            }
            Ok(())
        };
        let begun = begin_lanes();
        // Only one thread can join; meanwhile the others decode what comes next.
        let (joined, decoded) = rayon::join(
            || join_all(batches, gather),
            || -> Vec<_> {
                let lanes = lanes.par_iter_mut();
                lanes.map(|lane| lane.decode(&plan)).collect()
            },
        );
        joined?;
        begun?;
        if lanes.is_empty() {
            progress.advance(bytes_left);
            return Ok(());
        }
        let known = gather.known();
        batches = lanes
            .par_iter_mut()
            .zip(decoded)
            .map(|(lane, decoded)| {
                decoded.map(|rows| rows.map(|rows| lane.recognise(&rows, known)))
            })
            .collect();
        lanes.retain(|lane| !lane.finished);
    }
}

/// What became of a lane's next rows: the first of them, counted in the file, and
/// the batch; nothing at the end of the row group.
type Decoded = Result<Option<(u64, Batch)>, LogError>;

/// Joins batches in order, up to the first that could not be decoded.
fn join_all(batches: Vec<Decoded>, gather: &mut Gather) -> Result<(), LogError> {
    for batch in batches {
        if let Some((first_row, batch)) = batch? {
            gather.seek(first_row);
            gather.join(batch)?;
        }
    }
    Ok(())
}

/// What the decoder refused.
fn damaged(file: &str, reason: &str) -> LogError {
    LogError::Parquet {
        file: file.to_owned(),
        reason: shown(reason),
    }
}
