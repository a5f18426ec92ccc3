//! What a visit is worth: [`Objective`], for known rates and for beliefs.

use recrawl_allocate::{Measure, age_gain, freshness_gain};
use recrawl_estimate::GammaFilter;

use crate::arguments::{Arguments, Key, PolicyError};

/// What visits are to achieve.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Objective {
    /// Downloads that find a change (ChangeRatio).
    #[default]
    Changes,
    /// The share of time copies are up to date.
    Freshness,
    /// The time copies are out of date, counted from the change missed.
    Age,
}

pub(crate) const OBJECTIVE_KEY: Key = Key {
    name: "objective",
    default: "changes",
    meaning: "what visits are to achieve: changes, freshness or age",
};

/// Below this share of the belief's weight, times what it expects, waits take the
/// series for short waits, where closed forms lose digits.
const SHORT: f64 = 1e-3;

impl Objective {
    /// Takes `objective`.
    pub(crate) fn take(arguments: &mut Arguments) -> Result<Self, PolicyError> {
        let words = [
            ("changes", Self::Changes),
            ("freshness", Self::Freshness),
            ("age", Self::Age),
        ];
        arguments.choice(OBJECTIVE_KEY.name, &words)
    }

    /// What a visit after t `days` is worth for a page that changes λ times a
    /// day (`rate`), at a steady rate.
    ///
    /// - changes: `1 - exp(-λt)`, the chance to find a change;
    /// - freshness: `U = h(λt)/λ`, h(x) = 1 - (1+x) exp(-x);
    /// - age: `U = t^2/2 + (t/λ) exp(-λt) - (1 - exp(-λt))/λ^2`.
    ///
    /// U(t) = t D(t) - ∫D from 0 to t is Olston & Pandey's (2008) threshold: D
    /// is what being t old costs (1 - exp(-λt) stale, t - (1 - exp(-λt))/λ
    /// days of age), and visiting whenever U passes one level for all pages is
    /// the optimal schedule of Cho & Garcia-Molina (2003).
    #[must_use]
    pub fn value(self, rate: f64, days: f64) -> f64 {
        let x = rate * days;
        match self {
            Self::Changes => -(-x).exp_m1(),
            Self::Freshness | Self::Age if rate <= 0.0 => 0.0,
            Self::Freshness => freshness_gain(x) / rate,
            Self::Age => age_gain(x) / (rate * rate),
        }
    }

    /// [`Self::value`] expected under a belief about the rate: gamma law of
    /// shape a and weight b days. As U' = t D'(t), with q = b/(b+t):
    ///
    /// - changes: `1 - q^a`;
    /// - freshness: `∫ s a b^a/(b+s)^(a+1) ds = J - t q^a`,
    ///   J = ∫ (b/(b+s))^a ds;
    /// - age: `∫ s (1 - (b/(b+s))^a) ds = t^2/2 - K`, K = ∫ s (b/(b+s))^a ds;
    ///
    /// all from 0 to t.
    #[must_use]
    pub fn expected_value(self, belief: GammaFilter, days: f64) -> f64 {
        let (a, b) = (belief.shape(), belief.weight());
        if self == Self::Changes {
            return belief.change_probability(days);
        }
        if (a + 2.0) * days < SHORT * b {
            return self.expected_soon(belief, days);
        }
        let growth = 1.0 + days / b; // 1/q
        let log_growth = (days / b).ln_1p();
        let survival = (-a * log_growth).exp(); // q^a
        let first = b * power_integral(1.0 - a, log_growth, survival * growth);
        match self {
            Self::Changes | Self::Freshness => first - days * survival,
            Self::Age => {
                let power = survival * growth * growth;
                let second = b * b * power_integral(2.0 - a, log_growth, power);
                days * days / 2.0 - (second - b * first)
            }
        }
    }
}

impl Objective {
    /// [`Self::expected_value`] of freshness or age after a short wait: the
    /// series of [`Self::value`] in t with the moments of the gamma law,
    /// E[λ^k] = a(a+1)…/b^k.
    fn expected_soon(self, belief: GammaFilter, days: f64) -> f64 {
        let (a, share) = (belief.shape(), days / belief.weight());
        let second = (a + 1.0) * share;
        let third = second * (a + 2.0) * share;
        match self {
            Self::Age => a * share * days * days * (1.0 / 3.0 - second / 8.0 + third / 30.0),
            _ => a * share * days * (0.5 - second / 3.0 + third / 8.0),
        }
    }

    /// What a visit after t `days` adds, for each visit more a day, to what is
    /// won a day in the long run: the level that is equal for all pages of the
    /// best schedule.
    ///
    /// For freshness and age this is [`Self::value`]. For changes it is not: a
    /// visit finds a change with probability 1 - exp(-λt), but would have found
    /// it later too, so one more visit adds only `h(λt) = 1 - (1+λt) exp(-λt)`.
    /// Pages of equal weight stand in the same order by both.
    #[must_use]
    pub fn urgency(self, rate: f64, days: f64) -> f64 {
        match self {
            Self::Changes => freshness_gain(rate * days),
            Self::Freshness | Self::Age => self.value(rate, days),
        }
    }

    /// [`Self::urgency`] expected under a belief about the rate; for changes
    /// `1 - q^a - a (1-q) q^a`, q = b/(b+t).
    #[must_use]
    pub fn expected_urgency(self, belief: GammaFilter, days: f64) -> f64 {
        if self != Self::Changes {
            return self.expected_value(belief, days);
        }
        let (a, share) = (belief.shape(), days / belief.weight());
        if (a + 3.0) * share < SHORT {
            let third = (a + 2.0) * share;
            let fourth = third * (a + 3.0) * share;
            return a * (a + 1.0) * share * share * (0.5 - third / 3.0 + fourth / 8.0);
        }
        let survival = (-a * share.ln_1p()).exp();
        belief.change_probability(days) - a * share / (1.0 + share) * survival
    }

    /// The measure of the known-rate optimum this objective asks for.
    #[must_use]
    pub fn measure(self) -> Measure {
        match self {
            Self::Changes => Measure::Changes,
            Self::Freshness => Measure::Freshness,
            Self::Age => Measure::Age,
        }
    }
}

/// `∫ u^(k-1) du` from 1 to e^x: `(e^(k x) - 1)/k`, and x where k is 0. `power`
/// is e^(k x), which the caller has; it serves where no digits are lost.
fn power_integral(k: f64, x: f64, power: f64) -> f64 {
    let exponent = (k * x).abs();
    if exponent > 0.01 {
        (power - 1.0) / k
    } else if exponent > 1e-12 {
        (k * x).exp_m1() / k
    } else {
        x
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// ALGORITHMS 6: optimal visits a day for rates 1 to 5 and 5 visits a day.
    const FRESHNESS: [f64; 5] = [1.150, 1.358, 1.354, 1.138, 0.0];
    const AGE: [f64; 5] = [0.835, 0.968, 1.034, 1.071, 1.093];

    fn spread(values: &[f64]) -> f64 {
        let low = values.iter().copied().fold(f64::INFINITY, f64::min);
        let high = values.iter().copied().fold(0.0, f64::max);
        (high - low) / high
    }

    #[test]
    fn all_pages_of_the_freshest_schedule_are_worth_the_same_when_visited() {
        let values: Vec<f64> = FRESHNESS[..4]
            .iter()
            .zip(1..)
            .map(|(visits, rate)| Objective::Freshness.value(f64::from(rate), 1.0 / visits))
            .collect();
        assert!(spread(&values) < 2e-3, "{values:?}");
        // The page that changes five times a day is never worth a visit.
        let never = Objective::Freshness.value(5.0, 1e6);
        assert!(never < values[0] && never > 0.9 * values[0], "{never}");
    }

    #[test]
    fn all_pages_of_the_youngest_schedule_are_worth_the_same_when_visited() {
        let values: Vec<f64> = AGE
            .iter()
            .zip(1..)
            .map(|(visits, rate)| Objective::Age.value(f64::from(rate), 1.0 / visits))
            .collect();
        assert!(spread(&values) < 4e-3, "{values:?}");
    }

    /// The expectation by quadrature over the logarithm of the rate.
    fn by_quadrature(belief: GammaFilter, value: impl Fn(f64) -> f64) -> f64 {
        let (mut mass, mut sum) = (0.0, 0.0);
        for step in 0..6_000 {
            let log_rate = -40.0 + f64::from(step) * 0.01;
            let rate = f64::exp(log_rate);
            let weight = (belief.shape() * log_rate - belief.weight() * rate).exp();
            mass += weight;
            sum += weight * value(rate);
        }
        sum / mass
    }

    #[test]
    fn short_waits_and_long_ones_meet() {
        for objective in [Objective::Changes, Objective::Freshness, Objective::Age] {
            for (shape, weight) in [(0.01, 2.0), (1.0, 1.0), (7.3, 40.0)] {
                let belief = GammaFilter::new(shape, weight).expect("positive");
                let edge = SHORT * weight / (shape + 3.0);
                let ratio = objective.expected_urgency(belief, edge * 1.000_000_1)
                    / objective.expected_urgency(belief, edge * 0.999_999_9);
                let power = if objective == Objective::Age {
                    3.0
                } else {
                    2.0
                };
                assert!(
                    (ratio - 1.0 - power * 2e-7).abs() < 1e-9,
                    "{objective:?} {ratio}"
                );
            }
        }
    }

    #[test]
    fn the_expected_urgency_is_the_integral_over_rates() {
        for (shape, weight) in [(0.5, 2.0), (1.0, 1.0), (7.3, 40.0)] {
            let belief = GammaFilter::new(shape, weight).expect("positive");
            for days in [1e-4, 0.3, 2.0, 50.0] {
                let exact = by_quadrature(belief, |rate| Objective::Changes.urgency(rate, days));
                let ours = Objective::Changes.expected_urgency(belief, days);
                assert!((ours / exact - 1.0).abs() < 1e-5, "{days}: {ours} {exact}");
            }
        }
    }

    #[test]
    fn the_expectation_under_a_belief_is_the_integral_over_rates() {
        for objective in [Objective::Changes, Objective::Freshness, Objective::Age] {
            for (shape, weight) in [(0.5, 2.0), (1.0, 1.0), (2.0, 3.0), (7.3, 40.0)] {
                let belief = GammaFilter::new(shape, weight).expect("positive");
                for days in [1e-3, 0.3, 2.0, 50.0] {
                    let exact = by_quadrature(belief, |rate| objective.value(rate, days));
                    let ours = objective.expected_value(belief, days);
                    assert!(
                        (ours / exact - 1.0).abs() < 1e-5,
                        "{objective:?} {shape} {weight} {days}: {ours} {exact}"
                    );
                }
            }
        }
    }

    proptest! {
        #[test]
        fn waiting_longer_never_lowers_what_a_visit_is_worth(
            log_rate in -8.0..4.0f64, days in 1e-3..100.0f64, more in 0.0..100.0f64,
        ) {
            let rate = log_rate.exp();
            for objective in [Objective::Changes, Objective::Freshness, Objective::Age] {
                let (soon, late) = (objective.value(rate, days), objective.value(rate, days + more));
                prop_assert!(soon >= 0.0 && late >= soon * (1.0 - 1e-9), "{soon} {late}");
            }
        }
    }
}
