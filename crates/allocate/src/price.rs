//! The price at which demand meets the budget: [`Price`].

use crate::measure::Measure;
use crate::pages::counts;

/// The price of a visit at which a budget is spent, to one part in 10^9.
///
/// Demand falls with the price, and may fall steeply: a page that is about to
/// become not worth a visit drops from a fortieth of a visit per change to none
/// within the last bit of the price. So the answer is a pair of prices, equal
/// wherever that is exact enough, with demand above the budget at `cheap` and
/// below at `dear`, and the share of the way between both demands that spends
/// the budget exactly. Every page's marginal score then lies between the two
/// prices: nothing above 1e-9 of it can be won by moving visits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    pub(crate) cheap: f64,
    pub(crate) dear: f64,
    /// Part of the way from the demand at `dear` to that at `cheap`.
    pub(crate) share: f64,
}

/// Prices this close, relative, count as one.
pub(crate) const PRICE_TOLERANCE: f64 = 1e-9;

/// Evaluations before the search settles for the bracket it has; bisection
/// alone needs fewer for any prices `f64` can hold.
const MOST_STEPS: u32 = 250;

impl Price {
    /// One price.
    pub(crate) fn at(price: f64) -> Self {
        Self {
            cheap: price,
            dear: price,
            share: 1.0,
        }
    }

    /// The price of a visit, μ: what the last visit adds to the score.
    /// 0 if the budget is more than can be used, infinite if it is 0.
    #[must_use]
    pub fn value(self) -> f64 {
        if self.is_exact() {
            return self.dear; // may be infinite
        }
        self.dear + self.share * (self.cheap - self.dear)
    }

    /// Visits per unit of time of one page of this rate and weight, exactly: for
    /// callers that look at few pages and keep no column of results.
    #[must_use]
    pub fn visits(self, measure: Measure, rate: f64, weight: f64) -> f64 {
        if !counts(rate, weight) {
            return 0.0;
        }
        let merit = measure.merit(rate, weight);
        if self.dear == 0.0 {
            return measure.ceiling(rate);
        }
        // As the loop over all pages does, to the last bit: near v = 1 it tells.
        rate * self.between(|price| measure.visits_per_change(merit * price.recip()))
    }

    /// Whether one price says all.
    pub(crate) fn is_exact(self) -> bool {
        self.cheap == self.dear
    }

    /// The value between those at both prices.
    #[inline(always)] // part of the loops over pages
    pub(crate) fn between(self, at: impl Fn(f64) -> f64) -> f64 {
        let dear = at(self.dear);
        if self.is_exact() {
            dear
        } else {
            dear + self.share * (at(self.cheap) - dear)
        }
    }
}

/// One evaluation: logarithms of the price and of demand over budget.
#[derive(Debug, Clone, Copy)]
struct Point {
    price: f64,
    excess: f64,
    demand: f64,
}

/// Where to begin, and how close to come.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Start {
    /// A first price, above 0.
    pub(crate) price: f64,
    /// How fast ln(demand) falls with ln(price), roughly.
    pub(crate) slope: f64,
    /// Demand this close to the budget, relative, will do.
    pub(crate) tolerance: f64,
}

/// The price at which a demand meets a budget, for demands that are not those
/// of [`crate::Pages`], such as expectations under a belief about rates.
///
/// `demand` falls with the price; the budget is above 0 and below the demand at
/// price 0, and the search begins at `start`, a price above 0. The budget is met
/// to one part in 10^9, or between two prices as close as that.
#[must_use]
pub fn price_that_spends(budget: f64, start: f64, demand: impl FnMut(f64) -> f64) -> Price {
    let start = Start {
        price: start,
        slope: 0.7,
        tolerance: PRICE_TOLERANCE,
    };
    find(demand, budget, start)
}

/// Finds where `demand`, which falls with the price, meets `budget` (above 0
/// and below the demand at price 0): secants in logarithms, kept inside the
/// bracket once there is one, and halving it where they are slow.
pub(crate) fn find(mut demand: impl FnMut(f64) -> f64, budget: f64, start: Start) -> Price {
    let mut search = Search::new(start);
    let mut next = start.price.ln();
    for _ in 0..MOST_STEPS {
        let spent = demand(next.exp());
        if (spent / budget - 1.0).abs() <= start.tolerance {
            return Price::at(next.exp());
        }
        let point = Point {
            price: next,
            excess: (spent / budget).ln(),
            demand: spent,
        };
        let secant = search.take(point);
        next = match (search.cheap, search.dear) {
            (Some(cheap), Some(dear)) if dear.price - cheap.price <= PRICE_TOLERANCE => break,
            (Some(cheap), Some(dear)) => search.inside(cheap, dear, secant),
            _ => search.onward(point, secant),
        };
    }
    settle(search.cheap, search.dear, budget)
}

/// How far the search has come.
struct Search {
    slope: f64,
    /// The dearest price seen with demand above the budget.
    cheap: Option<Point>,
    /// The cheapest price seen with demand below it.
    dear: Option<Point>,
    last: Option<Point>,
    /// Whether a step was made without a bracket.
    stepped: bool,
    /// How far to go next while one end of the bracket is missing.
    stride: f64,
    steps_inside: u32,
    /// The bracket's width three steps ago.
    width: f64,
}

impl Search {
    fn new(start: Start) -> Self {
        Self {
            slope: start.slope,
            cheap: None,
            dear: None,
            last: None,
            stepped: false,
            stride: 0.5,
            steps_inside: 0,
            width: f64::INFINITY,
        }
    }

    /// Takes an evaluation in; returns where the line through it and the one
    /// before meets the budget.
    fn take(&mut self, point: Point) -> Option<f64> {
        if point.excess > 0.0 {
            self.cheap = Some(point);
        } else {
            self.dear = Some(point);
        }
        let last = self.last.replace(point);
        last.and_then(|last| secant(last, point))
    }

    /// The next price while one side of the budget is known: where the secant
    /// aims if that is onward and not too far, else a stride that doubles.
    fn onward(&mut self, point: Point, secant: Option<f64>) -> f64 {
        let direction = point.excess.signum();
        let aim = match secant {
            Some(aim) => aim - point.price,
            None if self.stepped => f64::NAN, // flat: no line to follow
            None => point.excess / self.slope,
        };
        self.stepped = true;
        if aim * direction > 0.0 && aim.abs() < 8.0 * self.stride {
            self.stride = self.stride.max(2.0 * aim.abs());
            point.price + aim
        } else {
            self.stride *= 2.0;
            point.price + direction * self.stride
        }
    }

    /// A price strictly inside the bracket: where `aim` is, or the line between
    /// the ends meets the budget; the middle if three such steps did not halve
    /// the bracket. Aims at an end step past it, so that the bracket closes from
    /// both sides.
    fn inside(&mut self, cheap: Point, dear: Point, aim: Option<f64>) -> f64 {
        let width = dear.price - cheap.price;
        let middle = cheap.price.midpoint(dear.price);
        self.steps_inside += 1;
        if self.steps_inside.is_multiple_of(3) {
            let slow = width > self.width / 2.0;
            self.width = width;
            if slow {
                return middle;
            }
        }
        let within = |price: &f64| *price > cheap.price && *price < dear.price;
        let line = || secant(cheap, dear).filter(within);
        let aim = aim.filter(within).or_else(line).unwrap_or(middle);
        let margin = PRICE_TOLERANCE / 2.0;
        aim.clamp(cheap.price + margin, dear.price - margin)
    }
}

/// Where the line through two points meets the budget.
fn secant(one: Point, other: Point) -> Option<f64> {
    let slope = (other.excess - one.excess) / (other.price - one.price);
    let aim = other.price - other.excess / slope;
    (aim.is_finite() && slope < 0.0).then_some(aim)
}

fn settle(cheap: Option<Point>, dear: Option<Point>, budget: f64) -> Price {
    match (cheap, dear) {
        (Some(cheap), Some(dear)) => Price {
            cheap: cheap.price.exp(),
            dear: dear.price.exp(),
            share: (budget - dear.demand) / (cheap.demand - dear.demand),
        },
        (Some(only), None) | (None, Some(only)) => Price::at(only.price.exp()),
        (None, None) => Price::at(f64::INFINITY),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: Start = Start {
        price: 1.0,
        slope: 0.7,
        tolerance: 1e-12,
    };

    #[test]
    fn smooth_demand_is_met_in_few_evaluations() {
        for budget in [1e-20, 1e-3, 0.5, 1.0, 7.0, 1e15] {
            let mut evaluations = 0;
            let found = find(
                |price| {
                    evaluations += 1;
                    price.recip() + price.sqrt().recip()
                },
                budget,
                START,
            );
            let price = found.value();
            let spent = price.recip() + price.sqrt().recip();
            assert!((spent / budget - 1.0).abs() < 1e-9, "{budget} {spent}");
            assert!(evaluations < 16, "{evaluations} for {budget}");
        }
    }

    #[test]
    fn a_cliff_is_shared_between_its_two_sides() {
        let mut evaluations = 0;
        let demand = |price: f64| if price < 3.0 { 2.0 } else { 0.0 };
        let found = find(
            |price| {
                evaluations += 1;
                demand(price)
            },
            0.5,
            START,
        );
        assert!((found.value() / 3.0 - 1.0).abs() < 1e-8);
        assert!((found.between(demand) - 0.5).abs() < 1e-15);
        assert!(evaluations < 60, "{evaluations}");
    }

    #[test]
    fn demand_that_ends_at_a_price_is_found_from_beyond_it() {
        let demand = |price: f64| (1e-6 / price - 1.0).max(0.0);
        let found = find(demand, 1e-3, START);
        assert!((found.between(demand) / 1e-3 - 1.0).abs() < 1e-9);
    }
}
