//! The log read again when a store is opened.

use std::fs::{File, OpenOptions};
use std::io::{Seek, SeekFrom, Write};
use std::path::Path;

use super::files::{Form, Listing, LogFile};
use super::fresh::Fresh;
use super::log_reader::{Ended, Part, damaged, is_torn};
use super::place::{LOG_FORMAT, log_directory, sync_directory};
use super::rows::{Position, Rows};
use super::sealed;
use crate::codec::HeldPart;
use crate::segment::{HEADER_BYTES, Header, HeldPlace, SegmentWriter};
use crate::{Record, Resume, StoreError};

/// Records brought into the rows together.
const TOGETHER: usize = 1 << 9;

/// What the log says beside the rows.
pub(crate) struct Recovered {
    /// Where a driver takes up again.
    pub(crate) resume: Resume,
    /// What pages hold since the checkpoint.
    pub(crate) fresh: Fresh,
}

/// Reads the log from the last checkpoint on: brings into the rows what they
/// lack, and cuts off what a crash left of a group at the end.
pub(crate) fn recover(listing: &Listing, rows: &Rows) -> Result<Recovered, StoreError> {
    let mark = rows.mark()?;
    let (from, resume) = rows
        .checkpoint()?
        .filter(|(from, _)| mark.is_some() && usable(listing, *from))
        .unwrap_or_else(|| (1, Resume::new()));
    let mut pass = Pass {
        rows,
        mark,
        resume,
        fresh: Fresh::default(),
        pending: Vec::new(),
    };
    let count = listing.files.len();
    for (index, file) in listing.files.iter().enumerate() {
        if *file.segments.end() >= from {
            pass.read(file, index + 1 == count)?;
        }
    }
    Ok(Recovered {
        resume: pass.resume,
        fresh: pass.fresh,
    })
}

/// Whether the log can be read from the beginning of this segment on. One that is
/// not there must be the next to be made: a segment before it may still be
/// appended to, as in a copy whose rows are newer than its log.
fn usable(listing: &Listing, from: u32) -> bool {
    let begins = listing.files.iter().map(|file| *file.segments.start());
    let last = listing.files.last().map(|file| file.form);
    let next = (last != Some(Form::Segment)).then(|| listing.next_segment());
    begins.chain(next).any(|first| first == from)
}

struct Pass<'a> {
    rows: &'a Rows,
    mark: Option<Position>,
    resume: Resume,
    fresh: Fresh,
    /// Records that are not in the rows yet.
    pending: Vec<Record>,
}

impl Pass<'_> {
    fn read(&mut self, file: &LogFile, last: bool) -> Result<(), StoreError> {
        let handle = File::open(&file.path).map_err(StoreError::io("open", &file.path))?;
        let segment = *file.segments.end();
        let after = Position {
            segment: segment.saturating_add(1),
            offset: HEADER_BYTES,
        };
        match file.form {
            Form::Sealed => {
                // Sealed files have no places inside: all of it or nothing.
                let lacking = self.mark < Some(after);
                sealed::read(handle, file, &mut |record| {
                    self.take_in(record, lacking, None)
                })?;
                self.flush(after)
            }
            Form::Segment => {
                let end = self.read_segment(handle, file, last)?;
                self.flush(Position {
                    segment,
                    offset: end,
                })
            }
        }
    }

    /// Reads a segment and says where it ends.
    fn read_segment(
        &mut self,
        handle: File,
        file: &LogFile,
        last: bool,
    ) -> Result<u64, StoreError> {
        let segment = *file.segments.start();
        let failed = || StoreError::io("read", &file.path);
        let bytes = handle.metadata().map_err(failed())?.len();
        let copy = handle.try_clone().map_err(failed())?;
        self.fresh.add_segment(segment, &file.path, copy);
        let part = Part {
            file,
            from: HEADER_BYTES,
            end: bytes,
            held: HeldPart::Skip,
        };
        let ended = part.read(handle, &mut |end, record| {
            let held = HeldPlace::before(end.offset, end.held_bytes);
            if let (Some(place), Record::Seen { page, .. }) = (held, &record) {
                self.fresh.note(*page, segment, place);
            }
            let end = Position {
                segment,
                offset: end.offset,
            };
            self.take_in(record, self.mark < Some(end), Some(end))
        })?;
        match ended {
            Ended::Clean(end) => Ok(end),
            Ended::Bad { offset, what } if !last => Err(damaged(&file.path, offset, what)),
            Ended::Bad { offset, what } => cut_torn_tail(file, offset, what),
        }
    }

    fn take_in(
        &mut self,
        record: Record,
        lacking: bool,
        end: Option<Position>,
    ) -> Result<(), StoreError> {
        self.resume.take_in(&record);
        if lacking && touches_rows(&record) {
            self.pending.push(record);
        }
        match end {
            Some(end) if self.pending.len() >= TOGETHER => self.flush(end),
            None if self.pending.len() >= TOGETHER => {
                // Within a sealed file the mark cannot move; what is applied
                // twice after a crash comes out the same.
                let still = self.mark.unwrap_or(Position {
                    segment: 0,
                    offset: 0,
                });
                self.rows.apply(&self.pending, still)?;
                self.pending.clear();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn flush(&mut self, end: Position) -> Result<(), StoreError> {
        if !self.pending.is_empty() {
            self.rows.apply(&self.pending, end)?;
            self.pending.clear();
            self.mark = self.mark.max(Some(end));
        }
        Ok(())
    }
}

/// Whether a record changes page rows when it is appended.
const fn touches_rows(record: &Record) -> bool {
    matches!(record, Record::PageAdded { .. } | Record::PageSet { .. })
}

/// Cuts off the end of the last segment from `offset` on, if it is what a crash
/// leaves of a group; damage to groups that were whole once is an error.
fn cut_torn_tail(file: &LogFile, offset: u64, what: &'static str) -> Result<u64, StoreError> {
    let path = &file.path;
    let mut handle = OpenOptions::new()
        .read(true)
        .write(true)
        .open(path)
        .map_err(StoreError::io("open", path))?;
    if !is_torn(&handle, offset, u64::MAX).map_err(StoreError::io("read", path))? {
        return Err(damaged(path, offset, what));
    }
    let header = offset < HEADER_BYTES;
    handle
        .set_len(if header { 0 } else { offset })
        .map_err(StoreError::io("cut", path))?;
    if header {
        handle
            .seek(SeekFrom::Start(0))
            .and_then(|_| handle.write_all(&header_of(*file.segments.start())))
            .map_err(StoreError::io("write", path))?;
    }
    handle.sync_all().map_err(StoreError::io("sync", path))?;
    Ok(offset.max(HEADER_BYTES))
}

fn header_of(segment: u32) -> Vec<u8> {
    let header = Header {
        format: LOG_FORMAT,
        segment,
    };
    header.encode()
}

/// Opens a segment to append to, which was read.
pub(crate) fn open_segment(file: &LogFile) -> Result<SegmentWriter, StoreError> {
    let path = &file.path;
    let handle = OpenOptions::new()
        .append(true)
        .open(path)
        .map_err(StoreError::io("open", path))?;
    let length = handle
        .metadata()
        .map_err(StoreError::io("read", path))?
        .len();
    Ok(SegmentWriter::new(Box::new(handle), path, length))
}

/// Makes a new segment.
pub(crate) fn create_segment(
    store: &Path,
    number: u32,
    fresh: &mut Fresh,
) -> Result<SegmentWriter, StoreError> {
    let file = LogFile::segment(store, number);
    let path = &file.path;
    let mut handle = OpenOptions::new()
        .append(true)
        .create_new(true)
        .open(path)
        .map_err(StoreError::io("create", path))?;
    let reading = handle
        .write_all(&header_of(number))
        .and_then(|()| handle.sync_all())
        .and_then(|()| File::open(path))
        .map_err(|error| {
            // Ours, and nothing in it: better gone than cut short.
            let _ = std::fs::remove_file(path);
            StoreError::io("write", path)(error)
        })?;
    sync_directory(&log_directory(store))?;
    fresh.add_segment(number, path, reading);
    Ok(SegmentWriter::new(Box::new(handle), path, HEADER_BYTES))
}
