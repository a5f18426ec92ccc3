//! Which sites are worth a look for what it tells of their other pages.

use std::cmp::Ordering;

use pulp::{Arch, NullaryFnOnce};
use recrawl_model::{PageId, SiteId};

use super::activity::Doubt;
use super::claims::{Claims, at_mean};
use super::columns::{BLOCK, Columns};
use super::levels::COARSE;
use super::planner::BayesPlanner;
use super::sentinel::{self, Promise};
use super::view::View;
use crate::{Desk, Objective};

/// Pages of a site that stand for all when a look is priced.
pub(super) const SAMPLE: usize = 50;

/// Most looks into one site at once; more come after what these tell.
const LOOKS: usize = 6;

/// Share of the best look's surplus from which on a page is as good to look at:
/// of these the cheapest are taken, which were not seen for long. The best ones
/// would be the same every time, and only parts of a site may have changed.
const NEARLY_AS_GOOD: f64 = 0.25;

/// Worth below which a look is not taken.
const LEAST_SURPLUS: f64 = 1e-9;

/// A look that is worth more than it costs.
#[derive(Debug, Clone, Copy)]
pub(super) struct Look {
    pub(super) surplus: f64,
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
    /// Its place among those that stand for all.
    index: usize,
    worth: f64,
    /// What it falls short of the page that would be visited instead.
    cost: f64,
}

impl Candidate {
    fn surplus(&self) -> f64 {
        self.worth - self.cost
    }
}

/// Finds the looks into a site that pay. `price` is the claim that the last
/// affordable page has; `turn` chooses the pages that stand for all.
///
/// Of a site whose level of activity is M, the pages worth visiting are those
/// whose claim at M passes the price. Knowing M gains
/// `G(M) = sum of (claim(M) - price)+ - sum of (claim(M) - price)` where the second
/// sum is over the pages that would be visited anyway. A look at a page that
/// changes with chance p(M) is worth the larger of two: the share
/// `Var p / (E p (1 - E p))` of E G; or `E p G`, what is caught if it finds a change,
/// for then others follow before the rest of the site is visited. A second look
/// is worth that of what the first left open.
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
    let doubt = match planner.objective {
        Objective::Freshness => doubt,
        Objective::Changes | Objective::Age => doubt.with_silence(),
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
    columns.reckon(&planner.knowledge);
    let mut promised = if planner.objective == Objective::Changes {
        of_changes(planner, &columns, &doubt, price as f32)
    } else {
        of_others(planner, desk, &columns, &doubt, price)
    };
    let gains = promised.gains.iter_mut().chain([&mut promised.silent.gain]);
    gains.for_each(|gain| *gain *= stride as f32);
    if doubt.silent > 0.0 {
        let promise = Promise {
            silent: f64::from(doubt.silent),
            gain: f64::from(promised.silent.gain),
            pages: members.len(),
            best: promised
                .best(columns.pages().len())
                .map(|index| columns.pages()[index]),
        };
        found.extend(sentinel::look(planner, desk, site, price, &promise));
    }
    let mut candidates: Vec<Candidate> = columns
        .pages()
        .iter()
        .enumerate()
        .map(|(index, &page)| Candidate {
            page,
            index,
            worth: promised.worth(&doubt.masses, index),
            cost: (price - f64::from(promised.at_mean[index])).max(0.0),
        })
        .filter(|candidate| candidate.surplus() > LEAST_SURPLUS)
        .collect();
    let most = candidates
        .iter()
        .map(Candidate::surplus)
        .fold(0.0, f64::max);
    candidates.retain(|candidate| candidate.surplus() >= most * NEARLY_AS_GOOD);
    candidates.sort_unstable_by(|one, other| {
        let cheapest = one.cost.total_cmp(&other.cost);
        cheapest.then(one.page.cmp(&other.page))
    });
    let mut masses = doubt.masses;
    for candidate in candidates.iter().take(LOOKS) {
        let surplus = promised.worth(&masses, candidate.index) - candidate.cost;
        if surplus <= LEAST_SURPLUS {
            break;
        }
        found.push(Look {
            surplus,
            page: candidate.page,
            site,
        });
        let levels = masses.iter_mut().zip(&promised.changed);
        levels.for_each(|(mass, changed)| *mass *= 1.0 - changed[candidate.index]);
        promised.silent.mass *= 1.0 - promised.silent.changed[candidate.index];
    }
}

/// What the pages that stand for a site promise, at the levels it may have.
struct Promised {
    /// Claims if the site is as busy as believed.
    at_mean: [f32; BLOCK],
    /// Chances to have changed, by level.
    changed: [[f32; BLOCK]; COARSE],
    /// What knowing the level would gain.
    gains: [f32; COARSE],
    silent: IfSilent,
}

/// What pages promise if their site is silent.
struct IfSilent {
    /// Chance of it.
    mass: f32,
    /// Chances to have changed.
    changed: [f32; BLOCK],
    /// What knowing it would gain.
    gain: f32,
}

impl IfSilent {
    const fn new(mass: f32) -> Self {
        Self {
            mass,
            changed: [0.0; BLOCK],
            gain: 0.0,
        }
    }
}

impl Promised {
    const fn new(silent: f32) -> Self {
        Self {
            at_mean: [0.0; BLOCK],
            changed: [[0.0; BLOCK]; COARSE],
            gains: [0.0; COARSE],
            silent: IfSilent::new(silent),
        }
    }

    /// The place of the page of the strongest claim.
    fn best(&self, pages: usize) -> Option<usize> {
        let claims = &self.at_mean;
        (0..pages).max_by(|&one, &other| claims[one].total_cmp(&claims[other]))
    }

    /// What a look at that page is worth, the levels having these masses.
    fn worth(&self, masses: &[f32; COARSE], index: usize) -> f64 {
        let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
        let (mut gain, mut caught) = (0.0, 0.0);
        for ((&part, changed), &gains) in masses.iter().zip(&self.changed).zip(&self.gains) {
            let changed = changed[index];
            mass += part;
            mean += part * changed;
            square += part * changed * changed;
            gain += part * gains;
            caught += part * changed * gains;
        }
        let IfSilent {
            mass: silent,
            changed,
            gain: if_silent,
        } = &self.silent;
        let changed = changed[index];
        mass += silent;
        mean += silent * changed;
        square += silent * changed * changed;
        gain += silent * if_silent;
        if mass <= 0.0 {
            return 0.0;
        }
        let told = resolved(mean / mass, square / mass) * f64::from(gain);
        told.max(f64::from(caught))
    }
}

/// What the pages promise for [`Objective::Changes`], all at once.
fn of_changes(planner: &BayesPlanner, columns: &Columns, doubt: &Doubt, price: f32) -> Promised {
    let Claims { claims, worth } = at_mean(planner, columns);
    Arch::new().dispatch(AtLevels {
        columns,
        doubt,
        price,
        at_mean: claims,
        worth: &worth,
    })
}

/// The reckoning of [`of_changes`], made for the widest vectors the machine has.
struct AtLevels<'a> {
    columns: &'a Columns,
    doubt: &'a Doubt,
    price: f32,
    at_mean: [f32; BLOCK],
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
        let mut promised = Promised {
            at_mean: self.at_mean,
            ..Promised::new(0.0)
        };
        for (number, &level) in self.doubt.levels.iter().enumerate() {
            if self.doubt.masses[number] == 0.0 {
                continue;
            }
            let (mut urgency, changed) = ([0.0; BLOCK], &mut promised.changed[number]);
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
            let mut gain = 0.0;
            for (index, &urgency) in urgency[..columns.pages().len()].iter().enumerate() {
                let claim = columns.stake[index] * (urgency + self.worth[index]);
                gain += gained(claim, self.at_mean[index], self.price);
            }
            promised.gains[number] = gain;
        }
        promised
    }
}

/// What knowing the level gains by a page of that claim at the level and at the
/// mean: it is visited or not as pays.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn gained(claim: f32, at_mean: f32, price: f32) -> f32 {
    let visited = if at_mean > price { claim - price } else { 0.0 };
    (claim - price).max(0.0) - visited
}

/// The same for other objectives, page by page.
fn of_others(
    planner: &BayesPlanner,
    desk: &Desk<'_>,
    columns: &Columns,
    doubt: &Doubt,
    price: f64,
) -> Promised {
    let mut promised = Promised::new(doubt.silent);
    for (index, &page) in columns.pages().iter().enumerate() {
        let Some(view) = View::new(planner, desk.collection(), page, desk.now) else {
            continue;
        };
        let at_mean = view.claim() as f32;
        promised.at_mean[index] = at_mean;
        if doubt.silent > 0.0 {
            let claim = view.claim_if_silent() as f32;
            promised.silent.changed[index] = view.changed_if_silent();
            promised.silent.gain += gained(claim, at_mean, price as f32);
        }
        for (number, (&mass, &level)) in doubt.masses.iter().zip(&doubt.levels).enumerate() {
            if mass == 0.0 {
                continue;
            }
            promised.changed[number][index] = view.changed(level);
            let claim = view.claim_at(f64::from(level)) as f32;
            promised.gains[number] += gained(claim, at_mean, price as f32);
        }
    }
    promised
}

/// `Var p / (E p (1 - E p))`, p the page's chance to have changed.
pub(super) fn resolved(mean: f32, square: f32) -> f64 {
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
        columns.reckon(&planner.knowledge);
        let doubt = planner.knowledge.doubt(SiteId(8)).expect("in doubt");
        let quick = of_changes(&planner, &columns, &doubt, 0.1);
        let careful = of_others(&planner, &desk, &columns, &doubt, 0.1);
        let near = |quick: f32, careful: f32| {
            let off = (quick - careful).abs();
            assert!(off < 3e-5 + 1e-3 * careful.abs(), "{quick} {careful}");
        };
        for index in 0..columns.pages().len() {
            near(quick.at_mean[index], careful.at_mean[index]);
            for (quick, careful) in quick.changed.iter().zip(&careful.changed) {
                near(quick[index], careful[index]);
            }
        }
        for (quick, careful) in quick.gains.iter().zip(careful.gains) {
            near(*quick, careful);
        }
    }
}
