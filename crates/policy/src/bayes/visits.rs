//! What visits found, of many pages side by side: [`Visits`].

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;

use super::columns::BLOCK;
use super::elementary::{exp, exp_m1, ln_1p};
use super::evidence::{Evidence, Prior};
use super::shown_columns::{Beliefs, whole_vectors};
use super::ways::{Readings, Second};

/// Chance to have turned beyond which odds are not told apart.
const MOST_TURNED: f32 = 0.9999;

/// Expected changes of a page beyond which it has surely changed.
const MOST_WAITED: f32 = 80.0;

/// A visit of a page, before it is taken in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Visit {
    /// What is known of the page's site, and of the page: if all its visits belong
    /// together, and if it changed its ways before.
    pub(super) prior: Prior,
    pub(super) evidence: Evidence,
    pub(super) second: Second,
    /// Busy days and cycles since the visit before.
    pub(super) days: f64,
    pub(super) cycles: f32,
    pub(super) changed: bool,
}

/// How likely what visits found was, side by side.
pub(super) struct Likely {
    pub(super) len: usize,
    /// As ever, if the page had turned before, and of any page.
    pub(super) own: [f32; BLOCK],
    pub(super) second: [f32; BLOCK],
    pub(super) any: [f32; BLOCK],
    /// How likely the page had turned before.
    pub(super) turned: [f32; BLOCK],
    /// Cycles since the visit before.
    pub(super) cycles: [f32; BLOCK],
}

/// Visits of pages, reckoned with together. Rows beyond the last hold numbers of
/// no meaning that are safe to reckon with.
pub(super) struct Visits {
    own: Beliefs,
    second: Beliefs,
    /// The law of any page.
    any: Prior,
    days: [f32; BLOCK],
    /// 1 or 0.
    changed: [f32; BLOCK],
    likely: Likely,
    /// How likely what was found makes each reading.
    readings: [[f32; BLOCK]; 3],
}

impl Visits {
    /// None yet; any page is believed to follow that law.
    pub(super) fn new(any: Prior) -> Self {
        Self {
            own: Beliefs::default(),
            second: Beliefs::default(),
            any,
            days: [1.0; BLOCK],
            changed: [0.0; BLOCK],
            likely: Likely {
                len: 0,
                own: [1.0; BLOCK],
                second: [1.0; BLOCK],
                any: [1.0; BLOCK],
                turned: [0.0; BLOCK],
                cycles: [1.0; BLOCK],
            },
            readings: [[0.0; BLOCK]; 3],
        }
    }

    /// Adds a visit. There must be room.
    pub(super) fn push(&mut self, visit: Visit) {
        let at = self.likely.len;
        self.own.set(at, visit.prior, visit.evidence);
        self.second.set(at, self.any, visit.second.evidence);
        self.days[at] = visit.days as f32;
        self.likely.cycles[at] = visit.cycles;
        self.changed[at] = if visit.changed { 1.0 } else { 0.0 };
        self.likely.turned[at] = visit.second.chance.min(MOST_TURNED);
        self.likely.len += 1;
    }

    /// Whether there is no room for another.
    pub(super) const fn is_full(&self) -> bool {
        self.likely.len == BLOCK
    }

    /// Takes all out.
    pub(super) const fn clear(&mut self) {
        self.likely.len = 0;
    }

    /// Makes what is reckoned for all visits together, pages changing their ways
    /// with that chance a cycle.
    pub(super) fn reckon(&mut self, chance: f64) {
        self.own.reckon(self.likely.len);
        self.second.reckon(self.likely.len);
        Arch::new().dispatch(Judging {
            chance: chance as f32,
            visits: self,
        });
    }

    /// What was believed of a visit's page if all its visits belong together.
    pub(super) fn own(&self, at: usize) -> Option<GammaFilter> {
        self.own.at(at)
    }

    /// How likely a visit made each reading of its page.
    pub(super) fn readings(&self, at: usize) -> Readings {
        let [own, second, anew] = &self.readings;
        Readings {
            own: f64::from(own[at]),
            second: f64::from(second[at]),
            anew: f64::from(anew[at]),
        }
    }

    /// How likely what they found was.
    pub(super) const fn likely(&self) -> &Likely {
        &self.likely
    }
}

/// Judges what visits found, made for the widest vectors the machine has.
struct Judging<'a> {
    chance: f32,
    visits: &'a mut Visits,
}

impl NullaryFnOnce for Judging<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) {
        let Self { chance, visits } = self;
        let any = [visits.any.shape as f32, visits.any.weight() as f32];
        let (likely, [as_ever, before, anew]) = (&mut visits.likely, &mut visits.readings);
        for at in 0..whole_vectors(likely.len) {
            let (days, changed) = (visits.days[at], visits.changed[at]);
            let (own, second) = (&visits.own, &visits.second);
            likely.own[at] = found(own.shape[at], days / own.weight[at], changed);
            likely.second[at] = found(second.shape[at], days / second.weight[at], changed);
            likely.any[at] = found(any[0], days / any[1], changed);
            let (kept, turned) = (exp(-chance * likely.cycles[at]), likely.turned[at]);
            as_ever[at] = kept * (1.0 - turned) * likely.own[at];
            before[at] = kept * turned * likely.second[at];
            anew[at] = (1.0 - kept) * likely.any[at];
        }
    }
}

/// The chance of what was found after days that are so many weights of a belief.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn found(shape: f32, share: f32, changed: f32) -> f32 {
    let waited = (shape * ln_1p(share)).min(MOST_WAITED);
    // 1 - e^-x without losing digits.
    let changes = exp_m1(waited);
    exp(-waited) * if changed > 0.0 { changes } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn visits_side_by_side_are_as_likely_as_beliefs_say() {
        let any = Prior {
            mean: 0.5,
            shape: 0.2,
        };
        let mut visits = Visits::new(any);
        let mut exact = Vec::new();
        for number in 0..20 {
            let prior = Prior {
                mean: 0.05 * f64::from(number + 1),
                shape: 0.5,
            };
            let evidence = Evidence::default().learn(prior, 3.0, number % 3 == 0);
            let evidence = evidence.learn(prior, 1.0, number % 4 == 0);
            let second = Second {
                evidence: Evidence::default().learn(any, 1.0, true),
                chance: 0.2,
            };
            let (days, changed) = (f64::from(number + 1), number % 2 == 0);
            visits.push(Visit {
                prior,
                evidence,
                second,
                days,
                cycles: 2.0,
                changed,
            });
            let beliefs = [(evidence, prior), (second.evidence, any)];
            exact.push(beliefs.map(|(evidence, prior)| {
                let belief = evidence.belief(prior).expect("positive");
                let chance = belief.change_probability(days);
                if changed { chance } else { 1.0 - chance }
            }));
        }
        visits.reckon(0.1);
        let kept = (-0.2f64).exp();
        for (at, [own, second]) in exact.into_iter().enumerate() {
            let near = |ours: f64, exact: f64| {
                assert!((ours - exact).abs() < 1e-5, "{at}: {ours} {exact}");
            };
            let likely = visits.likely();
            near(f64::from(likely.own[at]), own);
            near(f64::from(likely.second[at]), second);
            near(visits.readings(at).own, kept * 0.8 * own);
            near(visits.readings(at).second, kept * 0.2 * second);
        }
    }
}
