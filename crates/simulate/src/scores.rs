//! What a cycle was worth: [`CycleScores`] and the [`Score`]s made from it.

/// Counts and time averages of one cycle; [`Score::of`] makes ratios of them.
/// Times are in cycles.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CycleScores {
    /// The cycle, counted from 1.
    pub cycle: u64,
    /// Pages alive at its start.
    pub pages: u64,
    /// Downloads the cycle could pay for.
    pub budget: u64,
    /// Pages downloaded.
    pub downloads: u64,
    /// Pages only sampled, at less than the cost of a download.
    pub samples: u64,
    /// Downloads that found a change.
    pub changed: u64,
    /// Downloads of pages never visited before.
    pub first: u64,
    /// Importance of all downloads.
    pub weight: f64,
    /// Importance of the downloads that found a change.
    pub changed_weight: f64,
    /// Updates that happened.
    pub updates: u64,
    /// Pages that were updated in the cycle.
    pub pages_changed: u64,
    /// Share of the pages alive that are up to date, averaged over time.
    pub freshness: f64,
    /// Mean age of the pages alive, averaged over time: 0 if up to date, else
    /// the time since the first update the copy lacks.
    pub age: f64,
    /// Mean divergence of the pages alive, averaged over time.
    pub divergence: f64,
    /// Time from the first update to its detection, summed over `changed`.
    pub delay: f64,
    /// Bytes downloaded, where the world knows the size of its pages.
    pub bytes: u64,
    /// Pages updated in this cycle or one before it.
    pub ever_changed: u64,
    /// Those of them that were visited in this cycle or one before it.
    pub ever_changed_and_visited: u64,
}

/// A number that judges a policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Score {
    /// Pages downloaded.
    Downloads,
    /// Downloads that found a change.
    Changed,
    /// Changed downloads / downloads (Cho & Ntoulas, section 2).
    ChangeRatio,
    /// The same with importances: sum of w over changed / sum of w over downloads.
    WeightedChangeRatio,
    /// Share of pages up to date, weighted by importance, averaged over time.
    Freshness,
    /// Mean age in cycles, weighted by importance, averaged over time.
    Age,
    /// Mean divergence, weighted by importance, averaged over time.
    Divergence,
    /// Pages changed and visited so far / pages changed so far (section 4.7).
    Fairness,
    /// Mean time from an update to its detection, in cycles.
    DetectionDelay,
    /// Changed downloads / pages updated in the cycle. A change may be caught
    /// in a later cycle, so that a single cycle can pass 1; a run cannot.
    Caught,
    /// Share of the downloads that came too early: no change, no first visit.
    Premature,
    /// Bytes downloaded.
    Bytes,
}

impl Score {
    /// Every score in the order it is printed.
    pub const ALL: [Self; 12] = [
        Self::Downloads,
        Self::Changed,
        Self::ChangeRatio,
        Self::WeightedChangeRatio,
        Self::Freshness,
        Self::Age,
        Self::Divergence,
        Self::Fairness,
        Self::DetectionDelay,
        Self::Caught,
        Self::Premature,
        Self::Bytes,
    ];

    /// The name used in JSON and columns.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Downloads => "downloads",
            Self::Changed => "changed",
            Self::ChangeRatio => "change_ratio",
            Self::WeightedChangeRatio => "weighted_change_ratio",
            Self::Freshness => "freshness",
            Self::Age => "age",
            Self::Divergence => "divergence",
            Self::Fairness => "fairness",
            Self::DetectionDelay => "detection_delay",
            Self::Caught => "caught",
            Self::Premature => "premature",
            Self::Bytes => "bytes",
        }
    }

    /// Whether it is a span of time, told in cycles.
    #[must_use]
    pub const fn is_span(self) -> bool {
        matches!(self, Self::Age | Self::DetectionDelay)
    }

    /// The score of a cycle; `None` where it says nothing, as the ratio of no
    /// downloads.
    #[must_use]
    pub fn of(self, cycle: &CycleScores) -> Option<f64> {
        let downloads = cycle.downloads as f64;
        match self {
            Self::Downloads => Some(downloads),
            Self::Changed => Some(cycle.changed as f64),
            Self::ChangeRatio => ratio(cycle.changed as f64, downloads),
            Self::WeightedChangeRatio => ratio(cycle.changed_weight, cycle.weight),
            Self::Freshness => Some(cycle.freshness),
            Self::Age => Some(cycle.age),
            Self::Divergence => Some(cycle.divergence),
            Self::Fairness => ratio(
                cycle.ever_changed_and_visited as f64,
                cycle.ever_changed as f64,
            ),
            Self::DetectionDelay => ratio(cycle.delay, cycle.changed as f64),
            Self::Caught => ratio(cycle.changed as f64, cycle.pages_changed as f64),
            Self::Premature => {
                let early = cycle.downloads - cycle.changed - cycle.first;
                ratio(early as f64, downloads)
            }
            Self::Bytes => Some(cycle.bytes as f64),
        }
    }

    /// The score of a whole run: the mean over its cycles. Delay and share
    /// caught are instead one ratio over all cycles, because what is caught in
    /// one cycle often changed in another.
    #[must_use]
    pub fn of_run(self, cycles: &[CycleScores]) -> Option<f64> {
        let total = |field: fn(&CycleScores) -> f64| cycles.iter().map(field).sum::<f64>();
        match self {
            Self::DetectionDelay => ratio(total(|c| c.delay), total(|c| c.changed as f64)),
            Self::Caught => ratio(
                total(|c| c.changed as f64),
                total(|c| c.pages_changed as f64),
            ),
            _ => mean(cycles.iter().filter_map(|cycle| self.of(cycle))),
        }
    }
}

fn ratio(part: f64, whole: f64) -> Option<f64> {
    (whole > 0.0).then(|| part / whole)
}

/// The mean of some numbers; `None` of none.
pub(crate) fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (mut count, mut sum) = (0.0, 0.0);
    for number in numbers {
        count += 1.0;
        sum += number;
    }
    ratio(sum, count)
}
