//! Windows of one page as they are written.

use recrawl_estimate::{LocalRate, LocalReport, Prediction};
use recrawl_model::{History, Rate, TimeUnit};
use serde::Serialize;

use crate::output::Columns;

/// A page of `recrawl windows`.
#[derive(Debug, Serialize)]
pub(super) struct PageRecord<'a> {
    page: &'a str,
    site: &'a str,
    per: &'static str,
    from: Option<String>,
    to: Option<String>,
    visits: usize,
    updates: usize,
    windows: Vec<WindowRecord>,
    overall: Vec<RateRecord>,
    predictions: Vec<PredictionRecord>,
    note: Option<&'static str>,
}

#[derive(Debug, Serialize)]
struct WindowRecord {
    start: String,
    end: String,
    updates: usize,
    state: &'static str,
    rates: Vec<RateRecord>,
}

#[derive(Debug, Serialize)]
struct RateRecord {
    method: &'static str,
    rate: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    mse: Option<f64>,
}

#[derive(Debug, Serialize)]
struct PredictionRecord {
    method: &'static str,
    next: String,
    low: String,
    high: String,
}

impl<'a> PageRecord<'a> {
    pub(super) fn new(
        page: &'a str,
        site: &'a str,
        history: History<'_>,
        report: LocalReport,
        unit: TimeUnit,
    ) -> Self {
        let updates = report.windows.iter().map(|window| window.updates).sum();
        let note = if report.overall.is_empty() {
            Some("no two visits can be compared")
        } else if updates == 0 {
            Some("no update seen")
        } else {
            None
        };
        let rates = |rates: Vec<LocalRate>| -> Vec<RateRecord> {
            rates
                .into_iter()
                .map(|rate| RateRecord::new(&rate, unit))
                .collect()
        };
        let windows = report
            .windows
            .into_iter()
            .map(|window| WindowRecord {
                start: window.start.to_string(),
                end: window.end.to_string(),
                updates: window.updates,
                state: window.state.name(),
                rates: rates(window.rates),
            })
            .collect();
        Self {
            page,
            site,
            per: unit.name(),
            from: history
                .observations()
                .next()
                .map(|seen| seen.at.to_string()),
            to: history
                .observations()
                .last()
                .map(|seen| seen.at.to_string()),
            visits: history.usable(),
            updates,
            windows,
            overall: rates(report.overall),
            predictions: report
                .predictions
                .iter()
                .map(PredictionRecord::new)
                .collect(),
            note,
        }
    }

    /// One row for each window and method, then the whole history, then what
    /// comes next.
    pub(super) fn into_rows(self) -> Vec<WindowRow> {
        let page = self.page.to_owned();
        let row = |window: String, rate: &RateRecord| WindowRow {
            page: page.clone(),
            window,
            state: String::new(),
            start: self.from.clone().unwrap_or_default(),
            end: self.to.clone().unwrap_or_default(),
            updates: self.updates,
            method: rate.method.to_owned(),
            rate: rate.rate,
            low: rate.low,
            high: rate.high,
            mse: rate.mse,
            next: None,
        };
        let mut rows = Vec::new();
        for (index, window) in self.windows.iter().enumerate() {
            rows.extend(window.rates.iter().map(|rate| WindowRow {
                state: window.state.to_owned(),
                start: window.start.clone(),
                end: window.end.clone(),
                updates: window.updates,
                ..row((index + 1).to_string(), rate)
            }));
        }
        rows.extend(self.overall.iter().map(|rate| row("all".to_owned(), rate)));
        for prediction in &self.predictions {
            let rate = RateRecord::none(prediction.method);
            rows.push(WindowRow {
                start: prediction.low.clone(),
                end: prediction.high.clone(),
                next: Some(prediction.next.clone()),
                ..row("next".to_owned(), &rate)
            });
        }
        if rows.is_empty() {
            rows.push(row("-".to_owned(), &RateRecord::none("-")));
        }
        rows
    }
}

impl RateRecord {
    fn new(rate: &LocalRate, unit: TimeUnit) -> Self {
        let in_unit = |rate: Option<Rate>| rate.map(|rate| rate.in_unit(unit));
        Self {
            method: rate.method,
            rate: in_unit(rate.rate),
            low: in_unit(rate.low),
            high: in_unit(rate.high),
            mse: rate
                .mean_square_error
                .map(|error| error / (unit.days() * unit.days())),
        }
    }

    fn none(method: &'static str) -> Self {
        Self {
            method,
            rate: None,
            low: None,
            high: None,
            mse: None,
        }
    }
}

impl PredictionRecord {
    fn new(prediction: &Prediction) -> Self {
        Self {
            method: prediction.method,
            next: prediction.next.to_string(),
            low: prediction.low.to_string(),
            high: prediction.high.to_string(),
        }
    }
}

/// A row of the flat formats. In a `next` row start and end are the ends of the
/// prediction's interval.
#[derive(Debug, Serialize)]
pub(super) struct WindowRow {
    page: String,
    window: String,
    state: String,
    start: String,
    end: String,
    updates: usize,
    method: String,
    rate: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    mse: Option<f64>,
    next: Option<String>,
}

/// Nested shapes have no columns.
pub(super) fn no_columns<'a>() -> Columns<PageRecord<'a>> {
    Columns::new()
}

pub(super) fn columns() -> Columns<WindowRow> {
    Columns::new()
        .text("page", |r: &WindowRow| Some(r.page.clone()))
        .text("window", |r| Some(r.window.clone()))
        .text("state", |r| Some(r.state.clone()))
        .text("start", |r| Some(r.start.clone()))
        .text("end", |r| Some(r.end.clone()))
        .count("updates", |r| r.updates)
        .text("method", |r| Some(r.method.clone()))
        .real("rate", |r| r.rate)
        .real("low", |r| r.low)
        .real("high", |r| r.high)
        .real("mse", |r| r.mse)
        .text("next", |r| r.next.clone())
}
