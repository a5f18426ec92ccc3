//! The segment that is appended to: [`SegmentWriter`].

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use recrawl_model::PageId;

use super::frame::{FIRST_OF_GROUP, FRAME_BYTES, HeldPlace, MOST_RECORD_BYTES, checksum};
use crate::codec;
use crate::fields::PutFields;
use crate::{Record, Refusal, StoreError};

/// Room kept for the next group, so that one large group does not hold its
/// memory for ever.
const KEPT_BUFFER: usize = 1 << 20;

/// What a segment needs of its file. Called by [`SegmentWriter`] for each
/// group; tests put a file in its place that fails.
pub(crate) trait SegmentFile: Send {
    /// Appends bytes.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns when everything appended is on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts the file to a length.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl SegmentFile for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes) // opened for appending: always at the end
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// Appends groups of records to a segment: one write, one sync.
pub(crate) struct SegmentWriter {
    file: Box<dyn SegmentFile>,
    path: PathBuf,
    /// Bytes that count.
    length: u64,
    /// A failed write could not be undone.
    stopped: bool,
    buffer: Vec<u8>,
    /// What the group in the buffer holds of pages.
    held: Vec<(PageId, HeldPlace)>,
}

impl SegmentWriter {
    /// Appends to a file of `length` bytes.
    pub(crate) fn new(file: Box<dyn SegmentFile>, path: &Path, length: u64) -> Self {
        Self {
            file,
            path: path.to_owned(),
            length,
            stopped: false,
            buffer: Vec::new(),
            held: Vec::new(),
        }
    }

    /// Where the next group will begin.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// Appends a group. When it returns, the group is on the disk; if it fails,
    /// nothing of it counts. Tells where what is held of pages stands.
    pub(crate) fn append(
        &mut self,
        records: &[Record],
    ) -> Result<&[(PageId, HeldPlace)], StoreError> {
        if self.stopped {
            return Err(StoreError::Stopped {
                file: self.path.clone(),
            });
        }
        self.encode(records)?;
        let written = self
            .file
            .append(&self.buffer)
            .and_then(|()| self.file.sync());
        if let Err(source) = written {
            // The bytes may be there in part; take them away again, and if even
            // that fails let nothing follow them.
            let undone = self.file.cut(self.length).and_then(|()| self.file.sync());
            self.stopped = undone.is_err();
            return Err(StoreError::io("append to", &self.path)(source));
        }
        self.length += self.buffer.len() as u64;
        Ok(&self.held)
    }

    /// Puts the frames of a group into the buffer.
    fn encode(&mut self, records: &[Record]) -> Result<(), Refusal> {
        self.buffer.clear();
        self.buffer.shrink_to(KEPT_BUFFER);
        self.held.clear();
        let mut group = FIRST_OF_GROUP;
        for record in records {
            let start = self.buffer.len();
            self.buffer.put_u64(0); // length and checksum, known below
            self.buffer.put_u8(codec::kind_of(record) | group);
            let held_bytes = codec::encode(record, &mut self.buffer);
            let end = self.length + self.buffer.len() as u64;
            if let (Some(place), Record::Seen { page, .. }) =
                (HeldPlace::before(end, held_bytes), record)
            {
                self.held.push((*page, place));
            }
            let body = &self.buffer[start + FRAME_BYTES - 1..];
            if body.len() > MOST_RECORD_BYTES {
                return Err(Refusal::TooLong {
                    bytes: body.len(),
                    most: MOST_RECORD_BYTES,
                });
            }
            let length = body.len() as u32;
            let sum = checksum(self.length + start as u64, body);
            self.buffer[start..start + 4].copy_from_slice(&length.to_le_bytes());
            self.buffer[start + 4..start + 8].copy_from_slice(&sum.to_le_bytes());
            group = 0;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Mutex};

    use proptest::prelude::*;

    use super::*;
    use crate::codec::{HeldPart, decode};
    use crate::segment::{HEADER_BYTES, SegmentReader, Sought, Step, find_frame};

    /// A file in memory that takes only so many bytes, and may refuse more.
    #[derive(Clone, Default)]
    struct Disk(Arc<Mutex<DiskState>>);

    #[derive(Default)]
    struct DiskState {
        bytes: Vec<u8>,
        room: usize,
        syncs_fail: bool,
        cuts_fail: bool,
    }

    impl SegmentFile for Disk {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            let mut disk = self.0.lock().expect("one thread");
            let fits = bytes.len().min(disk.room - disk.bytes.len());
            disk.bytes.extend_from_slice(&bytes[..fits]);
            if fits < bytes.len() {
                return Err(io::ErrorKind::StorageFull.into());
            }
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            if self.0.lock().expect("one thread").syncs_fail {
                return Err(io::Error::other("the disk went away"));
            }
            Ok(())
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            let mut disk = self.0.lock().expect("one thread");
            if disk.cuts_fail {
                return Err(io::Error::other("the disk went away"));
            }
            disk.bytes.truncate((length - HEADER_BYTES) as usize);
            Ok(())
        }
    }

    fn setting(name: &str) -> Record {
        Record::Setting {
            name: name.to_owned(),
            value: "on".to_owned(),
        }
    }

    fn writer(disk: &Disk) -> SegmentWriter {
        let path = Path::new("log/00000001.seg");
        SegmentWriter::new(Box::new(disk.clone()), path, HEADER_BYTES)
    }

    fn disk(room: usize) -> Disk {
        let disk = Disk::default();
        disk.0.lock().expect("one thread").room = room;
        disk
    }

    /// Names of the settings in the segment, up to its end or to bad bytes.
    fn names(bytes: &[u8]) -> Vec<String> {
        let end = HEADER_BYTES + bytes.len() as u64;
        let mut reader = SegmentReader::new(bytes, HEADER_BYTES, end);
        let mut names = Vec::new();
        while let Step::Frame(frame) = reader.next().expect("memory") {
            let decoded = decode(frame.kind, frame.fields, HeldPart::Read);
            match decoded.expect("a record").record {
                Record::Setting { name, .. } => names.push(name),
                other => panic!("{other:?} was never written"),
            }
        }
        names
    }

    #[test]
    fn a_full_disk_leaves_the_segment_as_it_was() {
        let disk = disk(60);
        let mut segment = writer(&disk);
        segment.append(&[setting("a")]).expect("there is room");
        let refused = segment.append(&[setting("b"), setting("c"), setting("d")]);
        let message = refused.expect_err("there is no room").to_string();
        assert_eq!(
            message,
            "could not append to log/00000001.seg: no storage space"
        );
        segment
            .append(&[setting("e")])
            .expect("there is room for one");
        assert_eq!(names(&disk.0.lock().expect("one thread").bytes), ["a", "e"]);
    }

    #[test]
    fn what_was_not_synced_does_not_count() {
        let disk = disk(1_000);
        let mut segment = writer(&disk);
        segment.append(&[setting("a")]).expect("all is well");
        disk.0.lock().expect("one thread").syncs_fail = true;
        segment
            .append(&[setting("b")])
            .expect_err("it is not on the disk");
        disk.0.lock().expect("one thread").syncs_fail = false;
        assert_eq!(names(&disk.0.lock().expect("one thread").bytes), ["a"]);
        // Cutting was not synced either, so nobody knows what is on the disk.
        let stopped = segment.append(&[setting("c")]).expect_err("stopped");
        assert!(matches!(stopped, StoreError::Stopped { .. }));
    }

    #[test]
    fn nothing_follows_a_write_that_could_not_be_undone() {
        let disk = disk(60);
        let mut segment = writer(&disk);
        segment.append(&[setting("a")]).expect("there is room");
        disk.0.lock().expect("one thread").cuts_fail = true;
        segment
            .append(&[setting(&"b".repeat(60))])
            .expect_err("no room");
        disk.0.lock().expect("one thread").cuts_fail = false;
        let stopped = segment.append(&[setting("c")]).expect_err("stopped");
        assert!(matches!(stopped, StoreError::Stopped { .. }));
        assert_eq!(names(&disk.0.lock().expect("one thread").bytes), ["a"]);
    }

    #[test]
    fn a_record_too_long_is_refused_before_anything_is_written() {
        let disk = disk(100 << 20);
        let mut segment = writer(&disk);
        let long = setting(&"x".repeat(MOST_RECORD_BYTES));
        let refused = segment.append(&[setting("a"), long]);
        assert!(matches!(
            refused,
            Err(StoreError::Refused(Refusal::TooLong { .. }))
        ));
        assert!(disk.0.lock().expect("one thread").bytes.is_empty());
    }

    /// Three groups of settings, and where each group begins.
    fn three_groups() -> (Vec<u8>, Vec<usize>) {
        let disk = disk(10_000);
        let mut segment = writer(&disk);
        let mut begins = Vec::new();
        for group in [&["a", "b"][..], &["c", "d", "e"], &["f", "g"]] {
            begins.push((segment.length() - HEADER_BYTES) as usize);
            let records: Vec<Record> = group.iter().map(|name| setting(name)).collect();
            segment.append(&records).expect("there is room");
        }
        let bytes = disk.0.lock().expect("one thread").bytes.clone();
        (bytes, begins)
    }

    proptest! {
        #[test]
        fn any_cut_leaves_a_whole_prefix(cut in 0usize..200) {
            let (bytes, _) = three_groups();
            let cut = cut.min(bytes.len());
            let all = ["a", "b", "c", "d", "e", "f", "g"];
            let left = names(&bytes[..cut]);
            prop_assert_eq!(&left[..], &all[..left.len()]);
            let frame = bytes.len() / all.len();
            prop_assert_eq!(left.len(), cut / frame);
        }

        #[test]
        fn a_flipped_bit_is_found_and_told_from_a_torn_end(
            place in 0usize..1_000,
            bit in 0u32..8,
        ) {
            let (mut bytes, begins) = three_groups();
            let place = place % bytes.len();
            bytes[place] ^= 1 << bit;
            let left = names(&bytes);
            let frame = bytes.len() / 7;
            prop_assert_eq!(left.len(), place / frame, "all before the flip, nothing after");
            let bad = left.len() * frame;
            let at = HEADER_BYTES + bad as u64;
            let later = find_frame(&bytes[bad + 1..], at + 1, Sought::FirstOfGroup);
            let expected = begins.iter().find(|&&begin| begin > bad);
            prop_assert_eq!(later, expected.map(|&begin| HEADER_BYTES + begin as u64));
        }
    }

    #[test]
    fn a_copy_of_a_frame_at_another_place_is_no_frame() {
        let (bytes, _) = three_groups();
        let frame = &bytes[..bytes.len() / 7];
        assert_eq!(
            find_frame(frame, HEADER_BYTES, Sought::Any),
            Some(HEADER_BYTES)
        );
        assert_eq!(find_frame(frame, HEADER_BYTES + 1, Sought::Any), None);
    }
}
