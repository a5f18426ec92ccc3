//! How often pages change their ways, learned.

use pulp::{Arch, NullaryFnOnce};
use recrawl_estimate::GammaFilter;

use super::elementary::{exp, exp_m1, ln, ln_1p};
use super::ways::Readings;

/// Chances a cycle that a page's rate is drawn anew, that are tried.
const TRIED: [f32; 8] = [0.0, 0.001, 0.003, 0.006, 0.012, 0.025, 0.05, 0.1];

/// The least chance that counts: smaller ones cannot be told from pages of which
/// a wrong law is believed.
const LEAST: f64 = 0.004;

/// What a chance above 0 weighs against 0 before anything is seen.
const DOUBT: f64 = 0.05;

/// The chance by which readings of pages are tried while none is found.
const TRIAL: f64 = 0.01;

/// Share of the scores kept from one cycle to the next: about the last twenty
/// cycles count.
const KEPT: f64 = 0.95;

/// Chance to have turned beyond which odds are not told apart.
const MOST_TURNED: f64 = 0.9999;

/// Expected changes of a page beyond which it has surely changed.
const MOST_WAITED: f32 = 80.0;

/// What is believed of a page before a visit.
#[derive(Debug, Clone, Copy)]
pub(super) struct Believed {
    /// If all its visits belong together.
    pub(super) own: GammaFilter,
    /// If it changed its ways before, and how likely that is.
    pub(super) second: GammaFilter,
    pub(super) turned: f64,
    /// Of any page.
    pub(super) any: GammaFilter,
}

/// Judges by how well each chance would have foretold what visits found.
#[derive(Debug, Default)]
pub(super) struct Forgetting {
    scores: [f64; TRIED.len()],
    of_cycle: [f64; TRIED.len()],
    chance: f64,
}

impl Forgetting {
    /// Chance that a page has kept its rate over so many cycles.
    pub(super) fn kept(&self, cycles: f64) -> f64 {
        (-self.chance * cycles).exp()
    }

    /// The same in few digits.
    #[inline]
    pub(super) fn quickly_kept(&self, cycles: f32) -> f32 {
        exp(-(self.chance as f32) * cycles)
    }

    /// Whether pages are believed to change their ways at all.
    pub(super) fn is_needed(&self) -> bool {
        self.chance > 0.0
    }

    /// The chance a cycle that a page's rate is drawn anew.
    pub(super) const fn chance(&self) -> f64 {
        self.chance
    }

    /// Takes in what a visit found after `cycles` cycles and so many busy
    /// days, and says how likely it made each reading of the page, by the
    /// chance that is believed or, if none is, by one on trial.
    ///
    /// A chance is not judged by the surprise of a visit alone, which a wrong
    /// belief explains as well, but by the visits after it too: how likely a
    /// page had turned before is in proportion to the chance.
    pub(super) fn learn(
        &mut self,
        believed: Believed,
        cycles: f64,
        days: f64,
        changed: bool,
    ) -> Readings {
        let reference = if self.is_needed() { self.chance } else { TRIAL };
        let turned = believed.turned.min(MOST_TURNED);
        let beliefs = [believed.own, believed.second, believed.any];
        let found = Arch::new().dispatch(Found {
            shapes: beliefs.map(|belief| belief.shape() as f32),
            shares: beliefs.map(|belief| (days / belief.weight()) as f32),
            odds: (turned / (1.0 - turned) / reference) as f32,
            cycles: cycles as f32,
            changed,
        });
        for (score, foretold) in self.of_cycle.iter_mut().zip(found.foretold) {
            *score += f64::from(foretold);
        }
        let kept = (-reference * cycles).exp();
        let [own, second, any] = found.chances.map(f64::from);
        Readings {
            own: kept * (1.0 - turned) * own,
            second: kept * turned * second,
            anew: (1.0 - kept) * any,
        }
    }

    /// Ends a cycle: weighs the chances by their scores.
    pub(super) fn end_cycle(&mut self) {
        for (score, news) in self.scores.iter_mut().zip(&mut self.of_cycle) {
            *score = *score * KEPT + std::mem::take(news);
        }
        let best = self.scores.iter().copied().fold(f64::MIN, f64::max);
        let (mut total, mut sum) = (0.0, 0.0);
        for (score, tried) in self.scores.iter().zip(TRIED) {
            let doubt = if tried > 0.0 { DOUBT } else { 1.0 };
            let weight = doubt * (score - best).exp();
            total += weight;
            sum += weight * f64::from(tried);
        }
        let chance = sum / total;
        self.chance = if chance < LEAST { 0.0 } else { chance };
    }
}

/// What a visit found: how likely it was if the page had kept its ways and if it
/// had not, and its logarithm for each of the chances tried. Made for the widest
/// vectors the machine has.
struct Found {
    /// Shapes of the beliefs (as ever, turned before, any page), and days over
    /// their weights.
    shapes: [f32; 3],
    shares: [f32; 3],
    /// Odds that the page had turned before, over the chance a cycle.
    odds: f32,
    cycles: f32,
    changed: bool,
}

struct Foretold {
    chances: [f32; 3],
    foretold: [f32; TRIED.len()],
}

impl NullaryFnOnce for Found {
    type Output = Foretold;

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> Foretold {
        let mut chances = [0.0; 3];
        for (index, chance) in chances.iter_mut().enumerate() {
            let waited = self.shapes[index] * ln_1p(self.shares[index]);
            let waited = waited.min(MOST_WAITED);
            // 1 - e^-x without losing digits.
            let changes = if self.changed { exp_m1(waited) } else { 1.0 };
            *chance = exp(-waited) * changes;
        }
        let [own, second, any] = chances;
        let mut foretold = TRIED;
        for tried in &mut foretold {
            let kept = exp(-*tried * self.cycles);
            let odds = *tried * self.odds;
            let own = (own + odds * second) / (1.0 + odds);
            *tried = ln((kept * own + (1.0 - kept) * any).max(f32::MIN_POSITIVE));
        }
        Foretold { chances, foretold }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    fn believed(own: GammaFilter) -> Believed {
        let any = GammaFilter::new(0.3, 0.3).expect("positive");
        Believed {
            own,
            second: any,
            turned: 0.0,
            any,
        }
    }

    fn learned(chance: f64) -> f64 {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut forgetting = Forgetting::default();
        let belief = |rate: f64| GammaFilter::new(20.0, 20.0 / rate).expect("positive");
        for _ in 0..30 {
            for page in 0..400 {
                let own: f64 = if page % 2 == 0 { 3.0 } else { 0.05 };
                let anew = random.random::<f64>() < chance;
                let rate = match (anew, random.random::<f64>() < 0.5) {
                    (false, _) => own,
                    (true, fast) => {
                        if fast {
                            3.0
                        } else {
                            0.05
                        }
                    }
                };
                let changed = random.random::<f64>() < -(-rate).exp_m1();
                forgetting.learn(believed(belief(own)), 1.0, 1.0, changed);
            }
            forgetting.end_cycle();
        }
        forgetting.chance()
    }

    #[test]
    fn steady_pages_are_not_forgotten_and_restless_ones_are() {
        assert!(learned(0.0) < 1e-3, "{}", learned(0.0));
        let restless = learned(0.05);
        assert!(restless > 0.02 && restless < 0.1, "{restless}");
    }

    #[test]
    fn a_surprise_makes_it_likely_that_a_page_has_turned() {
        let mut forgetting = Forgetting {
            chance: 0.02,
            ..Forgetting::default()
        };
        let fast = GammaFilter::new(40.0, 10.0).expect("positive");
        let mut as_ever = |changed| {
            let Readings { own, second, anew } =
                forgetting.learn(believed(fast), 1.0, 1.0, changed);
            assert!(second.abs() < f64::EPSILON);
            own / (own + anew)
        };
        let (expected, surprise) = (as_ever(true), as_ever(false));
        assert!(expected > 0.98 && surprise < 0.7, "{expected} {surprise}");
    }
}
