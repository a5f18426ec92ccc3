//! `auto`: the best the data allow.

use recrawl_model::History;

use crate::{Cho, Confidence, DateVariant, Estimate, Estimator, LastModified};

/// `last-modified` where every change seen has a date that can be used, `cho`
/// otherwise. The note says which, and why.
#[derive(Debug)]
pub struct Auto {
    dates: LastModified,
    bits: Cho,
}

impl Auto {
    /// The estimator, with intervals at this confidence.
    #[must_use]
    pub fn new(confidence: Confidence) -> Self {
        let dates = LastModified::new(DateVariant::Corrected, confidence);
        Self {
            dates,
            bits: Cho::new(confidence),
        }
    }
}

impl Estimator for Auto {
    fn name(&self) -> &'static str {
        "auto"
    }

    fn estimate_pooled(&self, histories: &[History<'_>]) -> Estimate {
        let dated = LastModified::covers(histories);
        let (estimate, why) = if dated {
            let why =
                "last-modified: every change has a date, which tells more than that it happened";
            (self.dates.estimate_pooled(histories), why)
        } else if histories.iter().any(History::has_dates) {
            (
                self.bits.estimate_pooled(histories),
                "cho: not every change has a usable date",
            )
        } else {
            (
                self.bits.estimate_pooled(histories),
                "cho: no dates, visits of any spacing",
            )
        };
        let note = match estimate.note {
            Some(more) => format!("{why}; {more}"),
            None => why.to_owned(),
        };
        Estimate {
            method: self.name(),
            note: Some(note.into()),
            ..estimate
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use recrawl_model::{HistoryBuf, Observation, Outcome, Timestamp};

    fn visits(dated: bool) -> HistoryBuf {
        let at = |day: i64| Timestamp::from_seconds(day * 86_400);
        let mut history = HistoryBuf::new();
        for day in 0..6 {
            let changed = day % 2 == 1;
            let mut seen = Observation::new(
                at(day),
                if changed {
                    Outcome::Changed
                } else {
                    Outcome::Unchanged
                },
            );
            if dated && changed {
                seen.last_modified = Some(at(day).midpoint(at(day - 1)));
            }
            history.push(seen).expect("in order");
        }
        history
    }

    #[test]
    fn dates_are_used_where_every_change_has_one() {
        let auto = Auto::new(Confidence::default());
        let dated = auto.estimate(visits(true).view());
        let method = LastModified::new(DateVariant::Corrected, Confidence::default());
        assert_eq!(dated.rate, method.estimate(visits(true).view()).rate);
        assert!(dated.note.expect("says why").starts_with("last-modified:"));
        let plain = auto.estimate(visits(false).view());
        assert_eq!(
            plain.rate,
            Cho::new(Confidence::default())
                .estimate(visits(false).view())
                .rate
        );
        assert!(plain.note.expect("says why").starts_with("cho:"));
        assert_eq!(plain.method, "auto");
    }
}
