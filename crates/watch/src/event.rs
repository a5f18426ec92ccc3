//! What happens while watching: [`Event`].

use recrawl_model::{Cost, Outcome, PageId, Timestamp};
use serde::Serialize;

/// Something that happened. A visit is told after it is durable in the log.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
    /// A visit was made and is in the log.
    Visited(&'a Visited),
    /// A cycle begins or is taken up again.
    Cycle {
        /// Its number.
        number: u64,
        /// When it began.
        at: Timestamp,
        /// What it may spend.
        budget: Cost,
        /// What it has spent already.
        spent: Cost,
        /// Whether it is taken up again after a restart.
        resumed: bool,
    },
    /// Pages joined or left.
    Pages {
        /// New ones.
        added: usize,
        /// Known ones that are watched again.
        back: usize,
        /// Ones no longer named.
        paused: usize,
    },
    /// A host is left alone for longer than usual.
    HostHeld {
        /// The host.
        host: &'a str,
        /// Until when.
        until: Timestamp,
    },
    /// A page that robots.txt closes to us was not visited.
    Disallowed {
        /// The page.
        url: &'a str,
    },
    /// Something a person may want to know.
    Note(&'a str),
}

/// A visit.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Visited {
    /// Its number in the log.
    pub visit: u64,
    /// When the page was seen, RFC 3339.
    #[serde(serialize_with = "as_text")]
    pub time: Timestamp,
    /// The page's number in the store.
    #[serde(skip)]
    pub number: PageId,
    /// The page.
    pub page: String,
    /// Its site.
    pub site: String,
    /// What the visit taught.
    #[serde(serialize_with = "as_text")]
    pub outcome: Outcome,
    /// The HTTP status; 0 where there was no HTTP answer.
    pub status: u16,
    /// Why, where the outcome needs a word.
    pub reason: Option<String>,
    /// Bytes received.
    pub bytes: u32,
    /// Milliseconds it took.
    pub millis: u32,
    /// Where redirects led.
    pub location: Option<String>,
}

fn as_text<S: serde::Serializer>(
    value: &impl std::fmt::Display,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_str(value)
}

/// What a watch came to.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Totals {
    /// Visits made.
    pub visits: u64,
    /// First visits of pages.
    pub first: u64,
    /// Visits that saw a change.
    pub changed: u64,
    /// Visits that saw none.
    pub unchanged: u64,
    /// Visits that could not tell.
    pub unknown: u64,
    /// Second looks among them, to learn what differs by itself.
    pub second_looks: u64,
    /// Cycles begun.
    pub cycles: u64,
}

impl Totals {
    pub(crate) fn count(&mut self, outcome: Outcome) {
        self.visits += 1;
        match outcome {
            Outcome::First => self.first += 1,
            Outcome::Changed => self.changed += 1,
            Outcome::Unchanged => self.unchanged += 1,
            Outcome::Unknown => self.unknown += 1,
        }
    }
}
