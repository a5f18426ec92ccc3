//! What a policy is: [`Policy`], the settings, and [`Planner`], the settings at
//! work.

use recrawl_model::{Explanation, Hint, Outcome, PageId, Rate, Timestamp};

use crate::{Collection, Desk};

/// A policy: settings with a name. Made by [`crate::parse`], called once by
/// the engine when a scheduler is built.
pub trait Policy: Send + Sync {
    /// The name in `--policy`.
    fn name(&self) -> &'static str;

    /// A planner with these settings that has planned nothing yet.
    fn planner(&self) -> Box<dyn Planner>;

    /// Whether it plans with what only a simulator knows.
    fn needs_truth(&self) -> bool {
        false
    }

    /// Bytes a page its planner keeps beside the collection.
    fn page_bytes(&self) -> usize {
        0
    }
}

/// A policy at work on one collection. The engine calls `begin` once a cycle,
/// then `next` and `learn` in turn until a batch stays empty.
pub trait Planner: Send {
    /// Starts a cycle.
    fn begin(&mut self, desk: &mut Desk<'_>);

    /// Asks for the next batch of visits; asks for none when done.
    fn next(&mut self, desk: &mut Desk<'_>);

    /// Hears what visits taught, before the summaries take it in.
    fn learn(&mut self, collection: &Collection, seen: &Seen<'_>);

    /// Hears what a source says of a page between visits. Most policies do not
    /// listen.
    fn hear(&mut self, _collection: &Collection, _page: PageId, _hint: Hint) {}

    /// Says what the page's claim to a visit at `now` is made from.
    fn explain(&self, collection: &Collection, page: PageId, now: Timestamp) -> Explanation;
}

/// Visits that came back together, in columns.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// When the pages were visited.
    pub at: Timestamp,
    /// The pages.
    pub pages: &'a [PageId],
    /// What each visit taught; as long as `pages`.
    pub outcomes: &'a [Outcome],
    /// What the source of the only page said of its last change.
    pub last_modified: Option<Timestamp>,
    /// Whether the visits were asked for in the cycle that runs.
    pub of_this_cycle: bool,
}

/// What only a simulator knows, for policies that bound the others. Live
/// drivers have none.
pub trait Truth {
    /// Whether a visit now would see a change.
    fn changed(&self, page: PageId) -> bool;

    /// How often the page really changes.
    fn rate(&self, page: PageId) -> Rate;
}
