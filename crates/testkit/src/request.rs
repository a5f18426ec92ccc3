//! What a client asked: [`Request`].

/// A request as it came over the wire.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// `GET` and the like.
    pub method: String,
    /// Path and query.
    pub path: String,
    /// Names and values in the order they were sent.
    pub headers: Vec<(String, String)>,
}

impl Request {
    /// The value of a header, by its name in any case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(key, _)| key.eq_ignore_ascii_case(name))?;
        Some(&found.1)
    }

    /// Reads the head of an HTTP/1 request, up to and without the empty line.
    pub(crate) fn parse(head: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(head);
        let mut lines = text.split("\r\n");
        let mut first = lines.next()?.split(' ');
        let (method, path) = (first.next()?.to_owned(), first.next()?.to_owned());
        let headers = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
            .collect();
        Some(Self {
            method,
            path,
            headers,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_read_from_its_bytes() {
        let head = b"GET /a?b=c HTTP/1.1\r\nHost: x\r\nIf-None-Match: W/\"1\"";
        let request = Request::parse(head).expect("a request");
        assert_eq!(
            (request.method.as_str(), request.path.as_str()),
            ("GET", "/a?b=c")
        );
        assert_eq!(request.header("if-none-match"), Some("W/\"1\""));
        assert_eq!(request.header("cookie"), None);
    }
}
