//! Which sites are worth a look for what it tells of their other pages.

use std::cmp::Ordering;

use recrawl_model::{PageId, SiteId};

use super::planner::BayesPlanner;
use crate::Desk;

/// Pages of a site that stand for all when a look is priced.
pub(super) const SAMPLE: usize = 50;

/// Most looks into one site at once; more come after what these tell.
const LOOKS: usize = 4;

/// A look that is worth more than it costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    surplus: f64,
    pub(super) page: PageId,
    pub(super) site: SiteId,
}

impl Look {
    /// Dearest first.
    pub(super) fn order(&self, other: &Self) -> Ordering {
        let dearest = other.surplus.total_cmp(&self.surplus);
        dearest.then(self.page.cmp(&other.page))
    }
}

/// A page that may be looked at.
struct Candidate {
    page: PageId,
    /// Share of the doubt about the site's activity that it would resolve.
    resolves: f64,
    /// What it falls short of the page that would be visited instead.
    cost: f64,
}

impl Candidate {
    fn surplus(&self, gain: f64) -> f64 {
        self.resolves * gain - self.cost
    }
}

/// Finds the looks into a site that pay. `price` is the claim that the last
/// affordable page has; `turn` chooses the pages that stand for all.
///
/// Of a site whose level of activity is M, the pages worth visiting are those
/// whose claim at M passes the price. Knowing M gains
/// `E[sum of (claim(M) - price)+] - sum of (claim(E M) - price)+`; a look at a
/// page that changes with chance p(M) gains the share `Var p / (E p (1 - E p))`
/// of it, a second look that share of the rest.
pub(super) fn looks_into(
    planner: &BayesPlanner,
    desk: &Desk<'_>,
    site: SiteId,
    price: f64,
    turn: usize,
    found: &mut Vec<Look>,
) {
    let Some(doubt) = planner.knowledge.doubt(site) else {
        return;
    };
    let members = desk.collection().members(site);
    let stride = (members.len() / SAMPLE).max(1);
    let mut gain = 0.0;
    let mut candidates = Vec::new();
    for &page in members.iter().skip(turn % stride).step_by(stride) {
        let Some(view) = planner.view(desk, page) else {
            continue;
        };
        let at_mean = view.claim(view.busy());
        let [claims, chances] = view.at_levels(&doubt.levels);
        let mut passing = 0.0;
        for (mass, claim) in doubt.masses.iter().zip(claims) {
            passing += mass * (claim - price as f32).max(0.0);
        }
        gain += (f64::from(passing) - (at_mean - price).max(0.0)) * stride as f64;
        candidates.push(Candidate {
            page,
            resolves: resolved(&doubt.masses, &chances),
            cost: (price - at_mean).max(0.0),
        });
    }
    candidates.sort_unstable_by(|one, other| {
        let dearest = other.surplus(gain).total_cmp(&one.surplus(gain));
        dearest.then(one.page.cmp(&other.page))
    });
    let mut unresolved = 1.0;
    for candidate in candidates.iter().take(LOOKS) {
        let surplus = unresolved * candidate.resolves * gain - candidate.cost;
        if surplus <= 1e-9 {
            break;
        }
        found.push(Look {
            surplus,
            page: candidate.page,
            site,
        });
        unresolved *= 1.0 - candidate.resolves;
    }
}

/// `Var p / (E p (1 - E p))`, p the page's chance to have changed.
fn resolved<const N: usize>(masses: &[f32; N], chances: &[f32; N]) -> f64 {
    let (mut mean, mut square) = (0.0, 0.0);
    for (mass, chance) in masses.iter().zip(chances) {
        mean += mass * chance;
        square += mass * chance * chance;
    }
    let all = mean * (1.0 - mean);
    if all < 1e-9 {
        return 0.0;
    }
    f64::from((square - mean * mean) / all).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::waited::Waited;

    #[test]
    fn a_page_that_changes_with_its_site_tells_all_of_it() {
        let chance = |days: f32| Waited::new(100.0, days / 100.0).changed;
        let masses = [0.9, 0.1];
        assert!(resolved(&masses, &[1e-4, 50.0].map(chance)) > 0.95);
        // One that has surely changed before tells nothing.
        let before = [50.0 + 1e-4, 100.0].map(chance);
        assert!(resolved(&masses, &before) < 0.01);
    }
}
