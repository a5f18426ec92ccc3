//! The files of the log, in order.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use super::place::{log_directory, sync_directory};
use crate::StoreError;

/// What the name of a file ends with as long as it is being written.
const UNFINISHED: &str = "tmp";

/// A file of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LogFile {
    pub(crate) path: PathBuf,
    /// The segments it holds; one, unless sealed files were merged.
    pub(crate) segments: RangeInclusive<u32>,
    pub(crate) form: Form,
}

/// How a file of the log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// Records one after the other, as they were appended.
    Segment,
    /// A Parquet file.
    Sealed,
}

impl LogFile {
    /// A segment of a store.
    pub(crate) fn segment(store: &Path, number: u32) -> Self {
        Self {
            path: log_directory(store).join(format!("{number:08}.seg")),
            segments: number..=number,
            form: Form::Segment,
        }
    }

    /// The sealed file of some segments.
    pub(crate) fn sealed(store: &Path, segments: RangeInclusive<u32>) -> Self {
        let name = if segments.start() == segments.end() {
            format!("{:08}.parquet", segments.start())
        } else {
            format!("{:08}-{:08}.parquet", segments.start(), segments.end())
        };
        Self {
            path: log_directory(store).join(name),
            segments,
            form: Form::Sealed,
        }
    }

    /// The name the file has as long as it is being written.
    pub(crate) fn unfinished(&self) -> PathBuf {
        let mut name = self.path.clone().into_os_string();
        name.push(".");
        name.push(UNFINISHED);
        name.into()
    }

    fn parse(path: &Path) -> Option<Self> {
        let form = match path.extension()?.to_str()? {
            "seg" => Form::Segment,
            "parquet" => Form::Sealed,
            _ => return None,
        };
        let stem = path.file_stem()?.to_str()?;
        let (first, last) = stem.split_once('-').unwrap_or((stem, stem));
        Some(Self {
            path: path.to_owned(),
            segments: first.parse().ok()?..=last.parse().ok()?,
            form,
        })
    }
}

/// The files that count, in order, and those that do not.
#[derive(Debug, Default)]
pub(crate) struct Listing {
    pub(crate) files: Vec<LogFile>,
    /// Segments that were sealed, sealed files that were merged, files never
    /// finished: what a crash leaves.
    pub(crate) leftovers: Vec<PathBuf>,
}

impl Listing {
    /// Looks at the log of a store.
    pub(crate) fn read(store: &Path) -> Result<Self, StoreError> {
        let directory = log_directory(store);
        let failed = || StoreError::io("list", &directory);
        let mut found = Vec::new();
        let mut listing = Self::default();
        for entry in fs::read_dir(&directory).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            if path.extension().is_some_and(|end| end == UNFINISHED) {
                listing.leftovers.push(path);
            } else if let Some(file) = LogFile::parse(&path) {
                found.push(file);
            }
        }
        // Of files that begin together the one that holds most counts, and a
        // sealed one before its segment.
        found.sort_by_key(|file| {
            let (first, last) = (*file.segments.start(), *file.segments.end());
            (first, u32::MAX - last, file.form == Form::Segment)
        });
        for file in found {
            match listing.files.last() {
                Some(before) if file.segments.end() <= before.segments.end() => {
                    listing.leftovers.push(file.path);
                }
                _ => listing.files.push(file),
            }
        }
        listing.check(store)?;
        Ok(listing)
    }

    /// Every segment up to the last is there, and only once.
    fn check(&self, store: &Path) -> Result<(), StoreError> {
        let mut next = 1;
        for file in &self.files {
            let first = *file.segments.start();
            if first != next {
                let missing = LogFile::segment(store, next.min(first));
                return Err(StoreError::Damaged {
                    file: missing.path,
                    offset: 0,
                    what: format!(
                        "it should be there once: {} begins with segment {first}, not {next}",
                        file.path.display()
                    ),
                });
            }
            next = file.segments.end().saturating_add(1);
        }
        Ok(())
    }

    /// The number after the last segment.
    pub(crate) fn next_segment(&self) -> u32 {
        self.files
            .last()
            .map_or(1, |file| file.segments.end().saturating_add(1))
    }

    /// Takes away what a crash left.
    pub(crate) fn tidy(&self, store: &Path) -> Result<(), StoreError> {
        for path in &self.leftovers {
            fs::remove_file(path).map_err(StoreError::io("remove", path))?;
        }
        if self.leftovers.is_empty() {
            return Ok(());
        }
        sync_directory(&log_directory(store))
    }
}
