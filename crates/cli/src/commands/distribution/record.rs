//! The answer as it is written.

use std::collections::BTreeMap;

use recrawl_distribution::{AgeLaw, Ageing, Band, Samples, Study};
use recrawl_model::TimeUnit;
use serde::Serialize;

use crate::output::Columns;

/// Everything an answer is made from.
pub(super) struct Answered<'a> {
    pub(super) page: &'a str,
    pub(super) site: &'a str,
    pub(super) unit: TimeUnit,
    pub(super) confidence: f64,
    pub(super) samples: &'a Samples,
    pub(super) study: &'a Study,
    pub(super) staleness: Option<StalenessRecord>,
}

/// The document of `recrawl distribution`.
#[derive(Debug, Serialize)]
pub(super) struct DistributionRecord<'a> {
    page: &'a str,
    site: &'a str,
    method: &'static str,
    estimates: &'static str,
    per: &'static str,
    visits: usize,
    intervals: usize,
    changes: usize,
    span: f64,
    mean_update: Option<f64>,
    mean_update_low: Option<f64>,
    mean_update_high: Option<f64>,
    rate: Option<f64>,
    rate_low: Option<f64>,
    rate_high: Option<f64>,
    confidence: f64,
    retained: f64,
    /// Values the curve is made of and their mean, the papers' `E[D]`.
    samples: u64,
    mean_sample: Option<f64>,
    smallest_lifetime: Option<f64>,
    ageing: Option<&'static str>,
    parametric: Vec<LawRecord>,
    #[serde(skip_serializing_if = "Option::is_none")]
    staleness: Option<StalenessRecord>,
    sandwich: SandwichRecord,
    points: Vec<PointRecord>,
    warnings: Vec<String>,
}

/// A fitted law.
#[derive(Debug, Serialize)]
struct LawRecord {
    law: &'static str,
    parameters: BTreeMap<&'static str, f64>,
    mean_update: f64,
    aic: f64,
    fit: f64,
}

/// What visits at some interval mean for a copy.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct StalenessRecord {
    pub(super) visit_interval: Option<f64>,
    pub(super) stale_share: Option<f64>,
    pub(super) mean_age: Option<f64>,
    pub(super) target: Option<f64>,
    pub(super) target_interval: Option<f64>,
    pub(super) exponential: Option<ExponentialRecord>,
}

/// The same under Poisson updates.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct ExponentialRecord {
    pub(super) rate: f64,
    pub(super) stale_share: Option<f64>,
    pub(super) mean_age: Option<f64>,
    pub(super) target_interval: Option<f64>,
}

/// M1 or M3 between the tails of lifetimes and ages.
#[derive(Debug, Serialize)]
struct SandwichRecord {
    method: &'static str,
    between: f64,
    points: Vec<LayerRecord>,
}

#[derive(Debug, Serialize)]
struct LayerRecord {
    x: f64,
    update_tail: f64,
    middle_tail: f64,
    age_tail: f64,
}

/// The curve at one point.
#[derive(Debug, Clone, Copy, Serialize)]
pub(super) struct PointRecord {
    pub(super) x: f64,
    pub(super) cdf: Option<f64>,
    pub(super) cdf_low: Option<f64>,
    pub(super) cdf_high: Option<f64>,
    pub(super) age_cdf: Option<f64>,
    pub(super) age_low: Option<f64>,
    pub(super) age_high: Option<f64>,
    pub(super) update_cdf: Option<f64>,
    pub(super) update_low: Option<f64>,
    pub(super) update_high: Option<f64>,
}

impl Answered<'_> {
    /// The curve with its intervals.
    pub(super) fn points(&self) -> Vec<PointRecord> {
        let bands = self.study.bands.as_ref();
        let points = self.study.distribution.points.iter().enumerate();
        points
            .map(|(n, point)| {
                let here = bands.map(|bands| bands.points[n]);
                let (cdf_low, cdf_high) = ends(here.and_then(|here| here.cdf));
                let (age_low, age_high) = ends(here.and_then(|here| here.age_cdf));
                let (update_low, update_high) = ends(here.and_then(|here| here.update_cdf));
                PointRecord {
                    x: point.x,
                    cdf: point.cdf,
                    cdf_low,
                    cdf_high,
                    age_cdf: point.age_cdf,
                    age_low,
                    age_high,
                    update_cdf: point.update_cdf,
                    update_low,
                    update_high,
                }
            })
            .collect()
    }

    pub(super) fn record(&self) -> DistributionRecord<'_> {
        let distribution = &self.study.distribution;
        let bands = self.study.bands.as_ref();
        let (mean_update_low, mean_update_high) = ends(bands.and_then(|bands| bands.mean_update));
        let (rate_low, rate_high) = ends(bands.and_then(|bands| bands.rate));
        DistributionRecord {
            page: self.page,
            site: self.site,
            method: distribution.method.name(),
            estimates: distribution.method.estimates().name(),
            per: self.unit.name(),
            visits: self.samples.visits(),
            intervals: self.samples.visits() - 1,
            changes: self.samples.changes(),
            span: self.span(),
            mean_update: distribution.mean_update,
            mean_update_low,
            mean_update_high,
            rate: distribution.rate,
            rate_low,
            rate_high,
            confidence: self.confidence,
            retained: distribution.retained,
            samples: distribution.kept,
            mean_sample: distribution.mean_kept,
            smallest_lifetime: distribution.smallest_lifetime,
            ageing: self.study.ageing.map(Ageing::name),
            parametric: self.laws(),
            staleness: self.staleness,
            sandwich: self.sandwich(),
            points: self.points(),
            warnings: distribution
                .warnings
                .iter()
                .map(ToString::to_string)
                .collect(),
        }
    }

    /// Length from the first visit to the last.
    pub(super) fn span(&self) -> f64 {
        let last = self.samples.times().last().copied().unwrap_or_default();
        self.samples.in_unit(last)
    }

    fn laws(&self) -> Vec<LawRecord> {
        let fits = self.study.parametric.iter();
        fits.map(|fit| LawRecord {
            law: fit.law.kind().name(),
            parameters: fit.law.parameters().into_iter().collect(),
            mean_update: fit.law.mean(),
            aic: fit.aic,
            fit: fit.distance,
        })
        .collect()
    }

    fn sandwich(&self) -> SandwichRecord {
        let sandwich = &self.study.sandwich;
        let layers = sandwich.layers.iter();
        SandwichRecord {
            method: sandwich.filling.name(),
            between: sandwich.between,
            points: layers
                .map(|layer| LayerRecord {
                    x: layer.x,
                    update_tail: layer.update_tail,
                    middle_tail: layer.middle_tail,
                    age_tail: layer.age_tail,
                })
                .collect(),
        }
    }
}

impl StalenessRecord {
    /// Staleness by the law found, `None` where the method gives none, beside
    /// that by Poisson updates.
    pub(super) fn new(
        law: Option<&AgeLaw>,
        exponential: Option<&AgeLaw>,
        visit_interval: Option<f64>,
        target: Option<f64>,
    ) -> Self {
        let at = |law: &AgeLaw| visit_interval.map(|interval| law.staleness(interval));
        let longest = |law: &AgeLaw| law.interval_for_stale_share(target?);
        let found = law.and_then(at);
        Self {
            visit_interval,
            stale_share: found.map(|staleness| staleness.stale_share),
            mean_age: found.map(|staleness| staleness.mean_age),
            target,
            target_interval: law.and_then(longest),
            exponential: exponential.map(|law| ExponentialRecord {
                rate: law.rate(),
                stale_share: at(law).map(|staleness| staleness.stale_share),
                mean_age: at(law).map(|staleness| staleness.mean_age),
                target_interval: longest(law),
            }),
        }
    }
}

fn ends(band: Option<Band>) -> (Option<f64>, Option<f64>) {
    band.map(|band| (band.low, band.high)).unzip()
}

/// The flat view: one row a point.
pub(super) fn columns() -> Columns<PointRecord> {
    Columns::new()
        .real("x", |point: &PointRecord| Some(point.x))
        .real("cdf", |point| point.cdf)
        .real("age_cdf", |point| point.age_cdf)
        .real("age_low", |point| point.age_low)
        .real("age_high", |point| point.age_high)
        .real("update_cdf", |point| point.update_cdf)
        .real("update_low", |point| point.update_low)
        .real("update_high", |point| point.update_high)
}
