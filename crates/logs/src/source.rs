//! Where logs come from and how they are written: [`Source`], [`Format`].

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::LogError;

/// Where a log comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// A file, its format told by its extension.
    File(PathBuf),
    /// CSV on standard input.
    Stdin,
}

/// How a log is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// One JSON object a line.
    Ndjson,
    /// Apache Parquet.
    Parquet,
}

/// How a text file is compressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Compression {
    None,
    Gzip,
    Zstd,
}

impl Source {
    /// `-` is standard input, everything else a file.
    #[must_use]
    pub fn parse(text: impl Into<PathBuf>) -> Self {
        let path = text.into();
        if path.as_os_str() == "-" {
            Self::Stdin
        } else {
            Self::File(path)
        }
    }

    /// The name used in messages.
    #[must_use]
    pub fn name(&self) -> String {
        match self {
            Self::File(path) => path.display().to_string(),
            Self::Stdin => "standard input".to_owned(),
        }
    }
}

/// The bytes all sources have together, compressed as they are; `None` if one
/// of them does not say.
#[must_use]
pub fn total_bytes(sources: &[Source]) -> Option<u64> {
    sources
        .iter()
        .map(|source| match source {
            Source::File(path) => path.metadata().ok().map(|file| file.len()),
            Source::Stdin => None,
        })
        .sum()
}

/// Format and compression by the extensions of `path`.
pub(crate) fn recognise(path: &Path) -> Result<(Format, Compression), LogError> {
    let unknown = || LogError::UnknownExtension {
        file: path.display().to_string(),
    };
    let name = path.file_name().ok_or_else(unknown)?;
    let name = name.to_string_lossy().to_ascii_lowercase();
    let (stem, compression) = match name.rsplit_once('.') {
        Some((stem, "gz")) => (stem, Compression::Gzip),
        Some((stem, "zst")) => (stem, Compression::Zstd),
        _ => (name.as_str(), Compression::None),
    };
    let extension = stem.rsplit_once('.').map(|(_, extension)| extension);
    match (extension, compression) {
        (Some("csv"), _) => Ok((Format::Csv, compression)),
        (Some("ndjson" | "jsonl"), _) => Ok((Format::Ndjson, compression)),
        (Some("parquet" | "pq"), Compression::None) => Ok((Format::Parquet, compression)),
        _ => Err(unknown()),
    }
}

/// Opens a file, telling apart the ways in which that fails.
pub(crate) fn open(path: &Path) -> Result<File, LogError> {
    let file = path.display().to_string();
    let told = |source: io::Error| match source.kind() {
        io::ErrorKind::NotFound => LogError::Missing { file: file.clone() },
        _ => LogError::Unreadable {
            file: file.clone(),
            source,
        },
    };
    if path.metadata().map_err(told)?.is_dir() {
        return Err(LogError::Directory { file });
    }
    File::open(path).map_err(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_tells_format_and_compression() {
        let known = [
            ("a.csv", Format::Csv, Compression::None),
            ("dir.x/B.CSV.gz", Format::Csv, Compression::Gzip),
            ("a.b.jsonl.zst", Format::Ndjson, Compression::Zstd),
            ("a.ndjson", Format::Ndjson, Compression::None),
            ("a.pq", Format::Parquet, Compression::None),
            ("a.parquet", Format::Parquet, Compression::None),
        ];
        for (name, format, compression) in known {
            let found = recognise(Path::new(name)).expect(name);
            assert_eq!(found, (format, compression), "{name}");
        }
    }

    #[test]
    fn a_name_without_a_known_extension_is_refused_with_the_list() {
        for name in ["a", "a.txt", "csv", "a.parquet.gz", "a.gz", "..", "/"] {
            let refused = recognise(Path::new(name)).expect_err(name).to_string();
            assert!(
                refused.contains(".ndjson") && refused.contains(".zst"),
                "{refused}"
            );
        }
    }

    #[test]
    fn a_dash_is_standard_input() {
        assert_eq!(Source::parse("-"), Source::Stdin);
        assert_eq!(Source::parse("-.csv"), Source::File("-.csv".into()));
    }
}
