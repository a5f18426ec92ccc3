//! What is told to those who look on: [`Message`].

use std::sync::Arc;

use recrawl_store::Record;
use serde_json::json;
use tokio::sync::broadcast;

use crate::api::VisitRecord;
use crate::view::{Kept, View};

/// Messages a slow reader may be behind.
const BEHIND: usize = 1_024;

/// Visits told one by one in a quarter of a second; more are only counted.
pub(crate) const VISITS_TOLD: usize = 25;

/// Something that happened, as it goes to a browser.
#[derive(Debug)]
pub(crate) struct Message {
    pub(crate) event: &'static str,
    pub(crate) data: String,
}

/// Where messages go.
pub(crate) type Events = broadcast::Sender<Arc<Message>>;

pub(crate) fn events() -> Events {
    broadcast::channel(BEHIND).0
}

impl Message {
    fn new(event: &'static str, data: &impl serde::Serialize) -> Arc<Self> {
        let data = serde_json::to_string(data).unwrap_or_default();
        Arc::new(Self { event, data })
    }

    /// A visit.
    pub(crate) fn visit(view: &View, visit: u64, kept: &Kept) -> Arc<Self> {
        Self::new("visit", &VisitRecord::new(view, visit, kept))
    }

    /// Visits that were made and are not told one by one.
    pub(crate) fn skipped(visits: usize) -> Arc<Self> {
        Self::new("skipped", &json!({ "visits": visits }))
    }

    /// Pages that joined or changed their standing.
    pub(crate) fn pages(added: usize, changed: usize) -> Arc<Self> {
        Self::new("pages", &json!({ "added": added, "changed": changed }))
    }

    /// A cycle, if the record begins one.
    pub(crate) fn cycle(record: &Record) -> Option<Arc<Self>> {
        let Record::CycleBegun {
            number, at, budget, ..
        } = record
        else {
            return None;
        };
        let budget = budget.in_downloads();
        let data =
            json!({ "number": number, "began": at.to_string(), "budget": budget, "spent": 0 });
        Some(Self::new("cycle", &data))
    }
}
