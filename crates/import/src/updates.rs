//! Update histories: every update of every page is known.

use std::collections::BTreeMap;
use std::time::Duration;

use recrawl_histories::{Files, Grouping};
use recrawl_model::{Outcome, PageId, Timestamp, format_span};
use recrawl_simulate::PageLife;

use crate::found::{Found, Gather};
use crate::{ImportError, MOST_VISITS};

/// Reads update histories as if each page had been visited at its birth and at
/// every update; with a schedule, at its birth and then every so often, which
/// merges updates that come between two visits. A page is called by its site and
/// its path.
///
/// # Errors
/// [`ImportError`] names file, row and column.
pub fn read(files: &Files, every: Option<Duration>) -> Result<Found, ImportError> {
    let histories = recrawl_histories::read(files, &Grouping::Site)?;
    let names = recrawl_histories::names(files)?;
    let end = histories.span().map(|(_, end)| end);
    let mut gather = Gather::default();
    let mut visits = 0;
    // A path may live again after its page died, even at the same moment.
    let mut seen_of: BTreeMap<PageId, BTreeMap<Timestamp, Outcome>> = BTreeMap::new();
    for (number, name) in names.iter().enumerate() {
        let page = PageId(number as u32);
        let (life, updates) = (histories.life(page), histories.updates(page));
        let seen = match every {
            None => at_updates(life, updates),
            Some(every) => on_schedule(life, updates, every, end, &mut visits)?,
        };
        let page = gather.page(&format!("{}/{}", name.site, name.path));
        gather.set_site(page, &name.site);
        gather.set_weight(page, life.born, life.weight);
        seen_of.entry(page).or_default().extend(seen);
    }
    for (page, seen) in &seen_of {
        gather.push(*page, seen);
    }
    let note = match every {
        None => "pages were taken as visited at their birth and at every update: there are no \
                 unchanged visits; --schedule visits them regularly instead"
            .to_owned(),
        Some(every) => format!(
            "pages were taken as visited every {} from their birth on, {visits} visits in all",
            format_span(every)
        ),
    };
    gather.finish(vec![note])
}

fn at_updates(life: &PageLife, updates: &[Timestamp]) -> BTreeMap<Timestamp, Outcome> {
    let mut seen = BTreeMap::from([(life.born, Outcome::First)]);
    seen.extend(updates.iter().map(|&at| (at, Outcome::Changed)));
    seen
}

fn on_schedule(
    life: &PageLife,
    updates: &[Timestamp],
    every: Duration,
    end: Option<Timestamp>,
    visits: &mut usize,
) -> Result<BTreeMap<Timestamp, Outcome>, ImportError> {
    let ends = [life.died, life.watched_until, end];
    let end = ends.into_iter().flatten().min().unwrap_or(life.born);
    let mut seen = BTreeMap::new();
    let (mut at, mut next) = (life.born, 0);
    while at <= end {
        let passed = updates[next..].partition_point(|&update| update <= at);
        next += passed;
        let outcome = match (seen.is_empty(), passed) {
            (true, _) => Outcome::First,
            (false, 0) => Outcome::Unchanged,
            (false, _) => Outcome::Changed,
        };
        seen.insert(at, outcome);
        *visits += 1;
        if *visits > MOST_VISITS {
            return Err(ImportError::TooManyVisits {
                schedule: format_span(every),
                most: MOST_VISITS,
            });
        }
        at = at.after(every);
    }
    Ok(seen)
}
