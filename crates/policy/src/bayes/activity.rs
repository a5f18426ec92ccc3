//! How busy a site is in the cycle that runs.

use std::sync::LazyLock;

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;

use super::burst_law::{LAWS, LawWeights, laws_over, mixture, weigh};
use super::calendar::BusyDays;
use super::elementary::{exp, exp_m1, ln, ln_1p};
use super::rate_doubt::RateDoubt;

/// Levels of activity at which visits are judged: e^(STEP (i - ONE)) times as
/// busy as usual, from a hundredth to six hundred times.
pub(super) const COARSE: usize = 18;
const ONE: usize = 7;
const STEP: f64 = 0.65;

/// Levels between two of them, for sums; likelihoods are smooth in between.
const BETWEEN: usize = 4;
/// How many fine levels there are, and which one stands for "as usual".
pub(super) const FINE: usize = (COARSE - 1) * BETWEEN + 1;
pub(super) const FINE_ONE: usize = ONE * BETWEEN;

/// What two neighbouring fine levels differ by, in logarithms.
pub(super) const LEVEL_STEP: f64 = STEP / BETWEEN as f64;

/// Mass or likelihood at each fine level.
pub(super) type Levels = [f32; FINE];

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

/// Looks of one cycle that are judged; more would hardly tell more.
const LOOKS: u32 = 256;

/// The fine level of that number.
pub(super) fn fine_level(index: usize) -> f64 {
    (LEVEL_STEP * (index as f64 - FINE_ONE as f64)).exp()
}

/// All fine levels, made once.
fn fine_levels() -> &'static Levels {
    static LEVELS: LazyLock<Levels> =
        LazyLock::new(|| std::array::from_fn(|index| fine_level(index) as f32));
    &LEVELS
}

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
    pub(super) since: usize,
    pub(super) busy: BusyDays,
    mean: f32,
    looked: u32,
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
    /// Whether any cycle has been closed with looks.
    met: bool,
    /// Whether looks came since the mean was taken.
    stale: bool,
}

impl Activity {
    /// A site first met at the last of so many boundaries.
    pub(super) fn new(weights: LawWeights, busy: BusyDays) -> Self {
        Self {
            looks: [0.0; COARSE],
            looked: 0,
            scores: [0.0; LAWS],
            weights,
            calibration: 1.0,
            calibrated: 0.0,
            top: f32::MAX,
            since: busy.len().saturating_sub(1),
            busy,
            met: false,
            mean: 1.0,
            stale: false,
        }
    }

    /// Opens a cycle `days` and so many `cycles` after the last look.
    pub(super) fn open(&mut self, cycles: u32, days: f64, known: SiteRate) {
        self.top = (SATURATED / (known.rate * days)).max(1.0) as f32;
        self.looks = [0.0; COARSE];
        self.looked = 0;
        self.stale = true;
        self.refresh(cycles, known.doubt);
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
        if self.looked > LOOKS {
            return false;
        }
        let first = !std::mem::replace(&mut self.stale, true);
        let weight = belief.weight();
        let judged = Arch::new().dispatch(Judging {
            shape: belief.shape() as f32,
            past: (past / weight) as f32,
            open: (open / weight) as f32,
            changed,
            calibration: self.calibration,
            top: self.top,
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
        let mean = belief.iter().zip(fine_levels());
        self.mean = mean.map(|(mass, &level)| mass * self.held(level)).sum();
        true
    }

    /// How busy the site is believed to be.
    pub(super) fn mean(&self) -> f64 {
        f64::from(self.mean)
    }

    /// Looks taken in this cycle.
    pub(super) const fn looked(&self) -> u32 {
        self.looked
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
        let likelihood = doubt.behind(&self.likelihood(None));
        for (score, law) in self.scores.iter_mut().zip(laws) {
            let foretold: f32 = law.iter().zip(&likelihood).map(|(a, b)| a * b).sum();
            *score = *score * KEPT + foretold.max(f32::MIN_POSITIVE).ln();
        }
        let law = mixture(laws, self.weights);
        let (mut mass, mut sum) = (0.0, 0.0);
        for (index, (prior, likelihood)) in law.iter().zip(&likelihood).enumerate() {
            mass += prior * likelihood;
            sum += prior * likelihood * self.held(fine_levels()[index]);
        }
        let found = if mass > 0.0 { sum / mass } else { 1.0 };
        if !self.met {
            self.met = true;
            return 1.0;
        }
        let level = found / self.calibration;
        self.calibrated = (self.calibrated + 1.0).min(CALIBRATION_MOST);
        self.calibration += (found - self.calibration) / (CALIBRATION_WEIGHT + self.calibrated);
        f64::from(level)
    }

    /// Weighs the laws anew.
    pub(super) fn reweigh(&mut self, collection: LawWeights) {
        self.weights = weigh(collection, &self.scores);
    }

    /// Whether any cycle has told something of the site's law.
    pub(super) const fn is_met(&self) -> bool {
        self.met
    }

    /// A level as the site shows it: calibrated, and not beyond the top.
    fn held(&self, level: f32) -> f32 {
        (level * self.calibration).min(self.top)
    }

    fn coarse_levels(&self) -> [f32; COARSE] {
        std::array::from_fn(|index| self.held(fine_levels()[index * BETWEEN]))
    }

    /// The belief about the level after the looks; adds up to 1. Before them it
    /// is what the laws say, where the site's rate is in doubt too.
    fn belief(&self, cycles: u32, doubt: RateDoubt) -> Levels {
        let prior = mixture(doubt.laws_over(cycles), self.weights);
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

/// Coarse levels, filled up to whole vectors.
const LANES: usize = COARSE.next_multiple_of(8);

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
}

impl NullaryFnOnce for Judging {
    type Output = [f32; LANES];

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> [f32; LANES] {
        let mut judged = *coarse_levels();
        for level in &mut judged {
            let held = (*level * self.calibration).min(self.top);
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

/// The coarse levels, made once; the last is repeated.
fn coarse_levels() -> &'static [f32; LANES] {
    static LEVELS: LazyLock<[f32; LANES]> = LazyLock::new(|| {
        std::array::from_fn(|index| fine_level(index.min(COARSE - 1) * BETWEEN) as f32)
    });
    &LEVELS
}

/// Values at the fine levels from those at the coarse ones, by the cubic of
/// Catmull and Rom.
fn between(coarse: &[f32; COARSE]) -> Levels {
    let mut fine = [coarse[COARSE - 1]; FINE];
    for left in 0..COARSE - 1 {
        let (y1, y2) = (coarse[left], coarse[left + 1]);
        let before = if left == 0 {
            2.0 * y1 - y2
        } else {
            coarse[left - 1]
        };
        let after = coarse.get(left + 2).copied().unwrap_or(2.0 * y2 - y1);
        let (slope1, slope2) = ((y2 - before) / 2.0, (after - y1) / 2.0);
        for part in 0..BETWEEN {
            let t = part as f32 / BETWEEN as f32;
            let (t2, t3) = (t * t, t * t * t);
            fine[left * BETWEEN + part] = (2.0 * t3 - 3.0 * t2 + 1.0) * y1
                + (t3 - 2.0 * t2 + t) * slope1
                + (3.0 * t2 - 2.0 * t3) * y2
                + (t3 - t2) * slope2;
        }
    }
    fine
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::burst_law::first_weights;

    fn known() -> SiteRate {
        SiteRate {
            rate: 0.01,
            doubt: RateDoubt::of(1e6),
        }
    }

    fn conclude(activity: &mut Activity) {
        assert!(activity.refresh(1, known().doubt));
    }

    fn opened() -> Activity {
        let mut activity = Activity::new(first_weights(), vec![0.0]);
        activity.open(1, 7.0, known());
        activity
    }

    fn page() -> GammaFilter {
        GammaFilter::new(2.0, 200.0).expect("positive")
    }

    #[test]
    fn a_site_nobody_looked_at_is_as_busy_as_usual() {
        let activity = opened();
        assert!((activity.mean() - 1.0).abs() < 0.05, "{}", activity.mean());
        assert_eq!(activity.looked(), 0);
    }

    #[test]
    fn changed_pages_make_a_site_busy_and_unchanged_ones_quiet() {
        let (mut busy, mut quiet) = (opened(), opened());
        for _ in 0..5 {
            busy.look(page(), 0.0, 7.0, true);
            quiet.look(page(), 0.0, 7.0, false);
        }
        conclude(&mut busy);
        conclude(&mut quiet);
        assert!(busy.mean() > 10.0, "{}", busy.mean());
        assert!(quiet.mean() < 1.0, "{}", quiet.mean());
    }

    #[test]
    fn changes_long_past_do_not_make_a_site_busy_now() {
        let mut activity = opened();
        for _ in 0..5 {
            activity.look(page(), 2_000.0, 7.0, true);
        }
        conclude(&mut activity);
        assert!(activity.mean() < 1.2, "{}", activity.mean());
    }

    #[test]
    fn a_site_that_bursts_is_found_to() {
        let mut activity = opened();
        for cycle in 0..40 {
            activity.open(1, 7.0, known());
            for _ in 0..4 {
                activity.look(page(), 0.0, 7.0, cycle % 10 == 0);
            }
            activity.close(1, known().doubt);
            activity.reweigh(first_weights());
        }
        assert!(
            activity.weights[4] + activity.weights[5] > 0.9,
            "{:?}",
            activity.weights
        );
    }

    #[test]
    fn values_between_levels_follow_a_parabola() {
        let parabola = |x: f32| -0.3 * (x - 8.3) * (x - 8.3);
        let coarse = std::array::from_fn(|index| parabola(index as f32));
        for (index, value) in between(&coarse).iter().enumerate().skip(4).take(56) {
            let exact = parabola(index as f32 / BETWEEN as f32);
            assert!((value - exact).abs() < 0.02, "{index}: {value} {exact}");
        }
    }
}
