//! How far a site's rate may be off, on the levels of its activity.

use std::sync::{LazyLock, OnceLock};

use super::burst_law::{LAWS, laws_over};
use super::levels::{FINE, FINE_ONE, LEVEL_STEP, Levels};

/// Points a doubt is spread over: from two and a half deviations below to as
/// many above, half a deviation apart.
const POINTS: usize = 11;

/// Doubts that are told apart: none, and deviations from half a level on, each
/// a tenth larger than the one before. Levels are too coarse to show less.
const DOUBTS: usize = 40;
const FIRST_DEVIATION: f64 = LEVEL_STEP / 2.0;
const DEVIATION_STEP: f64 = 1.1;

/// A log-normal law of mean 1 for the true rate over the believed one: shifts
/// of levels, [`FINE_ONE`] being none, and weights that add up to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct RateDoubt {
    number: usize,
}

impl RateDoubt {
    /// The doubt of a rate known from so many changes: variance 1/changes.
    pub(super) fn of(changes: f64) -> Self {
        let deviation = (1.0 / changes).ln_1p().sqrt();
        let steps = (deviation / FIRST_DEVIATION).ln() / DEVIATION_STEP.ln();
        Self {
            number: (steps + 1.5).clamp(0.0, DOUBTS as f64 - 1.0) as usize,
        }
    }

    /// The laws of the mean activity over `cycles` cycles as they show where the
    /// rate is in doubt.
    pub(super) fn laws_over(self, cycles: u32) -> &'static [Levels; LAWS] {
        static BOOK: LazyLock<Vec<OnceLock<Box<[Levels; LAWS]>>>> =
            LazyLock::new(|| (0..DOUBTS * CYCLES).map(|_| OnceLock::new()).collect());
        const CYCLES: usize = super::burst_law::MOST_CYCLES as usize;
        let cycles = cycles.clamp(1, CYCLES as u32);
        let place = self.number * CYCLES + cycles as usize - 1;
        BOOK[place].get_or_init(|| {
            let mut doubted = Box::new([[0.0; FINE]; LAWS]);
            for (doubted, law) in doubted.iter_mut().zip(laws_over(cycles)) {
                for (shift, weight) in self.shifts() {
                    for (level, mass) in law.iter().enumerate() {
                        doubted[shifted(level, shift)] += weight * mass;
                    }
                }
            }
            doubted
        })
    }

    /// The likelihood of levels where that of the levels as they show is given.
    pub(super) fn behind(self, shown: &Levels) -> Levels {
        let mut padded = [shown[0]; 3 * FINE];
        padded[FINE..2 * FINE].copy_from_slice(shown);
        padded[2 * FINE..].fill(shown[FINE - 1]);
        let mut sum = [0.0; FINE];
        for (shift, weight) in self.shifts() {
            let shown = &padded[FINE + shift - FINE_ONE..][..FINE];
            for (sum, shown) in sum.iter_mut().zip(shown) {
                *sum += weight * shown;
            }
        }
        sum
    }

    fn shifts(self) -> impl Iterator<Item = (usize, f32)> {
        static SHIFTS: LazyLock<[[(usize, f32); POINTS]; DOUBTS]> =
            LazyLock::new(|| std::array::from_fn(shifts));
        let points = if self.number == 0 { 1 } else { POINTS };
        SHIFTS[self.number][..points].iter().copied()
    }
}

/// The shifts of the doubt of that number; of none, the first says all.
fn shifts(number: usize) -> [(usize, f32); POINTS] {
    if number == 0 {
        return [(FINE_ONE, 1.0); POINTS];
    }
    let deviation = FIRST_DEVIATION * DEVIATION_STEP.powi(number as i32 - 1);
    let normal = |point: usize| (point as f64 - (POINTS / 2) as f64) / 2.0;
    let density = |point: usize| (-normal(point) * normal(point) / 2.0).exp();
    let total: f64 = (0..POINTS).map(density).sum();
    std::array::from_fn(|point| {
        let off = deviation * normal(point) - deviation * deviation / 2.0;
        let shift = (off / LEVEL_STEP).round() + FINE_ONE as f64;
        (
            shift.clamp(0.0, FINE as f64 - 1.0) as usize,
            (density(point) / total) as f32,
        )
    })
}

/// The level that is `shift - FINE_ONE` above `level`, or the last one there is.
fn shifted(level: usize, shift: usize) -> usize {
    (level + shift).saturating_sub(FINE_ONE).min(FINE - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::levels::fine_level;

    #[test]
    fn a_doubted_rate_spreads_the_laws_and_keeps_their_mass_and_mean() {
        let doubt = RateDoubt::of(4.0);
        let laws = doubt.laws_over(1);
        for law in laws {
            assert!((law.iter().sum::<f32>() - 1.0).abs() < 1e-5);
        }
        // Log-normal of variance 1/4: the steady law has that spread now.
        let moment = |power: i32| -> f64 {
            let levels = laws[0].iter().enumerate();
            levels
                .map(|(index, &mass)| f64::from(mass) * fine_level(index).powi(power))
                .sum()
        };
        assert!((moment(1) - 1.0).abs() < 0.02, "{}", moment(1));
        let variance = moment(2) - moment(1).powi(2);
        assert!((variance - 0.25).abs() < 0.05, "{variance}");
    }

    #[test]
    fn a_rate_known_for_certain_leaves_the_laws_alone() {
        let sure = RateDoubt::of(1e6);
        assert_eq!(sure.laws_over(3), laws_over(3));
        let shown = std::array::from_fn(|level| level as f32);
        assert_eq!(sure.behind(&shown), shown);
    }

    #[test]
    fn looking_behind_the_doubt_is_the_spreading_turned_round() {
        let doubt = RateDoubt::of(2.0);
        let shown: Levels = std::array::from_fn(|level| (level as f32 * 0.37).sin() + 2.0);
        let behind = doubt.behind(&shown);
        let times = |law: &Levels, other: &Levels| -> f32 {
            law.iter().zip(other).map(|(one, other)| one * other).sum()
        };
        for (law, doubted) in laws_over(2).iter().zip(doubt.laws_over(2)) {
            let (one, other) = (times(law, &behind), times(doubted, &shown));
            assert!((one - other).abs() < 1e-4, "{one} {other}");
        }
    }
}
