//! The frame around each record, and the header before the first.

use crate::fields::{Fields, PutFields};

/// What every segment begins with.
const MAGIC: &[u8; 8] = b"rcrwlseg";

/// Bytes of the header: magic, format, segment number, checksum.
pub(crate) const HEADER_BYTES: u64 = 20;

/// Bytes before a record's fields: length, checksum, kind.
pub(crate) const FRAME_BYTES: usize = 9;

/// The longest record, kind and fields together. Pages are remembered by
/// hashes and short texts; what is longer than this is not meant to be here.
pub(crate) const MOST_RECORD_BYTES: usize = 16 << 20;

/// Set in the kind of the first record of a group appended together.
pub(crate) const FIRST_OF_GROUP: u8 = 0x80;

/// Where what is held of a page stands in a segment. Packed: one is kept for each
/// page seen since the checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(Rust, packed(4))]
pub(crate) struct HeldPlace {
    pub(crate) offset: u64,
    pub(crate) length: u32,
}

impl HeldPlace {
    /// The last bytes of a record that ends at `end`; `None` if there are none.
    pub(crate) const fn before(end: u64, length: u32) -> Option<Self> {
        if length == 0 {
            return None;
        }
        Some(Self {
            offset: end - length as u64,
            length,
        })
    }
}

/// The header of a segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Header {
    pub(crate) format: u32,
    pub(crate) segment: u32,
}

impl Header {
    pub(crate) fn encode(self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.put_u32(self.format);
        bytes.put_u32(self.segment);
        bytes.put_u32(crc32fast::hash(&bytes));
        bytes
    }

    /// The header these bytes are, or what is wrong with them.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, &'static str> {
        let short = |_| "the header is cut short";
        let mut fields = Fields(bytes);
        if fields.take(MAGIC.len(), "magic").map_err(short)? != MAGIC {
            return Err("it does not begin as a segment does");
        }
        let header = Self {
            format: fields.u32("format").map_err(short)?,
            segment: fields.u32("segment").map_err(short)?,
        };
        let told = fields.u32("checksum").map_err(short)?;
        if crc32fast::hash(&bytes[..bytes.len() - fields.0.len() - 4]) != told {
            return Err("the header's checksum does not match");
        }
        Ok(header)
    }
}

/// The checksum of a record: of its place in the segment, its length, its kind
/// and its fields. The place makes a copy of a frame elsewhere, as part of some
/// foreign text, no frame.
pub(crate) fn checksum(offset: u64, kind_and_fields: &[u8]) -> u32 {
    let mut place = [0; 12];
    place[..8].copy_from_slice(&offset.to_le_bytes());
    let length = u32::try_from(kind_and_fields.len()).unwrap_or(u32::MAX);
    place[8..].copy_from_slice(&length.to_le_bytes());
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&place);
    hasher.update(kind_and_fields);
    hasher.finalize()
}
