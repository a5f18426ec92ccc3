//! A stream of text cut into blocks at line ends: [`Blocks`].

use std::io::{self, Read};

use memchr::memrchr;

use crate::ReadSettings;

/// Cuts a stream into blocks that end at a line end, so that each can be parsed
/// by itself. Only the last block may lack its line end.
pub(crate) struct Blocks<R> {
    stream: R,
    /// What was read after the last line end.
    rest: Vec<u8>,
    block_bytes: usize,
    longest_row: usize,
    done: bool,
}

/// Why there is no next block.
#[derive(Debug)]
pub(crate) enum BlockError {
    /// The system could not read on.
    Io(io::Error),
    /// No line end within the longest row allowed.
    NoLineEnd,
}

impl<R: Read> Blocks<R> {
    /// The blocks of `stream`, of `settings.block_bytes` or a little more each.
    pub(crate) fn new(stream: R, settings: &ReadSettings) -> Self {
        Self {
            stream,
            rest: Vec::new(),
            block_bytes: settings.block_bytes.max(1),
            longest_row: settings.longest_row,
            done: false,
        }
    }

    /// The next block, written into `buffer`, or `None` at the end.
    pub(crate) fn next(&mut self, mut buffer: Vec<u8>) -> Result<Option<Vec<u8>>, BlockError> {
        buffer.clear();
        buffer.append(&mut self.rest);
        while !self.done {
            let read_before = buffer.len();
            let mut piece = self.stream.by_ref().take(self.block_bytes as u64);
            buffer.reserve(self.block_bytes);
            let count = piece.read_to_end(&mut buffer).map_err(BlockError::Io)?;
            if count < self.block_bytes {
                self.done = true;
            } else if let Some(end) = memrchr(b'\n', &buffer[read_before..]) {
                let cut = read_before + end + 1;
                self.rest.extend_from_slice(&buffer[cut..]);
                buffer.truncate(cut);
                return Ok(Some(buffer));
            }
            if buffer.len() > self.longest_row && !buffer.contains(&b'\n') {
                return Err(BlockError::NoLineEnd);
            }
        }
        Ok((!buffer.is_empty()).then_some(buffer))
    }

    /// The next `count` blocks, fewer at the end, written into `buffers`.
    pub(crate) fn round(
        &mut self,
        count: usize,
        mut buffers: Vec<Vec<u8>>,
    ) -> Result<Vec<Vec<u8>>, BlockError> {
        let mut round = Vec::new();
        while round.len() < count {
            match self.next(buffers.pop().unwrap_or_default())? {
                Some(block) => round.push(block),
                None => break,
            }
        }
        Ok(round)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str, block_bytes: usize) -> Vec<String> {
        let settings = ReadSettings {
            block_bytes,
            ..ReadSettings::default()
        };
        let mut blocks = Blocks::new(text.as_bytes(), &settings);
        let round = blocks
            .round(usize::MAX, Vec::new())
            .expect("memory never fails");
        round
            .into_iter()
            .map(|block| String::from_utf8(block).expect("cut at line ends"))
            .collect()
    }

    #[test]
    fn blocks_end_at_line_ends_and_lose_nothing() {
        let text = "ab\ncdefgh\n\nij\nkl";
        for block_bytes in 1..20 {
            let blocks = cut(text, block_bytes);
            assert_eq!(blocks.concat(), text, "blocks of {block_bytes}");
            for block in &blocks[..blocks.len() - 1] {
                assert!(block.ends_with('\n'), "blocks of {block_bytes}: {block:?}");
            }
        }
        assert_eq!(cut(text, 4), ["ab\n", "cdefgh\n\n", "ij\n", "kl"]);
    }

    #[test]
    fn an_empty_stream_has_no_blocks() {
        assert!(cut("", 8).is_empty());
    }

    #[test]
    fn a_stream_without_line_ends_is_given_up() {
        let settings = ReadSettings {
            block_bytes: 4,
            longest_row: 10,
            ..ReadSettings::default()
        };
        let mut blocks = Blocks::new(&b"0123456789012345"[..], &settings);
        assert!(matches!(
            blocks.next(Vec::new()),
            Err(BlockError::NoLineEnd)
        ));
    }
}
