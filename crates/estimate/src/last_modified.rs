//! `last-modified`: rates from the dates that sources tell.

use recrawl_model::{History, Observation, Outcome, Timestamp};

use crate::confidence::CountBounds;
use crate::likelihood::rate_of_intervals;
use crate::{Confidence, Estimate, Estimator, Evidence, ShareBounds, Tally};

/// Which count goes over the exposure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum DateVariant {
    /// `X' = (X - 1) - X/(N ln(1 - X/N))`, nearly unbiased (the paper's final form).
    #[default]
    Corrected,
    /// X as it is: maximum likelihood, too high by up to N/(N - 1).
    Raw,
}

/// `X'/T` of Cho & Garcia-Molina section 5, for any visits.
///
/// N = accesses, X = those whose date is later than the access before,
/// T = sum over accesses of the time since the last change or since the access
/// before, whichever is shorter (days). Within 1.3 % of the truth on average
/// for 3 to 50 visits and 0.01 to 5 changes a visit. Holds for independent
/// changes at a steady rate and honest dates.
///
/// Dates are evidence, not truth: one in the future counts as "just now", one
/// that moves backwards or contradicts what the content showed is left out and
/// its visit counts as changed or unchanged only.
#[derive(Debug)]
pub struct LastModified {
    /// Which count goes over the exposure.
    pub variant: DateVariant,
    counts: CountBounds,
    bounds: ShareBounds,
}

/// What dated accesses add up to.
#[derive(Debug, Default)]
struct Exposure {
    accesses: usize,
    dated_changes: usize,
    /// T, in days.
    days: f64,
    /// Lengths (days) of intervals with a change whose time is not known.
    undated: Vec<f64>,
    /// Every interval as changed or not, for counts and for mixed evidence.
    bits: Vec<(f64, bool)>,
    dates_used: usize,
    dates_refused: usize,
    visits: usize,
}

impl LastModified {
    /// The estimator, with intervals at this confidence.
    #[must_use]
    pub fn new(variant: DateVariant, confidence: Confidence) -> Self {
        Self {
            variant,
            counts: CountBounds::new(confidence),
            bounds: ShareBounds::new(confidence),
        }
    }

    /// Whether dates carry the whole evidence of change: at least one is told
    /// and every change seen has one that can be used.
    #[must_use]
    pub fn covers(histories: &[History<'_>]) -> bool {
        let exposure = Exposure::of(histories);
        exposure.dates_used > 0 && exposure.undated.is_empty()
    }
}

impl Estimator for LastModified {
    fn name(&self) -> &'static str {
        "last-modified"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        let exposure = Exposure::of(histories);
        let tally = exposure.tally();
        if !histories.iter().any(History::has_dates) {
            let reason = "no visit told a last-modified time; use cho";
            return Estimate::none(self.name(), tally, reason);
        }
        if tally.intervals == 0 {
            return Estimate::no_interval(self.name(), tally);
        }
        let changes = match self.variant {
            DateVariant::Raw => exposure.dated_changes as f64,
            DateVariant::Corrected => corrected(exposure.dated_changes, exposure.accesses),
        };
        let Some(daily) = rate_of_intervals(changes, &exposure.undated, exposure.days) else {
            let reason = "every visit saw a change at that very moment, so nothing bounds the rate";
            return Estimate::none(self.name(), tally, reason);
        };
        let estimate = Estimate::new(self.name(), tally, daily, self.interval(&exposure));
        match exposure.note() {
            Some(note) => estimate.with_note(note),
            None => estimate,
        }
    }
}

impl LastModified {
    /// With every change dated the likelihood is `rate^X exp(-rate T)`, that of
    /// a Poisson count X over T, and Garwood's bounds hold. Mixed evidence falls
    /// back to changed and unchanged intervals, which hold their level too.
    fn interval(&self, exposure: &Exposure) -> (Option<f64>, Option<f64>) {
        if !exposure.undated.is_empty() {
            return self
                .bounds
                .rate(&Evidence::from_intervals(exposure.bits.iter().copied()));
        }
        let (low, high) = self.counts.mean(exposure.dated_changes);
        (Some(low / exposure.days), Some(high / exposure.days))
    }
}

/// `(X - 1) - X/(N ln(1 - X/N))` with its limits: 0 at X = 0, N - 1 at X = N.
fn corrected(changes: usize, accesses: usize) -> f64 {
    let (x, n) = (changes as f64, accesses as f64);
    if changes == 0 {
        0.0
    } else if changes >= accesses {
        n - 1.0
    } else {
        (x - 1.0) - x / (n * (-x / n).ln_1p())
    }
}

impl Exposure {
    fn of(histories: &[History<'_>]) -> Self {
        let mut exposure = Self::default();
        for history in histories {
            exposure.add(*history);
        }
        exposure
    }

    fn add(&mut self, history: History<'_>) {
        let mut last_access: Option<Timestamp> = None;
        let mut last_date: Option<Timestamp> = None;
        for seen in history.observations() {
            // A date without content, as from a HEAD request, still tells.
            if seen.outcome == Outcome::Unknown && seen.last_modified.is_none() {
                continue;
            }
            self.visits += 1;
            let backwards =
                matches!((last_date, seen.last_modified), (Some(old), Some(new)) if new < old);
            last_date = seen.last_modified.or(last_date);
            let Some(start) = last_access.replace(seen.at) else {
                continue; // sets the baseline only
            };
            if seen.outcome != Outcome::First {
                self.access(start, seen, backwards);
            }
        }
    }

    /// One access with its interval (the paper's Update procedure).
    fn access(&mut self, start: Timestamp, seen: Observation, backwards: bool) {
        let interval = seen.at.days_since(start);
        let age = seen
            .last_modified
            .map(|date| seen.at.days_since(date).clamp(0.0, interval));
        // Equal is not changed: a date at the last access was already seen.
        let dated_change = age.map(|age| age < interval);
        let content = match seen.outcome {
            Outcome::Changed => Some(true),
            Outcome::Unchanged => Some(false),
            Outcome::First | Outcome::Unknown => None,
        };
        let contradicted =
            matches!((content, dated_change), (Some(saw), Some(said)) if saw != said);
        let usable = age.filter(|_| !backwards && !contradicted);
        self.dates_used += usize::from(usable.is_some());
        self.dates_refused += usize::from(age.is_some() && usable.is_none());
        match (content.or(dated_change.filter(|_| !backwards)), usable) {
            (Some(true), Some(age)) => {
                self.accesses += 1;
                self.dated_changes += 1;
                self.days += age;
                self.bits.push((interval, true));
            }
            (Some(true), None) => {
                self.undated.push(interval);
                self.bits.push((interval, true));
            }
            (Some(false), _) => {
                self.accesses += 1;
                self.days += interval;
                self.bits.push((interval, false));
            }
            (None, _) => self.visits -= 1, // a date that moved back, and nothing else
        }
    }

    fn tally(&self) -> Tally {
        Tally {
            visits: self.visits,
            intervals: self.bits.len(),
            changes: self.dated_changes + self.undated.len(),
            span_days: self.bits.iter().fold(0.0, |total, (days, _)| total + days),
        }
    }

    fn note(&self) -> Option<String> {
        let mut parts = Vec::new();
        if self.dates_refused > 0 {
            parts.push(format!(
                "{} of {} dates moved backwards or contradicted the content and were left out",
                self.dates_refused,
                self.dates_refused + self.dates_used
            ));
        }
        if !self.undated.is_empty() {
            parts.push(format!(
                "{} changes have no usable date",
                self.undated.len()
            ));
        }
        if self.accesses == 1 && self.dated_changes == 1 {
            parts
                .push("one visit cannot be corrected for bias; ask for the raw variant".to_owned());
        }
        (!parts.is_empty()).then(|| parts.join("; "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::HistoryBuf;

    fn day(days: f64) -> Timestamp {
        Timestamp::from_fractional_seconds(days * 86_400.0).expect("in range")
    }

    /// Visits as (day, outcome, day of last modification).
    fn history(rows: &[(f64, Outcome, Option<f64>)]) -> HistoryBuf {
        let mut history = HistoryBuf::new();
        for &(at, outcome, date) in rows {
            let mut seen = Observation::new(day(at), outcome);
            seen.last_modified = date.map(day);
            history.push(seen).expect("in order");
        }
        history
    }

    fn daily(rows: &[(f64, Outcome, Option<f64>)], variant: DateVariant) -> Option<f64> {
        let method = LastModified::new(variant, Confidence::default());
        method
            .estimate(history(rows).view())
            .rate
            .map(recrawl_model::Rate::daily)
    }

    use Outcome::{Changed, First, Unchanged, Unknown};

    const THREE_VISITS: [(f64, Outcome, Option<f64>); 4] = [
        (0.0, First, Some(-3.0)),
        (1.0, Changed, Some(0.25)),
        (2.0, Unchanged, Some(0.25)),
        (4.0, Changed, Some(3.5)),
    ];

    #[test]
    fn the_raw_form_is_changes_over_exposure() {
        // T = 0.75 + 1 + 0.5, X = 2.
        let rate = daily(&THREE_VISITS, DateVariant::Raw).expect("a rate");
        assert!((rate - 2.0 / 2.25).abs() < 1e-12);
    }

    #[test]
    fn the_final_form_takes_the_papers_correction() {
        let corrected = 1.0 - 2.0 / (3.0 * (1.0f64 - 2.0 / 3.0).ln());
        let rate = daily(&THREE_VISITS, DateVariant::Corrected).expect("a rate");
        assert!((rate - corrected / 2.25).abs() < 1e-12);
    }

    #[test]
    fn the_correction_has_its_limits() {
        assert_eq!(super::corrected(0, 5), 0.0);
        assert_eq!(super::corrected(5, 5), 4.0);
        assert_eq!(super::corrected(1, 1), 0.0);
        for accesses in [2, 3, 10] {
            for changes in 0..accesses {
                assert!(
                    super::corrected(changes + 1, accesses) > super::corrected(changes, accesses)
                );
            }
        }
    }

    #[test]
    fn a_future_date_counts_as_a_change_just_now() {
        let rows = [
            (0.0, First, None),
            (1.0, Changed, Some(9.0)),
            (2.0, Unchanged, None),
        ];
        let rate = daily(&rows, DateVariant::Raw).expect("a rate");
        assert!((rate - 1.0).abs() < 1e-12); // X = 1, T = 0 + 1
    }

    #[test]
    fn a_date_that_moves_backwards_leaves_only_the_change() {
        let rows = [
            (0.0, First, Some(-1.0)),
            (1.0, Changed, Some(-2.0)),
            (2.0, Unchanged, Some(-2.0)),
        ];
        let method = LastModified::new(DateVariant::Corrected, Confidence::default());
        let estimate = method.estimate(history(&rows).view());
        // The same as the likelihood of one changed and one unchanged day: ln 2.
        let rate = estimate.rate.expect("a rate").daily();
        assert!((rate - 2f64.ln()).abs() < 1e-12, "{rate}");
        assert!(estimate.note.expect("said so").contains("1 of 2 dates"));
    }

    #[test]
    fn a_date_that_contradicts_the_content_is_left_out() {
        // The content changed, the date stayed: a lying source.
        let rows = [
            (0.0, First, Some(-1.0)),
            (1.0, Changed, Some(-1.0)),
            (2.0, Unchanged, None),
        ];
        assert!((daily(&rows, DateVariant::Raw).expect("a rate") - 2f64.ln()).abs() < 1e-12);
        // The date moved, the content did not: touched, not changed.
        let rows = [
            (0.0, First, Some(-1.0)),
            (1.0, Unchanged, Some(0.5)),
            (2.0, Unchanged, None),
        ];
        assert_eq!(daily(&rows, DateVariant::Raw), Some(0.0));
    }

    #[test]
    fn a_date_without_content_still_tells() {
        let rows = [
            (0.0, First, Some(-1.0)),
            (1.0, Unknown, Some(0.5)),
            (3.0, Unknown, Some(0.5)),
        ];
        let rate = daily(&rows, DateVariant::Raw).expect("a rate");
        assert!((rate - 1.0 / 2.5).abs() < 1e-12);
    }

    #[test]
    fn without_any_date_there_is_no_answer() {
        let method = LastModified::new(DateVariant::Corrected, Confidence::default());
        let estimate = method.estimate(history(&[(0.0, First, None), (1.0, Changed, None)]).view());
        assert_eq!(estimate.rate, None);
        assert!(estimate.note.expect("a reason").contains("use cho"));
    }
}
