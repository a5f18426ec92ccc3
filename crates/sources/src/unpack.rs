//! Gzip, told by its first bytes: [`unpack`].

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::SourceError;

/// What every gzip file begins with.
const GZIP: &[u8] = &[0x1f, 0x8b];

/// The bytes, decompressed if they are gzip. Never holds more than `limit`
/// bytes more.
pub(crate) fn unpack<'a>(
    bytes: &'a [u8],
    what: &'static str,
    limit: usize,
) -> Result<Cow<'a, [u8]>, SourceError> {
    let too_large = SourceError::TooLarge { what, limit };
    if !bytes.starts_with(GZIP) {
        return if bytes.len() > limit {
            Err(too_large)
        } else {
            Ok(Cow::Borrowed(bytes))
        };
    }
    let mut unpacked = Vec::new();
    MultiGzDecoder::new(bytes)
        .take(limit as u64 + 1)
        .read_to_end(&mut unpacked)
        .map_err(|error| SourceError::Compression(error.to_string()))?;
    if unpacked.len() > limit {
        return Err(too_large);
    }
    Ok(Cow::Owned(unpacked))
}

/// The first bytes, decompressed if they are gzip; whatever can be had.
pub(crate) fn unpack_beginning(bytes: &[u8], limit: usize) -> Cow<'_, [u8]> {
    if !bytes.starts_with(GZIP) {
        return Cow::Borrowed(&bytes[..bytes.len().min(limit)]);
    }
    let mut unpacked = Vec::new();
    let mut decoder = MultiGzDecoder::new(bytes).take(limit as u64);
    match decoder.read_to_end(&mut unpacked) {
        Ok(_) | Err(_) => Cow::Owned(unpacked), // damage further on does not matter here
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    fn pack(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder.write_all(bytes).expect("memory");
        encoder.finish().expect("memory")
    }

    #[test]
    fn what_was_packed_comes_back() {
        assert_eq!(
            unpack(&pack(b"hello"), "sitemap", 5).as_deref(),
            Ok(&b"hello"[..])
        );
        assert_eq!(unpack(b"hello", "sitemap", 5).as_deref(), Ok(&b"hello"[..]));
        assert_eq!(unpack_beginning(&pack(b"hello"), 3), &b"hel"[..]);
    }

    #[test]
    fn a_bomb_is_refused_at_the_limit() {
        let bomb = pack(&vec![0; 4 << 20]);
        assert!(bomb.len() < 8_192);
        let error = unpack(&bomb, "sitemap", 1 << 20).expect_err("too large");
        assert_eq!(
            error.to_string(),
            "more than 1048576 bytes: too large to be read as a sitemap"
        );
    }

    #[test]
    fn damage_is_an_error() {
        let mut packed = pack(b"hello, hello, hello");
        packed.truncate(packed.len() - 9);
        assert!(matches!(
            unpack(&packed, "feed", 100),
            Err(SourceError::Compression(_))
        ));
    }
}
