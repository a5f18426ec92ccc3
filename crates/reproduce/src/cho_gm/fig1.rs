//! Fig. 1: are the intervals between changes exponential?

use rand::SeedableRng;
use rand_distr::{Distribution, Exp1};
use rand_pcg::Pcg64Mcg;
use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_model::PageId;
use recrawl_simulate::Histories;

use crate::support::numbers::Moments;
use crate::{COLLECTIONS, Findings, Grounds, Judge, ReproduceError, Setup, Table};

/// Gaps a page must have, so that dividing by its own mean bends their law by
/// less than a twentieth.
const LEAST_GAPS: usize = 20;

/// Widths of the bins, in mean intervals, and how far they go.
const BIN: f64 = 0.25;
const BINS: usize = 24;

const DAY: i64 = 86_400_000_000;

/// Poisson pages drawn beside the real ones, as a check of the check.
const POISSON_PAGES: usize = 400;

const SHARE: Grounds<'_> = Grounds {
    tolerance: 0.03,
    basis: "as many intervals above the mean as the exponential law has",
    because: "these pages are not Poisson: their updates come in bursts with long pauses, or by a clock",
};

const DISPERSION: Grounds<'_> = Grounds {
    tolerance: 0.1,
    basis: "as dispersed as the exponential law, whose value is 1",
    because: "above 1 updates come in bursts with long pauses between, below 1 by a clock",
};

/// Intervals in units of their page's mean, of pages seen once a day.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let mut panels = Vec::new();
    let mut judge = Judge::new();
    let mut notes = Vec::new();
    let mut judged = |name: &str, pages: usize, gaps: &[f64]| {
        let above = gaps.iter().filter(|&&gap| gap > 1.0).count() as f64 / gaps.len() as f64;
        let exact = (-1.0f64).exp();
        judge.exact(
            format!("{name}: share of intervals above the mean"),
            exact,
            above,
            SHARE,
        );
        let dispersion = Moments::of(gaps).deviation;
        judge.exact(
            format!("{name}: deviation of intervals / their mean"),
            1.0,
            dispersion,
            DISPERSION,
        );
        panels.push(panel(name, pages, gaps));
    };
    let poisson = poisson_gaps(setup);
    judged("Poisson pages (check)", POISSON_PAGES, &poisson);
    for name in COLLECTIONS {
        let (pages, gaps) = relative_gaps(setup.data.get(name)?);
        if gaps.is_empty() {
            notes.push(format!(
                "{name}: no page has {LEAST_GAPS} intervals; left out."
            ));
        } else {
            judged(name, pages, &gaps);
        }
    }
    let figure = Figure {
        title: "Intervals between changes against the Poisson model".to_owned(),
        subtitle:
            "pages seen daily, at least 20 intervals each, lengths in units of the page's mean"
                .to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    notes.push(
        "The paper shows pages that change about every 10 days, seen daily, on a logarithmic axis, and finds them \
         on the line. Here every page is measured by its own mean, so that pages of all rates share one line."
            .to_owned(),
    );
    Ok(Findings {
        table: Table::of(&figure),
        figure,
        rows: judge.rows(),
        notes,
    })
}

/// Intervals of one page between days with an update, in units of their mean;
/// none of a page with too few.
fn of_page(days: &[i64]) -> Vec<f64> {
    let gaps: Vec<f64> = days
        .windows(2)
        .map(|pair| (pair[1] - pair[0]) as f64)
        .collect();
    if gaps.len() < LEAST_GAPS {
        return Vec::new();
    }
    let mean = gaps.iter().sum::<f64>() / gaps.len() as f64;
    gaps.into_iter().map(|gap| gap / mean).collect()
}

fn relative_gaps(histories: &Histories) -> (usize, Vec<f64>) {
    let (mut pages, mut gaps) = (0, Vec::new());
    for page in 0..histories.len() {
        let updates = histories.updates(PageId(page as u32));
        let mut days: Vec<i64> = updates
            .iter()
            .map(|at| at.micros().div_euclid(DAY))
            .collect();
        days.dedup();
        let own = of_page(&days);
        pages += usize::from(!own.is_empty());
        gaps.extend(own);
    }
    (pages, gaps)
}

/// Pages that change every ten days on average, by chance alone.
fn poisson_gaps(setup: &Setup<'_>) -> Vec<f64> {
    let mut random = Pcg64Mcg::seed_from_u64(setup.seed);
    let mut gaps = Vec::new();
    for _ in 0..POISSON_PAGES {
        let mut at = 0.0;
        let mut days: Vec<i64> = (0..60)
            .map(|_| {
                let gap: f64 = Exp1.sample(&mut random);
                at += 10.0 * gap;
                at as i64
            })
            .collect();
        days.dedup();
        gaps.extend(of_page(&days));
    }
    gaps
}

fn panel(name: &str, pages: usize, gaps: &[f64]) -> Panel {
    let mut counts = [0u32; BINS];
    for gap in gaps {
        if let Some(count) = counts.get_mut((gap / BIN) as usize) {
            *count += 1;
        }
    }
    let middle = |bin: usize| (bin as f64 + 0.5) * BIN;
    let observed = (0..BINS)
        .filter(|&bin| counts[bin] > 0)
        .map(|bin| (middle(bin), f64::from(counts[bin]) / gaps.len() as f64))
        .collect();
    let predicted = (0..BINS)
        .map(|bin| (middle(bin), (-(bin as f64) * BIN).exp() * -(-BIN).exp_m1()))
        .collect();
    Panel {
        title: format!("{name}: {} intervals of {pages} pages", gaps.len()),
        x: Axis::linear(
            "interval between changes / page's mean",
            0.0,
            BIN * BINS as f64,
        ),
        y: Axis::logarithmic("fraction of intervals", 1e-4, 1.0),
        series: vec![
            Series::line("Poisson model", Stroke::Dotted, predicted),
            Series::points("observed", Stroke::Solid, observed),
        ],
    }
}
