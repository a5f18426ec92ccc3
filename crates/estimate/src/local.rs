//! Local rates: every estimator in every consistent window, and what the newest
//! window says about the next update (Singh sections 4 and 5).

use recrawl_model::{History, Interval, Rate, Timestamp};

use crate::duane::DuaneLine;
use crate::estimator::Bounds;
use crate::predict::{Prediction, at_constant_rate, at_power_law};
use crate::weibull::PowerLaw;
use crate::{
    CategoryError, Duane, Estimator, Method, Settings, State, Weibull, Window, Windowing,
    update_points,
};

/// Methods that are told in each window, in this order.
pub const WINDOW_METHODS: [Method; 8] = [
    Method::Naive,
    Method::Cho,
    Method::Matloff,
    Method::Mle,
    Method::LastModified,
    Method::Gamma,
    Method::Weibull,
    Method::Duane,
];

/// Cuts histories into consistent windows and estimates in each.
pub struct LocalRates {
    windowing: Windowing,
    settings: Settings,
    constant: Vec<Box<dyn Estimator>>,
    weibull: Weibull,
    duane: Duane,
}

/// One method's rate in one window.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalRate {
    /// The method.
    pub method: &'static str,
    /// Rate; for `weibull` and `duane` at the window's last update.
    pub rate: Option<Rate>,
    /// Lower end of its interval.
    pub low: Option<Rate>,
    /// Upper end of its interval.
    pub high: Option<Rate>,
    /// Mean square of `1/rate(t_i) - gap before t_i` over the window's update
    /// points, in days squared.
    pub mean_square_error: Option<f64>,
}

/// One consistent window.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalWindow {
    /// The update just before the window, or the first visit.
    pub start: Timestamp,
    /// Its last update.
    pub end: Timestamp,
    /// How many updates it holds.
    pub updates: usize,
    /// What the rate does in it.
    pub state: State,
    /// The rate by each method.
    pub rates: Vec<LocalRate>,
}

/// What windows say about one page.
#[derive(Debug, Clone, PartialEq)]
pub struct LocalReport {
    /// Windows in order of time.
    pub windows: Vec<LocalWindow>,
    /// The whole history as one window; empty rates without an update.
    pub overall: Vec<LocalRate>,
    /// The next update after the last visit, by each method that can tell, from
    /// the newest window.
    pub predictions: Vec<Prediction>,
}

/// An update point and the interval it was seen in.
#[derive(Debug, Clone, Copy)]
struct Update {
    at: Timestamp,
    seen: Interval,
}

impl LocalRates {
    /// With these settings of windows and methods.
    ///
    /// # Errors
    /// [`CategoryError`] if `settings` holds impossible classes.
    pub fn new(windowing: Windowing, settings: Settings) -> Result<Self, CategoryError> {
        let power_law = [Method::Weibull, Method::Duane];
        let constant = WINDOW_METHODS
            .into_iter()
            .filter(|method| !power_law.contains(method))
            .map(|method| method.build(&settings))
            .collect::<Result<_, _>>()?;
        let confidence = settings.confidence;
        Ok(Self {
            windowing,
            constant,
            weibull: Weibull::new(settings.weibull, settings.placement, confidence),
            duane: Duane::new(settings.duane, settings.placement, confidence),
            settings,
        })
    }

    /// Windows, local rates and the next update of one page.
    #[must_use]
    pub fn report(&self, history: History<'_>) -> LocalReport {
        let intervals: Vec<Interval> = history.intervals().collect();
        let (Some(first), Some(last)) = (intervals.first(), intervals.last()) else {
            return LocalReport {
                windows: Vec::new(),
                overall: Vec::new(),
                predictions: Vec::new(),
            };
        };
        let updates: Vec<Update> = update_points(history, self.settings.placement)
            .zip(intervals.iter().filter(|interval| interval.changed))
            .map(|(at, &seen)| Update { at, seen })
            .collect();
        let gaps: Vec<f64> = (0..updates.len())
            .map(|i| {
                let before = i.checked_sub(1).map_or(first.start, |j| updates[j].at);
                updates[i].at.days_since(before)
            })
            .collect();
        let access_unit = last.end.days_since(first.start) / intervals.len() as f64;
        let cut = self.windowing.cut(&gaps, access_unit);
        let windows: Vec<LocalWindow> = cut
            .iter()
            .map(|window| self.window(history, first.start, &updates, window))
            .collect();
        let predictions = cut.last().map_or_else(Vec::new, |newest| {
            self.predict(history, first.start, &updates, newest, last.end)
        });
        let overall = self.rates(history, first.start, &updates, history);
        LocalReport {
            windows,
            overall,
            predictions,
        }
    }

    fn window(
        &self,
        history: History<'_>,
        origin: Timestamp,
        updates: &[Update],
        window: &Window,
    ) -> LocalWindow {
        let held = &updates[window.points.clone()];
        let start = start_of(origin, updates, window);
        let visits = visits_of(history, origin, updates, window);
        LocalWindow {
            start,
            end: held.last().map_or(start, |update| update.at),
            updates: held.len(),
            state: window.state,
            rates: self.rates(visits, start, held, history),
        }
    }

    /// Every method on the visits and updates of one stretch that begins at
    /// `start`. Methods of constant rate see the visits, those of a power law
    /// the update points in the stretch's own time.
    fn rates(
        &self,
        visits: History<'_>,
        start: Timestamp,
        held: &[Update],
        whole: History<'_>,
    ) -> Vec<LocalRate> {
        let points: Vec<f64> = held
            .iter()
            .map(|update| update.at.days_since(start))
            .collect();
        let constant = self.constant.iter().map(|method| {
            if method.name() == Method::LastModified.name() && !whole.has_dates() {
                return LocalRate::none(method.name());
            }
            let estimate = method.estimate(visits);
            let daily = estimate.rate.map(Rate::daily);
            LocalRate {
                method: method.name(),
                rate: estimate.rate,
                low: estimate.low,
                high: estimate.high,
                mean_square_error: daily.and_then(|rate| mean_square_error(&points, |_| rate)),
            }
        });
        constant
            .chain([self.weibull_rate(&points), self.duane_rate(&points)])
            .collect()
    }

    fn weibull_rate(&self, points: &[f64]) -> LocalRate {
        let name = Method::Weibull.name();
        let law = PowerLaw::fit(points, self.settings.weibull);
        let Some((law, &last)) = law.zip(points.last()) else {
            return LocalRate::none(name);
        };
        let bounds = self.weibull.interval(&law, points.len(), last);
        LocalRate::moving(name, points, last, bounds, |days| law.rate_at(days))
    }

    fn duane_rate(&self, points: &[f64]) -> LocalRate {
        let (name, variant) = (Method::Duane.name(), self.settings.duane);
        let line = DuaneLine::fit(points, variant);
        let Some((line, &last)) = line.zip(points.last()) else {
            return LocalRate::none(name);
        };
        let bounds = self
            .duane
            .interval(line.rate_at(last, variant), points.len());
        LocalRate::moving(name, points, last, bounds, |days| {
            line.rate_at(days, variant)
        })
    }

    /// The next update by each method, given that none happened up to the last
    /// visit.
    fn predict(
        &self,
        history: History<'_>,
        origin: Timestamp,
        updates: &[Update],
        newest: &Window,
        last_visit: Timestamp,
    ) -> Vec<Prediction> {
        let held = &updates[newest.points.clone()];
        let start = start_of(origin, updates, newest);
        let Some(last_update) = held.last().map(|update| update.at) else {
            return Vec::new();
        };
        let visits = visits_of(history, origin, updates, newest);
        let points: Vec<f64> = held
            .iter()
            .map(|update| update.at.days_since(start))
            .collect();
        let confidence = self.settings.confidence;
        let mut predictions: Vec<Prediction> = self
            .constant
            .iter()
            .filter_map(|method| {
                let rate = method.estimate(visits).rate?;
                at_constant_rate(method.name(), rate, held.len(), last_visit, confidence)
            })
            .collect();
        let law = PowerLaw::fit(&points, self.settings.weibull);
        let name = Method::Weibull.name();
        predictions.extend(law.and_then(|law| {
            at_power_law(
                name,
                &law,
                points.len(),
                start,
                last_update,
                last_visit,
                confidence,
            )
        }));
        predictions
    }
}

/// The update just before a window, or the first visit.
fn start_of(origin: Timestamp, updates: &[Update], window: &Window) -> Timestamp {
    window
        .points
        .start
        .checked_sub(1)
        .map_or(origin, |before| updates[before].at)
}

/// The visits that belong to a window: from the one that saw the update before
/// it to the one that saw its last.
fn visits_of<'a>(
    history: History<'a>,
    origin: Timestamp,
    updates: &[Update],
    window: &Window,
) -> History<'a> {
    let before = window.points.start.checked_sub(1);
    let from = before.map_or(origin, |before| updates[before].seen.end);
    let to = updates[window.points.clone()]
        .last()
        .map_or(from, |update| update.seen.end);
    history.between(from, to)
}

impl LocalRate {
    fn none(method: &'static str) -> Self {
        Self {
            method,
            rate: None,
            low: None,
            high: None,
            mean_square_error: None,
        }
    }

    /// A rate that moves: told at the last point, judged at each.
    fn moving(
        method: &'static str,
        points: &[f64],
        last: f64,
        bounds: Bounds,
        rate_at: impl Fn(f64) -> f64,
    ) -> Self {
        let rate = |daily: f64| Rate::per_day(daily).ok();
        Self {
            method,
            rate: rate(rate_at(last)),
            low: bounds.0.and_then(rate),
            high: bounds.1.and_then(rate),
            mean_square_error: mean_square_error(points, rate_at),
        }
    }
}

/// Singh's error: mean over points of `(1/rate(t_i) - (t_i - t_(i-1)))^2`.
fn mean_square_error(points: &[f64], rate_at: impl Fn(f64) -> f64) -> Option<f64> {
    let mut before = 0.0;
    let mut sum = 0.0;
    for &point in points {
        sum += (1.0 / rate_at(point) - (point - before)).powi(2);
        before = point;
    }
    let mean = sum / points.len() as f64;
    mean.is_finite().then_some(mean)
}
