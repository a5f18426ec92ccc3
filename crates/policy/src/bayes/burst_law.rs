//! How busy sites get: laws of a site's activity, and which of them holds.

use std::sync::LazyLock;

use super::elementary::exp;
use super::levels::{FINE, FINE_ONE, LEVEL_STEP, Levels, fine_level};

/// How many laws are considered.
pub(super) const LAWS: usize = SHAPES.len() + CHANCES.len();

/// Shapes of the gamma laws a site's activity in one cycle may follow, mean 1:
/// the smaller, the more its changes come in bursts. The first stands for a
/// site that is always as busy. A spread of one and a half decades: the
/// collection's own weights decide between them.
const SHAPES: [f64; 6] = [f64::INFINITY, 4.0, 1.0, 0.3, 0.1, 0.03];

/// Chances of a burst in a cycle, of sites that are as busy as usual in all
/// others. Gamma laws have no such usual: the burstier, the closer to nothing
/// happens between bursts.
const CHANCES: [f64; 2] = [0.03, 0.1];

/// Levels of such a burst: from twice as busy as usual on. The last level is left
/// to storms.
const BURSTS: std::ops::Range<usize> = FINE_ONE + 4..FINE - 1;

/// What is believed of a collection before anything is seen: steady sites.
const STEADY: f64 = 0.8;

/// Sites the belief above counts for against those seen.
const BELIEF_WEIGHT: f64 = 10.0;

/// How much each of the laws is believed; adds up to 1.
pub(super) type LawWeights = [f32; LAWS];

/// The weights before anything is seen.
pub(super) fn first_weights() -> LawWeights {
    std::array::from_fn(|law| {
        if law == 0 {
            STEADY as f32
        } else {
            ((1.0 - STEADY) / (LAWS - 1) as f64) as f32
        }
    })
}

/// The collection's weights from those of its sites.
pub(super) fn pooled(sites: impl Iterator<Item = LawWeights>) -> LawWeights {
    let first = first_weights();
    let mut sums = first.map(|weight| f64::from(weight) * BELIEF_WEIGHT);
    let mut total = BELIEF_WEIGHT;
    for weights in sites {
        for (sum, weight) in sums.iter_mut().zip(weights) {
            *sum += f64::from(weight);
        }
        total += 1.0;
    }
    sums.map(|sum| (sum / total) as f32)
}

/// A site's weights: the collection's, times how well each law has foretold
/// the site, `scores` being logarithms.
pub(super) fn weigh(collection: LawWeights, scores: &[f32; LAWS]) -> LawWeights {
    let best = scores.iter().copied().fold(f32::MIN, f32::max);
    let mut weights = collection;
    for (weight, score) in weights.iter_mut().zip(scores) {
        *weight *= exp(score - best);
    }
    let total: f32 = weights.iter().sum();
    weights.map(|weight| weight / total)
}

/// Beyond this many cycles activity is nearly even for all laws.
pub(super) const MOST_CYCLES: u32 = 64;

/// The laws of the mean activity over `cycles` cycles, each made once.
pub(super) fn laws_over(cycles: u32) -> &'static [Levels; LAWS] {
    static BOOK: LazyLock<Vec<[Levels; LAWS]>> =
        LazyLock::new(|| (1..=MOST_CYCLES).map(laws).collect());
    &BOOK[cycles.clamp(1, MOST_CYCLES) as usize - 1]
}

/// All laws of the mean activity over `cycles` cycles, on the fine levels. The
/// mean of n gamma values of shape k has shape n k.
fn laws(cycles: u32) -> [Levels; LAWS] {
    std::array::from_fn(|law| {
        if law == 0 {
            let mut steady = [0.0; FINE];
            steady[FINE_ONE] = 1.0;
            return steady;
        }
        match SHAPES.get(law) {
            Some(shape) => gamma_law(shape * f64::from(cycles)),
            None => burst_now_and_then(CHANCES[law - SHAPES.len()], cycles),
        }
    })
}

/// As usual but for bursts, whose levels are even in logarithms: they may be of
/// any size. Of several in so many cycles only one counts.
fn burst_now_and_then(chance: f64, cycles: u32) -> Levels {
    let mut law = [0.0; FINE];
    let none = (1.0 - chance).powi(cycles.cast_signed());
    law[FINE_ONE] = none as f32;
    let each = ((1.0 - none) / BURSTS.len() as f64) as f32;
    for index in BURSTS {
        let mean = 1.0 + (fine_level(index) - 1.0) / f64::from(cycles);
        let above = (mean.ln() / LEVEL_STEP).round() as usize;
        law[(FINE_ONE + above).min(FINE - 2)] += each;
    }
    law
}

/// Gamma law of mean 1 on the fine levels. What lies below them is put on the
/// lowest, and mass is moved there until the mean is 1.
fn gamma_law(shape: f64) -> Levels {
    let density = |index: usize| {
        let level = fine_level(index);
        (shape * (level.ln() - level + 1.0)).exp()
    };
    let mut law: Levels = std::array::from_fn(|index| density(index) as f32);
    let step = fine_level(1) / fine_level(0);
    law[0] /= (1.0 - step.powf(-shape)) as f32;
    let total: f32 = law.iter().sum();
    law = law.map(|mass| mass / total);
    let mean: f64 = (0..FINE)
        .map(|index| f64::from(law[index]) * fine_level(index))
        .sum();
    if mean > 1.0 {
        let moved = ((mean - 1.0) / (mean - fine_level(0))) as f32;
        law = law.map(|mass| mass * (1.0 - moved));
        law[0] += moved;
    }
    law
}

/// The laws of [`laws`] weighed into one.
pub(super) fn mixture(laws: &[Levels; LAWS], weights: LawWeights) -> Levels {
    let mut sum = [0.0; FINE];
    for (law, weight) in laws.iter().zip(weights) {
        for (sum, mass) in sum.iter_mut().zip(law) {
            *sum += weight * mass;
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_gamma_law_has_mean_one_and_mass_one() {
        for cycles in [1, 3, 40] {
            for (law, shape) in laws(cycles).iter().zip(SHAPES) {
                let mass: f32 = law.iter().sum();
                let mean: f64 = (0..FINE)
                    .map(|index| f64::from(law[index]) * fine_level(index))
                    .sum();
                assert!((mass - 1.0).abs() < 1e-5, "{shape}: {mass}");
                assert!((mean - 1.0).abs() < 0.06, "{shape} over {cycles}: {mean}");
            }
        }
    }

    #[test]
    fn a_burst_in_many_cycles_is_likelier_and_shows_less_in_their_mean() {
        let laws = [1, 10].map(|cycles| burst_now_and_then(0.1, cycles));
        for law in laws {
            assert!((law.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        let [one, ten] = laws;
        assert!((one[FINE_ONE] - 0.9).abs() < 1e-6);
        assert!(
            (ten[FINE_ONE] - 0.9f32.powi(10)).abs() < 0.1,
            "{}",
            ten[FINE_ONE]
        );
        assert!(one[FINE - 2] > 0.0 && ten[FINE - 2].abs() < f32::EPSILON);
    }

    #[test]
    fn a_law_that_foretells_better_wins() {
        let mut scores = [0.0; LAWS];
        scores[3] = 6.0;
        let weights = weigh(first_weights(), &scores);
        assert!(weights[3] > 0.9, "{weights:?}");
        assert!((weights.iter().sum::<f32>() - 1.0).abs() < 1e-6);
    }

    #[test]
    fn few_sites_do_not_outvote_the_first_belief_at_once() {
        let mut bursty = [0.0; LAWS];
        bursty[5] = 1.0;
        let few = pooled(std::iter::repeat_n(bursty, 2));
        let many = pooled(std::iter::repeat_n(bursty, 200));
        assert!(few[0] > 0.6 && many[5] > 0.9, "{few:?} {many:?}");
    }
}
