//! The last digits of a price where demand ends steeply.

use crate::demand::demand;
use crate::pages::{Pages, counts};
use crate::price::{Price, Start, find};

/// Pages within this many times the width of the search are kept for
/// themselves; those beyond change smoothly over it, to 1e-10 of a parabola.
const RADIUS: f64 = 30.0;

/// The widest search worth this: beyond it too many pages are near.
const WIDEST: f64 = 0.01;

/// At most one page in this many is kept for itself.
const FEW: usize = 32;

/// Pages of one group near a price.
struct Near<'a, N> {
    all: &'a Pages<'a, N>,
    rates: Vec<N>,
    weights: Vec<N>,
}

impl<N: Copy + Into<f64>> Near<'_, N> {
    fn demand(&self, price: f64) -> f64 {
        let pages = Pages {
            rates: &self.rates[..],
            weights: &self.weights[..],
            ..*self.all
        };
        demand(&pages, Price::at(price), None)
    }
}

/// The price at which these pages spend the budget, from one price near it and
/// what is `spent` there.
///
/// A page stops being visited within the last digits of the price, so secants
/// over all pages meet one cliff after the other. But the cliffs are where the
/// merit of a page is the price: the few pages that close are kept for
/// themselves, demand of the others is a parabola through three prices, and the
/// search runs on these. `None` if the price is not near or many pages are.
pub(crate) fn refine<N: Copy + Into<f64>>(
    groups: &[Pages<'_, N>],
    budget: f64,
    (near, first): (Start, f64),
    spent: &mut impl FnMut(Price) -> f64,
) -> Option<Price> {
    let step = (first / budget).ln() / near.slope;
    if step.is_nan() || step.abs() > WIDEST {
        return None;
    }
    let prices = [0.0, step, 2.0 * step].map(|ahead| near.price * ahead.exp());
    let radius = RADIUS * step.abs();
    let close: Vec<Near<'_, N>> = groups
        .iter()
        .map(|pages| gather(pages, prices[1], radius))
        .collect::<Option<_>>()?;
    let of_close = |price: f64| close.iter().map(|near| near.demand(price)).sum::<f64>();
    let mut rest = [first, 0.0, 0.0];
    for (rest, price) in rest.iter_mut().zip(prices).skip(1) {
        *rest = spent(Price::at(price));
    }
    for (rest, price) in rest.iter_mut().zip(prices) {
        *rest -= of_close(price);
    }
    let parabola = |price: f64| {
        let ahead = (price / prices[1]).ln() / step; // -1, 0 and 1 at the prices
        let slope = (rest[2] - rest[0]) / 2.0;
        let bend = rest[2].midpoint(rest[0]) - rest[1];
        rest[1] + ahead * (slope + ahead * bend)
    };
    let start = Start {
        price: prices[1],
        tolerance: 1e-12,
        ..near
    };
    Some(find(
        |price| parabola(price) + of_close(price),
        budget,
        start,
    ))
}

/// The pages whose merit is within `radius`, relative, of a price.
fn gather<'a, N: Copy + Into<f64>>(
    all: &'a Pages<'a, N>,
    price: f64,
    radius: f64,
) -> Option<Near<'a, N>> {
    let (low, high) = (price * (-radius).exp(), price * radius.exp());
    let mut near = Near {
        all,
        rates: Vec::new(),
        weights: Vec::new(),
    };
    for (&rate, &weight) in all.rates.iter().zip(all.weights) {
        let (rate_of_page, weight_of_page) = (rate.into(), weight.into());
        let merit = all.measure.merit(rate_of_page, weight_of_page);
        if merit > low && merit < high && counts(rate_of_page, weight_of_page) {
            near.rates.push(rate);
            near.weights.push(weight);
            if near.rates.len() > all.len() / FEW + 1_000 {
                return None;
            }
        }
    }
    Some(near)
}
