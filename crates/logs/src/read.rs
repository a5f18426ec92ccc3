//! The way in: [`read`] and [`read_from`].

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use recrawl_model::HistorySet;

use crate::gather::Gather;
use crate::progress::{Counted, Progress, Silent};
use crate::source::{self, Compression, Format, Source};
use crate::{LogError, PlaceUnit, csv, ndjson, parquet};

/// How much is read at a time. The defaults suit; tests take small ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadSettings {
    /// Bytes of text a thread parses at a time: long enough that handing them over
    /// costs nothing and short enough to stay in a core's cache.
    pub block_bytes: usize,
    /// The longest row of text; a longer one is refused, so that a file without
    /// line ends or with a quote left open cannot fill the memory.
    pub longest_row: usize,
    /// Rows of a Parquet file a thread decodes at a time.
    pub batch_rows: usize,
}

impl Default for ReadSettings {
    fn default() -> Self {
        Self {
            block_bytes: 1 << 18,
            longest_row: 16 << 20,
            batch_rows: 1 << 14,
        }
    }
}

/// Reads observation logs, of one format or several, into histories. A page may
/// be spread over files, and rows may come in any order.
///
/// # Errors
/// [`LogError`] for the first thing that is wrong, in the order of the sources.
pub fn read(sources: &[Source], progress: &dyn Progress) -> Result<HistorySet, LogError> {
    let settings = ReadSettings::default();
    let mut gather = Gather::new();
    for source in sources {
        match source {
            Source::File(path) => read_file(path, &mut gather, &settings, progress)?,
            Source::Stdin => {
                gather.begin_file(&source.name(), PlaceUnit::Line);
                let stream = io::stdin();
                csv::read(Counted { stream, progress }, &mut gather, &settings)?;
            }
        }
    }
    gather.finish()
}

/// Reads one log from a stream. `name` stands for the file in messages. Parquet
/// is read from its end, so the whole stream is held in memory first.
///
/// # Errors
/// [`LogError`] for the first thing that is wrong.
pub fn read_from(
    mut stream: impl Read + Send,
    format: Format,
    name: &str,
    settings: &ReadSettings,
) -> Result<HistorySet, LogError> {
    let mut gather = Gather::new();
    gather.begin_file(name, unit(format));
    match format {
        Format::Csv => csv::read(stream, &mut gather, settings)?,
        Format::Ndjson => ndjson::read(stream, &mut gather, settings)?,
        Format::Parquet => {
            let mut bytes = Vec::new();
            stream
                .read_to_end(&mut bytes)
                .map_err(|source| unreadable(&gather, source))?;
            let bytes = bytes::Bytes::from(bytes);
            parquet::read(|| Ok(bytes.clone()), &mut gather, settings, &Silent)?;
        }
    }
    gather.finish()
}

fn read_file(
    path: &Path,
    gather: &mut Gather,
    settings: &ReadSettings,
    progress: &dyn Progress,
) -> Result<(), LogError> {
    let stream = source::open(path)?;
    let (format, compression) = source::recognise(path)?;
    gather.begin_file(&path.display().to_string(), unit(format));
    if format == Format::Parquet {
        return parquet::read(|| File::open(path), gather, settings, progress);
    }
    let stream = Counted { stream, progress };
    match compression {
        Compression::None => read_text(format, stream, gather, settings),
        Compression::Gzip => {
            let stream = flate2::read::MultiGzDecoder::new(stream);
            read_text(format, stream, gather, settings)
        }
        Compression::Zstd => {
            let stream = zstd::Decoder::new(stream).map_err(|source| unreadable(gather, source))?;
            read_text(format, stream, gather, settings)
        }
    }
}

fn read_text(
    format: Format,
    stream: impl Read + Send,
    gather: &mut Gather,
    settings: &ReadSettings,
) -> Result<(), LogError> {
    match format {
        Format::Ndjson => ndjson::read(stream, gather, settings),
        _ => csv::read(stream, gather, settings),
    }
}

const fn unit(format: Format) -> PlaceUnit {
    match format {
        Format::Csv | Format::Ndjson => PlaceUnit::Line,
        Format::Parquet => PlaceUnit::Row,
    }
}

/// The current file could not be read.
pub(crate) fn unreadable(gather: &Gather, source: io::Error) -> LogError {
    LogError::Unreadable {
        file: gather.file(),
        source,
    }
}
