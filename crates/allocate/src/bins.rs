//! Pages by merit: what the search for the price needs of them, in a few
//! thousand numbers however many pages there are.

use pulp::Arch;

use crate::measure::Measure;
use crate::pages::{Pages, counts, is_valid};
use crate::price::{Price, Start, find};
use crate::response::visits_per_change;

/// Bins of an octave, as a power of two.
const BIN_BITS: u32 = 7;

/// Bits of an `f64` below the bin's.
const SHIFT: u32 = 52 - BIN_BITS;

/// Mantissa bits within a bin.
const WITHIN: u64 = (1 << SHIFT) - 1;

/// Exponents of the merits that rates and weights between [`crate::LEAST`] and
/// [`crate::MOST`] can make, `w/λ^2` being the widest: 1e-90 to 1e90.
const EXPONENTS: i32 = 300;

/// Demand within this of the budget is as close as the bins can tell.
const TOLERANCE: f64 = 1e-9;

/// Pages taken at a time: their merits stay in the nearest cache.
const BLOCK: usize = 512;

/// Worths this close to 1, relative, may lie where demand ends steeply; their
/// bins are looked at in [`FINE`] places.
const STEEP: f64 = 0.05;

/// Places within a bin where demand is steep.
const FINE: u32 = 16;

/// Pages of one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Bin {
    /// Σ λ.
    rate: f64,
    /// Σ λ s, s the share of the bin below a page's merit.
    share: f64,
    /// Σ λ s^2.
    square: f64,
    /// How many pages.
    pages: f64,
}

impl Bin {
    #[inline(always)]
    fn count(&mut self, rate: f64, merit: f64, by: f64) {
        let share = share_of(merit);
        self.rate += by * rate;
        self.share += by * rate * share;
        self.square += by * rate * share * share;
        self.pages += by;
    }
}

/// How far into its bin a merit lies, from 0 to 1: the mantissa bits within.
#[inline(always)]
fn share_of(merit: f64) -> f64 {
    f64::from_bits(((merit.to_bits() & WITHIN) << BIN_BITS) | 1f64.to_bits()) - 1.0
}

/// A bin that holds pages, as the search sees it.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Σ λ.
    rate: f64,
    /// How many pages.
    pages: f64,
    /// Mean of the merits, weighted with λ.
    merit: f64,
    /// Their standard deviation.
    spread: f64,
}

impl Group {
    fn new(index: usize, bin: &Bin) -> Self {
        let edge = |index: u64| f64::from_bits((index + first_bin()) << SHIFT);
        let (low, high) = (edge(index as u64), edge(index as u64 + 1));
        let mean = bin.share / bin.rate;
        let variance = (bin.square / bin.rate - mean * mean).max(0.0);
        Self {
            rate: bin.rate,
            pages: bin.pages,
            merit: low + mean * (high - low),
            spread: variance.sqrt() * (high - low),
        }
    }

    /// Mean of h over the merits, known by mean and spread: two places where h
    /// is smooth, an even spread where it is not.
    fn visits_per_change(&self, measure: Measure, price: f64) -> f64 {
        let at = |merit: f64| visits_per_change(measure, merit / price);
        if (self.merit / price - 1.0).abs() < STEEP {
            let width = 2.0 * 3f64.sqrt() * self.spread;
            let place = |step: u32| (f64::from(step) + 0.5) / f64::from(FINE) - 0.5;
            let places = (0..FINE).map(|step| at(self.merit + place(step) * width));
            places.sum::<f64>() / f64::from(FINE)
        } else {
            at(self.merit - self.spread).midpoint(at(self.merit + self.spread))
        }
    }
}

/// Pages of one measure by merit.
///
/// `Σ λ h(m/μ)` over a bin follows from Σλ and the mean and variance of m, up to
/// the cube of the bin's width, so bins stand for their pages in the search for
/// μ. A page moves between bins in O(1).
#[derive(Debug, Clone)]
pub(crate) struct Bins {
    measure: Measure,
    most: f64,
    by_merit: Vec<Bin>,
}

/// Bins that hold pages, as columns for the search.
#[derive(Debug, Clone)]
pub(crate) struct Filled {
    measure: Measure,
    most: f64,
    groups: Vec<Group>,
}

fn first_bin() -> u64 {
    2f64.powi(-EXPONENTS).to_bits() >> SHIFT
}

impl Bins {
    pub(crate) fn new(measure: Measure, most: f64) -> Self {
        let bins = (2 * EXPONENTS as usize) << BIN_BITS;
        Self {
            measure,
            most,
            by_merit: vec![Bin::default(); bins],
        }
    }

    /// Counts one page in (`by` 1) or out (-1).
    pub(crate) fn count(&mut self, rate: f64, weight: f64, by: f64) {
        if !counts(rate, weight) {
            return;
        }
        let merit = self.measure.merit(rate, weight);
        let index = (merit.to_bits() >> SHIFT).wrapping_sub(first_bin());
        let Some(bin) = self.by_merit.get_mut(index as usize) else {
            return; // no checked rate and weight have such a merit
        };
        bin.count(rate, merit, by);
        if bin.pages <= 0.0 {
            *bin = Bin::default(); // sheds what rounding left
        }
    }

    /// Counts all pages in; false if one has a rate or weight that is none.
    pub(crate) fn fill<N: Copy + Into<f64>>(&mut self, pages: &Pages<'_, N>) -> bool {
        match pages.measure {
            Measure::Changes => self.fill_by(pages, |_, weight| weight),
            Measure::Age => self.fill_by(pages, |rate, weight| weight / (rate * rate)),
            Measure::Freshness
            | Measure::MemorylessFreshness
            | Measure::Harmonic
            | Measure::HarmonicWithFeed => self.fill_by(pages, |rate, weight| weight / rate),
        }
    }

    #[inline(always)] // the merit must be known inside the loop
    fn fill_by<N: Copy + Into<f64>>(
        &mut self,
        pages: &Pages<'_, N>,
        merit: impl Fn(f64, f64) -> f64,
    ) -> bool {
        let first = first_bin();
        let mut merits = [0.0; BLOCK];
        let mut valid = true;
        let columns = pages.rates.chunks(BLOCK).zip(pages.weights.chunks(BLOCK));
        for (rates, weights) in columns {
            let merits = &mut merits[..rates.len()];
            valid &= Arch::new().dispatch(|| {
                let mut valid = true;
                for ((place, &rate), &weight) in merits.iter_mut().zip(rates).zip(weights) {
                    let (rate, weight) = (rate.into(), weight.into());
                    let merit = merit(rate, weight);
                    *place = if counts(rate, weight) { merit } else { 0.0 };
                    valid &= is_valid(rate) & is_valid(weight);
                }
                valid
            });
            for (&merit, &rate) in merits.iter().zip(rates) {
                let rate = rate.into();
                let index = (merit.to_bits() >> SHIFT).wrapping_sub(first);
                // A page that counts for nothing has merit 0, off the bins.
                if let Some(bin) = self.by_merit.get_mut(index as usize) {
                    bin.count(rate, merit, 1.0);
                }
            }
        }
        valid
    }

    /// The bins that hold pages.
    pub(crate) fn filled(&self) -> Filled {
        let bins = self.by_merit.iter().enumerate();
        let filled = bins.filter(|(_, bin)| bin.pages > 0.0);
        Filled {
            measure: self.measure,
            most: self.most,
            groups: filled.map(|(index, bin)| Group::new(index, bin)).collect(),
        }
    }
}

impl Filled {
    /// Demand at a price.
    fn demand(&self, price: f64) -> f64 {
        let groups = self.groups.iter();
        groups
            .map(|group| {
                let visits = group.rate * group.visits_per_change(self.measure, price);
                visits.min(group.pages * self.most)
            })
            .sum()
    }

    /// The most visits these pages can use.
    pub(crate) fn ceiling(&self) -> f64 {
        let sum = |of: fn(&Group) -> f64| self.groups.iter().map(of).sum::<f64>();
        if self.groups.is_empty() {
            return 0.0;
        }
        (sum(|group| group.pages) * self.most).min(self.measure.ceiling(sum(|group| group.rate)))
    }
}

/// The price at which these pages spend the budget, up to what bins can tell,
/// with the slope of demand there. The budget is above 0 and below what the
/// pages can use.
pub(crate) fn price_of(groups: &[Filled], budget: f64, from: Option<f64>) -> (Price, f64) {
    const NUDGE: f64 = 1e-3;
    let demand = |price: f64| groups.iter().map(|bins| bins.demand(price)).sum();
    let start = Start {
        price: from.unwrap_or_else(|| guess(groups, budget)),
        slope: 0.7,
        tolerance: TOLERANCE,
    };
    let price = find(demand, budget, start);
    let (less, more) = (
        demand(price.value() / (1.0 + NUDGE)),
        demand(price.value() * (1.0 + NUDGE)),
    );
    let slope = (less / more).ln() / (2.0 * NUDGE.ln_1p());
    let slope = if slope.is_finite() {
        slope.max(0.1)
    } else {
        start.slope
    };
    (price, slope)
}

/// The price if all pages had their mean merit.
fn guess(filled: &[Filled], budget: f64) -> f64 {
    let groups = || filled.iter().flat_map(|filled| &filled.groups);
    let rate: f64 = groups().map(|group| group.rate).sum();
    let moment: f64 = groups().map(|group| group.rate * group.merit).sum();
    let measure = filled.first().map(|filled| filled.measure);
    mean_price(
        measure.unwrap_or(Measure::Harmonic),
        rate,
        moment / rate,
        budget,
    )
}

/// The price at which pages of one merit and these changes in all spend a budget.
pub(crate) fn mean_price(measure: Measure, rate: f64, merit: f64, budget: f64) -> f64 {
    let measure = match measure {
        Measure::HarmonicWithFeed => Measure::Harmonic, // for any budget
        measure => measure,
    };
    merit / measure.worth_of(budget / rate)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    fn filled(pages: usize) -> Filled {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(6);
        let mut bins = Bins::new(Measure::Freshness, f64::INFINITY);
        for _ in 0..pages {
            bins.count(10f64.powf(rng.random_range(-3.0..1.0)), 1.0, 1.0);
        }
        bins.filled()
    }

    /// What a new price costs depends on the range of merits, not on the pages.
    #[test]
    fn a_hundred_times_the_pages_fill_no_more_bins() {
        let (few, many) = (filled(3_000), filled(300_000));
        assert!(few.groups.len() > 1_000);
        // Merits of 1e-1 to 1e3 are 13.3 octaves of 128 bins.
        assert!(many.groups.len() <= 14 * 128, "{}", many.groups.len());
    }

    #[test]
    fn bins_know_mean_and_spread_of_the_merits_within() {
        // Two pages in the bin from 1 to 1 + 1/128.
        let mut bins = Bins::new(Measure::Changes, f64::INFINITY);
        let (low, high) = (1.001, 1.005);
        bins.count(2.0, low, 1.0);
        bins.count(2.0, high, 1.0);
        let filled = bins.filled();
        assert_eq!(filled.groups.len(), 1);
        let group = filled.groups[0];
        assert!((group.merit - 1.003).abs() < 1e-12 && (group.spread - 0.002).abs() < 1e-12);
        assert_eq!((group.rate, group.pages), (4.0, 2.0));
    }
}
