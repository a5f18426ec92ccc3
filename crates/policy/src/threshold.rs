//! When each page is due, by one number for all: [`Threshold`].

use recrawl_allocate::{AllocateError, Measure, Pages, Price, price_that_spends, solve};
use recrawl_estimate::GammaFilter;

use crate::Objective;

/// The level at which a page is due: when importance times
/// [`Objective::urgency`] has reached it (Olston & Pandey 2008).
///
/// Urgency rises with the time since the last visit, and at the optimum under a
/// budget every page is visited at the same level, which is the price of a visit
/// in [`recrawl_allocate`]. So a page's next visit follows from its own rate and
/// this one number, whatever the other pages do, and a queue by due time makes a
/// decision in O(log n): see [`crate::DueQueue`].
///
/// ```
/// use recrawl_policy::{Objective, Threshold};
///
/// // Five pages, five visits a day. The fastest is not worth a visit.
/// let (rates, weights) = ([1.0, 2.0, 3.0, 4.0, 5.0], [1.0; 5]);
/// let due = Threshold::for_rates(Objective::Freshness, &rates, &weights, 5.0)?;
/// assert!((due.days(1.0, 1.0).unwrap_or(0.0) - 1.0 / 1.150).abs() < 1e-3);
/// assert_eq!(due.days(5.0, 1.0), None);
/// # Ok::<(), recrawl_allocate::AllocateError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    objective: Objective,
    level: f64,
}

/// Steps of Newton's method; it doubles digits with each near the end.
const STEPS: u32 = 100;

/// Waits are known to this part of themselves: a tenth of a second a year.
const CLOSE: f64 = 1e-9;

impl Threshold {
    /// Due at this level, of importance times [`Objective::urgency`].
    #[must_use]
    pub fn new(objective: Objective, level: f64) -> Self {
        Self { objective, level }
    }

    /// The level that spends `visits` a day on pages of known `rates`, changes a
    /// day.
    ///
    /// # Errors
    /// As [`recrawl_allocate::solve`].
    pub fn for_rates<N: Copy + Into<f64>>(
        objective: Objective,
        rates: &[N],
        weights: &[N],
        visits: f64,
    ) -> Result<Self, AllocateError> {
        let pages = Pages::new(objective.measure(), rates, weights)?;
        Ok(Self::new(objective, solve(&[pages], visits)?.value()))
    }

    /// The level that spends `visits` a day on pages whose rates are believed,
    /// each with its weight: the expected urgency is what must reach it.
    ///
    /// Costs some twenty passes over the beliefs; follow a running collection
    /// with [`recrawl_allocate::Replanner`] on the mean rates instead, and use
    /// this to tell how far the two are apart.
    ///
    /// # Errors
    /// As [`Self::for_rates`], of the mean rates.
    pub fn for_beliefs(
        objective: Objective,
        beliefs: &[(GammaFilter, f64)],
        visits: f64,
    ) -> Result<Self, AllocateError> {
        let (rates, weights): (Vec<f64>, Vec<f64>) = beliefs
            .iter()
            .map(|(belief, weight)| (belief.mean(), *weight))
            .unzip();
        let start = Self::for_rates(objective, &rates, &weights, visits)?;
        if start.level == 0.0 || start.level.is_infinite() {
            return Ok(start);
        }
        let demand = |level: f64| {
            let due = Self::new(objective, level);
            let pages = beliefs.iter();
            pages
                .filter_map(|&(belief, weight)| due.expected_days(belief, weight))
                .map(f64::recip)
                .sum()
        };
        let price: Price = price_that_spends(visits, start.level, demand);
        Ok(Self::new(objective, price.value()))
    }

    /// The level itself.
    #[must_use]
    pub fn level(self) -> f64 {
        self.level
    }

    /// Days after its last visit at which a page of this rate is due; `None` if
    /// it is never worth a visit.
    #[must_use]
    pub fn days(self, rate: f64, weight: f64) -> Option<f64> {
        let measure: Measure = self.objective.measure();
        let worth = measure.merit(rate, weight) / self.level;
        let days = (rate * measure.visits_per_change(worth)).recip();
        days.is_finite().then_some(days)
    }

    /// [`Self::days`] under a belief about the rate: when the expected urgency
    /// reaches the level. With few observations (shape up to 1) freshness always
    /// does some day, for the page may be slow.
    ///
    /// ln(urgency) is a concave function of ln(t), and its leading term is above
    /// it, so Newton's method from where that term reaches the level never
    /// passes the root.
    #[must_use]
    pub fn expected_days(self, belief: GammaFilter, weight: f64) -> Option<f64> {
        let level = self.level / weight;
        if level.is_nan() || level >= self.limit(belief) {
            return None;
        }
        let (a, b) = (belief.shape(), belief.weight());
        let mut days = match self.objective {
            Objective::Changes => b * (2.0 * level / (a * (a + 1.0))).sqrt(),
            Objective::Freshness => (2.0 * level * b / a).sqrt(),
            Objective::Age => (3.0 * level * b / a).cbrt(),
        };
        for _ in 0..STEPS {
            let urgency = self.objective.expected_urgency(belief, days);
            let slope = days * self.rise(belief, days) / urgency;
            let step = (level / urgency).ln() / slope;
            if !step.is_finite() {
                break;
            }
            days *= step.exp();
            if step.abs() < CLOSE {
                break;
            }
        }
        days.is_finite().then_some(days)
    }

    /// What the expected urgency tends to after a long time.
    fn limit(self, belief: GammaFilter) -> f64 {
        let (a, b) = (belief.shape(), belief.weight());
        match self.objective {
            Objective::Changes => 1.0,
            Objective::Freshness if a > 1.0 => b / (a - 1.0),
            Objective::Freshness | Objective::Age => f64::INFINITY,
        }
    }

    /// How fast the expected urgency rises, a day: t times the expectation of
    /// λ^2 exp(-λt), λ exp(-λt) or 1 - exp(-λt).
    fn rise(self, belief: GammaFilter, days: f64) -> f64 {
        let (a, b) = (belief.shape(), belief.weight());
        let survival = (-a * (days / b).ln_1p()).exp();
        let rate = a / (b + days);
        days * match self.objective {
            Objective::Changes => survival * rate * (a + 1.0) / (b + days),
            Objective::Freshness => survival * rate,
            Objective::Age => belief.change_probability(days),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::DueQueue;
    use crate::due::seconds_after;
    use proptest::prelude::*;
    use recrawl_model::{PageId, Timestamp};

    const ALL: [Objective; 3] = [Objective::Changes, Objective::Freshness, Objective::Age];

    #[test]
    fn pages_due_by_one_level_get_the_visits_of_the_optimum() {
        // ALGORITHMS 6: optimal visits a day for rates 1 to 5 and 5 visits a day.
        let (rates, weights) = ([1.0, 2.0, 3.0, 4.0, 5.0], [1.0; 5]);
        for (objective, expected) in [
            (Objective::Freshness, [1.150, 1.358, 1.354, 1.138, 0.0]),
            (Objective::Age, [0.835, 0.968, 1.034, 1.071, 1.093]),
        ] {
            let due = Threshold::for_rates(objective, &rates, &weights, 5.0).expect("valid");
            for (rate, expected) in rates.iter().zip(expected) {
                let visits = due.days(*rate, 1.0).map_or(0.0, f64::recip);
                assert!((visits - expected).abs() < 6e-4, "{objective:?} {visits}");
            }
        }
    }

    #[test]
    fn a_queue_by_due_times_spends_the_budget_and_visits_each_page_its_part() {
        let rates: Vec<f64> = (1..=60).map(|page| 0.05 * f64::from(page)).collect();
        let weights = vec![1.0; 60];
        let (budget, days) = (40.0, 200.0);
        let due = Threshold::for_rates(Objective::Age, &rates, &weights, budget).expect("valid");
        let after = |now: Timestamp, page: PageId| {
            let wait = due.days(rates[page.index()], 1.0);
            wait.map(|days| seconds_after(now, days * 86_400.0))
        };
        let mut queue = DueQueue::default();
        let mut now = Timestamp::from_micros(0);
        let end = seconds_after(now, days * 86_400.0);
        for page in (0..60).map(PageId) {
            queue.set(page, after(now, page));
        }
        let mut visits = [0.0; 60];
        while let Some(next) = queue.first().filter(|next| *next <= end) {
            now = next;
            let page = queue.take_due(now).expect("the first is due");
            visits[page.index()] += 1.0;
            queue.set(page, after(now, page));
        }
        let total: f64 = visits.iter().sum();
        // Each page may have begun one interval more.
        assert!(
            total <= budget * days && total > budget * days - 60.0,
            "{total}"
        );
        assert!(
            visits.is_sorted(),
            "faster pages are visited more often: {visits:?}"
        );
    }

    #[test]
    fn a_firm_belief_waits_as_long_as_its_rate() {
        for objective in ALL {
            let due = Threshold::new(objective, 0.3);
            let belief = GammaFilter::new(2e8, 1e8).expect("positive");
            let (known, believed) = (due.days(2.0, 1.0), due.expected_days(belief, 1.0));
            let (known, believed) = (known.expect("due"), believed.expect("due"));
            assert!(
                (believed / known - 1.0).abs() < 1e-6,
                "{objective:?} {known} {believed}"
            );
        }
    }

    #[test]
    fn a_page_hardly_known_is_always_due_some_day_and_a_fast_one_never() {
        let due = Threshold::new(Objective::Freshness, 50.0);
        let vague = GammaFilter::new(0.5, 0.1).expect("positive");
        assert!(
            due.expected_days(vague, 1.0)
                .is_some_and(|days| days > 50.0)
        );
        let fast = GammaFilter::new(30.0, 1.0).expect("positive");
        assert_eq!(due.expected_days(fast, 1.0), None);
        assert_eq!(due.days(30.0, 1.0), None);
        assert_eq!(due.days(0.0, 1.0), None);
        assert_eq!(due.days(1.0, 0.0), None);
        assert_eq!(due.expected_days(vague, 0.0), None);
    }

    #[test]
    fn the_level_of_beliefs_spends_the_budget() {
        let beliefs: Vec<(GammaFilter, f64)> = (1..200)
            .map(|page| {
                let page = f64::from(page);
                let belief = GammaFilter::new(0.4 + page % 7.0, 1.0 + page % 31.0);
                (belief.expect("positive"), 1.0 + page % 3.0)
            })
            .collect();
        for objective in ALL {
            let due = Threshold::for_beliefs(objective, &beliefs, 25.0).expect("valid");
            let pages = beliefs.iter();
            let visits: f64 = pages
                .filter_map(|&(belief, weight)| due.expected_days(belief, weight))
                .map(f64::recip)
                .sum();
            assert!((visits / 25.0 - 1.0).abs() < 1e-6, "{objective:?} {visits}");
        }
    }

    proptest! {
        #[test]
        fn urgency_reaches_the_level_when_the_page_is_due(
            log_rate in -7.0..5.0f64, log_weight in -3.0..3.0f64, log_level in -12.0..3.0f64,
        ) {
            let (rate, weight) = (log_rate.exp(), log_weight.exp());
            for objective in ALL {
                let due = Threshold::new(objective, log_level.exp());
                let Some(days) = due.days(rate, weight) else {
                    prop_assert!(weight * objective.urgency(rate, 1e9) <= due.level());
                    continue;
                };
                let reached = weight * objective.urgency(rate, days);
                prop_assert!((reached / due.level() - 1.0).abs() < 1e-8, "{reached}");
            }
        }

        #[test]
        fn the_expected_urgency_reaches_the_level_when_the_page_is_due(
            log_shape in -4.0..5.0f64, log_wait in -4.0..6.0f64, log_level in -12.0..3.0f64,
        ) {
            let belief = GammaFilter::new(log_shape.exp(), log_wait.exp()).expect("positive");
            for objective in ALL {
                let due = Threshold::new(objective, log_level.exp());
                let Some(days) = due.expected_days(belief, 1.0) else {
                    let late = objective.expected_urgency(belief, 1e12 * belief.weight());
                    prop_assert!(late <= due.level() * (1.0 + 1e-6), "{objective:?} {late}");
                    continue;
                };
                let reached = objective.expected_urgency(belief, days);
                prop_assert!((reached / due.level() - 1.0).abs() < 1e-6, "{objective:?} {days} {reached}");
            }
        }
    }
}
