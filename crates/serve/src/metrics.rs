//! OpenMetrics at `/metrics`.

use std::path::Path;
use std::sync::atomic::AtomicU64;

use axum::Router;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::{Registry, Unit};
use recrawl_model::Outcome;
use recrawl_store::Standing;
use recrawl_watch::{Command, Status, ask};

use crate::insight::Pulse;
use crate::problem::Problem;
use crate::state::App;
use crate::view::View;

/// Sites told one by one, those with the most pages; the others are one.
const MOST_SITES: usize = 100;

const KIND: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Seconds of a day.
const DAY: f64 = 86_400.0;

type Real = Gauge<f64, AtomicU64>;

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct BySite {
    site: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByOutcome {
    outcome: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByStanding {
    standing: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByPart {
    part: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, EncodeLabelSet)]
struct ByAge {
    /// Copies that are fresher than this with the probability that counts.
    within: &'static str,
}

pub(crate) fn router() -> Router<App> {
    Router::new().route("/metrics", get(metrics))
}

async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    let pulse = app.pulse().await?;
    let status = ask(&app.commander, |reply| Command::Status { reply }).await;
    let status = status.unwrap_or_default();
    let state = app.clone();
    let text = app
        .work(move |_| {
            let mut registry = Registry::with_prefix("recrawl");
            expectations(&mut registry, &state.shared.view(), &pulse);
            counts(&mut registry, &state.shared.view());
            running(&mut registry, &state.shared.view(), status);
            registry.register_with_unit(
                "fetch",
                "Time fetches took, since the process began",
                Unit::Seconds,
                state.shared.latency.clone(),
            );
            if let Some(store) = &state.settings.store {
                sizes(&mut registry, store);
            }
            let mut text = String::new();
            text::encode(&mut text, &registry)
                .map_err(|_| Problem::failed("the metrics cannot be written"))?;
            Ok(text)
        })
        .await?;
    let kind = (header::CONTENT_TYPE, HeaderValue::from_static(KIND));
    Ok(([kind], text).into_response())
}

fn gauge(registry: &mut Registry, name: &str, help: &str, value: Option<f64>) {
    if let Some(value) = value {
        let gauge = Real::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    }
}

/// What can be expected of the copies now, in all and by site.
fn expectations(registry: &mut Registry, view: &View, pulse: &Pulse) {
    let all = &pulse.all;
    let help = "Expected share of copies that are up to date";
    gauge(
        registry,
        "freshness",
        help,
        all.freshness().map(|all| all.value),
    );
    let help = "Expected mean time for which copies have been out of date";
    let age = all.age().map(|age| age.value * DAY);
    if let Some(age) = age {
        let gauge = Real::default();
        gauge.set(age);
        registry.register_with_unit("age", help, Unit::Seconds, gauge);
    }
    let help = "Expected changes nobody has seen yet";
    gauge(
        registry,
        "undetected_changes",
        help,
        all.undetected().map(|all| all.value),
    );
    by_site(registry, view, pulse);
    let fresher = Family::<ByAge, Real>::default();
    for (within, share) in view.seen_within(pulse.at) {
        fresher.get_or_create(&ByAge { within }).set(share);
    }
    registry.register(
        "seen_within_ratio",
        "Share of watched pages seen within this time",
        fresher,
    );
}

fn by_site(registry: &mut Registry, view: &View, pulse: &Pulse) {
    let [freshness, age, undetected] = [(); 3].map(|()| Family::<BySite, Real>::default());
    let mut sites: Vec<usize> = (0..pulse.sites.len()).collect();
    sites.sort_by_key(|&site| (std::cmp::Reverse(pulse.sites[site].pages), site));
    let mut others = 0.0;
    for (place, site) in sites.into_iter().enumerate() {
        let sums = &pulse.sites[site];
        if place >= MOST_SITES {
            others += sums.undetected;
            continue;
        }
        let label = BySite {
            site: view.sites.name(site as u32).to_owned(),
        };
        if let Some(share) = sums.freshness() {
            freshness.get_or_create(&label).set(share.value);
        }
        if let Some(mean) = sums.age() {
            age.get_or_create(&label).set(mean.value * DAY);
        }
        undetected.get_or_create(&label).set(sums.undetected);
    }
    if pulse.sites.len() > MOST_SITES {
        let site = "(others)".to_owned();
        undetected.get_or_create(&BySite { site }).set(others);
    }
    let help = "Expected share of a site's copies that are up to date, the largest sites";
    registry.register("site_freshness", help, freshness);
    let help =
        "Expected mean time for which a site's copies have been out of date, the largest sites";
    registry.register_with_unit("site_age", help, Unit::Seconds, age);
    let help = "Expected changes of a site nobody has seen yet, the largest sites";
    registry.register("site_undetected_changes", help, undetected);
}

/// What the log counts.
fn counts(registry: &mut Registry, view: &View) {
    let pages = Family::<ByStanding, Gauge>::default();
    for (standing, count) in view.standings() {
        let label = ByStanding {
            standing: Standing::name(standing),
        };
        pages.get_or_create(&label).set(count as i64);
    }
    registry.register("pages", "Pages by standing", pages);
    let visits = Family::<ByOutcome, Counter>::default();
    for outcome in [
        Outcome::First,
        Outcome::Changed,
        Outcome::Unchanged,
        Outcome::Unknown,
    ] {
        let label = ByOutcome {
            outcome: outcome.name(),
        };
        visits
            .get_or_create(&label)
            .inc_by(view.totals[outcome as usize]);
    }
    registry.register("visits", "Visits of the whole log by outcome", visits);
    let errors = Counter::<u64>::default();
    errors.inc_by(
        view.reasons
            .by_count()
            .iter()
            .map(|(_, tally)| tally.count)
            .sum(),
    );
    registry.register("errors", "Visits of the whole log that failed", errors);
}

/// The cycle and the queue.
fn running(registry: &mut Registry, view: &View, status: Status) {
    let cycle = view.cycles.newest_first().next();
    let help = "Visits the running cycle may spend";
    gauge(
        registry,
        "budget_visits",
        help,
        cycle.map(|cycle| cycle.budget.in_downloads()),
    );
    let help = "Visits the running cycle has spent";
    gauge(
        registry,
        "budget_spent_visits",
        help,
        cycle.map(|cycle| cycle.spent.in_downloads()),
    );
    let help = "Visits that wait for their hosts";
    gauge(registry, "queue_waiting", help, Some(status.waiting as f64));
    let help = "Requests under way";
    gauge(
        registry,
        "queue_in_flight",
        help,
        Some(status.in_flight as f64),
    );
    let help = "Visits the budget would have allowed by now and that were not started";
    gauge(registry, "queue_lag_visits", help, Some(status.behind));
}

/// Bytes of the store on disk, by its top directories and files.
fn sizes(registry: &mut Registry, store: &Path) {
    let family = Family::<ByPart, Gauge>::default();
    for entry in std::fs::read_dir(store).into_iter().flatten().flatten() {
        let part = entry.file_name().to_string_lossy().into_owned();
        let part = if entry.path().is_dir() {
            part
        } else {
            "log".to_owned()
        };
        let bytes = i64::try_from(bytes_in(&entry.path())).unwrap_or(i64::MAX);
        family.get_or_create(&ByPart { part }).inc_by(bytes);
    }
    let help = "Bytes of the store on disk";
    registry.register_with_unit("store", help, Unit::Bytes, family);
}

fn bytes_in(path: &Path) -> u64 {
    let Ok(metadata) = path.symlink_metadata() else {
        return 0; // removed meanwhile
    };
    if !metadata.is_dir() {
        return allocated(&metadata);
    }
    let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
    entries.map(|entry| bytes_in(&entry.path())).sum()
}

/// Bytes a file takes: a file with holes is shorter than it says.
#[cfg(unix)]
fn allocated(metadata: &std::fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::blocks(metadata) * 512
}

#[cfg(not(unix))]
fn allocated(metadata: &std::fs::Metadata) -> u64 {
    metadata.len()
}
