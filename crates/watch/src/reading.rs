//! What an answer says about a page: [`Reading`].

use bytes::Bytes;
use recrawl_detect::{Body, Detector, Memory};
use recrawl_engine::Answered;
use recrawl_fetch::{Answer, Failure};
use recrawl_model::{Outcome, Timestamp};
use recrawl_store::{Held, Note, PageRow, Standing};

/// A response read with what was held of the page. Pure: nothing is stored yet.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    /// When the answer was in.
    pub(crate) at: Timestamp,
    pub(crate) outcome: Outcome,
    pub(crate) last_modified: Option<Timestamp>,
    pub(crate) note: Note,
    /// What to hold from now on, if anything new.
    pub(crate) held: Option<Held>,
    /// The page's standing, if it is another one now.
    pub(crate) standing: Option<Standing>,
    /// The body, if it is worth keeping.
    pub(crate) version: Option<Content>,
    /// Whether a second fetch within seconds would tell noise from change.
    pub(crate) wants_second_look: bool,
    /// How the host behaved.
    pub(crate) answered: Answered,
}

/// The content of a page, shared with the answer it came with.
#[derive(Debug, Clone)]
pub(crate) struct Content {
    pub(crate) content_type: Option<String>,
    pub(crate) body: Bytes,
}

impl Reading {
    /// A visit that taught nothing.
    pub(crate) fn unknown(at: Timestamp, status: u16, reason: impl Into<String>) -> Self {
        Self {
            at,
            outcome: Outcome::Unknown,
            last_modified: None,
            note: Note {
                status,
                reason: reason.into(),
                bytes: 0,
                millis: 0,
            },
            held: None,
            standing: None,
            version: None,
            wants_second_look: false,
            answered: Answered::Well,
        }
    }

    /// Reads what came back from a visit of the page.
    pub(crate) fn of(
        detector: &Detector,
        row: &PageRow,
        response: Result<&Answer, &Failure>,
        at: Timestamp,
    ) -> Self {
        match response {
            Err(failure) => Self {
                answered: blame(failure),
                ..Self::unknown(at, 0, failure.to_string())
            },
            Ok(answer) => {
                let mut reading = Self::answer(detector, row, answer, at);
                let millis = answer.elapsed.as_millis();
                reading.note.millis = u32::try_from(millis).unwrap_or(u32::MAX);
                reading.note.bytes = u32::try_from(answer.body.len()).unwrap_or(u32::MAX);
                reading
            }
        }
    }

    fn answer(detector: &Detector, row: &PageRow, answer: &Answer, at: Timestamp) -> Self {
        match answer.status {
            200..=299 => Self::content(detector, row, answer, at),
            304 => Self::not_modified(row, answer, at),
            status @ (404 | 410) => Self {
                standing: (row.standing == Standing::Watched).then_some(Standing::Gone),
                ..Self::unknown(at, status, format!("gone: answered {status}"))
            },
            status @ (429 | 503) => {
                let wait = answer.retry_after.map(|after| after.until(at).since(at));
                Self {
                    answered: Answered::Busy(wait),
                    ..Self::unknown(at, status, format!("busy: answered {status}"))
                }
            }
            status => Self::unknown(at, status, format!("answered {status}")),
        }
    }

    /// 304: what is held is what is there, unless the page was dead in between.
    fn not_modified(row: &PageRow, answer: &Answer, at: Timestamp) -> Self {
        let Some(held) = &row.held else {
            return Self::unknown(at, 304, "answered 304 though nothing is held");
        };
        let born = row.standing == Standing::Gone;
        let (etag, last_modified) = answer.validators();
        // An answer without validators says nothing about those held.
        let etag = etag.or(held.etag.as_deref());
        let last_modified = last_modified.or(held.last_modified.as_deref());
        let refreshed =
            etag != held.etag.as_deref() || last_modified != held.last_modified.as_deref();
        Self {
            outcome: if born {
                Outcome::First
            } else {
                Outcome::Unchanged
            },
            last_modified: answer.modified,
            held: refreshed.then(|| Held {
                at,
                etag: etag.map(str::to_owned),
                last_modified: last_modified.map(str::to_owned),
                ..held.clone()
            }),
            standing: born.then_some(Standing::Watched),
            ..Self::unknown(at, 304, "")
        }
    }

    fn content(detector: &Detector, row: &PageRow, answer: &Answer, at: Timestamp) -> Self {
        let body = Body::new(&answer.body, answer.content_type.as_deref());
        let born = row.standing == Standing::Gone;
        let before = row.held.as_ref().filter(|_| !born);
        let before = before.and_then(|held| Memory::from_bytes(&held.memory).ok());
        let (outcome, memory, reason, second) = match &before {
            Some(memory) => {
                let finding = detector.compare(memory, &body);
                let second = finding.worth_a_second_look;
                (finding.outcome, finding.memory, finding.reason, second)
            }
            None => match detector.first(&body) {
                Ok(memory) => (Outcome::First, memory, None, false),
                Err(unreadable) => {
                    return Self::unknown(at, answer.status, unreadable.to_string());
                }
            },
        };
        let memory = memory.to_bytes();
        let (etag, last_modified) = answer.validators();
        let held = Held {
            at,
            etag: etag.map(str::to_owned),
            last_modified: last_modified.map(str::to_owned),
            location: (!answer.redirects.is_empty()).then(|| answer.url.to_string()),
            memory,
        };
        let news = outcome != Outcome::Unchanged || !same_but_time(row.held.as_ref(), &held);
        let keep = matches!(outcome, Outcome::First | Outcome::Changed);
        Self {
            outcome,
            last_modified: answer.modified,
            held: news.then_some(held),
            standing: born.then_some(Standing::Watched),
            version: keep.then(|| Content {
                content_type: answer.content_type.clone(),
                body: answer.body.clone(),
            }),
            wants_second_look: second,
            ..Self::unknown(at, answer.status, reason.unwrap_or_default())
        }
    }
}

/// Whether two responses would be held alike but for their times.
fn same_but_time(one: Option<&Held>, other: &Held) -> bool {
    one.is_some_and(|one| {
        one.etag == other.etag
            && one.last_modified == other.last_modified
            && one.location == other.location
            && one.memory == other.memory
    })
}

/// Whether the host is to blame for a failure, so that it is left alone for a
/// while, or only this page.
fn blame(failure: &Failure) -> Answered {
    match failure {
        Failure::Dns | Failure::Connect { .. } | Failure::Tls { .. } | Failure::Timeout => {
            Answered::Failed
        }
        _ => Answered::Well,
    }
}
