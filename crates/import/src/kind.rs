//! What a file or directory is: [`recognise`].

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::ImportError;

/// The sources that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An observation log: CSV, NDJSON or Parquet.
    Log,
    /// A data directory of changedetection.io.
    ChangeDetection,
    /// A cache of urlwatch, in SQLite.
    Urlwatch,
    /// A git repository of recorded pages.
    Git,
}

const SQLITE: &[u8; 16] = b"SQLite format 3\0";

/// What `path` is, by what is in it.
///
/// # Errors
/// [`ImportError`] if it cannot be read or is nothing known.
pub fn recognise(path: &Path) -> Result<Kind, ImportError> {
    if path.as_os_str() == "-" {
        return Ok(Kind::Log);
    }
    let metadata = path.metadata().map_err(ImportError::unreadable(path))?;
    if metadata.is_dir() {
        let has = |name: &str| path.join(name).exists();
        return if has("url-watches.json") || has("changedetection.json") {
            Ok(Kind::ChangeDetection)
        } else if has(".git") || (has("HEAD") && has("objects")) {
            Ok(Kind::Git)
        } else {
            Err(ImportError::Unrecognised {
                path: path.to_owned(),
            })
        };
    }
    let mut start = Vec::new();
    File::open(path)
        .and_then(|file| file.take(SQLITE.len() as u64).read_to_end(&mut start))
        .map_err(ImportError::unreadable(path))?;
    Ok(if start == SQLITE {
        Kind::Urlwatch
    } else {
        Kind::Log
    })
}
