//! A version as it is written: [`Stored`].

use std::io;

use recrawl_model::{PageId, Timestamp};

use crate::Version;
use crate::fields::{Fields, Malformed, PutFields};

/// Bytes before each version: length and checksum.
pub(super) const FRAME_BYTES: usize = 8;

/// zstd's fast level. On pages of 20 KB of text it comes within a twentieth of
/// the size of level 3, in two thirds of its time.
const LEVEL: i32 = 1;

/// How the body of a version is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    /// As it came: most versions are soon replaced, and packing one costs more
    /// than fetching it.
    AsItCame = 0,
    /// In zstd: those that stayed.
    Packed = 1,
}

/// A version without its body unpacked.
pub(super) struct Stored<'a> {
    pub(super) page: PageId,
    pub(super) form: Form,
    pub(super) at: Timestamp,
    pub(super) content_type: Option<&'a str>,
    pub(super) body: &'a [u8],
}

impl<'a> Stored<'a> {
    /// The frame and all fields but the body, which ends them.
    pub(super) fn head(&self) -> Vec<u8> {
        let mut head = Vec::with_capacity(64);
        head.put_u64(0); // length and checksum, known below
        head.put_u32(self.page.0);
        head.put_u8(self.form as u8);
        head.put_time(self.at);
        head.put_optional_text(self.content_type);
        let fields = &head[FRAME_BYTES..];
        let length = (fields.len() + self.body.len()) as u32;
        let mut sum = crc32fast::Hasher::new();
        sum.update(fields);
        sum.update(self.body);
        let sum = sum.finalize();
        head[..4].copy_from_slice(&length.to_le_bytes());
        head[4..FRAME_BYTES].copy_from_slice(&sum.to_le_bytes());
        head
    }

    pub(super) fn decode(bytes: &'a [u8]) -> Result<Self, Malformed> {
        let mut fields = Fields(bytes);
        Ok(Self {
            page: PageId(fields.u32("page")?),
            form: match fields.u8("form")? {
                0 => Form::AsItCame,
                1 => Form::Packed,
                _ => return Err(Malformed::Value("form")),
            },
            at: fields.time("at")?,
            content_type: fields.optional_text("content type")?,
            body: fields.0,
        })
    }

    /// The version it is.
    pub(super) fn unpack(&self) -> Option<Version> {
        let body = match self.form {
            Form::AsItCame => self.body.to_vec(),
            Form::Packed => zstd::decode_all(self.body).ok()?,
        };
        Some(Version {
            at: self.at,
            content_type: self.content_type.map(str::to_owned),
            body,
        })
    }
}

/// A body in zstd.
pub(super) fn pack(body: &[u8]) -> io::Result<Vec<u8>> {
    zstd::bulk::compress(body, LEVEL)
}

/// What a frame holds, if it is whole.
pub(super) fn payload_of(bytes: &[u8]) -> Option<&[u8]> {
    let (length, rest) = bytes.split_first_chunk()?;
    let (sum, payload) = rest.split_first_chunk()?;
    let whole = payload.len() == u32::from_le_bytes(*length) as usize
        && crc32fast::hash(payload) == u32::from_le_bytes(*sum);
    whole.then_some(payload)
}
