//! What a server says: [`Reply`].

use std::time::Duration;

use bytes::Bytes;

/// One reply: a head, then a body, written as they stand.
#[derive(Clone, Debug)]
pub struct Reply {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: Body,
    pub(crate) framing: Framing,
}

/// The bytes after the head.
#[derive(Clone, Debug)]
pub(crate) enum Body {
    /// All at once.
    Whole(Bytes),
    /// `before`, then one piece again and again, `times` times or for ever.
    Repeated {
        before: Bytes,
        piece: Bytes,
        times: Option<u64>,
        pause: Duration,
    },
}

/// How the head announces the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Its true length; the connection stays open.
    Length,
    /// Nothing but what the headers say; the connection closes after it.
    Close,
    /// The head is left unfinished: the body goes on with headers.
    InHead,
}

impl Reply {
    /// A 200 with this body as HTML.
    #[must_use]
    pub fn page(body: impl Into<Bytes>) -> Self {
        let mut reply = Self::status(200).header("Content-Type", "text/html; charset=utf-8");
        reply.body = Body::Whole(body.into());
        reply
    }

    /// A status without a body.
    #[must_use]
    pub fn status(status: u16) -> Self {
        Self {
            status,
            headers: Vec::new(),
            body: Body::Whole(Bytes::new()),
            framing: Framing::Length,
        }
    }

    /// A 302 to this place.
    #[must_use]
    pub fn redirect(to: &str) -> Self {
        Self::status(302).header("Location", to)
    }

    /// With one more header.
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// With another status.
    #[must_use]
    pub fn with_status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    /// With the connection closed after the body.
    #[must_use]
    pub fn closing(mut self) -> Self {
        self.framing = Framing::Close;
        self
    }

    /// The head as sent.
    pub(crate) fn head(&self) -> Vec<u8> {
        let mut head = format!("HTTP/1.1 {} Scripted\r\n", self.status);
        for (name, value) in &self.headers {
            head.extend([name, ": ", value, "\r\n"]);
        }
        match (self.framing, &self.body) {
            (Framing::InHead, _) => return head.into_bytes(),
            (Framing::Length, Body::Whole(body)) if self.has_body() => {
                let length = body.len().to_string();
                head.extend(["Content-Length: ", &length, "\r\n"]);
            }
            (Framing::Length, _) => {}
            (Framing::Close, _) => head.push_str("Connection: close\r\n"),
        }
        head.push_str("\r\n");
        head.into_bytes()
    }

    fn has_body(&self) -> bool {
        !matches!(self.status, 204 | 304)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_head_announces_the_length_unless_told_otherwise() {
        let text = |reply: Reply| String::from_utf8(reply.head()).expect("text");
        let plain = text(Reply::page("abc").header("ETag", "\"1\""));
        assert!(plain.starts_with("HTTP/1.1 200 Scripted\r\nContent-Type: text/html"));
        assert!(plain.ends_with("ETag: \"1\"\r\nContent-Length: 3\r\n\r\n"));
        assert_eq!(text(Reply::status(304)), "HTTP/1.1 304 Scripted\r\n\r\n");
        assert!(text(Reply::page("abc").closing()).ends_with("Connection: close\r\n\r\n"));
    }
}
