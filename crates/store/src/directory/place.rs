//! The directory itself: its format and its lock.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// The format this program writes, and the newest it reads. In format 1 versions
/// were in the tree of page rows; in format 2 what is held of a page was written
/// to its row with each visit.
pub const NEWEST_FORMAT: u32 = 3;

/// The format of segments and sealed files, the same in all formats of stores.
pub(crate) const LOG_FORMAT: u32 = 1;

const FORMAT_FILE: &str = "FORMAT";
const FORMAT_PREFIX: &str = "recrawl store format ";
const LOCK_FILE: &str = "LOCK";

/// Whether a store is made where there is none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OpenMode {
    /// It is, in a new or empty directory.
    CreateIfMissing,
    /// It is an error.
    Existing,
}

/// A directory that is a store, held by this process.
#[derive(Debug)]
pub(crate) struct Place {
    path: PathBuf,
    /// Locked as long as this lives.
    _lock: File,
}

impl Place {
    /// Takes hold of the store in `path`, or of a new one.
    pub(crate) fn open(path: &Path, mode: OpenMode) -> Result<Self, StoreError> {
        match format(path) {
            Ok(_) => {}
            Err(StoreError::Missing { .. }) if mode == OpenMode::CreateIfMissing => {
                fs::create_dir_all(log_directory(path))
                    .map_err(StoreError::io("make directory", &log_directory(path)))?;
            }
            Err(error) => return Err(error),
        }
        let lock = lock(path)?;
        // What an older format has is taken over when the store is opened.
        if !matches!(format(path), Ok(NEWEST_FORMAT)) {
            write_format(path)?;
        }
        Ok(Self {
            path: path.to_owned(),
            _lock: lock,
        })
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Where the log of a store is.
pub(crate) fn log_directory(store: &Path) -> PathBuf {
    store.join("log")
}

/// Where the page rows of a store are.
pub(crate) fn rows_directory(store: &Path) -> PathBuf {
    store.join("rows")
}

/// Where the versions of a store are.
pub(crate) fn versions_directory(store: &Path) -> PathBuf {
    store.join("versions")
}

/// The format of the store in `path`, one this program reads.
pub(crate) fn format(path: &Path) -> Result<u32, StoreError> {
    let file = path.join(FORMAT_FILE);
    let text = match fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(no_format(path)),
        Err(error) => return Err(StoreError::io("read", &file)(error)),
    };
    let number = text.trim_end().strip_prefix(FORMAT_PREFIX);
    let Some(found) = number.and_then(|number| number.parse().ok()) else {
        return Err(StoreError::Damaged {
            file,
            offset: 0,
            what: format!("it does not say `{FORMAT_PREFIX}` and a number"),
        });
    };
    if found > NEWEST_FORMAT {
        return Err(StoreError::TooNew {
            found,
            newest: NEWEST_FORMAT,
        });
    }
    Ok(found)
}

/// What a directory without a format is: no store, or something else. What a
/// process leaves that died while making a store counts as nothing.
fn no_format(path: &Path) -> StoreError {
    let path = path.to_owned();
    let entries = fs::read_dir(&path).map(|entries| {
        entries
            .flatten()
            .map(|entry| entry.file_name())
            .any(|name| name != LOCK_FILE && name != "log" && name != "FORMAT.tmp")
    });
    match entries {
        Ok(true) => StoreError::NotAStore { path },
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            StoreError::io("open store", &path)(error)
        }
        _ => StoreError::Missing { path },
    }
}

fn write_format(path: &Path) -> Result<(), StoreError> {
    let (file, new) = (path.join(FORMAT_FILE), path.join("FORMAT.tmp"));
    let text = format!("{FORMAT_PREFIX}{NEWEST_FORMAT}\n");
    File::create(&new)
        .and_then(|mut file| {
            file.write_all(text.as_bytes())
                .and_then(|()| file.sync_all())
        })
        .and_then(|()| fs::rename(&new, &file))
        .map_err(StoreError::io("write", &file))?;
    sync_directory(path)
}

/// Locks the store for this process and leaves its number for others to read.
fn lock(path: &Path) -> Result<File, StoreError> {
    let name = path.join(LOCK_FILE);
    let mut file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name)
        .map_err(StoreError::io("open", &name))?;
    match file.try_lock() {
        Ok(()) => {}
        Err(TryLockError::WouldBlock) => {
            let mut text = String::new();
            let pid = file.read_to_string(&mut text).ok();
            return Err(StoreError::InUse {
                path: path.to_owned(),
                pid: pid.and_then(|_| text.trim().parse().ok()),
            });
        }
        Err(TryLockError::Error(error)) => return Err(StoreError::io("lock", &name)(error)),
    }
    file.set_len(0)
        .and_then(|()| file.rewind())
        .and_then(|()| writeln!(file, "{}", std::process::id()))
        .map_err(StoreError::io("write", &name))?;
    Ok(file)
}

/// Makes the names in a directory durable.
pub(crate) fn sync_directory(path: &Path) -> Result<(), StoreError> {
    File::open(path)
        .and_then(|directory| directory.sync_all())
        .map_err(StoreError::io("sync directory", path))
}
