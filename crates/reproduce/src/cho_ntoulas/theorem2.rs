//! Theorem 2: the best sample size, as printed and corrected.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_policy::sample_size::{Spread, corrected, printed, rule_of_thumb};
use recrawl_simulate::Reading;
use statrs::distribution::{Continuous, ContinuousCDF, Normal};

use super::change_ratio;
use crate::support::arena::{Arena, PAPER_PAGES, Terms};
use crate::support::figures::over;
use crate::support::numbers::largest;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Parts of all pages that are downloaded.
const PARTS: [(&str, f64); 3] = [("0.1", 0.1), ("1/3", 1.0 / 3.0), ("0.6", 0.6)];

const SIZES: [u32; 12] = [2, 4, 6, 8, 11, 15, 20, 26, 34, 45, 60, 90];

/// Pages of a site.
const PAGES: f64 = 1_000.0;

/// The spread of shares that are normal(0.5, 0.3) between 0 and 1, exactly.
///
/// With z the mass of the normal law between 0 and 1: a share lies above t
/// with chance (cdf(1) - cdf(t))/z, has density pdf(t)/z there, and those above
/// have the mean 0.5 + 0.3^2 (pdf(t) - pdf(1))/(cdf(1) - cdf(t)).
fn spread(part: f64) -> Option<Spread> {
    let law = Normal::new(0.5, 0.3).ok()?;
    let mass = law.cdf(1.0) - law.cdf(0.0);
    let threshold = law.inverse_cdf(law.cdf(1.0) - part * mass);
    let gain = 0.09 * (law.pdf(threshold) - law.pdf(1.0)) / (part * mass);
    Some(Spread {
        threshold,
        density: law.pdf(threshold) / mass,
        mean_above: 0.5 + gain,
        mean: 0.5,
    })
}

/// How far below the best a ratio still counts as the top.
const FLAT: f64 = 0.001;

/// The middle, in logarithm, of the sizes on the flat top of the curve: the
/// single best of them is chance.
fn top(ratios: &[f64]) -> Option<f64> {
    let most = ratios[largest(ratios.iter().copied())?];
    let logs: Vec<f64> = SIZES
        .iter()
        .zip(ratios)
        .filter(|(_, ratio)| **ratio >= most - FLAT)
        .map(|(&size, _)| f64::from(size).ln())
        .collect();
    Some((logs.iter().sum::<f64>() / logs.len() as f64).exp())
}

/// Greedy by sample size for three budgets, with the sizes of the theorem.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let runs = setup.scale.pick(24, 1);
    let arena = Arena::named(setup, "normal", "cho-ntoulas-normal", runs)?;
    let texts = SIZES.map(|size| format!("greedy:samples={size}"));
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for (told, part) in PARTS {
        let terms = Terms {
            downloads: PAPER_PAGES * part,
            cycles: setup.scale.pick(6, 2),
            reading: Reading::PerCycle,
        };
        let ratios: Vec<f64> = arena.run(&texts, terms)?.iter().map(change_ratio).collect();
        let Some(spread) = spread(part) else { continue };
        let (Some(printed), Some(corrected)) =
            (printed(PAGES, part, &spread), corrected(PAGES, &spread))
        else {
            continue;
        };
        rows(&mut judge, told, part, &ratios, (printed, corrected));
        let at = |size: f64| interpolated(&ratios, size);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let line = over(&SIZES, &ratios);
        let thumb = rule_of_thumb(PAGES, part);
        panels.push(Panel {
            title: format!("r = {told}"),
            x: Axis::logarithmic("samples of each site", 2.0, 100.0),
            y: Axis::linear("ChangeRatio", most - 0.12, most + 0.01),
            series: vec![
                Series::line("greedy, simulated", Stroke::Solid, line),
                Series::published("theorem 2 as printed", vec![(printed, at(printed))]),
                Series::points(
                    "theorem 2 corrected",
                    Stroke::Dashed,
                    vec![(corrected, at(corrected))],
                ),
                Series::points("sqrt(N r)", Stroke::DashDot, vec![(thumb, at(thumb))]),
            ],
        });
    }
    let figure = Figure {
        title: "The best sample size of greedy".to_owned(),
        subtitle: "300 sites of 1,000 pages, rho normal(0.5, 0.3), r of all pages downloaded"
            .to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings::of(figure, judge, vec!["Not a figure of the paper: it measures what theorem 2 asserts. “Published” is the printed formula's value.".to_owned()]))
}

/// The ratio at a size between those simulated.
fn interpolated(ratios: &[f64], size: f64) -> f64 {
    let after = SIZES
        .partition_point(|&known| f64::from(known) < size)
        .clamp(1, SIZES.len() - 1);
    let (low, high) = (
        f64::from(SIZES[after - 1]).ln(),
        f64::from(SIZES[after]).ln(),
    );
    let share = ((size.ln() - low) / (high - low)).clamp(0.0, 1.0);
    ratios[after - 1] + share * (ratios[after] - ratios[after - 1])
}

/// Judges the sizes of the theorem, as printed and corrected, and the rule of
/// thumb.
fn rows(
    judge: &mut Judge,
    told: &str,
    part: f64,
    ratios: &[f64],
    (printed, corrected): (f64, f64),
) {
    let best = top(ratios);
    judge.published(
        format!("r = {told}: best sample size by theorem 2 as printed"),
        crate::rounded(printed),
        best,
        Grounds {
            tolerance: crate::rounded(0.2 * printed),
            basis: "within a fifth",
            because: "the printed theorem has a sign wrong and loses r; it asks for too few samples",
        },
    );
    judge.exact(
        format!("r = {told}: best sample size by the corrected theorem"),
        corrected,
        best.unwrap_or(f64::NAN),
        Grounds {
            tolerance: crate::rounded(0.5 * corrected),
            basis: "within half: the curve is flat near its top",
            because: "first-order theory is far off here",
        },
    );
    let at = |size: f64| interpolated(ratios, size);
    let most = ratios.iter().copied().fold(0.0, f64::max);
    judge.exact(
        format!("r = {told}: ChangeRatio lost by the rule of thumb sqrt(N r)"),
        0.0,
        most - at(rule_of_thumb(PAGES, part)),
        Grounds {
            tolerance: 0.005,
            basis: "less than 0.005 below the best size tried",
            because: "the rule of thumb is off here",
        },
    );
}
