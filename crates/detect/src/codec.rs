//! A [`Memory`] as bytes and back.
//!
//! ```text
//! version u8 = 2 | detector u64 | basis u8 | bytes u128
//! flags u8 (1: text, 2: main) | text u64? | main u64?
//! changed u8 | compared u8 | wait u8 | fruitless u8
//! n u8 | n x hash u32                                  blocks that went lately
//! count u16 | elements | checksum u32, of all before it (XXH3, low half)
//!
//! element: 0 | n u16 | n x hash u32                    blocks at rest
//!          1 | n u16 | n x hash u32                    new blocks
//!          2 | n u16 | n x item | seen                 a pattern
//!          3 | limit u16 | seen                        a gap
//! item:    0 | token u32     1: any     2: run
//! seen:    content u32 | blocks u16 | still u8
//! ```
//! Numbers are little-endian; `count` counts blocks and masks. In version 1, which
//! is read as well, a new block stood alone, with the tokens it has:
//! `1 | hash u32 | n u16 | n x token u16`.

use thiserror::Error;
use twox_hash::XxHash3_64;

use crate::Memory;
use crate::mask::{Element, Item, Pattern, Seen};
use crate::memory::{Basis, Gone, Looks};
use crate::page::{MAX_BLOCKS, MAX_TOKENS};

const VERSION: u8 = 2;

/// The oldest version that is read.
const OLDEST_VERSION: u8 = 1;

/// A memory never takes more bytes.
const MAX_BYTES: usize = 65_536;

/// Blocks, and a gap before, between and after them.
const MAX_ELEMENTS: usize = 2 * MAX_BLOCKS + 1;

/// Why bytes are no [`Memory`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MemoryError {
    /// Written by a later version of this crate.
    #[error("memory format {0} is newer than {VERSION}, the newest this program reads")]
    Newer(u8),
    /// Cut short, longer than it says, or not what was written.
    #[error("the memory of the page is damaged")]
    Damaged,
}

impl Memory {
    /// The memory as bytes that [`from_bytes`](Self::from_bytes) reads, at most
    /// 64 KiB.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        let bytes = self.encode();
        if bytes.len() <= MAX_BYTES {
            return bytes;
        }
        // Thousands of masks or new blocks: fingerprints of the whole remain,
        // and the next change of the page brings its blocks back.
        let mut bare = self.clone();
        bare.elements.clear();
        bare.encode()
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + 5 * self.elements.len());
        out.push(VERSION);
        out.extend(self.detector.to_le_bytes());
        out.push(self.basis as u8);
        out.extend(self.bytes.to_le_bytes());
        out.push(u8::from(self.text.is_some()) | u8::from(self.main.is_some()) << 1);
        for fingerprint in [self.text, self.main].into_iter().flatten() {
            out.extend(fingerprint.to_le_bytes());
        }
        let looks = self.looks;
        out.extend([looks.changed, looks.compared, looks.wait, looks.fruitless]);
        let gone = self.gone.hashes();
        out.push(gone.len() as u8);
        out.extend(gone.iter().flat_map(|hash| hash.to_le_bytes()));
        out.extend((self.elements.len() as u16).to_le_bytes());
        let mut rest = &self.elements[..];
        while let [first, others @ ..] = rest {
            if let Element::Plain { is_new, .. } = first {
                let is_like = |element: &&Element| is_plain(element, *is_new);
                let alike = rest.iter().take_while(is_like).count();
                write_blocks(&mut out, &rest[..alike], *is_new);
                rest = &rest[alike..];
            } else {
                write_mask(&mut out, first);
                rest = others;
            }
        }
        let checksum = XxHash3_64::oneshot(&out) as u32;
        out.extend(checksum.to_le_bytes());
        out
    }

    /// Reads what [`to_bytes`](Self::to_bytes) wrote.
    ///
    /// # Errors
    /// [`MemoryError`] for anything else; the page then has to be seen anew.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, MemoryError> {
        match bytes.first() {
            Some(&version) if version > VERSION => return Err(MemoryError::Newer(version)),
            Some(&(OLDEST_VERSION..=VERSION)) if bytes.len() <= MAX_BYTES => {}
            _ => return Err(MemoryError::Damaged),
        }
        let (content, checksum) = bytes.split_last_chunk::<4>().ok_or(MemoryError::Damaged)?;
        if (XxHash3_64::oneshot(content) as u32).to_le_bytes() != *checksum {
            return Err(MemoryError::Damaged);
        }
        let mut reader = Reader {
            rest: &content[1..],
            version: bytes[0],
        };
        let memory = reader.memory().ok_or(MemoryError::Damaged)?;
        if reader.rest.is_empty() {
            Ok(memory)
        } else {
            Err(MemoryError::Damaged)
        }
    }
}

fn is_plain(element: &Element, new: bool) -> bool {
    matches!(element, Element::Plain { is_new, .. } if *is_new == new)
}

fn write_blocks(out: &mut Vec<u8>, elements: &[Element], new: bool) {
    out.push(u8::from(new));
    out.extend((elements.len() as u16).to_le_bytes());
    for element in elements {
        if let Element::Plain { hash, .. } = element {
            out.extend(hash.to_le_bytes());
        }
    }
}

fn write_mask(out: &mut Vec<u8>, element: &Element) {
    match element {
        Element::Plain { .. } => {} // written with its neighbours
        Element::Pattern { pattern, seen } => {
            out.push(2);
            out.extend((pattern.items().len() as u16).to_le_bytes());
            for item in pattern.items() {
                match item {
                    Item::Token(token) => {
                        out.push(0);
                        out.extend(token.to_le_bytes());
                    }
                    Item::Any => out.push(1),
                    Item::Run => out.push(2),
                }
            }
            write_seen(out, *seen);
        }
        Element::Gap { limit, seen } => {
            out.push(3);
            out.extend(limit.to_le_bytes());
            write_seen(out, *seen);
        }
    }
}

fn write_seen(out: &mut Vec<u8>, seen: Seen) {
    out.extend(seen.content.to_le_bytes());
    out.extend(seen.blocks.to_le_bytes());
    out.push(seen.still);
}

/// What is left to read. Every method gives none where it is too little.
struct Reader<'a> {
    rest: &'a [u8],
    version: u8,
}

impl Reader<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (taken, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(*taken)
    }

    fn u8(&mut self) -> Option<u8> {
        self.take().map(|[byte]| byte)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn u32(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.take().map(u64::from_le_bytes)
    }

    fn memory(&mut self) -> Option<Memory> {
        let detector = self.u64()?;
        let basis = Basis::from_number(self.u8()?)?;
        let bytes = self.take().map(u128::from_le_bytes)?;
        let flags = self.u8().filter(|&flags| flags < 4)?;
        let text = if flags & 1 == 0 {
            None
        } else {
            Some(self.u64()?)
        };
        let main = if flags & 2 == 0 {
            None
        } else {
            Some(self.u64()?)
        };
        let [changed, compared, wait, fruitless] = self.take()?;
        let gone = usize::from(self.u8()?);
        if gone > Gone::MAX {
            return None;
        }
        let gone = (0..gone).map(|_| self.u32()).collect::<Option<_>>()?;
        let count = usize::from(self.u16()?);
        if count > MAX_ELEMENTS {
            return None;
        }
        let mut elements = Vec::with_capacity(count);
        while elements.len() < count {
            self.elements(&mut elements)?;
        }
        (elements.len() == count).then_some(Memory {
            detector,
            basis,
            bytes,
            text,
            main,
            looks: Looks {
                changed,
                compared: compared.min(8),
                wait,
                fruitless: fruitless.min(7),
            },
            gone: Gone::new(gone),
            elements,
        })
    }

    fn elements(&mut self, elements: &mut Vec<Element>) -> Option<()> {
        match self.u8()? {
            1 if self.version == 1 => {
                let hash = self.u32()?;
                let count = self.token_count()?;
                for _ in 0..count {
                    self.u16()?;
                }
                let is_new = count > 0;
                elements.push(Element::Plain { hash, is_new });
            }
            kind @ (0 | 1) => {
                let is_new = kind == 1;
                let count = self.u16().filter(|&count| count > 0)?;
                for _ in 0..count {
                    let hash = self.u32()?;
                    elements.push(Element::Plain { hash, is_new });
                }
            }
            2 => {
                let count = self.token_count()?;
                let items = (0..count).map(|_| self.item()).collect::<Option<_>>()?;
                elements.push(Element::Pattern {
                    pattern: Pattern::new(items)?,
                    seen: self.seen().filter(|seen| seen.blocks == 1)?,
                });
            }
            3 => elements.push(Element::Gap {
                limit: self.u16()?,
                seen: self.seen()?,
            }),
            _ => return None,
        }
        Some(())
    }

    /// One more than a block may have: a run may stand for nothing.
    fn token_count(&mut self) -> Option<usize> {
        let count = usize::from(self.u16()?);
        (count <= MAX_TOKENS + 1).then_some(count)
    }

    fn item(&mut self) -> Option<Item> {
        match self.u8()? {
            0 => Some(Item::Token(self.u32()?)),
            1 => Some(Item::Any),
            2 => Some(Item::Run),
            _ => None,
        }
    }

    fn seen(&mut self) -> Option<Seen> {
        Some(Seen {
            content: self.u32()?,
            blocks: self.u16()?,
            still: self.u8()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Body, Detector, Settings};

    #[test]
    fn version_1_with_the_tokens_of_new_blocks_is_read() {
        let detector = Detector::new(&Settings::default()).expect("defaults");
        let page = Body::new(b"one\ntwo words", Some("text/plain"));
        let memory = detector.first(&page).expect("a text");
        let written = memory.to_bytes();
        let elements = written.len() - 4 - (1 + 2 + 2 * 4); // one run of two blocks
        let mut old = written[..elements].to_vec();
        old[0] = 1;
        for (element, tokens) in memory.elements.iter().zip([&[7u16][..], &[8, 9]]) {
            old.push(1);
            old.extend(element.plain_hash().expect("a block").to_le_bytes());
            old.extend((tokens.len() as u16).to_le_bytes());
            old.extend(tokens.iter().flat_map(|token| token.to_le_bytes()));
        }
        let checksum = XxHash3_64::oneshot(&old) as u32;
        old.extend(checksum.to_le_bytes());
        assert_eq!(Memory::from_bytes(&old), Ok(memory));
    }
}
