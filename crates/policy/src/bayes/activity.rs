//! How busy a site is in the cycle that runs.

#[cfg(test)]
mod tests;

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;

use super::burst_law::{LAWS, LawWeights, laws_over, mixture, weigh};
use super::calendar::BusyDays;
use super::elementary::{exp, exp_m1, ln, ln_1p};
use super::levels::{BETWEEN, COARSE, FINE, LANES, Levels, between, coarse_levels, fine_levels};
use super::rate_doubt::RateDoubt;
use super::storm::{STORM, Storms};

/// Changes a page expected in the time looked at beyond which a busier site
/// looks the same: 98 % of its pages have changed.
const SATURATED: f64 = 4.0;

/// Expected changes of a page beyond which it has surely changed.
const MOST_WAITED: f32 = 80.0;

/// Share of a site's record that is kept from one look to the next when laws
/// are judged: about the last fifty cycles count.
const KEPT: f32 = 0.98;

/// Looks the first calibration counts for, and most that it may count for.
const CALIBRATION_WEIGHT: f32 = 3.0;
const CALIBRATION_MOST: f32 = 30.0;

/// Levels beyond so many times the usual count for no more when a site is
/// calibrated: bursts say nothing of what is systematic.
const CALIBRATED_BY: f32 = 2.0;

/// The level of a burst that shows on sites which tell of them.
const TELLING: f32 = 4.0;

/// Looks of one cycle that are judged; more would hardly tell more.
const LOOKS: u8 = 128;

/// What is known of a site's rate.
#[derive(Debug, Clone, Copy)]
pub(super) struct SiteRate {
    /// Changes a day of a page.
    pub(super) rate: f64,
    /// How far it may be off.
    pub(super) doubt: RateDoubt,
}

/// A belief about the level on few points.
pub(super) struct Doubt {
    pub(super) masses: [f32; COARSE],
    pub(super) levels: [f32; COARSE],
}

/// A site's activity: what is believed of it now and how it went before.
#[derive(Debug, Clone)]
#[repr(C)] // what claims need comes first, in one line of the cache
pub(super) struct Activity {
    /// The boundary since which the site was not looked at.
    since: u32,
    mean: f32,
    pub(super) busy: BusyDays,
    /// Looks taken in this cycle.
    looked: u8,
    /// Whether any cycle has been closed with looks.
    met: bool,
    /// Whether looks came since the mean was taken.
    stale: bool,
    /// Whether it is believed to be as busy in all cycles.
    steady: bool,
    /// Logarithm of the likelihood of this cycle's looks, by coarse level.
    looks: [f32; COARSE],
    /// How well each law has foretold this site.
    scores: [f32; LAWS],
    pub(super) weights: LawWeights,
    /// Mean of levels found so far: what is systematic is no burst.
    calibration: f32,
    calibrated: f32,
    /// The level beyond which the site looks the same.
    top: f32,
    /// The level of a storm.
    storm: f32,
    pub(super) storms: Storms,
}

impl Activity {
    /// A site first met at the last of so many boundaries.
    pub(super) fn new(weights: LawWeights, storms: Storms, busy: BusyDays) -> Self {
        Self {
            looks: [0.0; COARSE],
            looked: 0,
            scores: [0.0; LAWS],
            weights,
            steady: is_steady(weights),
            calibration: 1.0,
            calibrated: 0.0,
            top: f32::MAX,
            storm: 0.0,
            storms,
            since: busy.len().saturating_sub(1) as u32,
            busy,
            met: false,
            mean: 1.0,
            stale: false,
        }
    }

    /// Opens a cycle `days` and so many `cycles` after the last look.
    pub(super) fn open(&mut self, cycles: u32, days: f64, known: SiteRate) {
        self.top = (SATURATED / (known.rate * days)).max(1.0) as f32;
        self.storm = (STORM / (known.rate * days)) as f32;
        self.looks = [0.0; COARSE];
        self.looked = 0;
        self.stale = true;
        self.refresh(cycles, known.doubt);
    }

    /// Whether more visits of this cycle tell something.
    pub(super) const fn is_curious(&self) -> bool {
        self.looked < LOOKS
    }

    /// Takes in the visit of a page, `past` busy days and `open` days of
    /// unknown activity after the one before it. Says whether it is the first
    /// since conclusions were drawn.
    pub(super) fn look(
        &mut self,
        belief: GammaFilter,
        past: f64,
        open: f64,
        changed: bool,
    ) -> bool {
        self.looked = self.looked.saturating_add(1);
        let first = !std::mem::replace(&mut self.stale, true);
        let weight = belief.weight();
        let judged = Arch::new().dispatch(Judging {
            shape: belief.shape() as f32,
            past: (past / weight) as f32,
            open: (open / weight) as f32,
            changed,
            calibration: self.calibration,
            top: self.top,
            storm: self.storm,
        });
        for (look, judged) in self.looks.iter_mut().zip(judged) {
            *look += judged;
        }
        first
    }

    /// Draws the conclusions from the looks taken in, so many cycles after those
    /// before; says whether there were any.
    pub(super) fn refresh(&mut self, cycles: u32, doubt: RateDoubt) -> bool {
        if !std::mem::take(&mut self.stale) {
            return false;
        }
        let belief = self.belief(cycles, doubt);
        let masses = belief.iter().enumerate();
        self.mean = masses.map(|(index, mass)| mass * self.held(index)).sum();
        true
    }

    /// How busy the site is believed to be.
    pub(super) fn mean(&self) -> f64 {
        f64::from(self.mean)
    }

    /// Looks taken in this cycle.
    pub(super) const fn looked(&self) -> u8 {
        self.looked
    }

    /// The boundary since which the site was not looked at.
    #[inline]
    pub(super) const fn since(&self) -> usize {
        self.since as usize
    }

    /// Takes note of that boundary.
    pub(super) const fn set_since(&mut self, boundary: usize) {
        self.since = boundary as u32;
    }

    /// The belief about the level on few points; points of hardly any mass
    /// have none. `None` if it is all on one.
    pub(super) fn coarse_belief(&self, cycles: u32, doubt: RateDoubt) -> Option<Doubt> {
        let belief = self.belief(cycles, doubt);
        let mut doubt = Doubt {
            masses: [0.0; COARSE],
            levels: self.coarse_levels(),
        };
        let mut points = 0;
        for (index, point) in doubt.masses.iter_mut().enumerate() {
            let centre = index * BETWEEN;
            let cells = centre.saturating_sub(BETWEEN / 2)..(centre + BETWEEN / 2).min(FINE);
            let mass: f32 = belief[cells].iter().sum();
            if mass > 1e-4 {
                *point = mass;
                points += 1;
            }
        }
        (points > 1).then_some(doubt)
    }

    /// Closes the cycle: judges the laws, and says how busy the site was. The
    /// first cycle looked at counts as usual: only later ones can be compared.
    pub(super) fn close(&mut self, cycles: u32, doubt: RateDoubt) -> f64 {
        if self.looked == 0 {
            return 1.0;
        }
        let laws = laws_over(cycles);
        let looks = self.likelihood(None);
        let likelihood = doubt.behind(&looks);
        let stormy = self.storms.over(cycles);
        let storm = stormy * looks[FINE - 1];
        for (score, law) in self.scores.iter_mut().zip(laws) {
            let foretold: f32 = law.iter().zip(&likelihood).map(|(a, b)| a * b).sum();
            let foretold = (1.0 - stormy) * foretold + storm;
            *score = *score * KEPT + foretold.max(f32::MIN_POSITIVE).ln();
        }
        let law = mixture(laws, self.weights);
        let (mut mass, mut sum, mut usual, mut expected) = (0.0, 0.0, 0.0, 0.0);
        for (index, (prior, likelihood)) in law.iter().zip(&likelihood).enumerate() {
            let held = self.held(index);
            let at_most = held.min(CALIBRATED_BY * self.calibration);
            expected += prior * at_most;
            mass += prior * likelihood;
            sum += prior * likelihood * held;
            usual += prior * likelihood * at_most;
        }
        if mass <= 0.0 {
            (mass, sum, usual) = (1.0, self.calibration, expected);
        }
        if !self.met {
            self.met = true;
            self.storms.learn(0.0, cycles);
            return 1.0;
        }
        let stormed = storm / ((1.0 - stormy) * mass + storm);
        self.storms.learn(stormed, cycles);
        let level = sum / mass / self.calibration;
        self.calibrate(usual / mass / expected, 1.0 - stormed);
        f64::from((1.0 - stormed) * level + stormed * self.held(FINE - 1))
    }

    /// Takes in that the site was found so many times as busy as the laws expect,
    /// with so much weight.
    fn calibrate(&mut self, busier: f32, weight: f32) {
        self.calibrated = (self.calibrated + weight).min(CALIBRATION_MOST);
        let share = weight / (CALIBRATION_WEIGHT + self.calibrated);
        self.calibration *= 1.0 + share * (busier - 1.0);
    }

    /// Weighs the laws and storms anew, given those of the collection.
    pub(super) fn reweigh(&mut self, laws: LawWeights, storm: f32) {
        self.weights = weigh(laws, &self.scores);
        self.steady = is_steady(self.weights);
        self.storms.reweigh(storm);
    }

    /// Whether it is believed to be as busy in all cycles.
    pub(super) const fn is_steady(&self) -> bool {
        self.steady
    }

    /// Whether any cycle has told something of the site's law: where nearly all
    /// pages change in any cycle, bursts do not show.
    pub(super) fn is_telling(&self) -> bool {
        self.met && self.top > TELLING
    }

    /// A fine level as the site shows it: calibrated, the last at least a storm,
    /// and none beyond the top.
    fn held(&self, index: usize) -> f32 {
        let level = fine_levels()[index] * self.calibration;
        let storm = if index == FINE - 1 { self.storm } else { 0.0 };
        level.max(storm).min(self.top)
    }

    fn coarse_levels(&self) -> [f32; COARSE] {
        std::array::from_fn(|index| self.held(index * BETWEEN))
    }

    /// The belief about the level after the looks; adds up to 1. Before them it
    /// is what the laws say, where the site's rate is in doubt too.
    fn belief(&self, cycles: u32, doubt: RateDoubt) -> Levels {
        let stormy = self.storms.over(cycles);
        let mut prior = mixture(doubt.laws_over(cycles), self.weights);
        prior = prior.map(|mass| (1.0 - stormy) * mass);
        prior[FINE - 1] += stormy;
        if self.looked == 0 {
            return prior;
        }
        let likelihood = self.likelihood(Some(&prior));
        let mut belief = prior;
        for (mass, likelihood) in belief.iter_mut().zip(likelihood) {
            *mass *= likelihood;
        }
        let total: f32 = belief.iter().sum();
        if total > 0.0 {
            belief.map(|mass| mass / total)
        } else {
            prior
        }
    }

    /// Likelihood of the looks by fine level, the largest that the prior
    /// allows, if there is one, being 1.
    fn likelihood(&self, prior: Option<&Levels>) -> Levels {
        let logs = between(&self.looks);
        let mut best = f32::MIN;
        for (level, &log) in logs.iter().enumerate() {
            let allowed = prior.is_none_or(|prior| prior[level] > 1e-12);
            best = best.max(if allowed { log } else { f32::MIN });
        }
        logs.map(|log| exp((log - best).min(0.0)))
    }
}

/// Whether a site is likelier than not as busy in all cycles.
fn is_steady(weights: LawWeights) -> bool {
    weights[0] > 0.5
}

/// The logarithm of the chance of what a visit found, at each coarse level, made
/// for the widest vectors the machine has.
struct Judging {
    /// The belief about the page, and its wait in weights of it.
    shape: f32,
    past: f32,
    open: f32,
    changed: bool,
    /// Those of the site.
    calibration: f32,
    top: f32,
    storm: f32,
}

impl NullaryFnOnce for Judging {
    type Output = [f32; LANES];

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> [f32; LANES] {
        let mut judged = coarse_levels().map(|level| level * self.calibration);
        judged[COARSE - 1] = judged[COARSE - 1].max(self.storm);
        for level in &mut judged {
            let held = level.min(self.top);
            *level = -self.shape * ln_1p(self.past + self.open * held);
        }
        if self.changed {
            for survived in &mut judged {
                let wait = (-*survived).min(MOST_WAITED);
                // 1 - e^-x without losing digits.
                *survived = ln((exp(-wait) * exp_m1(wait)).clamp(1e-12, 1.0));
            }
        }
        judged
    }
}
