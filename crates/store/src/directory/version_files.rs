//! Files of versions, one body after the other: [`VersionFiles`].

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufReader, ErrorKind, IoSlice, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use recrawl_model::{PageId, Timestamp};

use super::place::{sync_directory, versions_directory};
use super::version_frame::{FRAME_BYTES, Stored, payload_of};
use crate::fields::PutFields;
use crate::{StoreError, Version};

/// What every file begins with.
const MAGIC: &[u8; 8] = b"rcrwlver";
/// The format of these files.
const FORMAT: u32 = 1;
/// Bytes of the header: magic, format, number.
const HEADER_BYTES: u64 = 16;
/// Versions written by one call, each in two parts; systems take some 1,000 parts.
const TOGETHER: usize = 256;
/// Finished files that wait to be made durable together; by then the system has
/// written most of them.
const MOST_UNSYNCED: usize = 4;
/// Bytes read by one call.
const READ_BYTES: usize = 1 << 18;

/// Where a version stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Spot {
    pub(super) file: u32,
    pub(super) offset: u64,
    /// With its frame.
    pub(super) length: u32,
}

/// The file that is appended to.
struct Open {
    number: u32,
    handle: File,
    length: u64,
}

/// The files, numbered from 1, and the one that is appended to.
pub(super) struct VersionFiles {
    directory: PathBuf,
    /// Bytes after which a file is finished.
    full_bytes: u64,
    /// Bytes of each file.
    sizes: BTreeMap<u32, u64>,
    open: Option<Open>,
    /// Finished since the last [`Self::sync`].
    unsynced: Vec<Open>,
}

impl VersionFiles {
    /// The files of a store.
    pub(super) fn list(store: &Path, full_bytes: u64) -> Result<Self, StoreError> {
        let directory = versions_directory(store);
        let mut sizes = BTreeMap::new();
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => Some(entries),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => return Err(StoreError::io("read", &directory)(error)),
        };
        for entry in entries.into_iter().flatten() {
            let entry = entry.map_err(StoreError::io("read", &directory))?;
            let name = entry.file_name();
            let number = name.to_str().and_then(|name| name.strip_suffix(".ver"));
            if let Some(number) = number.and_then(|number| number.parse().ok()) {
                let metadata = entry.metadata();
                let metadata = metadata.map_err(StoreError::io("read", &entry.path()))?;
                sizes.insert(number, metadata.len());
            }
        }
        Ok(Self {
            directory,
            full_bytes,
            sizes,
            open: None,
            unsynced: Vec::new(),
        })
    }

    fn path(&self, number: u32) -> PathBuf {
        self.directory.join(format!("{number:08}.ver"))
    }

    /// Bytes of all files.
    pub(super) fn bytes(&self) -> u64 {
        self.sizes.values().sum()
    }

    /// The files nothing is appended to, with their bytes.
    pub(super) fn finished(&self) -> Vec<(u32, u64)> {
        let open = self.open.as_ref().map(|open| open.number);
        let all = self.sizes.iter().map(|(&number, &bytes)| (number, bytes));
        all.filter(|(number, _)| Some(*number) != open).collect()
    }

    /// Appends versions and says where each stands. If that fails, none counts.
    pub(super) fn append(&mut self, versions: &[Stored<'_>]) -> Result<Vec<Spot>, StoreError> {
        let (file, began) = self.open()?;
        let mut spots = Vec::with_capacity(versions.len());
        let mut offset = began;
        for group in versions.chunks(TOGETHER) {
            let heads: Vec<Vec<u8>> = group.iter().map(Stored::head).collect();
            let mut parts = Vec::with_capacity(2 * group.len());
            for (version, head) in group.iter().zip(&heads) {
                let length = (head.len() + version.body.len()) as u32;
                spots.push(Spot {
                    file,
                    offset,
                    length,
                });
                offset += u64::from(length);
                parts.extend([IoSlice::new(head), IoSlice::new(version.body)]);
            }
            let written = match &mut self.open {
                Some(open) => write_all(&mut open.handle, &mut parts),
                None => Ok(()), // not reached: it was opened above
            };
            if let Err(error) = written {
                self.cut(began);
                return Err(StoreError::io("append to", &self.path(file))(error));
            }
        }
        if let Some(open) = &mut self.open {
            open.length = offset;
        }
        self.sizes.insert(file, offset);
        Ok(spots)
    }

    /// Takes away what a failed append left; a file that cannot be cut is
    /// appended to no more.
    fn cut(&mut self, length: u64) {
        let cut = self.open.as_ref().map(|open| open.handle.set_len(length));
        if !matches!(cut, Some(Ok(())))
            && let Some(open) = self.open.take()
        {
            self.sizes.insert(open.number, self.full_bytes.max(length));
        }
    }

    /// The number and the end of the file to append to.
    fn open(&mut self) -> Result<(u32, u64), StoreError> {
        if let Some(open) = &self.open {
            return Ok((open.number, open.length));
        }
        let last = self.sizes.last_key_value();
        let last = last.filter(|(_, bytes)| (HEADER_BYTES..self.full_bytes).contains(*bytes));
        let last = last.map(|(&number, &bytes)| (number, bytes));
        let whole = match last {
            Some((number, bytes)) => self.whole_end(number, bytes)?.map(|end| (number, end)),
            None => None,
        };
        let (number, length) = match whole {
            Some(file) => file,
            None => self.create()?,
        };
        let path = self.path(number);
        let handle = OpenOptions::new().append(true).open(&path);
        let handle = handle.map_err(StoreError::io("open", &path))?;
        self.open = Some(Open {
            number,
            handle,
            length,
        });
        Ok((number, length))
    }

    /// The end of the last version of a file somebody else appended to; what a
    /// crash left behind it is cut off, so that what comes next can be found.
    /// `None` for a file that is damaged elsewhere: it is appended to no more.
    fn whole_end(&mut self, file: u32, bytes: u64) -> Result<Option<u64>, StoreError> {
        if self.ends_whole(file, bytes)? {
            return Ok(Some(bytes));
        }
        let mut end = HEADER_BYTES;
        let whole = self.scan(file, &mut |spot, _| {
            end = spot.offset + u64::from(spot.length);
            Ok(())
        })?;
        if whole {
            return Ok(Some(bytes));
        }
        let path = self.path(file);
        let failed = || StoreError::io("cut", &path);
        let handle = OpenOptions::new().read(true).write(true).open(&path);
        let mut handle = handle.map_err(failed())?;
        handle.seek(SeekFrom::Start(end)).map_err(failed())?;
        let mut announced = [0; 4];
        let announced = handle.read_exact(&mut announced).map(|()| announced);
        let fits = announced.is_ok_and(|length| {
            let length = u64::from(u32::from_le_bytes(length));
            end + FRAME_BYTES as u64 + length <= bytes
        });
        if fits {
            return Ok(None);
        }
        handle.set_len(end).map_err(failed())?;
        self.sizes.insert(file, end);
        Ok(Some(end))
    }

    /// Whether versions follow each other up to the end of a file, by their
    /// lengths, and the last is whole: as when nothing went wrong.
    fn ends_whole(&self, file: u32, bytes: u64) -> Result<bool, StoreError> {
        let path = self.path(file);
        let failed = || StoreError::io("read", &path);
        let mut handle = File::open(&path).map_err(failed())?;
        let mut read = |offset, into: &mut [u8]| {
            let at = handle.seek(SeekFrom::Start(offset));
            at.and_then(|_| handle.read_exact(into)).map_err(failed())
        };
        let mut offset = HEADER_BYTES;
        while offset < bytes {
            let mut length = [0; 4];
            if bytes - offset < FRAME_BYTES as u64 {
                return Ok(false);
            }
            read(offset, &mut length)?;
            let length = FRAME_BYTES as u64 + u64::from(u32::from_le_bytes(length));
            if length == FRAME_BYTES as u64 || length > bytes - offset {
                return Ok(false);
            }
            if offset + length == bytes {
                let mut last = vec![0; length as usize];
                read(offset, &mut last)?;
                return Ok(payload_of(&last).is_some());
            }
            offset += length;
        }
        Ok(true)
    }

    /// Makes the next file.
    fn create(&mut self) -> Result<(u32, u64), StoreError> {
        fs::create_dir_all(&self.directory)
            .map_err(StoreError::io("make directory", &self.directory))?;
        let number = self.sizes.last_key_value().map_or(1, |(last, _)| last + 1);
        let mut header = MAGIC.to_vec();
        header.put_u32(FORMAT);
        header.put_u32(number);
        let path = self.path(number);
        fs::write(&path, header).map_err(StoreError::io("write", &path))?;
        sync_directory(&self.directory)?;
        self.sizes.insert(number, HEADER_BYTES);
        Ok((number, HEADER_BYTES))
    }

    /// Whether the file that is appended to is full.
    pub(super) fn is_full(&self) -> bool {
        self.open
            .as_ref()
            .is_some_and(|open| open.length >= self.full_bytes)
    }

    /// Makes all that was appended durable.
    pub(super) fn sync(&mut self) -> Result<(), StoreError> {
        self.sync_all_but(&[])
    }

    /// As [`Self::sync`], but for files about to be removed.
    pub(super) fn sync_all_but(&mut self, emptied: &[u32]) -> Result<(), StoreError> {
        self.unsynced.retain(|file| !emptied.contains(&file.number));
        for file in self.unsynced.iter().chain(&self.open) {
            let synced = file.handle.sync_data();
            synced.map_err(StoreError::io("sync", &self.path(file.number)))?;
        }
        self.unsynced.clear();
        Ok(())
    }

    /// Ends the file that is appended to and begins another.
    pub(super) fn finish(&mut self) -> Result<(), StoreError> {
        self.unsynced.extend(self.open.take());
        if self.unsynced.len() >= MOST_UNSYNCED {
            self.sync()?;
        }
        self.create()?;
        self.open().map(drop)
    }

    /// Removes a file of which nothing counts any more.
    pub(super) fn remove(&mut self, number: u32) -> Result<(), StoreError> {
        let path = self.path(number);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                return Err(StoreError::io("remove", &path)(error));
            }
            _ => {}
        }
        self.sizes.remove(&number);
        Ok(())
    }

    /// The version at a spot; none if it is not there, as after a power cut.
    pub(super) fn read(
        &self,
        page: PageId,
        at: Timestamp,
        spot: Spot,
    ) -> Result<Option<Version>, StoreError> {
        let path = self.path(spot.file);
        let bytes = match read_at(&path, spot) {
            Ok(bytes) => bytes,
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::UnexpectedEof) =>
            {
                return Ok(None);
            }
            Err(error) => return Err(StoreError::io("read", &path)(error)),
        };
        let stored = payload_of(&bytes).and_then(|payload| Stored::decode(payload).ok());
        let stored = stored.filter(|stored| stored.page == page && stored.at == at);
        Ok(stored.and_then(|stored| stored.unpack()))
    }

    /// Gives every version of a file to `each`, with where it stands.
    /// Says whether all of the file could be read.
    pub(super) fn scan(
        &self,
        file: u32,
        each: &mut dyn FnMut(Spot, Stored<'_>) -> Result<(), StoreError>,
    ) -> Result<bool, StoreError> {
        let path = self.path(file);
        let failed = || StoreError::io("read", &path);
        let handle = File::open(&path).map_err(failed())?;
        let mut reader = BufReader::with_capacity(READ_BYTES, handle);
        let mut offset = HEADER_BYTES;
        io::copy(&mut (&mut reader).take(HEADER_BYTES), &mut io::sink()).map_err(failed())?;
        let mut bytes = Vec::new();
        while offset < self.sizes.get(&file).copied().unwrap_or(0) {
            bytes.clear();
            let mut frame = (&mut reader).take(FRAME_BYTES as u64);
            frame.read_to_end(&mut bytes).map_err(failed())?;
            let Some(length) = bytes
                .first_chunk()
                .map(|length| u32::from_le_bytes(*length))
            else {
                return Ok(false);
            };
            let payload = (&mut reader)
                .take(u64::from(length))
                .read_to_end(&mut bytes);
            payload.map_err(failed())?;
            let Some(stored) = payload_of(&bytes).and_then(|bytes| Stored::decode(bytes).ok())
            else {
                return Ok(false);
            };
            let length = bytes.len() as u32;
            each(
                Spot {
                    file,
                    offset,
                    length,
                },
                stored,
            )?;
            offset += u64::from(length);
        }
        Ok(true)
    }
}

/// Writes all parts, in as few calls as the system needs.
fn write_all(file: &mut File, mut parts: &mut [IoSlice<'_>]) -> io::Result<()> {
    while !parts.is_empty() {
        match file.write_vectored(parts) {
            Ok(0) => return Err(ErrorKind::WriteZero.into()),
            Ok(written) => IoSlice::advance_slices(&mut parts, written),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn read_at(path: &Path, spot: Spot) -> io::Result<Vec<u8>> {
    let mut handle = File::open(path)?;
    handle.seek(SeekFrom::Start(spot.offset))?;
    let mut bytes = vec![0; spot.length as usize];
    handle.read_exact(&mut bytes)?;
    Ok(bytes)
}
