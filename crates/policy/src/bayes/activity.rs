//! How busy a site is in the cycle that runs.

mod closing;
#[cfg(test)]
mod tests;

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;
use recrawl_model::PageId;

use super::burst_law::{LAWS, LawWeights, mixture};
use super::calendar::BusyDays;
use super::elementary::{exp, exp_m1, ln, ln_1p};
use super::levels::{BETWEEN, COARSE, FINE, LANES, Levels, between, coarse_levels, fine_levels};
use super::rate_doubt::RateDoubt;
use super::silence::Silence;
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
    /// Chance a cycle that the site falls silent; 0 where that cannot be told.
    pub(super) falls: f32,
}

/// A belief about the level on few points.
pub(super) struct Doubt {
    pub(super) masses: [f32; COARSE],
    pub(super) levels: [f32; COARSE],
    /// Chance that the site is silent. [`Self::masses`] leave it out.
    pub(super) silent: f32,
    silent_masses: [f32; COARSE],
}

impl Doubt {
    /// The same with silence among the levels.
    pub(super) fn with_silence(mut self) -> Self {
        for (mass, silent) in self.masses.iter_mut().zip(self.silent_masses) {
            *mass += silent;
        }
        self.silent = 0.0;
        self
    }
}

/// Masses of the levels a site may have: awake, and silent. All add up to 1.
struct Belief {
    awake: Levels,
    silent: Levels,
}

impl Belief {
    fn map(mut self, change: impl Fn(usize, f32) -> f32) -> Self {
        for part in [&mut self.awake, &mut self.silent] {
            for (index, mass) in part.iter_mut().enumerate() {
                *mass = change(index, *mass);
            }
        }
        self
    }
}

/// A site's activity: what is believed of it now and how it went before.
#[derive(Debug, Clone)]
#[repr(C)] // what claims need comes first, in one line of the cache
pub(super) struct Activity {
    /// The boundary since which the site was not looked at.
    since: u32,
    mean: f32,
    /// The same if it is awake.
    awake: f32,
    pub(super) silence: Silence,
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
    /// A page that was visited when it was last looked at, or since.
    pub(super) sentinel: Option<PageId>,
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
            awake: 1.0,
            silence: Silence::default(),
            sentinel: None,
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
        self.refresh(cycles, known);
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
    pub(super) fn refresh(&mut self, cycles: u32, known: SiteRate) -> bool {
        if !std::mem::take(&mut self.stale) {
            return false;
        }
        let Belief { awake, silent } = self.belief(cycles, known);
        let [awake, silent] = [awake, silent].map(|part| self.sums(&part));
        self.mean = awake[1] + silent[1];
        self.awake = mean_of(awake).unwrap_or(1.0);
        self.silence.now = silent[0];
        self.silence.level = mean_of(silent).unwrap_or(0.0);
        true
    }

    /// The mass of these levels, and that times how busy the site is at each.
    fn sums(&self, masses: &Levels) -> [f32; 2] {
        let masses = masses.iter().enumerate();
        masses.fold([0.0; 2], |[mass, sum], (index, part)| {
            [mass + part, sum + part * self.held(index)]
        })
    }

    /// How busy the site is believed to be.
    pub(super) fn mean(&self) -> f64 {
        f64::from(self.mean)
    }

    /// The same if it is awake.
    pub(super) fn awake(&self) -> f64 {
        f64::from(self.awake)
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
    pub(super) fn coarse_belief(&self, cycles: u32, known: SiteRate) -> Option<Doubt> {
        let Belief { awake, silent } = self.belief(cycles, known);
        let [masses, silent_masses] = [awake, silent].map(|part| coarse(&part));
        let points = masses.iter().chain(&silent_masses);
        let points = points.filter(|mass| **mass > 0.0).count();
        (points > 1).then(|| Doubt {
            masses,
            levels: self.coarse_levels(),
            silent: silent_masses.iter().sum(),
            silent_masses,
        })
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

    /// The belief about the level after the looks. Before them it is what the laws
    /// say, where the site's rate is in doubt too.
    fn belief(&self, cycles: u32, known: SiteRate) -> Belief {
        let (stormy, states) = (
            self.storms.over(cycles),
            self.silence.over(cycles, known.falls),
        );
        let mut awake = mixture(known.doubt.laws_over(cycles), self.weights);
        awake = awake.map(|mass| states.awake * (1.0 - stormy) * mass);
        awake[FINE - 1] += states.awake * stormy;
        let silent = states.silent_levels();
        let prior = Belief { awake, silent };
        if self.looked == 0 {
            return prior;
        }
        let together = std::array::from_fn(|level| awake[level] + silent[level]);
        let likelihood = self.likelihood(Some(&together));
        let masses = together.iter().zip(&likelihood);
        let total: f32 = masses.map(|(mass, likelihood)| mass * likelihood).sum();
        if total > 0.0 {
            prior.map(|level, mass| mass * likelihood[level] / total)
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

/// The second sum over the first; `None` of hardly anything.
fn mean_of([mass, sum]: [f32; 2]) -> Option<f32> {
    (mass > 1e-9).then(|| sum / mass)
}

/// The masses on few points; points of hardly any mass have none.
fn coarse(masses: &Levels) -> [f32; COARSE] {
    std::array::from_fn(|index| {
        let centre = index * BETWEEN;
        let cells = centre.saturating_sub(BETWEEN / 2)..(centre + BETWEEN / 2).min(FINE);
        let mass: f32 = masses[cells].iter().sum();
        if mass > 1e-4 { mass } else { 0.0 }
    })
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
