//! What a page's visits say about the ages of its versions: [`Samples`].

use std::ops::Range;

use recrawl_model::{History, Outcome, TimeUnit, Timestamp};

use crate::{DistributionError, Warning};

/// Comparable visits below which no method has anything to say.
pub const LEAST_VISITS: usize = 3;

/// Visits count as constant if every interval lies within this share of the
/// median: jitter of a scheduler, not a pattern.
const CONSTANT_WITHIN: f64 = 0.01;

/// The longest stretch of comparable visits of one page, with what each saw.
///
/// Times are whole microseconds since the first visit, so that rounding up to
/// bins is exact; lengths handed out as `f64` count [`Self::unit`]. A visit
/// that could not tell is not here: the interval around it is the longer one.
#[derive(Debug, Clone, PartialEq)]
pub struct Samples {
    unit: TimeUnit,
    times: Vec<i64>,
    changed: Vec<bool>,
    runs: Vec<Run>,
    contradicting_dates: usize,
    visits_left_out: usize,
}

/// Neighbouring visits between which no change was seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    /// The visits, by index. But for the first run, the first of them saw a
    /// change, which happened since the visit before it.
    pub visits: Range<usize>,
    /// When the last change before the run happened, where a date told it.
    pub modified: Option<i64>,
}

/// One visit on the way into [`Samples`].
struct Visit {
    at: Timestamp,
    changed: bool,
    modified: Option<Timestamp>,
}

impl Samples {
    /// Takes the longest comparable stretch of `history`; lengths count `unit`.
    ///
    /// # Errors
    /// Too few visits, no change at all, or a change at every visit.
    pub fn from_history(history: History<'_>, unit: TimeUnit) -> Result<Self, DistributionError> {
        let mut stretches: Vec<Vec<Visit>> = Vec::new();
        let mut visits = 0;
        for seen in history.observations() {
            let first = match seen.outcome {
                Outcome::Unknown => continue, // says nothing: the interval grows
                Outcome::First => true,
                Outcome::Changed | Outcome::Unchanged => stretches.is_empty(),
            };
            if first {
                stretches.push(Vec::new());
            }
            visits += 1;
            if let Some(stretch) = stretches.last_mut() {
                stretch.push(Visit {
                    at: seen.at,
                    changed: seen.outcome == Outcome::Changed && !first,
                    modified: seen.last_modified,
                });
            }
        }
        let longest = stretches
            .into_iter()
            .reduce(|best, next| if next.len() > best.len() { next } else { best })
            .unwrap_or_default();
        let left_out = visits - longest.len();
        let samples = Self::from_visits(&longest, unit, left_out);
        samples.check()?;
        Ok(samples)
    }

    /// Samples from visit times and what each visit saw, both in order; the
    /// first entry of `changed` is ignored. For paths made elsewhere, such as
    /// simulated or resampled ones.
    ///
    /// # Errors
    /// As [`Self::from_history`].
    pub fn from_path(
        times: Vec<i64>,
        mut changed: Vec<bool>,
        unit: TimeUnit,
    ) -> Result<Self, DistributionError> {
        changed.resize(times.len(), false);
        if let Some(first) = changed.first_mut() {
            *first = false;
        }
        let mut samples = Self {
            unit,
            runs: runs_of(&changed),
            times,
            changed,
            contradicting_dates: 0,
            visits_left_out: 0,
        };
        let origin = samples.times.first().copied().unwrap_or(0);
        for time in &mut samples.times {
            *time -= origin;
        }
        samples.check()?;
        Ok(samples)
    }

    /// The same samples where the last change before run i happened at
    /// `modified[i]`, in microseconds since the first visit.
    #[must_use]
    pub fn with_run_dates(mut self, modified: &[Option<i64>]) -> Self {
        for (run, &date) in self.runs.iter_mut().zip(modified) {
            run.modified = date;
        }
        self
    }

    fn from_visits(visits: &[Visit], unit: TimeUnit, visits_left_out: usize) -> Self {
        let origin = visits.first().map_or(0, |visit| visit.at.micros());
        let since = |at: Timestamp| at.micros().saturating_sub(origin);
        let changed: Vec<bool> = visits.iter().map(|visit| visit.changed).collect();
        let times: Vec<i64> = visits.iter().map(|visit| since(visit.at)).collect();
        let mut runs = runs_of(&changed);
        let mut contradicting_dates = 0;
        for run in &mut runs {
            let latest = times[run.visits.start];
            let earliest = match run.visits.start {
                0 => i64::MIN,
                start => times[start - 1],
            };
            for told in run.visits.clone().filter_map(|j| visits[j].modified) {
                let told = since(told);
                let fits = (earliest..=latest).contains(&told);
                if !fits || run.modified.is_some_and(|known| known != told) {
                    contradicting_dates += 1;
                } else {
                    run.modified = Some(told);
                }
            }
        }
        Self {
            unit,
            times,
            changed,
            runs,
            contradicting_dates,
            visits_left_out,
        }
    }

    fn check(&self) -> Result<(), DistributionError> {
        let visits = self.times.len();
        let changes = self.changes();
        if visits < LEAST_VISITS {
            Err(DistributionError::TooFewVisits {
                visits,
                needed: LEAST_VISITS,
            })
        } else if changes == 0 {
            Err(DistributionError::NoChange { visits })
        } else if changes + 1 == visits {
            Err(DistributionError::AlwaysChanged { intervals: changes })
        } else {
            Ok(())
        }
    }

    /// The unit lengths are told in.
    #[must_use]
    pub const fn unit(&self) -> TimeUnit {
        self.unit
    }

    /// Visit times, in microseconds since the first.
    #[must_use]
    pub fn times(&self) -> &[i64] {
        &self.times
    }

    /// Whether each visit saw a change since the one before it.
    #[must_use]
    pub fn changed(&self) -> &[bool] {
        &self.changed
    }

    /// Stretches of visits without a change between them, in order. All but
    /// the first start at a detected change; the last is still going on.
    #[must_use]
    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// How many comparable visits there are.
    #[must_use]
    pub fn visits(&self) -> usize {
        self.times.len()
    }

    /// How many visits saw a change.
    #[must_use]
    pub fn changes(&self) -> usize {
        self.runs.len().saturating_sub(1)
    }

    /// The papers' p: the share of intervals between visits with a change.
    #[must_use]
    pub fn retained(&self) -> f64 {
        self.changes() as f64 / (self.visits() - 1) as f64
    }

    /// A length in microseconds, in the unit.
    #[must_use]
    pub fn in_unit(&self, micros: i64) -> f64 {
        micros as f64 / micros_per(self.unit)
    }

    /// The age of the page at each visit, where a date tells it: the date
    /// holds for every visit of its run.
    pub fn ages(&self) -> impl Iterator<Item = Option<i64>> + '_ {
        self.runs.iter().flat_map(|run| {
            run.visits
                .clone()
                .map(|visit| run.modified.map(|date| self.times[visit] - date))
        })
    }

    /// The median length between visits, in microseconds.
    #[must_use]
    pub fn median_interval(&self) -> i64 {
        let mut gaps: Vec<i64> = self.gaps().collect();
        let middle = gaps.len() / 2;
        *gaps.select_nth_unstable(middle).1
    }

    /// Lengths between neighbouring visits, in microseconds.
    pub fn gaps(&self) -> impl Iterator<Item = i64> + '_ {
        self.times.windows(2).map(|pair| pair[1] - pair[0])
    }

    /// The interval of constant visits (all intervals within 1 % of the
    /// median), in microseconds, or `None` if visits are not constant.
    #[must_use]
    pub fn constant_interval(&self) -> Option<i64> {
        let median = self.median_interval();
        let slack = median as f64 * CONSTANT_WITHIN;
        self.gaps()
            .all(|gap| (gap - median).abs() as f64 <= slack)
            .then_some(median)
    }

    /// What the making of these samples gives reason to doubt.
    #[must_use]
    pub fn warnings(&self) -> Vec<Warning> {
        let mut warnings = Vec::new();
        if self.contradicting_dates > 0 {
            warnings.push(Warning::ContradictingDates {
                dates: self.contradicting_dates,
            });
        }
        if self.visits_left_out > 0 {
            warnings.push(Warning::StretchesLeftOut {
                visits: self.visits_left_out,
            });
        }
        warnings
    }
}

/// Microseconds in one unit.
pub(crate) const fn micros_per(unit: TimeUnit) -> f64 {
    unit.days() * 86_400e6
}

/// Stretches between detected changes; one more than changes.
fn runs_of(changed: &[bool]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut start = 0;
    for visit in 1..=changed.len() {
        if changed.get(visit).copied().unwrap_or(true) {
            runs.push(Run {
                visits: start..visit,
                modified: None,
            });
            start = visit;
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{HistoryBuf, Observation};

    fn second(n: i64) -> Timestamp {
        Timestamp::from_seconds(1_000 + n)
    }

    /// Rows of second, outcome and last-modified second (or none).
    fn samples(rows: &[(i64, Outcome, Option<i64>)]) -> Result<Samples, DistributionError> {
        let mut history = HistoryBuf::new();
        for &(at, outcome, modified) in rows {
            let mut seen = Observation::new(second(at), outcome);
            seen.last_modified = modified.map(second);
            history.push(seen).expect("in order");
        }
        Samples::from_history(history.view(), TimeUnit::Second)
    }

    #[test]
    fn unknown_visits_lengthen_the_interval_and_are_no_samples() {
        let samples = samples(&[
            (0, Outcome::First, None),
            (10, Outcome::Unknown, None),
            (20, Outcome::Changed, None),
            (30, Outcome::Unchanged, None),
        ])
        .expect("enough");
        assert_eq!(samples.times(), [0, 20_000_000, 30_000_000]);
        assert_eq!(samples.runs().len(), 2);
        assert_eq!(samples.retained(), 0.5);
    }

    #[test]
    fn a_date_told_once_gives_the_age_at_every_visit_of_its_run() {
        let samples = samples(&[
            (0, Outcome::First, None),
            (10, Outcome::Changed, None),
            (20, Outcome::Unchanged, Some(4)),
            (30, Outcome::Unchanged, None),
        ])
        .expect("enough");
        let ages: Vec<_> = samples.ages().collect();
        assert_eq!(
            ages,
            [None, Some(6_000_000), Some(16_000_000), Some(26_000_000)]
        );
    }

    #[test]
    fn dates_that_contradict_the_visits_are_set_aside_and_counted() {
        let samples = samples(&[
            (0, Outcome::First, Some(5)),       // in the future
            (10, Outcome::Changed, Some(-3)),   // before the visit that saw the old version
            (20, Outcome::Unchanged, Some(15)), // after the version was first seen
        ])
        .expect("enough");
        assert!(samples.ages().all(|age| age.is_none()));
        assert_eq!(
            samples.warnings(),
            [Warning::ContradictingDates { dates: 3 }]
        );
    }

    #[test]
    fn no_change_every_change_and_too_few_visits_are_refused() {
        use Outcome::{Changed, First, Unchanged};
        let refused = |outcomes: &[Outcome]| {
            let rows: Vec<_> = (0..).zip(outcomes).map(|(n, &o)| (n, o, None)).collect();
            samples(&rows).expect_err("refused").to_string()
        };
        assert!(refused(&[First, Changed]).starts_with("2 comparable visits"));
        assert!(refused(&[]).starts_with("0 comparable visits"));
        assert!(refused(&[First, Unchanged, Unchanged]).contains("phase lock"));
        assert!(refused(&[First, Changed, Changed]).contains("phase lock"));
    }

    #[test]
    fn only_the_longest_comparable_stretch_counts() {
        let samples = samples(&[
            (0, Outcome::First, None),
            (1, Outcome::Changed, None),
            (5, Outcome::First, None),
            (6, Outcome::Changed, None),
            (7, Outcome::Unchanged, None),
        ])
        .expect("enough");
        assert_eq!(samples.visits(), 3);
        assert_eq!(
            samples.warnings(),
            [Warning::StretchesLeftOut { visits: 2 }]
        );
    }

    #[test]
    fn visits_within_one_percent_are_constant() {
        let path = |gaps: [i64; 3]| {
            let times = vec![0, gaps[0], gaps[0] + gaps[1], gaps.iter().sum()];
            Samples::from_path(times, vec![false, true, false, true], TimeUnit::Day)
                .expect("enough")
                .constant_interval()
        };
        assert_eq!(path([1000, 1009, 991]), Some(1000));
        assert_eq!(path([1000, 1020, 1000]), None);
    }
}
