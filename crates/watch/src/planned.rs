//! A visit on its way: [`Planned`], [`Underway`] and [`Work`].

use std::pin::Pin;

use recrawl_engine::HostId;
use recrawl_fetch::{Answer, Failure, RobotsVerdict};
use recrawl_model::PageId;
use recrawl_store::PageRow;
use url::Url;

use crate::reading::Reading;
use crate::remote::Found;

/// A visit that waits for its host.
#[derive(Debug)]
pub(crate) struct Planned {
    pub(crate) page: PageId,
    pub(crate) url: Url,
    pub(crate) row: PageRow,
    /// The look before, if this is the second within seconds.
    pub(crate) first: Option<Box<FirstLook>>,
}

/// What the first of two looks saw; told when the second has been made.
#[derive(Debug)]
pub(crate) struct FirstLook {
    pub(crate) visit: u64,
    pub(crate) reading: Reading,
}

/// A visit that is paid for and made.
#[derive(Debug)]
pub(crate) struct Underway {
    pub(crate) visit: u64,
    pub(crate) host: HostId,
    pub(crate) planned: Planned,
}

/// Something that was waited for.
#[derive(Debug)]
pub(crate) enum Work {
    /// What robots.txt says of a page.
    Checked {
        /// The cycle that pays for the visit.
        cycle: u64,
        host: HostId,
        planned: Planned,
        verdict: RobotsVerdict,
    },
    /// What came back from a page.
    Fetched {
        underway: Box<Underway>,
        response: Result<Answer, Failure>,
    },
    /// What sitemaps and feeds name.
    Sources(Vec<Found>),
}

/// Work that goes on beside the loop.
pub(crate) type Task = Pin<Box<dyn Future<Output = Work> + Send>>;
