//! What the law of ages is for: how stale a copy is, and how often to visit.

use crate::AgeLaw;

/// How stale a copy is that is renewed every so often.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Staleness {
    /// Length between visits.
    pub visit_interval: f64,
    /// Share of time the copy is out of date.
    pub stale_share: f64,
    /// Mean over time of how long the copy has been out of date, 0 while it
    /// is not.
    pub mean_age: f64,
}

impl AgeLaw {
    /// Staleness of a copy renewed every `visit_interval`.
    ///
    /// A copy made a ago is stale with chance `G_U(a)`, and visits at a
    /// constant interval Δ make a uniform on 0 to Δ:
    ///
    /// ```text
    /// stale share = (1/Δ) ∫_0^Δ G_U(a) da
    /// mean age    = (1/Δ) ∫_0^Δ ∫_0^a G_U(y) dy da
    /// ```
    ///
    /// Source: Li, Cline, Loguinov, "On Sample-Path Staleness in Lazy Data
    /// Replication": `E[G_U(A_S)]` and `E ∫_0^{A_S} G_U` with `A_S` the time
    /// since the last visit. Holds where visits and updates do not keep step.
    #[must_use]
    pub fn staleness(&self, visit_interval: f64) -> Staleness {
        if visit_interval <= 0.0 {
            return Staleness {
                visit_interval,
                stale_share: 0.0,
                mean_age: 0.0,
            };
        }
        let (once, twice) = self.integrals(visit_interval);
        Staleness {
            visit_interval,
            stale_share: once / visit_interval,
            mean_age: twice / visit_interval,
        }
    }

    /// The longest visit interval that keeps the stale share at or below
    /// `target`; `None` if every interval does, or the target is not above 0.
    #[must_use]
    pub fn interval_for_stale_share(&self, target: f64) -> Option<f64> {
        if target.is_nan() || target <= 0.0 || target >= self.highest() {
            return None;
        }
        let share = |interval: f64| self.staleness(interval).stale_share;
        let mut high = self.reach();
        while share(high) <= target {
            high *= 2.0; // the share tends to `highest`, which is above target
        }
        let mut low = 0.0;
        while high - low > 1e-12 * high {
            let middle = f64::midpoint(low, high);
            if middle <= low || middle >= high {
                break;
            }
            if share(middle) <= target {
                low = middle;
            } else {
                high = middle;
            }
        }
        Some(low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pareto updates of shape 3 and scale 1 in straight pieces.
    fn pareto() -> AgeLaw {
        let points: Vec<_> = (1..200_000)
            .map(|n| f64::from(n) * 1e-3)
            .map(|x| (x, 1.0 - (1.0 + x).powi(-2)))
            .collect();
        AgeLaw::through(&points, Some(2.0))
    }

    #[test]
    fn pareto_updates_make_the_stale_share_on_paper() {
        // (1/Δ) ∫ 1 - (1+x)^-2 = Δ/(1+Δ); twice: Δ/2 - 1 + ln(1+Δ)/Δ.
        let law = pareto();
        for interval in [0.05, 1.0, 7.0] {
            let staleness = law.staleness(interval);
            let share = interval / (1.0 + interval);
            let age = interval / 2.0 - 1.0 + interval.ln_1p() / interval;
            assert!((staleness.stale_share - share).abs() < 1e-5, "{interval}");
            assert!((staleness.mean_age - age).abs() < 1e-4, "{interval}");
        }
        let interval = law.interval_for_stale_share(0.05).expect("reachable");
        assert!((interval - 0.05 / 0.95).abs() < 1e-4, "{interval}");
    }

    #[test]
    fn the_exponential_law_gives_the_formulas_of_cho_and_garcia_molina() {
        let (rate, interval) = (0.5, 3.0);
        let x: f64 = rate * interval;
        let gone = -(-x).exp_m1();
        let staleness = AgeLaw::exponential(rate).staleness(interval);
        assert!((staleness.stale_share - (1.0 - gone / x)).abs() < 1e-5);
        let age = interval * (0.5 - 1.0 / x + gone / (x * x));
        assert!((staleness.mean_age - age).abs() < 1e-4);
    }

    #[test]
    fn targets_no_interval_can_miss_or_meet_have_no_answer() {
        let law = pareto();
        assert_eq!(law.interval_for_stale_share(1.0), None);
        assert_eq!(law.interval_for_stale_share(0.0), None);
        assert_eq!(law.staleness(0.0).stale_share, 0.0);
    }
}
