//! Pages by merit: what the search for the price needs of them, in a few
//! thousand numbers however many pages there are.

use pulp::Arch;

use crate::measure::Measure;
use crate::pages::{Pages, counts, is_valid};
use crate::price::{Price, Start, find};
use crate::response::visits_per_change;

/// Bins of an octave, as a power of two. With the mean merit kept, 128 bins
/// put demand within about 1e-6 of the truth.
const BIN_BITS: u32 = 7;

/// Bits of an `f64` below the bin's.
const SHIFT: u32 = 52 - BIN_BITS;

/// Exponents of the merits that rates and weights between [`crate::LEAST`] and
/// [`crate::MOST`] can make, `w/λ^2` being the widest: 1e-90 to 1e90.
const EXPONENTS: i32 = 300;

/// Demand within this of the budget is as close as the bins can tell.
const TOLERANCE: f64 = 1e-9;

/// Pages taken at a time: their merits stay in the nearest cache.
const BLOCK: usize = 512;

/// Pages of one bin.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct Bin {
    /// Σ λ.
    rate: f64,
    /// Σ λ m, m the merit.
    moment: f64,
    /// How many pages.
    pages: f64,
}

/// Pages of one measure by merit.
///
/// `Σ λ h(m/μ)` over a bin is Σλ h(m̄/μ) up to the square of the bin's width,
/// m̄ = Σλm/Σλ, so bins stand for their pages in the search for μ. A page moves
/// between bins in O(1).
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
    bins: Vec<Bin>,
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
        bin.rate += by * rate;
        bin.moment += by * rate * merit;
        bin.pages += by;
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
                    bin.rate += rate;
                    bin.moment += rate * merit;
                    bin.pages += 1.0;
                }
            }
        }
        valid
    }

    /// The bins that hold pages.
    pub(crate) fn filled(&self) -> Filled {
        Filled {
            measure: self.measure,
            most: self.most,
            bins: (self.by_merit.iter().copied())
                .filter(|bin| bin.pages > 0.0)
                .collect(),
        }
    }
}

impl Filled {
    /// Demand at a price.
    fn demand(&self, price: f64) -> f64 {
        let bins = self.bins.iter();
        bins.map(|bin| {
            let worth = bin.moment / bin.rate / price;
            let visits = bin.rate * visits_per_change(self.measure, worth);
            visits.min(bin.pages * self.most)
        })
        .sum()
    }

    fn totals(&self) -> Bin {
        self.bins.iter().fold(Bin::default(), |sum, bin| Bin {
            rate: sum.rate + bin.rate,
            moment: sum.moment + bin.moment,
            pages: sum.pages + bin.pages,
        })
    }

    /// The most visits these pages can use.
    pub(crate) fn ceiling(&self) -> f64 {
        let totals = self.totals();
        if totals.pages > 0.0 {
            (totals.pages * self.most).min(self.measure.ceiling(totals.rate))
        } else {
            0.0
        }
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
fn guess(groups: &[Filled], budget: f64) -> f64 {
    let mut total = Bin::default();
    for sum in groups.iter().map(Filled::totals) {
        total.rate += sum.rate;
        total.moment += sum.moment;
    }
    let measure = groups
        .first()
        .map_or(Measure::Harmonic, |bins| bins.measure);
    let visits_per_change = budget / total.rate;
    let worth = if measure == Measure::HarmonicWithFeed {
        Measure::Harmonic.worth_of(visits_per_change)
    } else {
        measure.worth_of(visits_per_change)
    };
    total.moment / total.rate / worth
}
