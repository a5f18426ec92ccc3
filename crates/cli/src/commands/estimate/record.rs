//! One estimate as it is written.

use std::collections::BTreeMap;

use recrawl_estimate::{Advisor, Confidence, Detail, Drift, Estimate};
use recrawl_model::{HistorySet, Rate, TimeUnit, days};
use serde::Serialize;

use super::Subject;
use crate::output::Columns;

/// A row of `recrawl estimate`.
#[derive(Debug, Serialize)]
pub(super) struct EstimateRecord<'a> {
    page: Option<&'a str>,
    site: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pages: Option<usize>,
    method: &'static str,
    rate: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    per: &'static str,
    visits: usize,
    intervals: usize,
    changes: usize,
    span: f64,
    note: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    probabilities: Option<BTreeMap<String, f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shape: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    scale: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    advice: Option<AdviceRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    drift: Option<DriftRecord>,
    #[serde(skip)]
    unit: TimeUnit,
    #[serde(skip)]
    mean_days: f64,
}

/// `"advice"`: how to look so that the rate is known well.
#[derive(Debug, Serialize)]
struct AdviceRecord {
    /// Visit interval, in units of `per`.
    interval: Option<f64>,
    changes_per_visit: Option<f64>,
    relative_error: f64,
    visits: Option<usize>,
    visits_at_present_interval: Option<usize>,
    note: Option<String>,
}

/// `"drift"`: whether the rate has changed.
#[derive(Debug, Serialize)]
struct DriftRecord {
    changed: Option<bool>,
    p_value: Option<f64>,
    since: Option<String>,
    before: Option<f64>,
    after: Option<f64>,
    note: Option<String>,
}

/// Which columns the flat formats show beyond the usual ones.
#[derive(Debug, Clone, Copy)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a column group on or off"
)]
pub(super) struct Extras {
    pub(super) pooled: bool,
    pub(super) advise: bool,
    pub(super) drift: bool,
    pub(super) category: bool,
    pub(super) power_law: bool,
}

impl<'a> EstimateRecord<'a> {
    pub(super) fn new(
        set: &'a HistorySet,
        subject: &Subject<'a>,
        estimate: Estimate,
        unit: TimeUnit,
        categories: &[String],
    ) -> Self {
        let (page, site, pages) = match subject {
            Subject::Page(page) => (Some(set.name(*page)), set.site(*page), None),
            Subject::Site(site, pages) => (None, *site, Some(pages.len())),
        };
        let in_unit = |rate: Option<Rate>| rate.map(|rate| rate.in_unit(unit));
        let tally = estimate.tally;
        let mut record = Self {
            page,
            site,
            pages,
            method: estimate.method,
            rate: in_unit(estimate.rate),
            low: in_unit(estimate.low),
            high: in_unit(estimate.high),
            per: unit.name(),
            visits: tally.visits,
            intervals: tally.intervals,
            changes: tally.changes,
            span: tally.span_days / unit.days(),
            note: estimate.note.map(Into::into),
            category: None,
            probabilities: None,
            shape: None,
            scale: None,
            advice: None,
            drift: None,
            unit,
            mean_days: tally.span_days / tally.intervals as f64,
        };
        match estimate.detail {
            Detail::Plain => {}
            Detail::Category {
                class,
                probabilities,
            } => {
                record.category = Some(categories[class].clone());
                record.probabilities =
                    Some(categories.iter().cloned().zip(probabilities).collect());
            }
            Detail::PowerLaw { shape, scale_days } => {
                record.shape = Some(shape);
                record.scale = scale_days.map(|days| days / unit.days());
            }
        }
        record
    }

    pub(super) fn add_drift(&mut self, drift: Option<Drift>, confidence: Confidence) {
        self.drift = Some(match drift {
            Some(drift) => DriftRecord {
                changed: Some(drift.p_value <= 1.0 - confidence.level()),
                p_value: Some(drift.p_value),
                since: Some(drift.since.to_string()),
                before: Some(drift.before.in_unit(self.unit)),
                after: Some(drift.after.in_unit(self.unit)),
                note: None,
            },
            None => DriftRecord {
                changed: None,
                p_value: None,
                since: None,
                before: None,
                after: None,
                note: Some(if self.pages.is_some() {
                    "pages of a site drift each by themselves; ask by page".to_owned()
                } else {
                    "needs four intervals, some changed and some not".to_owned()
                }),
            },
        });
    }

    /// Advice from the rate; from the one since the last change of rate where
    /// there was one; from the end of the interval that is known where the rate
    /// itself is not.
    pub(super) fn add_advice(
        &mut self,
        advisor: &Advisor,
        drift: Option<Drift>,
        confidence: Confidence,
    ) {
        let drifted = drift.filter(|drift| drift.p_value <= 1.0 - confidence.level());
        let positive = |daily: Option<f64>| daily.filter(|&daily| daily > 0.0);
        let daily = |per_unit: Option<f64>| positive(per_unit.map(|rate| rate / self.unit.days()));
        let (rate, mean_days, note) = if let Some(drift) = drifted {
            let note = format!(
                "the rate changed on {}; advice is for the rate since then",
                drift.since
            );
            (
                positive(Some(drift.after.daily())),
                drift.mean_days_after,
                Some(note),
            )
        } else if let Some(rate) = daily(self.rate) {
            (Some(rate), self.mean_days, None)
        } else if self.rate.is_some() {
            let note = "no change seen: it pays to look this seldom, or even less often";
            (daily(self.high), self.mean_days, Some(note.to_owned()))
        } else {
            let note = "every visit saw a change: look at least this often";
            (daily(self.low), self.mean_days, Some(note.to_owned()))
        };
        let advice = rate
            .and_then(|daily| Rate::per_day(daily).ok())
            .and_then(|rate| advisor.advise(rate, mean_days));
        self.advice = Some(AdviceRecord {
            interval: advice.map(|advice| days(advice.interval) / self.unit.days()),
            changes_per_visit: advice.map(|advice| advice.changes_per_visit),
            relative_error: advisor.relative_error(),
            visits: advice.map(|advice| advice.visits),
            visits_at_present_interval: advice.and_then(|advice| advice.visits_at_present_interval),
            note: if advice.is_some() {
                note
            } else {
                Some("nothing to go by yet".to_owned())
            },
        });
    }
}

/// The flat view of a record.
pub(super) fn columns<'a>(extras: Extras) -> Columns<EstimateRecord<'a>> {
    let mut columns = Columns::new();
    columns = if extras.pooled {
        columns
            .held_text("site", |r: &EstimateRecord<'_>| Some(r.site))
            .count("pages", |r| r.pages.unwrap_or_default())
    } else {
        columns
            .held_text("page", |r: &EstimateRecord<'_>| r.page)
            .held_text("site", |r| Some(r.site))
    };
    columns = columns
        .held_text("method", |r| Some(r.method))
        .real("rate", |r| r.rate)
        .real("low", |r| r.low)
        .real("high", |r| r.high)
        .held_text("per", |r| Some(r.per))
        .count("visits", |r| r.visits)
        .count("intervals", |r| r.intervals)
        .count("changes", |r| r.changes)
        .real("span", |r| Some(r.span));
    if extras.category {
        columns = columns
            .text("category", |r| r.category.clone())
            .text("probabilities", |r| {
                r.probabilities
                    .as_ref()
                    .and_then(|map| serde_json::to_string(map).ok())
            });
    }
    if extras.power_law {
        columns = columns
            .real("shape", |r| r.shape)
            .real("scale", |r| r.scale);
    }
    if extras.advise {
        columns = columns
            .real("advised_interval", |r| r.advice.as_ref()?.interval)
            .real("visits_needed", |r| Some(r.advice.as_ref()?.visits? as f64))
            .real("visits_needed_now", |r| {
                Some(r.advice.as_ref()?.visits_at_present_interval? as f64)
            })
            .text("advice", |r| r.advice.as_ref()?.note.clone());
    }
    if extras.drift {
        columns = columns
            .text("drift", |r| Some(verdict(r.drift.as_ref()?.changed)))
            .real("p_value", |r| r.drift.as_ref()?.p_value)
            .text("since", |r| r.drift.as_ref()?.since.clone())
            .real("before", |r| r.drift.as_ref()?.before)
            .real("after", |r| r.drift.as_ref()?.after);
    }
    columns.held_text("note", |r| r.note.as_deref())
}

fn verdict(changed: Option<bool>) -> String {
    match changed {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    }
    .to_owned()
}
