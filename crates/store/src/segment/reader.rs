//! Frame after frame of a segment: [`SegmentReader`].

use std::io::{self, Read};

use super::frame::{FIRST_OF_GROUP, FRAME_BYTES, HEADER_BYTES, MOST_RECORD_BYTES, checksum};

/// Bytes read from the file at a time.
const CHUNK: usize = 1 << 18;

/// A record as it stands in its segment.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Frame<'a> {
    /// Where it begins.
    pub(crate) offset: u64,
    /// What kind of record it is.
    pub(crate) kind: u8,
    /// Its fields.
    pub(crate) fields: &'a [u8],
}

/// What comes next in a segment.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// A record whose checksum is right.
    Frame(Frame<'a>),
    /// The end of the segment, right after a record.
    End,
    /// Bytes that are no record.
    Bad {
        /// Where they begin.
        offset: u64,
        /// What is wrong with them.
        what: &'static str,
    },
}

/// Reads frames one after the other, in bounded memory.
pub(crate) struct SegmentReader<R> {
    stream: R,
    buffer: Vec<u8>,
    /// Where the next frame begins in `buffer`.
    start: usize,
    /// Where the next frame begins in the segment.
    offset: u64,
    /// Bytes of the segment not in the buffer yet.
    left: u64,
}

impl<R: Read> SegmentReader<R> {
    /// Reads from a stream that stands at `offset` of a segment up to `end`.
    pub(crate) fn new(stream: R, offset: u64, end: u64) -> Self {
        debug_assert!(offset >= HEADER_BYTES);
        Self {
            stream,
            buffer: Vec::new(),
            start: 0,
            offset,
            left: end.saturating_sub(offset),
        }
    }

    /// The next frame. After [`Step::Bad`] or [`Step::End`] there is no other.
    pub(crate) fn next(&mut self) -> io::Result<Step<'_>> {
        let offset = self.offset;
        let bad = |what| Ok(Step::Bad { offset, what });
        self.fill(FRAME_BYTES)?;
        let there = self.buffer.len() - self.start;
        if there == 0 {
            return Ok(Step::End);
        }
        let Some((length, told)) = self.prefix() else {
            return bad("a record is cut short");
        };
        if length == 0 || length > MOST_RECORD_BYTES {
            return bad("a record has an impossible length");
        }
        let whole = FRAME_BYTES - 1 + length;
        self.fill(whole)?;
        let Some(body) = self
            .buffer
            .get(self.start + FRAME_BYTES - 1..self.start + whole)
        else {
            return bad("a record is cut short");
        };
        if checksum(offset, body) != told {
            return bad("a record's checksum does not match");
        }
        self.start += whole;
        self.offset += whole as u64;
        Ok(Step::Frame(Frame {
            offset,
            kind: body[0] & !FIRST_OF_GROUP,
            fields: &body[1..],
        }))
    }

    /// Where the next frame begins.
    pub(crate) const fn offset(&self) -> u64 {
        self.offset
    }

    /// Length and checksum of the next frame.
    fn prefix(&self) -> Option<(usize, u32)> {
        let rest = self.buffer.get(self.start..)?;
        let (length, rest) = rest.split_first_chunk()?;
        let (told, rest) = rest.split_first_chunk()?;
        (!rest.is_empty()).then(|| {
            let length = u32::from_le_bytes(*length) as usize;
            (length, u32::from_le_bytes(*told))
        })
    }

    /// Makes `count` bytes of the next frame stand in the buffer, or as many as
    /// there are.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        if self.buffer.len() - self.start >= count || self.left == 0 {
            return Ok(());
        }
        self.buffer.drain(..self.start);
        self.start = 0;
        let wanted = (count.max(CHUNK) - self.buffer.len()) as u64;
        let read = (&mut self.stream)
            .take(wanted.min(self.left))
            .read_to_end(&mut self.buffer)?;
        self.left -= read as u64;
        if (read as u64) < wanted {
            self.left = 0; // the file is shorter than it was
        }
        Ok(())
    }
}
