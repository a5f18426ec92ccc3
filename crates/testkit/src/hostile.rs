//! Replies no honest server gives.

use std::io::Write;
use std::time::Duration;

use bytes::Bytes;
use flate2::write::GzEncoder;
use flate2::{Compress, Compression, FlushCompress};

use crate::Reply;
use crate::reply::{Body, Framing};

/// Bytes each unit of [`Reply::gzip_bomb`] decompresses to, from about a thousandth.
pub const GZIP_BOMB_UNIT: usize = 1 << 20;

impl Reply {
    /// A page that never ends.
    #[must_use]
    pub fn endless_body() -> Self {
        Self::repeated("", vec![b'x'; 64 << 10], None)
    }

    /// A page of a thousand bytes, one every so often.
    #[must_use]
    pub fn dripping(pause: Duration) -> Self {
        let mut reply = Self::repeated("", "x", Some(1000)).header("Content-Length", "1000");
        if let Body::Repeated { pause: place, .. } = &mut reply.body {
            *place = pause;
        }
        reply
    }

    /// A page that stops after its first bytes, with the connection kept open.
    #[must_use]
    pub fn stalling() -> Self {
        let mut reply = Self::dripping(Duration::from_secs(3600));
        if let Body::Repeated { before, .. } = &mut reply.body {
            *before = Bytes::from_static(b"<p>be right back");
        }
        reply
    }

    /// Gzip that never ends and unpacks to a thousand times itself.
    #[must_use]
    pub fn gzip_bomb() -> Self {
        // Ten bytes of header, as RFC 1952 has them for a file without a name.
        let header = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        let reply = Self::repeated(header, zero_block(), None);
        reply.header("Content-Encoding", "gzip")
    }

    /// This text in gzip, of which the last half is missing.
    #[must_use]
    pub fn half_of_gzip(text: &str) -> Self {
        let mut whole = gzip(text.as_bytes());
        whole.truncate(whole.len() / 2);
        Self::page(whole).header("Content-Encoding", "gzip")
    }

    /// This text in gzip.
    #[must_use]
    pub fn gzipped(text: &str) -> Self {
        Self::page(gzip(text.as_bytes())).header("Content-Encoding", "gzip")
    }

    /// Short headers without end.
    #[must_use]
    pub fn header_flood() -> Self {
        let mut reply = Self::repeated("", "X-Flood: 1\r\n".repeat(1000), None);
        reply.framing = Framing::InHead;
        reply
    }

    /// One header without end.
    #[must_use]
    pub fn endless_header() -> Self {
        let mut reply = Self::repeated("X-Flood: ", vec![b'x'; 64 << 10], None);
        reply.framing = Framing::InHead;
        reply
    }

    /// A page that announces more than it sends, then closes.
    #[must_use]
    pub fn shorter_than_announced() -> Self {
        Self::page("<p>that was all")
            .closing()
            .header("Content-Length", "5000")
    }

    /// A chunked page that closes in the middle of a chunk.
    #[must_use]
    pub fn closing_mid_chunk() -> Self {
        let reply = Self::page("400\r\n<p>and then").closing();
        reply.header("Transfer-Encoding", "chunked")
    }

    /// Bytes that are no UTF-8.
    #[must_use]
    pub fn invalid_utf8() -> Self {
        Self::page(&b"<p>caf\xe9 \xff\xfe\xc3\x28 \xf0\x28\x8c\xbc</p>"[..])
    }

    /// Something that is not HTTP.
    #[must_use]
    pub fn gibberish() -> Self {
        let mut reply = Self::repeated("", "\0\u{1}\u{2}", Some(100));
        reply.framing = Framing::InHead;
        reply
    }

    /// A `robots.txt` that first closes `/private/`, then goes on for `bytes`
    /// bytes of the same rule.
    #[must_use]
    pub fn large_robots(bytes: u64) -> Self {
        let piece = "Disallow: /somewhere/else/altogether/\n".repeat(1000);
        let times = bytes / piece.len() as u64;
        let reply = Self::repeated("User-agent: *\nDisallow: /private/\n", piece, Some(times));
        reply.header("Content-Type", "text/plain")
    }

    fn repeated(before: impl Into<Bytes>, piece: impl Into<Bytes>, times: Option<u64>) -> Self {
        let mut reply = Self::status(200).closing();
        reply.body = Body::Repeated {
            before: before.into(),
            piece: piece.into(),
            times,
            pause: Duration::ZERO,
        };
        reply
    }
}

/// A stretch of deflate that unpacks to [`GZIP_BOMB_UNIT`] zeros and may be
/// followed by itself: flushed to a whole byte, without reference to what was before.
fn zero_block() -> Vec<u8> {
    let mut packed = Vec::with_capacity(GZIP_BOMB_UNIT);
    let mut compress = Compress::new(Compression::best(), false);
    let zeros = vec![0; GZIP_BOMB_UNIT];
    let done = compress.compress_vec(&zeros, &mut packed, FlushCompress::Full);
    assert!(done.is_ok(), "memory holds what zeros compress to");
    packed
}

fn gzip(text: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(text).and_then(|()| encoder.finish());
    written.unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Read;

    #[test]
    fn the_bomb_unpacks_to_a_thousand_times_itself() {
        let Body::Repeated { before, piece, .. } = Reply::gzip_bomb().body else {
            panic!("the bomb repeats");
        };
        assert!(piece.len() * 500 < GZIP_BOMB_UNIT);
        let packed = [&before[..], &piece, &piece].concat();
        let mut unpacked = vec![1; 2 * GZIP_BOMB_UNIT];
        let mut decoder = flate2::read::GzDecoder::new(&packed[..]);
        decoder.read_exact(&mut unpacked).expect("two units");
        assert!(unpacked.iter().all(|&byte| byte == 0));
    }
}
