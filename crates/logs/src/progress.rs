//! How far the reader is: [`Progress`].

use std::io::{self, Read};

/// Hears how many bytes of the files have been read, from the threads that read
/// them, about once a megabyte. [`crate::total_bytes`] says what they add up to.
pub trait Progress: Sync {
    /// `bytes` more of the files have been read.
    fn advance(&self, bytes: u64);
}

/// Tells nobody.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Progress for Silent {
    fn advance(&self, _bytes: u64) {}
}

/// A stream that reports what is read from it.
pub(crate) struct Counted<'a, R> {
    pub(crate) stream: R,
    pub(crate) progress: &'a dyn Progress,
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.progress.advance(count as u64);
        Ok(count)
    }
}
