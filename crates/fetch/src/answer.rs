//! What came back: [`Answer`].

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use bytes::Bytes;
use hyper::header::{CONTENT_TYPE, DATE, ETAG, HeaderMap, HeaderName, LAST_MODIFIED, RETRY_AFTER};
use recrawl_model::Timestamp;
use url::Url;

/// A complete answer to an [`Ask`](crate::Ask).
#[derive(Clone, Debug)]
pub struct Answer {
    /// The status code of the last hop.
    pub status: u16,
    /// The address that answered, after all redirects.
    pub url: Url,
    /// The redirects followed, in order.
    pub redirects: Vec<Hop>,
    /// The entity tag as received.
    pub etag: Option<String>,
    /// `Last-Modified` as received, sensible or not.
    pub last_modified: Option<String>,
    /// `Last-Modified` as a moment, where it is an HTTP date; it may lie in the future.
    pub modified: Option<Timestamp>,
    /// The server's clock.
    pub date: Option<Timestamp>,
    /// `Content-Type` as received.
    pub content_type: Option<String>,
    /// How long the server asks us to stay away.
    pub retry_after: Option<RetryAfter>,
    /// The decompressed body; empty for other than 2xx answers.
    pub body: Bytes,
    /// Time from the first request to the last byte, permits excluded.
    pub elapsed: Duration,
}

/// One redirect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hop {
    /// Its status: 301, 302, 303, 307 or 308.
    pub status: u16,
    /// Where it led.
    pub to: Url,
}

/// When a server wants to be asked again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RetryAfter {
    /// This many seconds after the answer.
    Seconds(u64),
    /// Not before this moment.
    At(Timestamp),
}

impl RetryAfter {
    /// The moment meant, for an answer that came at `now`; never before it.
    #[must_use]
    pub fn until(self, now: Timestamp) -> Timestamp {
        match self {
            Self::Seconds(seconds) => now.after(Duration::from_secs(seconds)),
            Self::At(moment) => moment.max(now),
        }
    }

    fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()) {
            // A number too long to hold means "for ever", not "at once".
            return Some(Self::Seconds(text.parse().unwrap_or(u64::MAX)));
        }
        parse_date(text).map(Self::At)
    }
}

impl Answer {
    /// The validators worth sending with the next request for the same page:
    /// entity tag and `Last-Modified`.
    ///
    /// After a redirect the date is left out: should the page answer for itself
    /// one day, "not modified since" another page's date would hide its content.
    #[must_use]
    pub fn validators(&self) -> (Option<&str>, Option<&str>) {
        let own_date = self.last_modified.as_deref();
        let own_date = own_date.filter(|_| self.redirects.is_empty());
        (self.etag.as_deref(), own_date)
    }

    /// An answer of which only the headers are in.
    pub(crate) fn from_headers(status: u16, url: Url, headers: &HeaderMap) -> Self {
        let last_modified = text(headers, &LAST_MODIFIED);
        Self {
            status,
            url,
            redirects: Vec::new(),
            etag: text(headers, &ETAG),
            modified: last_modified.as_deref().and_then(parse_date),
            last_modified,
            date: str_of(headers, &DATE).and_then(parse_date),
            content_type: text(headers, &CONTENT_TYPE),
            retry_after: str_of(headers, &RETRY_AFTER).and_then(RetryAfter::parse),
            body: Bytes::new(),
            elapsed: Duration::ZERO,
        }
    }
}

/// A header's value where it is text.
pub(crate) fn str_of<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    str::from_utf8(headers.get(name)?.as_bytes()).ok()
}

fn text(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    str_of(headers, name).map(str::to_owned)
}

/// The three date forms of RFC 9110, section 5.6.7.
fn parse_date(text: &str) -> Option<Timestamp> {
    let moment: SystemTime = httpdate::parse_http_date(text.trim()).ok()?;
    let seconds = moment.duration_since(UNIX_EPOCH).ok()?.as_secs();
    Some(Timestamp::from_seconds(i64::try_from(seconds).ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn answer(headers: &[(HeaderName, &'static str)]) -> Answer {
        let headers = headers
            .iter()
            .map(|(name, value)| (name.clone(), HeaderValue::from_static(value)))
            .collect();
        let url = Url::parse("http://a.example/").expect("a URL");
        Answer::from_headers(200, url, &headers)
    }

    #[test]
    fn the_three_forms_of_a_date_name_one_moment() {
        // RFC 9110, section 5.6.7, with its own example.
        let expected = Some(Timestamp::from_seconds(784_111_777));
        for text in [
            "Sun, 06 Nov 1994 08:49:37 GMT",
            "Sunday, 06-Nov-94 08:49:37 GMT",
            "Sun Nov  6 08:49:37 1994",
        ] {
            assert_eq!(parse_date(text), expected, "{text}");
        }
    }

    #[test]
    fn a_nonsense_date_is_kept_as_text_and_read_as_nothing() {
        let answer = answer(&[(LAST_MODIFIED, "yesterday, around noon")]);
        assert_eq!(
            answer.last_modified.as_deref(),
            Some("yesterday, around noon")
        );
        assert_eq!(answer.modified, None);
    }

    #[test]
    fn retry_after_is_seconds_or_a_date() {
        let now = Timestamp::from_seconds(1_000);
        let asks = |text| answer(&[(RETRY_AFTER, text)]).retry_after;
        assert_eq!(asks("120"), Some(RetryAfter::Seconds(120)));
        let date = asks("Thu, 01 Jan 1970 00:20:00 GMT");
        assert_eq!(date.map(|at| at.until(now).micros()), Some(1_200_000_000));
        assert_eq!(
            asks("Thu, 01 Jan 1970 00:00:01 GMT").map(|at| at.until(now)),
            Some(now)
        );
        assert_eq!(asks("soon"), None);
        assert_eq!(asks("-5"), None);
        let endless = asks("99999999999999999999999").map(|at| at.until(now));
        assert!(endless.is_some_and(|until| until.days_since(now) > 1e6));
    }

    #[test]
    fn after_a_redirect_the_date_is_no_validator() {
        let mut answer = answer(&[
            (ETAG, "W/\"7\""),
            (LAST_MODIFIED, "Sun, 06 Nov 1994 08:49:37 GMT"),
        ]);
        assert_eq!(
            answer.validators(),
            (Some("W/\"7\""), Some("Sun, 06 Nov 1994 08:49:37 GMT"))
        );
        let to = answer.url.clone();
        answer.redirects.push(Hop { status: 301, to });
        assert_eq!(answer.validators(), (Some("W/\"7\""), None));
    }
}
