//! What the log says, kept up to date: [`Board`].

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard};
use std::time::Duration;

use prometheus_client::metrics::histogram::{Histogram, exponential_buckets};
use recrawl_store::{Record, Store};
use recrawl_watch::{Clock, SystemClock};
use tokio::sync::watch;

use crate::ServeError;
use crate::events::{Events, Message, VISITS_TOLD, events};
use crate::view::View;

/// How often URLs of many pages are sorted again while pages join.
const SORT_EVERY: Duration = Duration::from_secs(10);

/// How long visits are counted before more are told one by one.
const TELL_EVERY: Duration = Duration::from_millis(250);

/// How long somebody who changed something waits to see it.
const SETTLE: Duration = Duration::from_secs(1);

/// Appends taken in before readers get their turn.
const TOGETHER: usize = 64;

/// What the log says, for a server to answer from.
pub struct Board {
    shared: Arc<Shared>,
    appended: Sender<Vec<Record>>,
}

/// What the keeper writes and the server reads.
pub(crate) struct Shared {
    view: RwLock<View>,
    pub(crate) events: Events,
    /// Seconds that fetches took since the process began.
    pub(crate) latency: Histogram,
    /// Appends sent to the keeper, and appends it has taken in.
    sent: AtomicU64,
    heard: watch::Sender<u64>,
}

impl Shared {
    /// Waits until all that was appended before is in the view.
    pub(crate) async fn settled(&self) {
        let sent = self.sent.load(Ordering::Acquire);
        let mut heard = self.heard.subscribe();
        let all = heard.wait_for(|&heard| heard >= sent);
        // A view that is behind for longer than this is told as it is.
        let _ = tokio::time::timeout(SETTLE, all).await;
    }

    /// The view, for a moment.
    pub(crate) fn view(&self) -> RwLockReadGuard<'_, View> {
        self.view.read().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Board {
    /// Reads the log of a store nobody appends to yet.
    ///
    /// # Errors
    /// [`ServeError::Store`] if it cannot be read, [`ServeError::Threads`].
    pub fn open(store: &impl Store) -> Result<Self, ServeError> {
        let mut view = View::default();
        store.replay(&mut |record| view.take_in(record))?;
        view.pages.sort();
        let shared = Arc::new(Shared {
            view: RwLock::new(view),
            events: events(),
            // 1 ms to about 33 s, the longest a visit takes by default.
            latency: Histogram::new(exponential_buckets(0.001, 2.0, 16)),
            sent: AtomicU64::new(0),
            heard: watch::channel(0).0,
        });
        let (appended, records) = mpsc::channel();
        let keeper = Keeper {
            shared: Arc::clone(&shared),
            sorted: Duration::ZERO,
            told: Duration::ZERO,
            visits: 0,
        };
        std::thread::Builder::new()
            .name("recrawl-board".to_owned())
            .spawn(move || keeper.run(&records))
            .map_err(ServeError::Threads)?;
        Ok(Self { shared, appended })
    }

    /// What the store is to tell of its appends, for
    /// [`Tapped`](recrawl_store::Tapped). It never waits.
    pub fn listener(&self) -> impl FnMut(&[Record]) + Send + 'static {
        let (appended, shared) = (self.appended.clone(), self.shared());
        move |records| {
            shared.sent.fetch_add(1, Ordering::AcqRel);
            // Without a keeper there is nobody to tell.
            let _ = appended.send(records.iter().map(without_held).collect());
        }
    }

    pub(crate) fn shared(&self) -> Arc<Shared> {
        Arc::clone(&self.shared)
    }
}

/// A record as the log tells it: what is held of a page stays with the store.
fn without_held(record: &Record) -> Record {
    match record {
        Record::Seen {
            visit,
            page,
            at,
            outcome,
            last_modified,
            note,
            ..
        } => Record::Seen {
            visit: *visit,
            page: *page,
            at: *at,
            outcome: *outcome,
            last_modified: *last_modified,
            note: note.clone(),
            held: None,
        },
        other => other.clone(),
    }
}

/// Takes in what is appended, on a thread of its own.
struct Keeper {
    shared: Arc<Shared>,
    sorted: Duration,
    /// When the count of visits told began.
    told: Duration,
    visits: usize,
}

impl Keeper {
    fn run(mut self, records: &Receiver<Vec<Record>>) {
        while let Ok(first) = records.recv() {
            let mut groups = vec![first];
            groups.extend(records.try_iter().take(TOGETHER));
            self.take_in(&groups);
            let count = groups.len() as u64;
            self.shared.heard.send_modify(|heard| *heard += count);
        }
    }

    fn take_in(&mut self, groups: &[Vec<Record>]) {
        let now = SystemClock.steady();
        let due = now.saturating_sub(self.sorted) >= SORT_EVERY;
        if now.saturating_sub(self.told) >= TELL_EVERY {
            (self.told, self.visits) = (now, 0);
        }
        let mut messages = Vec::new();
        let shared = Arc::clone(&self.shared);
        let heard = shared.events.receiver_count() > 0;
        {
            let mut view = shared.view.write().unwrap_or_else(PoisonError::into_inner);
            let (mut added, mut changed, mut skipped) = (0, 0, 0);
            for record in groups.iter().flatten() {
                let before = view.observations.len();
                view.take_in(record);
                let kept_one = view.observations.len() > before;
                match record {
                    Record::PageAdded { .. } => added += 1,
                    Record::PageSet { .. } => changed += 1,
                    Record::Seen { visit, note, .. } => {
                        if let Some(note) = note.as_ref().filter(|_| *visit > 0) {
                            self.shared.latency.observe(f64::from(note.millis) / 1e3);
                        }
                        self.visits += 1;
                        let told = self.visits <= VISITS_TOLD;
                        skipped += usize::from(!told);
                        let newest = view.recent.back();
                        if let Some((_, kept)) = newest.filter(|_| heard && told && kept_one) {
                            messages.push(Message::visit(&view, *visit, kept));
                        }
                    }
                    _ => messages.extend(Message::cycle(record).filter(|_| heard)),
                }
            }
            if view.wants_sorting(due) {
                view.pages.sort();
                self.sorted = now;
            }
            if added + changed > 0 {
                messages.push(Message::pages(added, changed));
            }
            if skipped > 0 {
                messages.push(Message::skipped(skipped));
            }
        }
        for message in messages {
            let _ = self.shared.events.send(message); // nobody looks on
        }
    }
}
