//! Changes that strike a whole site at once.

use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use recrawl_model::PageId;

use super::laws::unit;
use super::spec::Bursts;
use crate::Event;
use crate::world::Tick;

/// Adds the bursts of one cycle and puts each page's changes in order again.
/// `starts[i]` is the first page of site i; one more entry than sites.
pub(super) fn strike(
    bursts: Bursts,
    starts: &[usize],
    changes: &mut Vec<Event>,
    rng: &mut Pcg64Mcg,
) {
    let before = changes.len();
    for site in starts.windows(2) {
        let mut at = 0.0;
        loop {
            let gap: f64 = Exp1.sample(rng);
            at += gap / bursts.per_cycle;
            if at >= 1.0 {
                break;
            }
            for page in site[0]..site[1] {
                if bursts.strength >= 1.0 || unit(rng) < bursts.strength {
                    changes.push(Event {
                        page: PageId(page as u32),
                        at: Tick::at(at),
                    });
                }
            }
        }
    }
    if changes.len() > before {
        changes.sort_unstable_by_key(|change| (change.page, change.at));
    }
}
