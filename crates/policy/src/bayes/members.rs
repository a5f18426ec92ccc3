//! What many pages of a site have shown, side by side: [`Members`].

use pulp::{Arch, NullaryFnOnce};

use super::elementary::{exp, exp_m1, ln, ln_1p};
use super::evidence::Evidence;
use super::posterior::{Joined, Shown, WIDE};

/// Members reckoned with side by side, whatever the machine.
const LANES: usize = 16;

/// Groups of members by which shapes are judged; the mean is then taken over all.
const JUDGES: usize = 128 / LANES;

/// What pages of a site have shown.
#[derive(Debug, Default)]
pub(super) struct Members {
    /// The last is filled up with members that have shown nothing.
    groups: Vec<Group>,
    len: usize,
}

#[derive(Debug, Default)]
struct Group {
    changes: [f32; LANES],
    interval: [f32; LANES],
    days: [f32; LANES],
    /// What they count for under the law that was last assumed; until pages have
    /// faded, days are the cycles since they were seen.
    counted_changes: [f32; LANES],
    counted_days: [f32; LANES],
}

impl Group {
    #[expect(
        clippy::inline_always,
        reason = "is made of vector instructions only inside a loop"
    )]
    #[inline(always)]
    fn shown(&self, lane: usize) -> Shown {
        Shown {
            changes: self.changes[lane],
            interval: self.interval[lane],
            days: self.days[lane],
        }
    }
}

impl Members {
    /// Takes all members out.
    pub(super) fn clear(&mut self) {
        self.groups.clear();
        self.len = 0;
    }

    /// Adds a member.
    pub(super) fn push(&mut self, shown: Shown) {
        let lane = self.len % LANES;
        if lane == 0 {
            self.groups.push(Group::default());
        }
        if let Some(group) = self.groups.last_mut() {
            group.changes[lane] = shown.changes;
            group.interval[lane] = shown.interval;
            group.days[lane] = shown.days;
        }
        self.len += 1;
    }

    /// Adds a page that has shown this, which counts as far as the page has kept its
    /// ways since it was seen, so many cycles ago. [`Self::fade`] is to follow once
    /// all are there.
    ///
    /// How likely it had turned before does not matter: were pages that surprise left
    /// out, those of a site would look alike, and ever more of them surprise.
    pub(super) fn push_page(&mut self, evidence: Evidence, cycles: f32) {
        let [changes, log_interval, days] = evidence.parts();
        let lane = self.len % LANES;
        self.push(Shown {
            changes,
            interval: log_interval,
            days,
        });
        if let Some(group) = self.groups.last_mut() {
            group.counted_days[lane] = cycles;
        }
    }

    /// Lets pages that were added count as far as they have kept their ways, which
    /// they change with that chance a cycle.
    pub(super) fn fade(&mut self, chance: f32) {
        Arch::new().dispatch(Fading {
            groups: &mut self.groups,
            chance,
        });
    }

    /// Whether there are none.
    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One group in so many is a judge.
    pub(super) fn judges(&self) -> usize {
        self.groups.len().div_ceil(JUDGES).max(1)
    }

    /// Finds what the members of one group in `stride` count for under the gamma law
    /// of that mean and shape.
    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    pub(super) fn assume(&mut self, stride: usize, mean: f64, shape: f64) {
        let (weight, shape) = ((shape / mean) as f32, shape as f32);
        if shape < WIDE {
            self.assume_by::<true>(stride, shape, weight);
        } else {
            self.assume_by::<false>(stride, shape, weight);
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn assume_by<const WIDELY: bool>(&mut self, stride: usize, shape: f32, weight: f32) {
        for group in self.groups.iter_mut().step_by(stride) {
            for lane in 0..LANES {
                let joined = joined::<WIDELY>(group.shown(lane), shape, weight);
                group.counted_changes[lane] = joined.shape + joined.counted.changes - shape;
                let days = joined.weight + joined.counted.days - weight;
                group.counted_days[lane] = days.max(0.0);
            }
        }
    }

    /// Sums of changes and days as those members count, each with weight
    /// `1/(1 + m e/k)`, e its days and m/k the `ratio` of mean and shape: the longer
    /// it was seen, the more it says of itself and the less of the others.
    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    pub(super) fn weighed(&self, stride: usize, ratio: f64) -> [f64; 2] {
        let ratio = ratio as f32;
        let (mut changes, mut days) = ([0.0; LANES], [0.0; LANES]);
        for group in self.groups.iter().step_by(stride) {
            for lane in 0..LANES {
                let part = 1.0 / (1.0 + ratio * group.counted_days[lane]);
                changes[lane] += part * group.counted_changes[lane];
                days[lane] += part * group.counted_days[lane];
            }
        }
        [total(changes), total(days)]
    }

    /// How likely the judges among the members are, if their rates follow the gamma law
    /// of shape k and weight b = k/mean. Days e without a change: `k ln(b/(b+e))`;
    /// the first change: its chance; the others, x changes in e days as they count
    /// under the law k', b' after that:
    /// `ln G(k'+x) - ln G(k') + k' ln(b'/(b'+e)) - x ln(b'+e)`, G the gamma function,
    /// and what the likelihood that counts differs from theirs by.
    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    pub(super) fn log_likelihood(&self, mean: f64, shape: f64) -> f64 {
        let (weight, shape) = ((shape / mean) as f32, shape as f32);
        if shape < WIDE {
            self.log_likelihood_by::<true>(shape, weight)
        } else {
            self.log_likelihood_by::<false>(shape, weight)
        }
    }

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn log_likelihood_by<const WIDELY: bool>(&self, shape: f32, weight: f32) -> f64 {
        let mut sums = [0.0; LANES];
        for group in self.groups.iter().step_by(self.judges()) {
            for (lane, sum) in sums.iter_mut().enumerate() {
                let shown = group.shown(lane);
                let joined = joined::<WIDELY>(shown, shape, weight);
                let unchanged = -shape * ln_1p(shown.days / weight);
                *sum += unchanged + joined.first + others(joined);
            }
        }
        total(sums)
    }
}

/// The reckoning of [`Members::fade`], made for the widest vectors the machine has.
struct Fading<'a> {
    groups: &'a mut [Group],
    chance: f32,
}

impl NullaryFnOnce for Fading<'_> {
    type Output = ();

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) {
        for group in self.groups {
            for lane in 0..LANES {
                let kept = exp(-self.chance * group.counted_days[lane]);
                group.changes[lane] *= kept;
                group.interval[lane] = exp(group.interval[lane]);
                group.days[lane] *= kept;
            }
        }
    }
}

/// A law and a member put together, the law being wide or not.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn joined<const WIDELY: bool>(shown: Shown, shape: f32, weight: f32) -> Joined {
    if WIDELY {
        shown.joined(shape, weight)
    } else {
        shown.joined_narrowly(shape, weight)
    }
}

/// How likely the changes after the first are.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn others(joined: Joined) -> f32 {
    let Joined {
        shape,
        weight,
        rest,
        counted,
        ..
    } = joined;
    let (changes, days) = (counted.changes, counted.days);
    let together = ln_gamma(shape + changes) - ln_gamma(shape);
    let expected = counted.expected.clamp(1e-20, 80.0);
    let changed = ln(exp_m1(expected)) - expected;
    let apart = rest.changes * changed - changes * ln(counted.rate) + days * counted.rate;
    apart + together - shape * ln_1p(days / weight) - changes * ln(weight + days)
}

impl FromIterator<Shown> for Members {
    fn from_iter<T: IntoIterator<Item = Shown>>(members: T) -> Self {
        let mut all = Self::default();
        members.into_iter().for_each(|member| all.push(member));
        all
    }
}

fn total(lanes: [f32; LANES]) -> f64 {
    lanes.iter().map(|&sum| f64::from(sum)).sum()
}

/// ln(2 pi)/2.
const HALF_LOG: f32 = 0.918_938_5;

/// `ln G(z)` of the gamma function for z above 0.01: Stirling's series (Abramowitz
/// & Stegun 6.1.41) three further on, where two terms are good to 1e-5, and
/// `G(z+1) = z G(z)` back.
#[expect(
    clippy::inline_always,
    reason = "is made of vector instructions only inside a loop"
)]
#[inline(always)]
fn ln_gamma(z: f32) -> f32 {
    let far = z + 3.0;
    let part = 1.0 / far;
    let series = part * (1.0 / 12.0 - part * part * (1.0 / 360.0));
    (far - 0.5) * ln(far) - far + HALF_LOG + series - ln(z * (z + 1.0) * (z + 2.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_gamma_function_is_that_of_the_tables() {
        for z in [0.1, 0.25, 0.5, 1.0, 2.0, 3.7, 20.0, 200.0, 3_000.0] {
            let exact = statrs::function::gamma::ln_gamma(f64::from(z));
            let off = (f64::from(ln_gamma(z)) - exact).abs();
            assert!(off < 2e-5 + 5e-7 * exact, "{z}: {off}");
        }
    }

    /// Changes seen as they happened, in so many days.
    fn counted(changes: f32, days: f32) -> Shown {
        Shown {
            changes,
            interval: 1e-6,
            days,
        }
    }

    #[test]
    fn sums_are_those_of_each_member() {
        let shown = [[3.0, 10.0], [0.0, 40.0], [1.5, 2.0]];
        let pages = shown.iter().cycle().take(300);
        let mut many: Members = pages.map(|&[x, e]| counted(x as f32, e as f32)).collect();
        many.assume(1, 0.5, 1.0);
        let [changes, days] = many.weighed(1, 0.5);
        let weights = shown.map(|[_, days]: [f64; 2]| 1.0 / (1.0 + 0.5 * days));
        let sum = |which: usize| -> f64 {
            let members = shown.iter().zip(weights);
            100.0
                * members
                    .map(|(member, weight)| weight * member[which])
                    .sum::<f64>()
        };
        assert!((changes / sum(0) - 1.0).abs() < 1e-4);
        assert!((days / sum(1) - 1.0).abs() < 1e-4);
    }

    #[test]
    fn a_member_is_as_likely_as_its_law_says() {
        // Negative binomial: 3 changes in 10 days, shape 2 and weight 5 days, less
        // what does not depend on the law: ln 24 + 2 ln(1/3) - 3 ln 15, and the
        // intervals that saw them: 3 ln 1e-6.
        let members: Members = [counted(3.0, 10.0)].into_iter().collect();
        let exact = 24f64.ln() - 2.0 * 3f64.ln() - 3.0 * 15f64.ln() + 3.0 * 1e-6f64.ln();
        let found = members.log_likelihood(0.4, 2.0);
        assert!((found - exact).abs() < 1e-4, "{found} {exact}");
    }

    #[test]
    fn a_member_seen_at_long_intervals_is_as_likely_as_quadrature_says() {
        let shown = Shown {
            changes: 6.0,
            interval: 2.0,
            days: 3.0,
        };
        let members: Members = [shown].into_iter().collect();
        for (mean, shape) in [(0.3, 0.5), (1.0, 1.0), (2.0, 5.0), (0.5, 20.0)] {
            let weight: f64 = shape / mean;
            let step = 0.001;
            let mass: f64 = (0..16_000)
                .map(|index| {
                    let log_rate = -10.0 + step * f64::from(index);
                    let rate = log_rate.exp();
                    let law = shape * (weight.ln() + log_rate) - weight * rate;
                    let seen = 6.0 * (-(-2.0 * rate).exp_m1()).ln() - 3.0 * rate;
                    (law + seen).exp() * step
                })
                .sum();
            let exact = mass.ln() - statrs::function::gamma::ln_gamma(shape);
            let found = members.log_likelihood(mean, shape);
            assert!(
                (found - exact).abs() < 0.05,
                "{mean} {shape}: {found} {exact}"
            );
        }
    }
}
