//! The log read from its files, without a lock: [`LogReader`].

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::files::{Form, Listing, LogFile};
use super::place;
use super::sealed;
use crate::codec::{self, Decoded, HeldPart};
use crate::segment::{HEADER_BYTES, Header, SegmentReader, Sought, Step, find_frame};
use crate::{Record, StoreError};

/// How often the log is listed anew when a file in it goes away meanwhile,
/// because it was sealed.
const LISTINGS: u32 = 8;

/// The log of a store as it is now, also while another process appends to it:
/// what is appended after [`LogReader::open`] is not seen.
#[derive(Debug)]
pub struct LogReader {
    path: PathBuf,
    files: Vec<(LogFile, File, u64)>,
}

impl LogReader {
    /// Looks at the log of the store in `path`.
    ///
    /// # Errors
    /// [`StoreError`] if there is no store or its files cannot be opened.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        place::format(path)?;
        let mut tries = LISTINGS;
        loop {
            match open_all(&Listing::read(path)?.files) {
                Ok(files) => {
                    return Ok(Self {
                        path: path.to_owned(),
                        files,
                    });
                }
                Err((_, error)) if error.kind() == io::ErrorKind::NotFound && tries > 0 => {
                    tries -= 1;
                }
                Err((file, error)) => return Err(StoreError::io("open", &file)(error)),
            }
        }
    }

    /// All records in order, with `held` always `None`. A record that is being
    /// appended at this moment ends the log.
    ///
    /// # Errors
    /// [`StoreError`] if a file cannot be read or is damaged.
    pub fn replay(&mut self, each: &mut dyn FnMut(&Record)) -> Result<(), StoreError> {
        for (index, (file, handle, bytes)) in self.files.iter().enumerate() {
            let failed = || StoreError::io("read", &file.path);
            let copy = handle.try_clone().map_err(failed())?;
            match file.form {
                Form::Sealed => sealed::read(copy, file, &mut |record| {
                    each(&record);
                    Ok(())
                })?,
                Form::Segment => {
                    let part = Part {
                        file,
                        from: HEADER_BYTES,
                        end: *bytes,
                        held: HeldPart::Skip,
                    };
                    let ended = part.read(copy, &mut |_, record| {
                        each(&record);
                        Ok(())
                    })?;
                    let last = index + 1 == self.files.len();
                    if let Ended::Bad { offset, what } = ended
                        && !(last && is_torn(handle, offset, *bytes).map_err(failed())?)
                    {
                        return Err(damaged(&file.path, offset, what));
                    }
                }
            }
        }
        Ok(())
    }

    /// Files of the log that are segments and that are sealed, and the bytes of
    /// each.
    #[must_use]
    pub fn sizes(&self) -> LogSizes {
        let mut sizes = LogSizes::default();
        for (file, _, bytes) in &self.files {
            let (files, total) = match file.form {
                Form::Segment => (&mut sizes.segments, &mut sizes.segment_bytes),
                Form::Sealed => (&mut sizes.sealed, &mut sizes.sealed_bytes),
            };
            *files += 1;
            *total += bytes;
        }
        sizes
    }

    /// The format of the store.
    ///
    /// # Errors
    /// [`StoreError`] if it cannot be read any more.
    pub fn format(&self) -> Result<u32, StoreError> {
        place::format(&self.path)
    }
}

/// How large a log is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct LogSizes {
    /// Segments.
    pub segments: u64,
    /// Their bytes.
    pub segment_bytes: u64,
    /// Sealed files.
    pub sealed: u64,
    /// Their bytes.
    pub sealed_bytes: u64,
}

type Opened = (LogFile, File, u64);

fn open_all(files: &[LogFile]) -> Result<Vec<Opened>, (PathBuf, io::Error)> {
    let open = |file: &LogFile| {
        let handle = File::open(&file.path)?;
        let bytes = handle.metadata()?.len();
        Ok((file.clone(), handle, bytes))
    };
    files
        .iter()
        .map(|file| open(file).map_err(|error| (file.path.clone(), error)))
        .collect()
}

/// A part of a segment to be read.
pub(crate) struct Part<'a> {
    pub(crate) file: &'a LogFile,
    /// Where the first frame to be read begins.
    pub(crate) from: u64,
    /// Where the segment ends.
    pub(crate) end: u64,
    pub(crate) held: HeldPart,
}

/// How the reading of a segment ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ended {
    /// Right after a record, here.
    Clean(u64),
    /// At bytes that are no record.
    Bad { offset: u64, what: &'static str },
}

/// Whether bad bytes at `offset` of the last segment, which has `end` bytes, are
/// what a crash leaves of a group, or a group that is being written now.
pub(crate) fn is_torn(handle: &File, offset: u64, end: u64) -> io::Result<bool> {
    // The first byte of the bad frame is no beginning of another.
    let from = offset + 1;
    let (mut stream, mut rest) = (handle, Vec::new());
    stream.seek(SeekFrom::Start(from))?;
    stream
        .take(end.saturating_sub(from))
        .read_to_end(&mut rest)?;
    Ok(find_frame(&rest, from, Sought::FirstOfGroup).is_none())
}

pub(crate) fn damaged(file: &Path, offset: u64, what: impl Into<String>) -> StoreError {
    StoreError::Damaged {
        file: file.to_owned(),
        offset,
        what: what.into(),
    }
}

/// Where a record ends in its segment, and how many of its last bytes are what is
/// held.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordEnd {
    pub(crate) offset: u64,
    pub(crate) held_bytes: u32,
}

/// Is given where a record ends, and the record.
pub(crate) type EachRecord<'a> = &'a mut dyn FnMut(RecordEnd, Record) -> Result<(), StoreError>;

impl Part<'_> {
    /// Reads the records of the part.
    pub(crate) fn read(&self, mut handle: File, each: EachRecord<'_>) -> Result<Ended, StoreError> {
        let path = &self.file.path;
        if let Err(what) = self.check_header(&mut handle)? {
            return Ok(Ended::Bad { offset: 0, what });
        }
        let failed = || StoreError::io("read", path);
        handle.seek(SeekFrom::Start(self.from)).map_err(failed())?;
        let mut reader = SegmentReader::new(handle, self.from, self.end);
        loop {
            let (decoded, offset) = match reader.next().map_err(failed())? {
                Step::Frame(frame) => (
                    codec::decode(frame.kind, frame.fields, self.held),
                    frame.offset,
                ),
                Step::End => return Ok(Ended::Clean(reader.offset())),
                Step::Bad { offset, what } => return Ok(Ended::Bad { offset, what }),
            };
            let Decoded { record, held_bytes } = decoded.map_err(|error| {
                damaged(
                    path,
                    offset,
                    format!("a record cannot be understood: {error}"),
                )
            })?;
            let end = RecordEnd {
                offset: reader.offset(),
                held_bytes,
            };
            each(end, record)?;
        }
    }

    fn check_header(&self, handle: &mut File) -> Result<Result<(), &'static str>, StoreError> {
        let failed = || StoreError::io("read", &self.file.path);
        handle.seek(SeekFrom::Start(0)).map_err(failed())?;
        let mut bytes = Vec::new();
        handle
            .take(HEADER_BYTES)
            .read_to_end(&mut bytes)
            .map_err(failed())?;
        let header = match Header::decode(&bytes) {
            Ok(header) => header,
            Err(what) => return Ok(Err(what)),
        };
        if header.format > place::LOG_FORMAT {
            return Err(StoreError::TooNew {
                found: header.format,
                newest: place::LOG_FORMAT,
            });
        }
        if header.segment != *self.file.segments.start() {
            return Ok(Err("the header names another segment"));
        }
        Ok(Ok(()))
    }
}
