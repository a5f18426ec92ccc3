//! Which sites are worth a look for what it tells of their other pages.

use std::cmp::Ordering;

use pulp::{Arch, NullaryFnOnce};
use recrawl_model::{PageId, SiteId};

use super::activity::Doubt;
use super::claims::at_mean;
use super::columns::{BLOCK, Columns};
use super::planner::BayesPlanner;
use super::view::View;
use crate::{Desk, Objective};

/// Pages of a site that stand for all when a look is priced.
pub(super) const SAMPLE: usize = 50;

/// Most looks into one site at once; more come after what these tell.
const LOOKS: usize = 4;

/// Share of the best look's surplus from which on a page is as good to look at:
/// of these the cheapest are taken, which were not seen for long. The best ones
/// would be the same every time, and only parts of a site may have changed.
const NEARLY_AS_GOOD: f64 = 0.5;

/// Worth below which a look is not taken.
const LEAST_SURPLUS: f64 = 1e-9;

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
    let collection = desk.collection();
    let members = collection.members(site);
    let stride = (members.len() / SAMPLE).max(1);
    let seen = |page: &PageId| collection.summary(*page).last().is_some() && desk.is_open(*page);
    let pages = members.iter().skip(turn % stride).step_by(stride).copied();
    let mut columns = Columns::new(&planner.knowledge);
    for page in pages.filter(seen).take(BLOCK) {
        columns.push(&planner.knowledge, collection, page, desk.now);
    }
    columns.reckon();
    let prospects = if planner.objective == Objective::Changes {
        of_changes(planner, &columns, &doubt, price as f32)
    } else {
        of_others(planner, desk, &columns, &doubt, price)
    };
    let gains = prospects.iter().map(|prospect| prospect.gain);
    let gain = gains.sum::<f64>() * stride as f64;
    let mut candidates: Vec<Candidate> = columns
        .pages()
        .iter()
        .zip(&prospects)
        .map(|(&page, prospect)| Candidate {
            page,
            resolves: prospect.resolves,
            cost: (price - prospect.at_mean).max(0.0),
        })
        .filter(|candidate| candidate.surplus(gain) > LEAST_SURPLUS)
        .collect();
    let surplus = |candidate: &Candidate| candidate.surplus(gain);
    let most = candidates.iter().map(surplus).fold(0.0, f64::max);
    candidates.retain(|candidate| surplus(candidate) >= most * NEARLY_AS_GOOD);
    candidates.sort_unstable_by(|one, other| {
        let cheapest = one.cost.total_cmp(&other.cost);
        cheapest.then(one.page.cmp(&other.page))
    });
    let mut unresolved = 1.0;
    for candidate in candidates.iter().take(LOOKS) {
        let surplus = unresolved * candidate.resolves * gain - candidate.cost;
        if surplus <= LEAST_SURPLUS {
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

/// A page as a look sees it.
struct Prospect {
    /// Its claim if the site is as busy as believed.
    at_mean: f64,
    /// What knowing the site's level would gain by the page itself.
    gain: f64,
    /// Share of the doubt about the level that a visit of it would resolve.
    resolves: f64,
}

/// What the pages promise for [`Objective::Changes`], all at once.
fn of_changes(
    planner: &BayesPlanner,
    columns: &Columns,
    doubt: &Doubt,
    price: f32,
) -> Vec<Prospect> {
    let at_mean = at_mean(planner, columns);
    let promised = Arch::new().dispatch(AtLevels {
        columns,
        doubt,
        price,
        worth: &at_mean.worth,
    });
    let prospect = |index: usize| Prospect {
        at_mean: f64::from(at_mean.claims[index]),
        gain: f64::from(promised.passing[index] - (at_mean.claims[index] - price).max(0.0)),
        resolves: resolved(promised.mean[index], promised.square[index]),
    };
    (0..columns.pages().len()).map(prospect).collect()
}

/// Expected over the levels a site may have.
struct Promised {
    /// What a claim is more than the price.
    passing: [f32; BLOCK],
    /// The chance to have changed, and its square.
    mean: [f32; BLOCK],
    square: [f32; BLOCK],
}

/// The reckoning of [`of_changes`], made for the widest vectors the machine has.
struct AtLevels<'a> {
    columns: &'a Columns,
    doubt: &'a Doubt,
    price: f32,
    worth: &'a [f32; BLOCK],
}

impl NullaryFnOnce for AtLevels<'_> {
    type Output = Promised;

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> Promised {
        let columns = self.columns;
        let rows = columns.rows();
        let mut sums = Promised {
            passing: [0.0; BLOCK],
            mean: [0.0; BLOCK],
            square: [0.0; BLOCK],
        };
        for (&mass, &level) in self.doubt.masses.iter().zip(&self.doubt.levels) {
            if mass == 0.0 {
                continue;
            }
            let (mut urgency, mut changed) = ([0.0; BLOCK], [0.0; BLOCK]);
            for index in 0..rows {
                let own = columns.waited(index, level);
                urgency[index] = own.urgency;
                changed[index] = own.changed;
            }
            if columns.may_turn() {
                for index in 0..rows {
                    let turned = columns.turned(index, level);
                    let kept = columns.kept[index];
                    urgency[index] = kept * urgency[index] + (1.0 - kept) * turned.urgency;
                    changed[index] = kept * changed[index] + (1.0 - kept) * turned.changed;
                }
            }
            for index in 0..rows {
                let claim = columns.stake[index] * (urgency[index] + self.worth[index]);
                sums.passing[index] += mass * (claim - self.price).max(0.0);
                sums.mean[index] += mass * changed[index];
                sums.square[index] += mass * changed[index] * changed[index];
            }
        }
        sums
    }
}

/// The same for other objectives, page by page.
fn of_others(
    planner: &BayesPlanner,
    desk: &Desk<'_>,
    columns: &Columns,
    doubt: &Doubt,
    price: f64,
) -> Vec<Prospect> {
    let prospect = |&page: &PageId| {
        let view = View::new(planner, desk.collection(), page, desk.now);
        let Some(view) = view else {
            return Prospect {
                at_mean: 0.0,
                gain: 0.0,
                resolves: 0.0,
            };
        };
        let at_mean = view.claim(view.busy());
        let (mut passing, mut mean, mut square) = (0.0, 0.0, 0.0);
        for (&mass, &level) in doubt.masses.iter().zip(&doubt.levels) {
            let changed = view.changed(level);
            passing += f64::from(mass) * (view.claim(f64::from(level)) - price).max(0.0);
            mean += mass * changed;
            square += mass * changed * changed;
        }
        Prospect {
            at_mean,
            gain: passing - (at_mean - price).max(0.0),
            resolves: resolved(mean, square),
        }
    };
    columns.pages().iter().map(prospect).collect()
}

/// `Var p / (E p (1 - E p))`, p the page's chance to have changed.
fn resolved(mean: f32, square: f32) -> f64 {
    let all = mean * (1.0 - mean);
    if all < 1e-9 {
        return 0.0;
    }
    f64::from((square - mean * mean) / all).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ledger;
    use crate::bayes::planner::tests::after_cycles;
    use crate::bayes::waited::Waited;
    use rand::SeedableRng;
    use rand_pcg::Pcg64Mcg;
    use recrawl_model::Budget;

    #[test]
    fn a_page_that_changes_with_its_site_tells_all_of_it() {
        let resolved = |days: [f32; 2]| {
            let [quiet, busy] = days.map(|days| Waited::new(100.0, days / 100.0).changed);
            let mean = 0.9 * quiet + 0.1 * busy;
            resolved(mean, 0.9 * quiet * quiet + 0.1 * busy * busy)
        };
        assert!(resolved([1e-4, 50.0]) > 0.95);
        // One that has surely changed before tells nothing.
        assert!(resolved([50.0 + 1e-4, 100.0]) < 0.01);
    }

    #[test]
    fn all_pages_at_once_promise_what_each_does() {
        let (planner, mut collection, now) = after_cycles(4);
        let (mut ledger, mut chance) = (Ledger::default(), Pcg64Mcg::seed_from_u64(1));
        ledger.begin(Budget::downloads(200), &collection);
        let desk = Desk::new(now, &mut collection, &mut ledger, &mut chance, None);
        let mut columns = Columns::new(&planner.knowledge);
        for &page in desk.collection().members(SiteId(8)) {
            columns.push(&planner.knowledge, desk.collection(), page, now);
        }
        columns.reckon();
        let doubt = planner.knowledge.doubt(SiteId(8)).expect("in doubt");
        let quick = of_changes(&planner, &columns, &doubt, 0.1);
        let careful = of_others(&planner, &desk, &columns, &doubt, 0.1);
        assert_eq!((quick.len(), careful.len()), (30, 30));
        for (quick, careful) in quick.iter().zip(&careful) {
            let near = |quick: f64, careful: f64| {
                assert!(
                    (quick - careful).abs() < 1e-5 + 1e-3 * careful.abs(),
                    "{quick} {careful}"
                );
            };
            near(quick.at_mean, careful.at_mean);
            near(quick.gain, careful.gain);
            near(quick.resolves, careful.resolves);
        }
    }
}
