//! Laws beyond Poisson: how likely pages change by the time since their last
//! change, learned.
//!
//! A page that changes at a steady rate does so with the same chance however long
//! ago it last did. Pages that are edited in spells change again soon or not for
//! long (a heavy tail of inter-update times); pages rewritten by a clock do not
//! before their time has come (a lattice). The hazard by age says which: the
//! derivative of the age distribution that blind samples tell
//! (`recrawl_distribution`), relative to the steady rate of the same page.

/// Ages that are told apart, in cycles: up to 1, and from each power of two to
/// half as much more and to the next, as far as 2^[`OCTAVES`].
const BINS: usize = 1 + 2 * OCTAVES;
const OCTAVES: usize = 8;

/// Changes of a steady rate that each bin counts for before anything is seen.
const STEADY: f64 = 40.0;

/// Share of what was seen that is kept from one cycle to the next: about the last
/// hundred cycles count.
const KEPT: f64 = 0.99;

/// How much likelier than at a steady rate a change is, by age.
#[derive(Debug)]
pub(super) struct Recency {
    /// Times as likely, in each bin.
    hazard: [f32; BINS],
    /// What is to be added to it times an age for the integral of it until then.
    offset: [f32; BINS],
    /// Changes found in each bin, and expected at steady rates.
    found: [f64; BINS],
    expected: [f64; BINS],
    cycles_a_day: f32,
}

impl Default for Recency {
    fn default() -> Self {
        let mut steady = Self {
            hazard: [1.0; BINS],
            offset: [0.0; BINS],
            found: [0.0; BINS],
            expected: [0.0; BINS],
            cycles_a_day: 1.0,
        };
        steady.add_up();
        steady
    }
}

/// The bin of an age of so many cycles: by the exponent and the first digit of it.
#[inline]
fn bin(age: f32) -> usize {
    let halves = (age.max(0.5).to_bits() >> 22) - (0.5f32.to_bits() >> 22);
    (halves as usize).saturating_sub(1).min(BINS - 1)
}

/// The age at which a bin begins.
fn start(bin: usize) -> f32 {
    match bin {
        0 => 0.0,
        _ => f32::from_bits(((1f32.to_bits() >> 22) + bin as u32 - 1) << 22),
    }
}

impl Recency {
    /// Times as likely as at a steady rate a change is in so many `cycles` from an
    /// age on.
    #[inline]
    fn factor(&self, age: f32, cycles: f32) -> f32 {
        let end = age + cycles;
        let (first, last) = (bin(age), bin(end));
        let (early, late) = (self.hazard[first], self.hazard[last]);
        if first == last {
            return early;
        }
        let mean = (self.integral(end) - self.integral(age)) / cycles;
        if last == first + 1 {
            // Of short waits at great age differences lose their digits.
            mean.clamp(early.min(late), early.max(late))
        } else {
            mean
        }
    }

    /// The same, in days.
    #[inline]
    pub(super) fn factor_of_days(&self, age: f32, days: f32) -> f32 {
        self.factor(self.cycles(age), self.cycles(days))
    }

    /// How many cycles so many days are.
    #[inline]
    pub(super) fn cycles(&self, days: f32) -> f32 {
        days * self.cycles_a_day
    }

    #[inline]
    fn integral(&self, age: f32) -> f32 {
        let bin = bin(age);
        self.offset[bin] + self.hazard[bin] * age
    }

    /// Takes in an interval of so many `cycles` from an age on, in which
    /// `expected` changes were to come at a steady rate; it found a change that had
    /// the given `chance`, or none.
    pub(super) fn learn(&mut self, age: f32, cycles: f32, expected: f64, found: Option<f64>) {
        let end = age + cycles;
        let all = f64::from(self.integral(end) - self.integral(age));
        if !(all > 0.0 && cycles > 0.0) {
            return;
        }
        let a_cycle = expected / f64::from(cycles);
        // Changes that came if one was found: E[N | N > 0] = E[N] / P(N > 0).
        let changes = found.map_or(0.0, |chance| {
            let expected = a_cycle * all;
            (expected / chance.max(1e-12)).max(1.0)
        });
        for at in bin(age)..=bin(end) {
            let next = if at + 1 < BINS { start(at + 1) } else { end };
            let part = f64::from((end.min(next.max(age)) - age.max(start(at))).max(0.0));
            self.expected[at] += a_cycle * part;
            self.found[at] += changes * part * f64::from(self.hazard[at]) / all;
        }
    }

    /// Takes note of how long cycles are.
    pub(super) fn set_cycle(&mut self, days: f64) {
        self.cycles_a_day = (1.0 / days) as f32;
    }

    /// Ends a cycle: draws the conclusions.
    pub(super) fn end_cycle(&mut self) {
        let (mut found, mut expected) = (STEADY, STEADY);
        for at in 0..BINS {
            self.found[at] *= KEPT;
            self.expected[at] *= KEPT;
            found += self.found[at];
            expected += self.expected[at];
        }
        // What all ages have in common is in the rates.
        let usual = found / expected;
        for at in 0..BINS {
            let ratio = (STEADY * usual + self.found[at]) / (STEADY + self.expected[at]);
            self.hazard[at] = (ratio / usual) as f32;
        }
        self.add_up();
    }

    fn add_up(&mut self) {
        for at in 1..BINS {
            let drop = self.hazard[at - 1] - self.hazard[at];
            self.offset[at] = self.offset[at - 1] + drop * start(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn bins_begin_at_powers_of_two_and_half_way_between() {
        let starts: Vec<f32> = (0..8).map(start).collect();
        assert_eq!(starts, [0.0, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0]);
        for at in 1..BINS {
            assert_eq!(bin(start(at)), at);
            assert_eq!(bin(start(at) * 0.999), at - 1);
        }
        assert_eq!(bin(1e9), BINS - 1);
    }

    /// What is learned of pages visited every cycle whose hazard is that of their age.
    fn learned(hazard: impl Fn(f32) -> f64) -> Recency {
        let mut recency = Recency::default();
        let rate = 0.1;
        for _ in 0..30 {
            for age in 0..16u16 {
                let age = f32::from(age);
                let chance = -(-rate * hazard(age)).exp_m1();
                // A thousand pages of each age.
                let (changed, rest) = ((1_000.0 * chance) as usize, 1_000);
                for page in 0..rest {
                    let believed = -(-rate * f64::from(recency.factor(age, 1.0))).exp_m1();
                    let found = (page < changed).then_some(believed);
                    recency.learn(age, 1.0, rate, found);
                }
            }
            recency.end_cycle();
        }
        recency
    }

    #[test]
    fn steady_pages_stay_steady() {
        let recency = learned(|_| 1.0);
        for age in [0.0, 2.0, 9.0] {
            let factor = recency.factor(age, 1.0);
            assert!((factor - 1.0).abs() < 0.03, "{age}: {factor}");
        }
    }

    #[test]
    fn spells_and_clocks_are_told_from_steady_rates() {
        let spells = learned(|age| if age < 2.0 { 3.0 } else { 0.5 });
        let ratio = spells.factor(1.0, 1.0) / spells.factor(9.0, 1.0);
        assert!((ratio / 6.0 - 1.0).abs() < 0.1, "{ratio}");
        let clock = learned(|age| if age < 4.0 { 0.0 } else { 2.0 });
        assert!(clock.factor(1.0, 2.0) < 0.1, "{clock:?}");
        assert!(clock.factor(6.0, 2.0) > 1.0, "{clock:?}");
    }

    proptest! {
        #[test]
        fn factors_of_parts_add_up_to_that_of_the_whole(
            age in 0.0..300.0f32, one in 0.01..50.0f32, other in 0.01..50.0f32,
        ) {
            let recency = learned_once();
            let parts = one * recency.factor(age, one) + other * recency.factor(age + one, other);
            let whole = (one + other) * recency.factor(age, one + other);
            prop_assert!((parts - whole).abs() < 1e-3 * whole.max(1.0), "{parts} {whole}");
        }
    }

    #[test]
    fn short_waits_at_great_age_are_as_likely_as_their_bins_say() {
        let recency = learned_once();
        for age in [200.0, 191.999_98, 1e6] {
            let factor = recency.factor(age, 1e-5);
            let (low, high) = (recency.hazard[BINS - 1], recency.hazard[BINS - 2]);
            assert!(factor >= low && factor <= high, "{age}: {factor}");
        }
        assert_eq!(recency.factor(5.0, 0.0), recency.hazard[bin(5.0)]);
    }

    fn learned_once() -> Recency {
        let mut recency = Recency::default();
        for at in 0..BINS {
            recency.hazard[at] = 2.0 / (1.0 + at as f32);
        }
        recency.add_up();
        recency
    }
}
