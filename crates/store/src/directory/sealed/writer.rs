//! Segments to sealed files, and small sealed files to large ones.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use super::columns::{BYTES_KEY, CHECKSUM_KEY, FORMAT_KEY, RECORDS_KEY, schema};
use super::gather::Gather;
use crate::codec::HeldPart;
use crate::directory::files::{Form, LogFile};
use crate::directory::log_reader::{Ended, Part, damaged};
use crate::directory::place::{LOG_FORMAT, log_directory, sync_directory};
use crate::segment::HEADER_BYTES;
use crate::{Record, StoreError};

/// Records handed to the encoder at a time.
const BATCH: usize = 1 << 13;

/// Records of a row group: what the encoder holds in memory.
const ROW_GROUP: usize = 1 << 16;

/// A file of the log that takes the place of others. A crash between two steps
/// leaves exactly one of them counted.
pub(crate) struct Replacement {
    old: Vec<LogFile>,
    new: LogFile,
    directory: PathBuf,
}

impl Replacement {
    /// A segment to be sealed.
    pub(crate) fn seal(store: &Path, number: u32) -> Self {
        Self {
            old: vec![LogFile::segment(store, number)],
            new: LogFile::sealed(store, number..=number),
            directory: log_directory(store),
        }
    }

    /// Sealed files that follow each other, to be merged; `None` of none.
    pub(crate) fn merge(store: &Path, files: &[LogFile]) -> Option<Self> {
        let segments = *files.first()?.segments.start()..=*files.last()?.segments.end();
        Some(Self {
            old: files.to_vec(),
            new: LogFile::sealed(store, segments),
            directory: log_directory(store),
        })
    }

    /// All steps.
    pub(crate) fn run(&self) -> Result<(), StoreError> {
        self.write()?;
        self.name()?;
        self.remove()
    }

    /// Writes the new file under another name.
    pub(crate) fn write(&self) -> Result<(), StoreError> {
        let unfinished = self.new.unfinished();
        write(&unfinished, &self.old).inspect_err(|_| {
            // Left behind it would only take room; the error is what counts.
            let _ = fs::remove_file(&unfinished);
        })
    }

    /// Gives the new file its name: from here on it counts.
    pub(crate) fn name(&self) -> Result<(), StoreError> {
        fs::rename(self.new.unfinished(), &self.new.path)
            .map_err(StoreError::io("name", &self.new.path))?;
        sync_directory(&self.directory)
    }

    /// Removes what the new file replaces.
    pub(crate) fn remove(&self) -> Result<(), StoreError> {
        for file in &self.old {
            fs::remove_file(&file.path).map_err(StoreError::io("remove", &file.path))?;
        }
        sync_directory(&self.directory)
    }
}

/// Writes the records of files as one sealed file.
fn write(path: &Path, files: &[LogFile]) -> Result<(), StoreError> {
    let mut output = Output::create(path)?;
    for file in files {
        let handle = File::open(&file.path).map_err(StoreError::io("open", &file.path))?;
        match file.form {
            Form::Sealed => super::read(handle, file, &mut |record| output.push(&record))?,
            Form::Segment => {
                let end = handle
                    .metadata()
                    .map_err(StoreError::io("read", &file.path))?
                    .len();
                let part = Part {
                    file,
                    from: HEADER_BYTES,
                    end,
                    held: HeldPart::Skip,
                };
                let ended = part.read(handle, &mut |_, record| output.push(&record))?;
                if let Ended::Bad { offset, what } = ended {
                    return Err(damaged(&file.path, offset, what));
                }
            }
        }
    }
    output.finish()
}

/// A file and the checksum of what was written to it.
struct Summed {
    file: File,
    sum: crc32fast::Hasher,
    bytes: u64,
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.file.write(bytes)?;
        self.sum.update(&bytes[..written]);
        self.bytes += written as u64;
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// A sealed file being written.
struct Output<'a> {
    path: &'a Path,
    writer: ArrowWriter<Summed>,
    gather: Gather,
    records: u64,
}

impl<'a> Output<'a> {
    fn create(path: &'a Path) -> Result<Self, StoreError> {
        let file = File::create(path).map_err(StoreError::io("create", path))?;
        let summed = Summed {
            file,
            sum: crc32fast::Hasher::new(),
            bytes: 0,
        };
        // Neither statistics nor indexes: all records are read, in order, and
        // what is not written cannot be damaged.
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .set_max_row_group_row_count(Some(ROW_GROUP))
            .build();
        let writer = ArrowWriter::try_new(summed, schema(), Some(properties))
            .map_err(|error| failed(path, error))?;
        Ok(Self {
            path,
            writer,
            gather: Gather::new(),
            records: 0,
        })
    }

    fn push(&mut self, record: &Record) -> Result<(), StoreError> {
        self.gather.push(record);
        self.records += 1;
        if self.gather.len() >= BATCH {
            self.encode().map_err(|error| failed(self.path, error))?;
        }
        Ok(())
    }

    fn encode(&mut self) -> Result<(), ParquetError> {
        let batch = self.gather.finish()?;
        self.writer.write(&batch)
    }

    fn finish(self) -> Result<(), StoreError> {
        let path = self.path;
        let file = self.close().map_err(|error| failed(path, error))?;
        file.sync_all().map_err(StoreError::io("sync", path))
    }

    /// Writes the footer, with the checksum of all that stands before it.
    fn close(mut self) -> Result<File, ParquetError> {
        if self.gather.len() > 0 {
            self.encode()?;
        }
        self.writer.flush()?;
        self.writer.sync()?;
        let summed = self.writer.inner();
        let pairs = [
            (FORMAT_KEY, u64::from(LOG_FORMAT)),
            (RECORDS_KEY, self.records),
            (BYTES_KEY, summed.bytes),
            (CHECKSUM_KEY, u64::from(summed.sum.clone().finalize())),
        ];
        for (name, number) in pairs {
            let pair = KeyValue::new(name.to_owned(), number.to_string());
            self.writer.append_key_value_metadata(pair);
        }
        Ok(self.writer.into_inner()?.file)
    }
}

fn failed(path: &Path, error: ParquetError) -> StoreError {
    StoreError::io("write", path)(io::Error::other(error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::directory::files::Listing;
    use crate::{DirectoryStore, OpenMode, Store, StoreSettings};

    /// A store of several finished segments, none of them sealed.
    fn store(path: &Path) -> Vec<Record> {
        let settings = StoreSettings {
            segment_bytes: u64::MAX,
            ..StoreSettings::default()
        };
        let mut store =
            DirectoryStore::open_with(path, OpenMode::CreateIfMissing, settings).expect("a store");
        for number in 0..9 {
            let name = format!("setting {number}");
            let value = String::new();
            store
                .append(&[Record::Setting { name, value }])
                .expect("room");
            if number % 3 == 2 {
                store.begin_segment().expect("room");
                store.set_checkpoint().expect("room");
            }
        }
        records(&store)
    }

    fn records(store: &DirectoryStore) -> Vec<Record> {
        let mut records = Vec::new();
        store
            .replay(&mut |record| records.push(record.clone()))
            .expect("a log");
        records
    }

    /// The store after a crash: opened, it has the same records and as many
    /// files as told.
    fn check(path: &Path, expected: &[Record], files: usize) {
        let store = DirectoryStore::open(path, OpenMode::Existing).expect("a store");
        assert_eq!(records(&store), expected);
        let listing = Listing::read(path).expect("a log");
        assert!(listing.leftovers.is_empty(), "{:?}", listing.leftovers);
        assert_eq!(listing.files.len(), files);
    }

    type Step = fn(&Replacement) -> Result<(), StoreError>;
    const STEPS: [Step; 3] = [Replacement::write, Replacement::name, Replacement::remove];

    #[test]
    fn a_crash_between_any_two_steps_of_sealing_leaves_every_record_once() {
        for steps in 0..=STEPS.len() {
            let directory = tempfile::tempdir().expect("a directory");
            let expected = store(directory.path());
            let replacement = Replacement::seal(directory.path(), 2);
            for step in &STEPS[..steps] {
                step(&replacement).expect("room");
            }
            check(directory.path(), &expected, 4);
        }
    }

    #[test]
    fn a_crash_between_any_two_steps_of_merging_leaves_every_record_once() {
        for steps in 0..=STEPS.len() {
            let directory = tempfile::tempdir().expect("a directory");
            let expected = store(directory.path());
            for number in 1..=3 {
                Replacement::seal(directory.path(), number)
                    .run()
                    .expect("room");
            }
            let files = Listing::read(directory.path()).expect("a log").files;
            let replacement = Replacement::merge(directory.path(), &files[..3]).expect("files");
            for step in &STEPS[..steps] {
                step(&replacement).expect("room");
            }
            check(directory.path(), &expected, if steps < 2 { 4 } else { 2 });
        }
    }
}
