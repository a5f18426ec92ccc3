//! Which sites are worth a look for what it tells of their other pages.

use recrawl_estimate::GammaFilter;
use recrawl_model::{PageId, SiteId};

use super::planner::BayesPlanner;
use crate::Desk;

/// Pages of a site that stand for all when a look is priced.
const SAMPLE: usize = 100;

/// Most looks into one site at once; more come after what these tell.
const LOOKS: usize = 4;

/// A look that is worth more than it costs.
struct Look {
    surplus: f64,
    page: PageId,
}

/// A page that may be looked at.
struct Candidate {
    page: PageId,
    /// Share of the doubt about the site's activity that it would resolve.
    resolves: f64,
    /// What it falls short of the page that would be visited instead.
    cost: f64,
}

/// Pages to look at, dearest first, at most `most`. `price` is the claim that
/// the last affordable page has.
///
/// Of a site whose level of activity is M, the pages worth visiting are those
/// whose claim at M passes the price. Knowing M gains
/// `E[sum of (claim(M) - price)+] - sum of (claim(E M) - price)+`; a look at a
/// page that changes with chance p(M) gains the share `Var p / (E p (1 - E p))`
/// of it, a second look that share of the rest.
pub(super) fn looks(
    planner: &BayesPlanner,
    desk: &Desk<'_>,
    price: f64,
    most: usize,
    turn: usize,
) -> Vec<PageId> {
    let mut found = Vec::new();
    for site in 0..planner.site_count() {
        looks_of_site(planner, desk, SiteId(site as u32), price, turn, &mut found);
    }
    found.sort_unstable_by(|one, other| {
        let dearest = other.surplus.total_cmp(&one.surplus);
        dearest.then(one.page.cmp(&other.page))
    });
    found.truncate(most);
    found.into_iter().map(|look| look.page).collect()
}

fn looks_of_site(
    planner: &BayesPlanner,
    desk: &Desk<'_>,
    site: SiteId,
    price: f64,
    turn: usize,
    found: &mut Vec<Look>,
) {
    let Some(activity) = planner.activity(site) else {
        return;
    };
    let levels: Vec<(f64, f64)> = activity.coarse_belief().collect();
    if levels.len() < 2 {
        return;
    }
    let members = desk.collection().members(site);
    let stride = (members.len() / SAMPLE).max(1);
    let mut gain = 0.0;
    let mut candidates = Vec::new();
    for &page in members.iter().skip(turn % stride).step_by(stride) {
        let Some(view) = planner.view(desk, page) else {
            continue;
        };
        let at_mean = view.claim(activity.mean());
        let at = |level: f64| view.urgency(level) + view.bonus;
        let passing: f64 = levels
            .iter()
            .map(|&(mass, level)| mass * (at(level) - price).max(0.0))
            .sum();
        gain += (passing - (at_mean - price).max(0.0)) * stride as f64;
        candidates.push(Candidate {
            page,
            resolves: resolved(view.belief, &levels, |level| view.days(level)),
            cost: (price - at_mean).max(0.0),
        });
    }
    candidates.sort_unstable_by(|one, other| {
        let surplus = |look: &Candidate| look.resolves * gain - look.cost;
        surplus(other)
            .total_cmp(&surplus(one))
            .then(one.page.cmp(&other.page))
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
        });
        unresolved *= 1.0 - candidate.resolves;
    }
}

/// `Var p / (E p (1 - E p))`, p the page's chance to have changed.
fn resolved(belief: GammaFilter, levels: &[(f64, f64)], days: impl Fn(f64) -> f64) -> f64 {
    let (mut mean, mut square) = (0.0, 0.0);
    for &(mass, level) in levels {
        let chance = belief.change_probability(days(level));
        mean += mass * chance;
        square += mass * chance * chance;
    }
    let all = mean * (1.0 - mean);
    if all < 1e-12 {
        return 0.0;
    }
    ((square - mean * mean) / all).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_that_changes_with_its_site_tells_all_of_it() {
        let page = GammaFilter::new(100.0, 100.0).expect("positive");
        let levels = [(0.9, 1e-4), (0.1, 50.0)];
        assert!(resolved(page, &levels, |level| level) > 0.95);
        // One that has surely changed before tells nothing.
        assert!(resolved(page, &levels, |level| 50.0 + level) < 0.01);
    }
}
