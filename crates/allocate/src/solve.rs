//! The optimum under one budget: [`solve`], [`fill`] and [`allocate`].

use crate::bins::{Bins, Filled, price_of};
use crate::demand::demand;
use crate::error::{AllocateError, checked};
use crate::pages::Pages;
use crate::price::{Price, Start, find};
use crate::steep::refine;

/// Spending this close to the budget, relative, ends the search: ten times
/// closer than promised.
const TOLERANCE: f64 = 1e-10;

/// What [`allocate`] found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allocation {
    /// The price of a visit.
    pub price: Price,
    /// Visits per unit of time of all pages, before rounding to `f32`. The
    /// budget to one part in 10^9, or less if the pages cannot use it.
    pub spent: f64,
}

/// The price of a visit at which these pages spend `budget` best.
///
/// Groups of pages may be scored by different measures on one scale, such as
/// [`crate::Measure::Harmonic`] with [`crate::Measure::HarmonicWithFeed`]: one
/// price is what splits a budget between them best, since a visit could
/// otherwise be moved to where it adds more.
///
/// Two to six passes over the pages, rarely a dozen, and next to no memory for
/// them: pages are first counted into bins by merit, the search runs on the bins,
/// and passes over all pages correct the last digits.
///
/// # Errors
/// If a rate, a weight or the budget is not between 0 and [`crate::MOST`].
pub fn solve<N: Copy + Into<f64>>(
    groups: &[Pages<'_, N>],
    budget: f64,
) -> Result<Price, AllocateError> {
    let spent = |price| groups.iter().map(|pages| demand(pages, price, None)).sum();
    Ok(search(groups, budget, spent)?.0)
}

/// Writes each page's visits per unit of time at a price found by [`solve`];
/// returns their sum before rounding to `f32`.
///
/// # Errors
/// [`AllocateError::Room`] unless `visits` has one place per page.
pub fn fill<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    price: Price,
    visits: &mut [f32],
) -> Result<f64, AllocateError> {
    check_room(pages, visits)?;
    Ok(demand(pages, price, Some(visits)))
}

/// [`solve`] and [`fill`] for one group, with no pass more than needed.
///
/// ```
/// use recrawl_allocate::{Measure, Pages, allocate};
///
/// let (rates, weights) = ([1.0f32, 2.0, 3.0, 4.0, 5.0], [1.0; 5]);
/// let pages = Pages::new(Measure::Freshness, &rates, &weights)?;
/// let mut visits = [0.0; 5];
/// allocate(&pages, 5.0, &mut visits)?;
/// assert_eq!(visits.map(|v| (v * 1000.0).round()), [1150.0, 1358.0, 1354.0, 1138.0, 0.0]);
/// # Ok::<(), recrawl_allocate::AllocateError>(())
/// ```
///
/// # Errors
/// As [`solve`] and [`fill`]; nothing is written then.
pub fn allocate<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    budget: f64,
    visits: &mut [f32],
) -> Result<Allocation, AllocateError> {
    check_room(pages, visits)?;
    // The search writes what it sums: its last pass is the answer.
    let groups = std::slice::from_ref(pages);
    let (price, spent) = search(groups, budget, |price| {
        demand(pages, price, Some(&mut *visits))
    })?;
    let spent = spent.unwrap_or_else(|| demand(pages, price, Some(visits)));
    Ok(Allocation { price, spent })
}

/// Refuses room for another number of pages.
pub(crate) fn check_room<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    visits: &[f32],
) -> Result<(), AllocateError> {
    if visits.len() == pages.len() {
        return Ok(());
    }
    Err(AllocateError::Room {
        room: visits.len(),
        pages: pages.len(),
    })
}

/// Bins of checked pages.
pub(crate) fn binned<N: Copy + Into<f64>>(
    groups: &[Pages<'_, N>],
) -> Result<Vec<Filled>, AllocateError> {
    let bin = |pages: &Pages<'_, N>| {
        let mut bins = Bins::new(pages.measure, pages.most);
        if !bins.fill(pages) {
            pages.check()?;
        }
        Ok(bins.filled())
    };
    groups.iter().map(bin).collect()
}

/// The price, and what is `spent` at it if that was asked last.
fn search<N: Copy + Into<f64>>(
    groups: &[Pages<'_, N>],
    budget: f64,
    mut spent: impl FnMut(Price) -> f64,
) -> Result<(Price, Option<f64>), AllocateError> {
    checked("budget", budget)?;
    let filled = binned(groups)?;
    if budget == 0.0 {
        return Ok((Price::at(f64::INFINITY), None));
    }
    if filled.iter().map(Filled::ceiling).sum::<f64>() <= budget {
        return Ok((Price::at(0.0), None));
    }
    let (near, slope) = price_of(&filled, budget, None);
    let met = |spent: f64| (spent / budget - 1.0).abs() <= TOLERANCE;
    let first = spent(near);
    if met(first) {
        return Ok((near, Some(first)));
    }
    let mut start = Start {
        price: near.value(),
        slope,
        tolerance: TOLERANCE,
    };
    if groups.iter().any(|pages| pages.measure.ends_steeply())
        && let Some(price) = refine(groups, budget, (start, first), &mut spent)
    {
        let sum = spent(price);
        if met(sum) {
            return Ok((price, Some(sum)));
        }
    }
    let step = (first / budget).ln() / slope;
    if step.abs() < 1.0 {
        start.price *= step.exp();
    }
    let mut last = 0.0;
    let price = find(
        |price| {
            last = spent(Price::at(price));
            last
        },
        budget,
        start,
    );
    Ok((price, price.is_exact().then_some(last)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Measure;
    use rand::{RngExt, SeedableRng};

    /// Passes over all pages after they were counted into bins.
    fn passes(measure: Measure, rates: &[f32], weights: &[f32], budget: f64) -> u32 {
        let pages = Pages::new(measure, rates, weights).expect("as many of each");
        let mut passes = 0;
        let spent = |price| {
            passes += 1;
            demand(&pages, price, None)
        };
        let (price, _) = search(&[pages], budget, spent).expect("valid");
        let spent = demand(&pages, price, None);
        assert!((spent / budget - 1.0).abs() < 1e-9, "{measure:?} {spent}");
        passes
    }

    #[test]
    fn few_passes_find_the_price_also_where_it_meets_a_cliff() {
        let mut rng = rand_pcg::Pcg64::seed_from_u64(8);
        let draw = |rng: &mut rand_pcg::Pcg64| 10f32.powf(rng.random_range(-3.0..1.0));
        let rates: Vec<f32> = (0..60_000).map(|_| draw(&mut rng)).collect();
        let weights: Vec<f32> = (0..60_000).map(|_| draw(&mut rng)).collect();
        for (measure, most) in [
            (Measure::Freshness, 6),
            (Measure::Changes, 10),
            (Measure::Age, 2),
            (Measure::Harmonic, 2),
            (Measure::MemorylessFreshness, 3),
        ] {
            for step in 1..=40 {
                let passes = passes(measure, &rates, &weights, 555.0 * f64::from(step));
                assert!(
                    passes <= most,
                    "{measure:?}, budget {step}: {passes} passes"
                );
            }
        }
    }

    #[test]
    fn equal_pages_need_one_pass_even_for_a_budget_below_any_price() {
        let (rates, weights) = (vec![3.0f32; 5_000], vec![2.0f32; 5_000]);
        for measure in [Measure::Freshness, Measure::Changes] {
            assert_eq!(passes(measure, &rates, &weights, 1e-3), 1, "{measure:?}");
        }
    }
}
