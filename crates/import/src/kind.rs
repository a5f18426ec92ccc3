//! What a file or directory is: [`recognise`], [`history_files`].

use std::fs::File;
use std::io::Read;
use std::path::Path;

use recrawl_histories::Files;

use crate::ImportError;

/// The sources that can be imported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An observation log: CSV, NDJSON or Parquet.
    Log,
    /// A directory of update histories: `pages` and `updates`, perhaps `sites`,
    /// in Parquet or CSV.
    Histories,
    /// A data directory of changedetection.io.
    ChangeDetection,
    /// A cache of urlwatch, in SQLite.
    Urlwatch,
    /// A git repository of recorded pages.
    Git,
}

/// The tables of update histories in a directory.
///
/// # Errors
/// [`ImportError::Malformed`] if `pages` or `updates` is not there.
pub fn history_files(directory: &Path) -> Result<Files, ImportError> {
    let table = |name: &str| {
        ["parquet", "csv"]
            .map(|extension| directory.join(name).with_extension(extension))
            .into_iter()
            .find(|file| file.is_file())
    };
    let needed = |name: &str| {
        let missing = format!("there is neither {name}.parquet nor {name}.csv in it");
        table(name).ok_or_else(|| ImportError::malformed(directory, missing))
    };
    Ok(Files {
        pages: needed("pages")?,
        updates: needed("updates")?,
        sites: table("sites"),
    })
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
        } else if history_files(path).is_ok() {
            Ok(Kind::Histories)
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
