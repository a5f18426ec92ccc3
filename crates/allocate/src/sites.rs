//! The optimum with a cap on each site: [`allocate_within_sites`].

use std::ops::Range;

use crate::bins::{Filled, mean_price, price_of};
use crate::demand::demand;
use crate::error::{AllocateError, checked};
use crate::pages::{Pages, counts};
use crate::price::{Price, Start, find};
use crate::solve::{binned, check_room, fill};

/// Spending this close to the budget or a cap, relative, ends the search.
const TOLERANCE: f64 = 1e-10;

/// What [`allocate_within_sites`] found.
#[derive(Debug, Clone, PartialEq)]
pub struct SiteAllocation {
    /// The price of a visit at sites below their cap.
    pub price: Price,
    /// The price at each site: higher where a cap binds.
    pub site_prices: Vec<Price>,
    /// Visits per unit of time of all pages, before rounding to `f32`: the
    /// budget, or less if the caps allow no more.
    pub spent: f64,
}

/// Writes each page's best visits under a budget while no site gets more than
/// its cap, visits per unit of time: politeness, as Kolobov et al. (SIGIR 2019)
/// ask for it.
///
/// Pages stand in order of site: site s has the pages `starts[s]` up to
/// `starts[s + 1]`, and `starts` has one entry more than `caps`. A site without a
/// bound has the cap `f64::INFINITY`.
///
/// At a price μ a site asks for D(μ) and gets the smaller of D and its cap; the
/// sum falls with μ, so one search finds the price that spends the budget. A
/// site above its cap then has a price of its own, above μ, at which it asks for
/// the cap. Visits inside each site are best for what the site gets, and no
/// visit can move to a site where it adds more.
///
/// # Errors
/// As [`crate::allocate`], and if sites and caps do not fit the pages.
pub fn allocate_within_sites<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    starts: &[usize],
    caps: &[f64],
    budget: f64,
    visits: &mut [f32],
) -> Result<SiteAllocation, AllocateError> {
    checked("budget", budget)?;
    check_sites(pages.len(), starts, caps)?;
    check_room(pages, visits)?;
    let filled = binned(std::slice::from_ref(pages))?;
    let sites: Vec<Range<usize>> = starts.windows(2).map(|pair| pair[0]..pair[1]).collect();
    let price = common_price(pages, &filled, &sites, caps, budget);
    let mut site_prices = Vec::with_capacity(caps.len());
    let mut spent = 0.0;
    for (site, &cap) in sites.into_iter().zip(caps) {
        let own = pages.slice(site.clone());
        let site_price = price_within(&own, price, cap);
        spent += fill(&own, site_price, &mut visits[site])?;
        site_prices.push(site_price);
    }
    Ok(SiteAllocation {
        price,
        site_prices,
        spent,
    })
}

fn check_sites(pages: usize, starts: &[usize], caps: &[f64]) -> Result<(), AllocateError> {
    let end = starts.last().copied().unwrap_or(0);
    let fits = starts.len() == caps.len() + 1
        && starts.first() == Some(&0)
        && end == pages
        && starts.is_sorted();
    if !fits {
        return Err(AllocateError::Sites {
            sites: starts.len().saturating_sub(1),
            caps: caps.len(),
            end,
            pages,
        });
    }
    for &cap in caps.iter().filter(|cap| **cap != f64::INFINITY) {
        checked("cap of a site", cap)?;
    }
    Ok(())
}

/// The price below which no site that can still take visits is left.
fn common_price<N: Copy + Into<f64>>(
    pages: &Pages<'_, N>,
    filled: &[Filled],
    sites: &[Range<usize>],
    caps: &[f64],
    budget: f64,
) -> Price {
    let spent = |price: Price| -> f64 {
        let sites = sites.iter().zip(caps);
        sites
            .map(|(site, &cap)| demand(&pages.slice(site.clone()), price, None).min(cap))
            .sum()
    };
    if budget == 0.0 {
        return Price::at(f64::INFINITY);
    }
    if spent(Price::at(0.0)) <= budget {
        return Price::at(0.0);
    }
    // Without caps the price is higher, but not far from here.
    let (near, slope) = price_of(filled, budget, None);
    let start = Start {
        price: near.value(),
        slope,
        tolerance: TOLERANCE,
    };
    find(|price| spent(Price::at(price)), budget, start)
}

/// The price at a site: the common one, or that at which it asks for its cap.
fn price_within<N: Copy + Into<f64>>(pages: &Pages<'_, N>, price: Price, cap: f64) -> Price {
    // Between two prices a site has its part of the smaller of D and cap at both,
    // as the search for the common price counted it.
    let part = price.between(|price| demand(pages, Price::at(price), None).min(cap));
    if demand(pages, price, None) <= part * (1.0 + TOLERANCE) {
        return price;
    }
    if part == 0.0 {
        return Price::at(f64::INFINITY);
    }
    let (mut rates, mut moment) = (0.0, 0.0);
    for (rate, weight) in pages.iter().filter(|page| counts(page.0, page.1)) {
        rates += rate;
        moment += rate * pages.measure.merit(rate, weight);
    }
    let guess = mean_price(pages.measure, rates, moment / rates, part);
    let start = Start {
        price: guess.max(price.value()),
        slope: 0.7,
        tolerance: TOLERANCE,
    };
    find(|price| demand(pages, Price::at(price), None), part, start)
}
