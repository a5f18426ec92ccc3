//! How often pages change their ways, learned.

use pulp::{Arch, NullaryFnOnce};

use super::columns::BLOCK;
use super::elementary::{exp, ln};
use super::visits::Likely;

/// Chances a cycle that a page's rate is drawn anew, that are tried. Each is twice
/// the one before, or twice and the [`SMALLEST`] more, so that chances to keep a
/// rate are squares of each other.
const TRIED: [f32; 8] = [0.0, 0.001, 0.003, 0.006, 0.012, 0.025, 0.05, 0.1];
const MORE: [bool; TRIED.len()] = [false, true, true, false, false, true, false, false];
const SMALLEST: f32 = TRIED[1];

/// Visits that one logarithm is taken of, logarithms that are taken of a block,
/// and the least chance of what a visit found: so many of them are still a number.
const TOGETHER: usize = 4;
const LANES: usize = BLOCK / TOGETHER;
const LEAST_LIKELY: f32 = 1e-9;

/// The least chance that counts, and only where any is likelier than none: smaller ones
/// cannot be told from pages of which a wrong law is believed.
const LEAST: f64 = 0.004;

/// What a chance above 0 weighs against 0 before anything is seen.
const DOUBT: f64 = 0.05;

/// The chance by which readings of pages are tried while none is found.
const TRIAL: f64 = 0.01;

/// Share of the scores kept from one cycle to the next: about the last twenty
/// cycles count.
const KEPT: f64 = 0.95;

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

    /// Whether pages are believed to change their ways at all.
    pub(super) fn is_needed(&self) -> bool {
        self.chance > 0.0
    }

    /// The chance a cycle that a page's rate is drawn anew.
    pub(super) const fn chance(&self) -> f64 {
        self.chance
    }

    /// The chance by which readings of pages are weighed: the one that is believed
    /// or, if none is, one on trial.
    pub(super) fn reference(&self) -> f64 {
        if self.is_needed() { self.chance } else { TRIAL }
    }

    /// Takes in what visits found.
    ///
    /// A chance is not judged by the surprise of a visit alone, which a wrong
    /// belief explains as well, but by the visits after it too: how likely a
    /// page had turned before is in proportion to the chance.
    pub(super) fn learn(&mut self, likely: &Likely) {
        let foretold = Arch::new().dispatch(Foretelling {
            likely,
            reference: self.reference() as f32,
        });
        for (score, foretold) in self.of_cycle.iter_mut().zip(foretold) {
            *score += foretold;
        }
    }

    /// Ends a cycle: weighs the chances by their scores.
    pub(super) fn end_cycle(&mut self) {
        for (score, news) in self.scores.iter_mut().zip(&mut self.of_cycle) {
            *score = *score * KEPT + std::mem::take(news);
        }
        let best = self.scores.iter().copied().fold(f64::MIN, f64::max);
        let (mut turning, mut sum) = (0.0, 0.0);
        for (score, tried) in self.scores.iter().zip(TRIED).skip(1) {
            let weight = DOUBT * (score - best).exp();
            turning += weight;
            sum += weight * f64::from(tried);
        }
        let never = (self.scores[0] - best).exp();
        let chance = sum / (turning + never);
        let believed = turning > never && chance >= LEAST;
        self.chance = if believed { chance } else { 0.0 };
    }
}

/// The logarithm of how likely what visits found was, for each of the chances
/// tried. Made for the widest vectors the machine has.
struct Foretelling<'a> {
    likely: &'a Likely,
    /// The chance by which the page had turned before that likely.
    reference: f32,
}

impl NullaryFnOnce for Foretelling<'_> {
    type Output = [f64; TRIED.len()];

    #[expect(
        clippy::inline_always,
        reason = "is made for a machine's vectors only inside what asks for them"
    )]
    #[inline(always)]
    fn call(self) -> Self::Output {
        let Self { likely, reference } = self;
        let (mut one, mut odds) = ([1.0; BLOCK], [0.0; BLOCK]);
        for at in 0..BLOCK {
            let turned = likely.turned[at];
            odds[at] = turned / ((1.0 - turned) * reference);
            one[at] = exp(-SMALLEST * likely.cycles[at]);
        }
        let (mut kept, mut foretold) = ([1.0; BLOCK], [1.0; BLOCK]);
        let mut scores = [0.0; TRIED.len()];
        for ((score, tried), more) in scores.iter_mut().zip(TRIED).zip(MORE) {
            for at in 0..BLOCK {
                let twice = kept[at] * kept[at];
                kept[at] = if more { twice * one[at] } else { twice };
                let odds = tried * odds[at];
                let own = (likely.own[at] + odds * likely.second[at]) / (1.0 + odds);
                let all = kept[at] * own + (1.0 - kept[at]) * likely.any[at];
                foretold[at] = all.max(LEAST_LIKELY);
            }
            foretold[likely.len..].fill(1.0);
            *score = sum_of_logs(&foretold);
        }
        scores
    }
}

/// The sum of the logarithms of chances not below [`LEAST_LIKELY`].
#[expect(
    clippy::inline_always,
    reason = "is made for a machine's vectors only inside what asks for them"
)]
#[inline(always)]
fn sum_of_logs(chances: &[f32; BLOCK]) -> f64 {
    let mut logs = [0.0; LANES];
    for (lane, log) in logs.iter_mut().enumerate() {
        let product = chances[lane] * chances[lane + LANES];
        *log = ln(product * (chances[lane + 2 * LANES] * chances[lane + 3 * LANES]));
    }
    logs.iter().map(|&log| f64::from(log)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::evidence::{Evidence, Prior};
    use crate::bayes::visits::{Visit, Visits};
    use crate::bayes::ways::{Readings, Second};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64Mcg;

    const ANY: Prior = Prior {
        mean: 1.0,
        shape: 0.3,
    };

    /// A visit after a day, of a page that changes at a rate near this one.
    fn visited(forgetting: &mut Forgetting, rate: f64, shape: f64, changed: bool) -> Readings {
        let mut visits = Visits::new(ANY);
        visits.push(Visit {
            prior: Prior { mean: rate, shape },
            evidence: Evidence::default(),
            second: Second::default(),
            days: 1.0,
            cycles: 1.0,
            changed,
        });
        visits.reckon(forgetting.reference());
        forgetting.learn(visits.likely());
        visits.readings(0)
    }

    fn learned(chance: f64) -> f64 {
        let mut random = Pcg64Mcg::seed_from_u64(5);
        let mut forgetting = Forgetting::default();
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
                visited(&mut forgetting, own, 20.0, changed);
            }
            forgetting.end_cycle();
        }
        forgetting.chance()
    }

    #[test]
    fn chances_tried_are_twice_the_one_before_or_the_smallest_more() {
        for at in 1..TRIED.len() {
            let more = if MORE[at] { SMALLEST } else { 0.0 };
            let foreseen = 2.0 * TRIED[at - 1] + more;
            assert!((TRIED[at] - foreseen).abs() < 1e-7, "{at}: {foreseen}");
        }
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
        let mut as_ever = |changed| {
            let Readings { own, second, anew } = visited(&mut forgetting, 4.0, 40.0, changed);
            assert!(second.abs() < f64::EPSILON);
            own / (own + anew)
        };
        let (expected, surprise) = (as_ever(true), as_ever(false));
        assert!(expected > 0.98 && surprise < 0.7, "{expected} {surprise}");
    }
}
