//! Silence: sites stop changing, for good or for long.

use std::sync::LazyLock;

use super::levels::{FINE_ONE, Levels, fine_levels};

/// Cycles of sites in which one is expected to fall silent before anything is seen.
const FIRST_CYCLES: f64 = 500.0;

/// The chance of it in a cycle.
pub(super) const FIRST_CHANCE: f32 = (1.0 / FIRST_CYCLES) as f32;

/// Chance a cycle that a silent site wakes: that of falling silent, before anything is
/// seen. Who is visited no more is not seen to wake, so that it is not learned.
const WAKES: f32 = FIRST_CHANCE;

/// Changes of its own from which on a site is known to be lively: of one that was seen
/// to change less, quiet says that it is slow.
pub(super) const LIVELY: f64 = 8.0;

/// What is believed of a site's silence.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Silence {
    /// Chance that it was silent when it was last looked at.
    before: f32,
    /// Chance that it is.
    pub(super) now: f32,
    /// How busy it was since the last look, if it is.
    pub(super) level: f32,
}

/// Chances of what became of a site in some cycles.
#[derive(Debug, Clone, Copy)]
pub(super) struct States {
    /// It has been silent since before them.
    pub(super) stayed: f32,
    /// It fell silent in one of them.
    pub(super) fell: f32,
    /// It is awake.
    pub(super) awake: f32,
}

impl Silence {
    /// What became of the site in so many cycles since it was looked at, if in each it
    /// falls silent with that chance; 0 where silence cannot be told.
    pub(super) fn over(self, cycles: u32, falls: f32) -> States {
        if falls <= 0.0 {
            return States {
                stayed: 0.0,
                fell: 0.0,
                awake: 1.0,
            };
        }
        let cycles = cycles.cast_signed();
        let stayed = self.before * (1.0 - WAKES).powi(cycles);
        let fell = (1.0 - self.before) * (1.0 - (1.0 - falls).powi(cycles));
        States {
            stayed,
            fell,
            awake: 1.0 - stayed - fell,
        }
    }

    /// Takes in how likely the site was silent when it was looked at.
    pub(super) const fn learn(&mut self, chance: f32) {
        self.before = chance;
    }

    /// Chance that it was silent when it was last looked at.
    pub(super) const fn before(self) -> f32 {
        self.before
    }

    /// Whether the last look can tell most of the silence there may be: had the site
    /// been silent then, pages seen in it have not changed since.
    pub(super) fn is_watched(self, cycles: u32, falls: f32) -> bool {
        let States { stayed, fell, .. } = self.over(cycles, falls);
        stayed >= fell
    }
}

impl States {
    /// Masses of the levels of a site that is silent now: over a time in which it fell
    /// silent at any moment it was on average up to as busy as usual.
    pub(super) fn silent_levels(self) -> Levels {
        static FADING: LazyLock<Levels> = LazyLock::new(|| {
            let mut below = 0.0;
            std::array::from_fn(|index| {
                let level = fine_levels()[index.min(FINE_ONE)];
                level - std::mem::replace(&mut below, level)
            })
        });
        let mut masses = FADING.map(|mass| self.fell * mass);
        masses[0] += self.stayed;
        masses
    }
}

/// The collection's chance a cycle that a site falls silent, from lively sites: chances
/// that each is silent, and cycles it was seen to be awake in; at most one half.
pub(super) fn pooled(sites: impl Iterator<Item = (f32, f32)>) -> f32 {
    let (mut seen, mut watched) = (1.0, FIRST_CYCLES);
    for (silent, cycles) in sites {
        seen += f64::from(silent);
        watched += f64::from(cycles);
    }
    (seen / watched).min(0.5) as f32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bayes::levels::fine_level;

    #[test]
    fn a_site_falls_silent_the_likelier_the_longer_nobody_looked() {
        let silence = Silence::default();
        let [soon, late] = [5, 50].map(|cycles| silence.over(cycles, 0.01));
        assert!((soon.fell - 0.049).abs() < 1e-3 && (late.fell - 0.395).abs() < 1e-3);
        assert!(!silence.is_watched(5, 0.01));
        let mut seen = silence;
        seen.learn(0.3);
        let States {
            stayed,
            fell,
            awake,
        } = seen.over(5, 0.01);
        assert!((stayed + fell + awake - 1.0).abs() < 1e-6);
        assert!(seen.is_watched(5, 0.01) && !seen.is_watched(80, 0.01));
    }

    #[test]
    fn where_it_cannot_be_told_there_is_none() {
        let mut silence = Silence::default();
        silence.learn(0.9);
        let States { fell, awake, .. } = silence.over(10, 0.0);
        assert_eq!((fell, awake), (0.0, 1.0));
    }

    #[test]
    fn a_site_that_fell_silent_was_half_as_busy_on_average() {
        let states = States {
            stayed: 0.1,
            fell: 0.4,
            awake: 0.5,
        };
        let levels = states.silent_levels();
        let masses = levels.iter().map(|&mass| f64::from(mass));
        assert!((masses.clone().sum::<f64>() - 0.5).abs() < 1e-6);
        let mean: f64 = masses
            .enumerate()
            .map(|(index, mass)| mass * fine_level(index))
            .sum();
        assert!((mean / 0.4 - 0.5).abs() < 0.06, "{mean}");
    }

    #[test]
    fn the_collection_learns_how_often_sites_fall_silent() {
        let often = pooled((0..100).map(|site| (f32::from(u8::from(site < 20)), 100.0)));
        assert!((often - 21.0 / 10_500.0).abs() < 1e-6, "{often}");
        // All at once, soon after they were met.
        assert_eq!(pooled((0..2_000).map(|_| (1.0, 0.5))), 0.5);
        assert_eq!(pooled(std::iter::empty()), FIRST_CHANCE);
    }
}
