//! When the next update is to be expected.

use recrawl_model::{Rate, Timestamp, from_days};

use crate::Confidence;
use crate::weibull::PowerLaw;

/// The next update after the last visit.
#[derive(Debug, Clone, PartialEq)]
pub struct Prediction {
    /// The method whose rate it rests on.
    pub method: &'static str,
    /// The moment as likely to come before the update as after it.
    pub next: Timestamp,
    /// The update comes after this with the confidence's upper tail.
    pub low: Timestamp,
    /// The update comes before this with the confidence's upper tail.
    pub high: Timestamp,
}

/// At a constant rate known from X `updates`: the wait s after the last visit
/// outlasts `(1 + rate s / X)^-X`, which is exact where the rate was counted
/// from X complete gaps and tends to `exp(-rate s)` as X grows.
pub(crate) fn at_constant_rate(
    method: &'static str,
    rate: Rate,
    updates: usize,
    last_visit: Timestamp,
    confidence: Confidence,
) -> Option<Prediction> {
    let x = updates as f64;
    let wait = |q: f64| x / rate.daily() * ((-q).ln_1p() / -x).exp_m1();
    prediction(method, confidence, |q| {
        Some(last_visit.after(from_days(wait(q))?))
    })
}

/// By a power law fitted to n update points, in time that starts at `start`.
///
/// With D = ln(t_next/t_n), D b^ outlasts d with chance `(1 + d)^-(n-1)`,
/// exactly, whatever shape and scale are: b D is exponential of rate n and
/// n b/b^ is gamma of shape n - 1. Given no update up to the last visit at v:
/// `1 + D b^ = (1 + ln(v/t_n) b^)(1 - q)^(-1/(n-1))`.
pub(crate) fn at_power_law(
    method: &'static str,
    law: &PowerLaw,
    n: usize,
    start: Timestamp,
    last_update: Timestamp,
    last_visit: Timestamp,
    confidence: Confidence,
) -> Option<Prediction> {
    let (t_n, v) = (last_update.days_since(start), last_visit.days_since(start));
    let shape = law.likeliest_shape;
    let waited = 1.0 + (v / t_n).ln().max(0.0) * shape;
    let exponent = -1.0 / (n as f64 - 1.0);
    prediction(method, confidence, |q| {
        let log_ratio = (waited * ((-q).ln_1p() * exponent).exp() - 1.0) / shape;
        Some(start.after(from_days(t_n * log_ratio.exp())?))
    })
}

fn prediction(
    method: &'static str,
    confidence: Confidence,
    quantile: impl Fn(f64) -> Option<Timestamp>,
) -> Option<Prediction> {
    Some(Prediction {
        method,
        next: quantile(0.5)?,
        low: quantile(confidence.tail())?,
        high: quantile(1.0 - confidence.tail())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::WeibullVariant;
    use rand::SeedableRng;
    use rand_distr::{Distribution, Exp1};
    use rand_pcg::Pcg64Mcg;

    fn day(days: f64) -> Timestamp {
        Timestamp::from_fractional_seconds(days * 86_400.0).expect("in range")
    }

    /// Whether the interval holds `truth`, and whether `next` lies before it.
    fn judge(prediction: &Prediction, truth: f64) -> (bool, bool) {
        let truth = day(truth);
        (
            prediction.low <= truth && truth <= prediction.high,
            prediction.next < truth,
        )
    }

    #[test]
    fn the_interval_of_a_power_law_holds_its_level() {
        let (n, shape, runs) = (6, 1.7, 4_000);
        let confidence = Confidence::new(0.9).expect("a level");
        let mut random = Pcg64Mcg::seed_from_u64(31);
        let (mut held, mut later) = (0, 0);
        for _ in 0..runs {
            let mut count = 0.0f64;
            let mut arrivals: Vec<f64> = (0..=n)
                .map(|_| {
                    let gap: f64 = Exp1.sample(&mut random);
                    count += gap;
                    50.0 * count.powf(1.0 / shape)
                })
                .collect();
            let truth = arrivals.pop().expect("the next one");
            let law = PowerLaw::fit(&arrivals, WeibullVariant::Check).expect("points");
            let last = day(arrivals[n - 1]);
            let prediction =
                at_power_law("weibull", &law, n, day(0.0), last, last, confidence).expect("finite");
            let (inside, after) = judge(&prediction, truth);
            held += u32::from(inside);
            later += u32::from(after);
        }
        assert!(
            (f64::from(held) / f64::from(runs) - 0.9).abs() < 0.02,
            "{held}"
        );
        assert!(
            (f64::from(later) / f64::from(runs) - 0.5).abs() < 0.03,
            "{later}"
        );
    }

    #[test]
    fn the_interval_of_a_counted_rate_holds_its_level() {
        let (n, runs) = (5, 4_000);
        let confidence = Confidence::new(0.9).expect("a level");
        let mut random = Pcg64Mcg::seed_from_u64(32);
        let mut held = 0;
        for _ in 0..runs {
            let mut gap = || -> f64 { Exp1.sample(&mut random) };
            let watched: f64 = (0..n).map(|_| gap()).sum();
            let truth = watched + gap();
            let rate = Rate::per_day(n as f64 / watched).expect("a rate");
            let prediction =
                at_constant_rate("naive", rate, n, day(watched), confidence).expect("finite");
            held += u32::from(judge(&prediction, truth).0);
        }
        assert!(
            (f64::from(held) / f64::from(runs) - 0.9).abs() < 0.02,
            "{held}"
        );
    }

    #[test]
    fn waiting_in_vain_moves_the_prediction_on() {
        let points = [1.0, 2.0, 3.0, 4.0, 5.0];
        let law = PowerLaw::fit(&points, WeibullVariant::Check).expect("points");
        let at = |visit: f64| {
            at_power_law(
                "weibull",
                &law,
                5,
                day(0.0),
                day(5.0),
                day(visit),
                Confidence::default(),
            )
            .expect("finite")
        };
        assert!(at(5.0).next > day(5.0) && at(5.0).next < day(7.0));
        assert!(at(9.0).low > day(9.0) && at(9.0).next > at(5.0).next);
    }
}
