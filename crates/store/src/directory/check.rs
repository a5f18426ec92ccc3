//! All damage of a store: [`check`].

use std::fs;
use std::path::{Path, PathBuf};

use super::files::{Form, Listing, LogFile};
use super::log_reader::LogReader;
use super::place;
use super::sealed;
use crate::codec::{self, HeldPart};
use crate::segment::{HEADER_BYTES, Header, SegmentReader, Sought, Step, find_frame};
use crate::{Resume, StoreError};

/// A stretch of a file that is not what was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Damage {
    /// The file.
    pub file: PathBuf,
    /// Where in it.
    pub offset: u64,
    /// What is wrong.
    pub what: String,
}

/// Looks at every byte of the log of the store in `path` and lists what is
/// damaged; also where the store does not open any more. What a crash leaves at
/// the end of the last segment is no damage.
///
/// # Errors
/// [`StoreError`] if there is no store, it is too new, or a file cannot be read.
pub fn check(path: &Path) -> Result<Vec<Damage>, StoreError> {
    place::format(path)?;
    let mut found = Vec::new();
    let listing = match Listing::read(path) {
        Ok(listing) => listing,
        Err(StoreError::Damaged { file, offset, what }) => {
            return Ok(vec![Damage { file, offset, what }]);
        }
        Err(error) => return Err(error),
    };
    let count = listing.files.len();
    for (index, file) in listing.files.iter().enumerate() {
        match file.form {
            Form::Sealed => found.extend(check_sealed(file)?),
            Form::Segment => found.extend(check_segment(file, index + 1 == count)?),
        }
    }
    if found.is_empty() {
        found.extend(check_order(path)?);
    }
    Ok(found)
}

fn check_sealed(file: &LogFile) -> Result<Option<Damage>, StoreError> {
    if let Some(what) = sealed::damage(&file.path)? {
        return Ok(Some(Damage {
            file: file.path.clone(),
            offset: 0,
            what,
        }));
    }
    let handle = fs::File::open(&file.path).map_err(StoreError::io("open", &file.path))?;
    as_damage(sealed::read(handle, file, &mut |_| Ok(())))
}

/// An error that is damage becomes a finding.
fn as_damage(result: Result<(), StoreError>) -> Result<Option<Damage>, StoreError> {
    match result {
        Ok(()) => Ok(None),
        Err(StoreError::Damaged { file, offset, what }) => Ok(Some(Damage { file, offset, what })),
        Err(error) => Err(error),
    }
}

fn check_segment(file: &LogFile, last: bool) -> Result<Vec<Damage>, StoreError> {
    let bytes = fs::read(&file.path).map_err(StoreError::io("read", &file.path))?;
    let found = segment_damage(&bytes, *file.segments.start(), last);
    let damage = |(offset, what)| Damage {
        file: file.path.clone(),
        offset,
        what,
    };
    Ok(found.into_iter().map(damage).collect())
}

/// Reads the bytes of a segment, takes up again after each damaged stretch, and
/// lists these: where each begins, and what is wrong. In the `last` segment what
/// a crash leaves of a group at the end is no damage.
#[must_use]
pub fn segment_damage(bytes: &[u8], number: u32, last: bool) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    let header = bytes.get(..HEADER_BYTES as usize).unwrap_or(bytes);
    match Header::decode(header) {
        Ok(header) if header.segment == number => {}
        Ok(_) => found.push((0, "the header names another segment".to_owned())),
        Err(_) if last && bytes.len() < HEADER_BYTES as usize => {} // never finished
        Err(what) => found.push((0, what.to_owned())),
    }
    let mut from = HEADER_BYTES;
    while let Some((offset, what)) = read_to_bad(bytes, from, &mut found) {
        let rest = bytes.get(offset as usize + 1..).unwrap_or_default();
        let torn = last && find_frame(rest, offset + 1, Sought::FirstOfGroup).is_none();
        if torn {
            break;
        }
        found.push((offset, what));
        match find_frame(rest, offset + 1, Sought::Any) {
            Some(next) => from = next,
            None => break,
        }
    }
    found
}

/// Reads frames up to bad bytes, if there are any, and says where and what they
/// are. Frames that are whole but no records are added to `found`.
fn read_to_bad(bytes: &[u8], from: u64, found: &mut Vec<(u64, String)>) -> Option<(u64, String)> {
    let stretch = bytes.get(from as usize..)?;
    let mut reader = SegmentReader::new(stretch, from, bytes.len() as u64);
    loop {
        match reader.next() {
            Ok(Step::Frame(frame)) => {
                let decoded = codec::decode(frame.kind, frame.fields, HeldPart::Read);
                if let Err(error) = decoded {
                    let what = format!("a record cannot be understood: {error}");
                    found.push((frame.offset, what));
                }
            }
            Ok(Step::End) => return None,
            Ok(Step::Bad { offset, what }) => return Some((offset, what.to_owned())),
            Err(error) => return Some((reader.offset(), error.to_string())),
        }
    }
}

/// Whether the records could have been appended in this order.
fn check_order(path: &Path) -> Result<Option<Damage>, StoreError> {
    let mut resume = Resume::new();
    let mut refused = None;
    let mut count = 0u64;
    LogReader::open(path)?.replay(&mut |record| {
        if refused.is_none() {
            let checked = crate::resume::Checked::after(&resume).check(record);
            refused = checked.err().map(|refusal| (count, refusal));
            resume.take_in(record);
        }
        count += 1;
    })?;
    Ok(refused.map(|(record, refusal)| Damage {
        file: path.to_owned(),
        offset: 0,
        what: format!("record {record} of the log cannot follow those before it: {refusal}"),
    }))
}
