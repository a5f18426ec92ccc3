//! What a sitemap says of the pages of a world.

use rand_pcg::Pcg64Mcg;
use recrawl_model::PageId;

use super::laws::unit;
use super::spec::Hints;
use crate::Event;
use crate::world::Tick;

/// Fills in the hints of a cycle after its changes: at the moment of a page's
/// last change, or at the cycle's end where there was none.
pub(super) fn say(
    hints: Hints,
    pages: usize,
    changes: &[Event],
    said: &mut Vec<Event>,
    rng: &mut Pcg64Mcg,
) {
    let mut last = vec![None; pages];
    for change in changes {
        last[change.page.index()] = Some(change.at);
    }
    said.clear();
    for (page, change) in last.into_iter().enumerate() {
        let chance = match change {
            Some(_) => hints.of_changed,
            None => hints.of_unchanged,
        };
        if unit(rng) < chance {
            said.push(Event {
                page: PageId(page as u32),
                at: change.unwrap_or(Tick(u32::MAX)),
            });
        }
    }
}
