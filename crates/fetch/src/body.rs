//! Reading a body that may be hostile: bounded in bytes, whatever it was
//! compressed from.

use bytes::{Bytes, BytesMut};
use http_body_util::BodyExt;
use hyper::Response;
use hyper::body::Body as _;
use hyper::header::CONTENT_ENCODING;

use crate::Failure;
use crate::answer::str_of;
use crate::classify::body_failure;
use crate::client::Body;

/// Most bytes reserved on a server's word alone.
const MOST_RESERVED: usize = 1 << 20;

/// What happens to a body that goes beyond the limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Excess {
    /// It is a failure.
    Refused,
    /// The rest is left unread.
    Cut,
}

/// Reads a body of at most `limit` decompressed bytes.
pub(crate) async fn read(
    response: Response<Body>,
    limit: usize,
    excess: Excess,
) -> Result<Bytes, Failure> {
    // Decoders remove the header of what they decode; a header still there
    // names an encoding we did not ask for.
    if let Some(encoding) = str_of(response.headers(), &CONTENT_ENCODING)
        && !encoding.trim().is_empty()
        && !encoding.trim().eq_ignore_ascii_case("identity")
    {
        return Err(Failure::Encoding);
    }
    let mut coming = response.into_body();
    let announced = coming.size_hint().exact();
    if excess == Excess::Refused && announced.is_some_and(|length| length > limit as u64) {
        return Err(Failure::TooLarge { limit });
    }
    let mut body = Collected::new(announced, limit);
    while let Some(frame) = coming.frame().await {
        let frame = frame.map_err(|error| body_failure(&*error))?;
        let Ok(chunk) = frame.into_data() else {
            continue; // trailers
        };
        if body.length() + chunk.len() <= limit {
            body.push(chunk);
            continue;
        }
        if excess == Excess::Refused {
            return Err(Failure::TooLarge { limit });
        }
        body.push(chunk.slice(..limit - body.length()));
        break;
    }
    Ok(body.finish())
}

/// A body growing chunk by chunk; a body of one chunk is never copied.
struct Collected {
    first: Bytes,
    rest: BytesMut,
    reserve: usize,
}

impl Collected {
    fn new(announced: Option<u64>, limit: usize) -> Self {
        let announced = announced.map_or(0, |length| usize::try_from(length).unwrap_or(limit));
        Self {
            first: Bytes::new(),
            rest: BytesMut::new(),
            reserve: announced.min(limit).min(MOST_RESERVED),
        }
    }

    fn length(&self) -> usize {
        self.first.len() + self.rest.len()
    }

    fn push(&mut self, chunk: Bytes) {
        if self.rest.is_empty() {
            if self.first.is_empty() {
                self.first = chunk;
                return;
            }
            self.rest
                .reserve(self.reserve.max(self.first.len() + chunk.len()));
            self.rest
                .extend_from_slice(&std::mem::take(&mut self.first));
        }
        self.rest.extend_from_slice(&chunk);
    }

    fn finish(self) -> Bytes {
        if self.rest.is_empty() {
            self.first
        } else {
            self.rest.freeze()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_put_together_in_order() {
        for announced in [None, Some(3), Some(1_000_000_000_000)] {
            let mut body = Collected::new(announced, 100);
            for chunk in ["ab", "", "c", "def"] {
                body.push(Bytes::from_static(chunk.as_bytes()));
            }
            assert_eq!(body.length(), 6);
            assert_eq!(body.finish(), "abcdef");
        }
    }

    #[test]
    fn a_body_of_one_chunk_is_not_copied() {
        let chunk = Bytes::from_static(b"whole");
        let mut body = Collected::new(Some(5), 100);
        body.push(chunk.clone());
        assert_eq!(body.finish().as_ptr(), chunk.as_ptr());
    }
}
