//! What a budget can be expected to buy: [`Outlook`].

use std::time::Duration;

use recrawl_allocate::{AllocateError, Measure, Pages, Price, solve};
use recrawl_estimate::{GammaFilter, PRIOR_SHAPE, PRIOR_WEIGHT};
use recrawl_model::{History, HistorySet, Rate, days, from_days};
use thiserror::Error;

use crate::Objective;

/// Most visits of a page in a cycle, as in the engine.
const VISITS_A_CYCLE: f64 = 1.0;

/// Why nothing can be expected.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum OutlookError {
    /// No page tells how often it changes.
    #[error(
        "no page has two visits that can be compared, so nothing is known of how often any changes"
    )]
    NoRate,
    /// Every page has importance 0.
    #[error(
        "every page has weight 0, so nothing is worth a visit; give one of them a weight above 0"
    )]
    NoWeight,
    /// Numbers beyond those an allocation takes.
    #[error(transparent)]
    Allocate(#[from] AllocateError),
}

/// The rates and weights of a collection, and the length of a cycle: enough to
/// say what a budget buys at best.
///
/// ```
/// use std::time::Duration;
/// use recrawl_model::Rate;
/// use recrawl_policy::{Objective, Outlook};
///
/// let day = Duration::from_secs(86_400);
/// let pages = [0.1, 0.2, 3.0].map(|daily| (Rate::per_day(daily).expect("a rate"), 1.0));
/// let outlook = Outlook::new(pages, day)?;
/// let less = outlook.expect(Objective::Freshness, 1.0)?;
/// let more = outlook.expect(Objective::Freshness, 1.1)?;
/// // A tenth of a visit more buys somewhat less than a tenth of its price.
/// let won = more.freshness - less.freshness;
/// assert!(won > 0.09 * less.one_more && won < 0.1 * less.one_more);
/// # Ok::<(), recrawl_policy::OutlookError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Outlook {
    /// Changes a cycle of each page.
    rates: Vec<f64>,
    weights: Vec<f64>,
    cycle: Duration,
}

/// What a budget buys in the long run if it is spent best, a cycle with the
/// next. Pages count by their weights.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Expected {
    /// Changes found a cycle, each counted with its page's weight.
    pub changes: f64,
    /// Mean share of time a copy is up to date.
    pub freshness: f64,
    /// Mean time a copy has been out of date; `None` where a page that changes
    /// is never visited, for its age grows without bound.
    pub age: Option<Duration>,
    /// What one visit a cycle more would add to what the objective asks for:
    /// changes, freshness, or days of age taken away.
    pub one_more: f64,
}

impl Outlook {
    /// Pages with their rates and weights, and cycles of this length.
    ///
    /// # Errors
    /// [`OutlookError::NoRate`] without pages, [`OutlookError::NoWeight`] where
    /// none counts.
    pub fn new(
        pages: impl IntoIterator<Item = (Rate, f64)>,
        cycle: Duration,
    ) -> Result<Self, OutlookError> {
        let in_cycles = |(rate, weight): (Rate, f64)| (rate.daily() * days(cycle), weight);
        let (rates, weights): (Vec<f64>, Vec<f64>) = pages.into_iter().map(in_cycles).unzip();
        if rates.is_empty() {
            return Err(OutlookError::NoRate);
        }
        if weights.iter().sum::<f64>() <= 0.0 {
            return Err(OutlookError::NoWeight);
        }
        Ok(Self {
            rates,
            weights,
            cycle,
        })
    }

    /// The pages of a log. A page's rate is the mean of the gamma belief after
    /// all its intervals ([`GammaFilter`]; prior: half a change in half its mean
    /// interval). A page without an interval is taken for the mean of the others.
    ///
    /// # Errors
    /// [`OutlookError::NoRate`] where no page has an interval,
    /// [`OutlookError::NoWeight`] where none counts.
    pub fn of_log(set: &HistorySet, cycle: Duration) -> Result<Self, OutlookError> {
        let known: Vec<Option<f64>> = set
            .pages()
            .map(|page| believed_rate(set.history(page)))
            .collect();
        let (mut sum, mut count) = (0.0, 0.0);
        for rate in known.iter().flatten() {
            sum += rate;
            count += 1.0;
        }
        let mean = if count > 0.0 { sum / count } else { f64::NAN };
        let rate = |daily: f64| Rate::per_day(daily).map_err(|_| OutlookError::NoRate);
        let pages = set.pages().zip(known).map(|(page, known)| {
            let daily = rate(known.unwrap_or(mean))?;
            Ok((daily, set.weight(page)))
        });
        Self::new(pages.collect::<Result<Vec<_>, OutlookError>>()?, cycle)
    }

    /// What `budget` visits a cycle buy at best: the known-rate optimum of the
    /// objective ([`Measure`]) with each page visited at most once a cycle. It
    /// holds for pages that change at the believed rates, independently.
    ///
    /// # Errors
    /// [`OutlookError::Allocate`] for a budget, rate or weight that is none.
    pub fn expect(&self, objective: Objective, budget: f64) -> Result<Expected, OutlookError> {
        let measure = objective.measure();
        let pages = Pages::new(measure, &self.rates, &self.weights)?.at_most(VISITS_A_CYCLE)?;
        let price = solve(&[pages], budget)?;
        let weight: f64 = self.weights.iter().sum();
        let cycle = days(self.cycle);
        let age = -self.total(Measure::Age, measure, price) / weight * cycle;
        Ok(Expected {
            changes: self.total(Measure::Changes, measure, price),
            freshness: self.total(Measure::Freshness, measure, price) / weight,
            age: from_days(age),
            one_more: match objective {
                Objective::Changes => price.value(),
                Objective::Freshness => price.value() / weight,
                Objective::Age => price.value() / weight * cycle,
            },
        })
    }

    /// Σ w score by `counted` of the visits that are best by `chosen`. A page
    /// that never changes is always fresh, and its age is 0.
    fn total(&self, counted: Measure, chosen: Measure, price: Price) -> f64 {
        let pages = self.rates.iter().zip(&self.weights);
        let score = |(&rate, &weight): (&f64, &f64)| {
            if weight == 0.0 {
                return 0.0;
            }
            let visits = price.visits(chosen, rate, weight).min(VISITS_A_CYCLE);
            let score = match counted {
                Measure::Freshness if rate == 0.0 => 1.0,
                _ if rate == 0.0 => 0.0,
                _ => counted.score(rate, visits),
            };
            weight * score
        };
        pages.map(score).sum()
    }
}

/// Changes a day as believed after all intervals of a history; `None` without.
fn believed_rate(history: History<'_>) -> Option<f64> {
    let (mut intervals, mut length) = (0.0, 0.0);
    for interval in history.intervals() {
        intervals += 1.0;
        length += interval.days();
    }
    let mean = length / intervals; // NaN without intervals, which no prior takes
    let mut belief = GammaFilter::new(PRIOR_SHAPE, PRIOR_WEIGHT * mean).ok()?;
    for interval in history.intervals() {
        belief.observe(interval.days(), interval.changed);
    }
    Some(belief.mean())
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{HistorySetBuilder, Outcome, Timestamp};

    const DAY: Duration = Duration::from_secs(86_400);

    fn outlook(rates: &[f64]) -> Outlook {
        let rate = |&daily: &f64| (Rate::per_day(daily).expect("a rate"), 1.0);
        Outlook::new(rates.iter().map(rate), DAY).expect("pages")
    }

    /// Freshness and age of visits every day, in closed form: (1 - e^-x)/x and
    /// 1/2 - 1/x + (1 - e^-x)/x^2 days.
    #[test]
    fn a_visit_of_every_page_each_cycle_gives_the_closed_forms() {
        let pages = outlook(&[1.0, 2.0]);
        let missed = |x: f64| 1.0 - (-x).exp();
        for objective in [Objective::Changes, Objective::Freshness, Objective::Age] {
            let bought = pages.expect(objective, 2.0).expect("a budget");
            let fresh = missed(1.0).midpoint(missed(2.0) / 2.0);
            assert!((bought.freshness - fresh).abs() < 1e-12, "{bought:?}");
            let age = missed(1.0) - 0.5;
            let age = age.midpoint(missed(2.0) / 4.0);
            assert!((days(bought.age.expect("visited")) - age).abs() < 1e-9);
            let found = missed(1.0) + missed(2.0);
            assert!((bought.changes - found).abs() < 1e-12, "{bought:?}");
        }
    }

    #[test]
    fn the_length_of_a_cycle_is_only_a_unit() {
        let week = Outlook::new(
            [0.1, 0.4, 2.0].map(|daily| (Rate::per_day(daily).expect("a rate"), 1.0)),
            DAY * 7,
        )
        .expect("pages");
        let bought = week.expect(Objective::Age, 1.5).expect("a budget");
        let scaled = outlook(&[0.7, 2.8, 14.0]);
        let same = scaled.expect(Objective::Age, 1.5).expect("a budget");
        let age = |bought: Expected| days(bought.age.expect("all are visited"));
        assert!((age(bought) / age(same) - 7.0).abs() < 1e-9);
        assert!((bought.one_more / same.one_more - 7.0).abs() < 1e-6);
        assert!((bought.changes - same.changes).abs() < 1e-9);
    }

    #[test]
    fn each_objective_is_best_at_what_it_asks_for() {
        let pages = outlook(&[0.05, 0.1, 0.3, 1.0, 4.0, 9.0]);
        let [changes, freshness, age] = [Objective::Changes, Objective::Freshness, Objective::Age]
            .map(|objective| pages.expect(objective, 2.0).expect("a budget"));
        assert!(changes.changes > freshness.changes.max(age.changes));
        assert!(freshness.freshness > changes.freshness.max(age.freshness));
        assert_eq!(freshness.age, None, "the fastest page is left alone");
        assert!(age.age < changes.age);
    }

    /// Sequential quadratic programming (SLSQP of scipy 1.17, tolerance 1e-14)
    /// on the same four pages, budget 2.2 a cycle: changes, freshness, age.
    const BY_SLSQP: [(Objective, [f64; 3]); 2] = [
        (
            Objective::Changes,
            [2.129_813_85, 0.640_351_16, 0.411_821_2],
        ),
        (
            Objective::Freshness,
            [2.103_002_57, 0.666_641_887, 0.194_183_006],
        ),
    ];

    #[test]
    fn what_a_budget_buys_is_what_a_general_optimiser_finds() {
        let rates = [0.569_704_72, 0.254_382_195, 0.5 / 8.5, 1.395_908_434];
        let rate = |daily| Rate::per_day(daily).expect("a rate");
        let pages = rates.map(rate).into_iter().zip([1.0, 1.0, 1.0, 2.0]);
        let outlook = Outlook::new(pages, DAY).expect("pages");
        for (objective, [changes, freshness, age]) in BY_SLSQP {
            let bought = outlook.expect(objective, 2.2).expect("a budget");
            assert!((bought.changes - changes).abs() < 1e-7, "{bought:?}");
            assert!((bought.freshness - freshness).abs() < 1e-7, "{bought:?}");
            let days = days(bought.age.expect("all are visited"));
            assert!((days - age).abs() < 1e-6, "{bought:?}");
        }
    }

    /// What an objective asks for, to be made large.
    type Value = fn(Expected) -> f64;

    #[test]
    fn one_more_visit_is_worth_the_slope_of_what_the_budget_buys() {
        let pages = outlook(&[0.05, 0.1, 0.3, 1.0, 4.0, 9.0]);
        let objectives: [(Objective, Value); 3] = [
            (Objective::Changes, |bought| bought.changes),
            (Objective::Freshness, |bought| bought.freshness),
            (Objective::Age, |bought| {
                -days(bought.age.unwrap_or_default())
            }),
        ];
        for (objective, value) in objectives {
            let at = |budget| pages.expect(objective, budget).expect("a budget");
            let slope = (value(at(2.01)) - value(at(1.99))) / 0.02;
            let price = at(2.0).one_more;
            assert!((slope / price - 1.0).abs() < 1e-3, "{slope} {price}");
        }
    }

    #[test]
    fn a_page_visited_once_is_taken_for_the_mean_of_the_others() {
        let mut log = HistorySetBuilder::new();
        for (name, visits) in [("busy", 5), ("calm", 5), ("new", 1)] {
            let page = log.add_page(name);
            for visit in 0..visits {
                let outcome = match (visit, name) {
                    (0, _) => Outcome::First,
                    (_, "busy") => Outcome::Changed,
                    _ => Outcome::Unchanged,
                };
                log.push(page, Timestamp::from_seconds(visit * 86_400), outcome, None);
            }
        }
        let set = log.build().expect("a log");
        let outlook = Outlook::of_log(&set, DAY).expect("rates");
        // Four days without a change: half a change in four and a half days.
        assert!((outlook.rates[1] - 0.5 / 4.5).abs() < 1e-12);
        assert!(outlook.rates[0] > 1.0);
        assert_eq!(
            outlook.rates[2],
            outlook.rates[0].midpoint(outlook.rates[1])
        );
    }

    #[test]
    fn without_rates_or_weights_nothing_is_expected() {
        let mut log = HistorySetBuilder::new();
        let page = log.add_page("once");
        log.push(page, Timestamp::from_seconds(0), Outcome::First, None);
        let set = log.build().expect("a log");
        assert_eq!(Outlook::of_log(&set, DAY).err(), Some(OutlookError::NoRate));
        let idle = [(Rate::ZERO, 0.0)];
        assert_eq!(Outlook::new(idle, DAY).err(), Some(OutlookError::NoWeight));
    }

    #[test]
    fn a_page_that_never_changes_is_fresh_without_a_visit() {
        let pages = outlook(&[0.0, 1.0]);
        let bought = pages.expect(Objective::Freshness, 1.0).expect("a budget");
        let visited = 1.0 - (-1f64).exp();
        assert!((bought.freshness - visited.midpoint(1.0)).abs() < 1e-12);
        assert!(bought.age.is_some());
    }
}
