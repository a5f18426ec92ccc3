//! Numbers and texts as bytes, little-endian.

use recrawl_model::{Timestamp, Weight};
use thiserror::Error;

/// Bytes that are not what their kind of record has.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub(crate) enum Malformed {
    /// They end too early.
    #[error("it ends within {0}")]
    Short(&'static str),
    /// They go on after the last field.
    #[error("{0} bytes follow its last field")]
    Long(usize),
    /// A value nobody writes.
    #[error("{0} has no such value")]
    Value(&'static str),
}

/// Appends fields to bytes.
pub(crate) trait PutFields {
    fn put_u8(&mut self, value: u8);
    fn put_u16(&mut self, value: u16);
    fn put_u32(&mut self, value: u32);
    fn put_u64(&mut self, value: u64);
    fn put_time(&mut self, value: Timestamp);
    fn put_weight(&mut self, value: Weight);
    /// A length of four bytes, then the bytes.
    fn put_bytes(&mut self, value: &[u8]);
    /// 0, or 1 and the text.
    fn put_optional_text(&mut self, value: Option<&str>);
}

impl PutFields for Vec<u8> {
    fn put_u8(&mut self, value: u8) {
        self.push(value);
    }

    fn put_u16(&mut self, value: u16) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_u32(&mut self, value: u32) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_u64(&mut self, value: u64) {
        self.extend_from_slice(&value.to_le_bytes());
    }

    fn put_time(&mut self, value: Timestamp) {
        self.extend_from_slice(&value.micros().to_le_bytes());
    }

    fn put_weight(&mut self, value: Weight) {
        // A weight is kept in 32 bits, so nothing is lost.
        self.extend_from_slice(&(value.get() as f32).to_le_bytes());
    }

    fn put_bytes(&mut self, value: &[u8]) {
        self.put_u32(u32::try_from(value.len()).unwrap_or(u32::MAX));
        self.extend_from_slice(value);
    }

    fn put_optional_text(&mut self, value: Option<&str>) {
        self.put_u8(u8::from(value.is_some()));
        if let Some(text) = value {
            self.put_bytes(text.as_bytes());
        }
    }
}

/// Takes fields from the front of bytes.
pub(crate) struct Fields<'a>(pub(crate) &'a [u8]);

impl<'a> Fields<'a> {
    pub(crate) fn take(&mut self, count: usize, what: &'static str) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(Malformed::Short(what))?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self, what: &'static str) -> Result<[u8; N], Malformed> {
        let (taken, rest) = self.0.split_first_chunk().ok_or(Malformed::Short(what))?;
        self.0 = rest;
        Ok(*taken)
    }

    pub(crate) fn u8(&mut self, what: &'static str) -> Result<u8, Malformed> {
        Ok(u8::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u16(&mut self, what: &'static str) -> Result<u16, Malformed> {
        Ok(u16::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u32(&mut self, what: &'static str) -> Result<u32, Malformed> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn u64(&mut self, what: &'static str) -> Result<u64, Malformed> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    pub(crate) fn time(&mut self, what: &'static str) -> Result<Timestamp, Malformed> {
        let micros = i64::from_le_bytes(self.array(what)?);
        Ok(Timestamp::from_micros(micros))
    }

    pub(crate) fn weight(&mut self) -> Result<Weight, Malformed> {
        let number = f32::from_le_bytes(self.array("weight")?);
        Weight::new(f64::from(number)).map_err(|_| Malformed::Value("weight"))
    }

    pub(crate) fn bytes(&mut self, what: &'static str) -> Result<&'a [u8], Malformed> {
        let count = self.u32(what)? as usize;
        self.take(count, what)
    }

    pub(crate) fn text(&mut self, what: &'static str) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.bytes(what)?).map_err(|_| Malformed::Value(what))
    }

    pub(crate) fn optional_text(
        &mut self,
        what: &'static str,
    ) -> Result<Option<&'a str>, Malformed> {
        match self.u8(what)? {
            0 => Ok(None),
            1 => self.text(what).map(Some),
            _ => Err(Malformed::Value(what)),
        }
    }

    /// Refuses bytes left over.
    pub(crate) fn end(&self) -> Result<(), Malformed> {
        match self.0.len() {
            0 => Ok(()),
            left => Err(Malformed::Long(left)),
        }
    }
}
