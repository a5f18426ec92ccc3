//! What stands above the table.

use std::fmt::Write;

use recrawl_distribution::parametric::{Fit, LawKind};
use recrawl_distribution::{Ageing, Band, Estimates};

use super::record::{Answered, StalenessRecord};

/// Differences of Akaike's criterion below this say nothing (Burnham and
/// Anderson).
const ALIKE: f64 = 2.0;

/// The answer in a few lines.
pub(super) fn text(answered: &Answered<'_>) -> String {
    let mut text = String::new();
    // Writing to a string cannot fail.
    let _ = facts(&mut text, answered);
    if let Some(staleness) = &answered.staleness {
        let _ = stale(&mut text, staleness, answered);
    }
    text.push('\n');
    text
}

fn facts(text: &mut String, answered: &Answered<'_>) -> std::fmt::Result {
    let distribution = &answered.study.distribution;
    let bands = answered.study.bands.as_ref();
    let unit = answered.unit;
    writeln!(text, "page         {}", answered.page)?;
    let meaning = match distribution.method.estimates() {
        Estimates::Age => "its curve tends to the distribution of ages",
        Estimates::Neither => "its curve tends to neither ages nor lifetimes",
    };
    writeln!(text, "method       {}: {meaning}", distribution.method)?;
    writeln!(
        text,
        "data         {} visits over {:.4} {unit}s, {} saw a change (retained {:.3})",
        answered.samples.visits(),
        answered.span(),
        answered.samples.changes(),
        distribution.retained
    )?;
    if let (Some(mean), Some(rate)) = (distribution.mean_update, distribution.rate) {
        let mean_band = between(bands.and_then(|bands| bands.mean_update));
        let rate_band = between(bands.and_then(|bands| bands.rate));
        writeln!(text, "mean update  {mean:.4} {unit}s{mean_band}")?;
        writeln!(text, "rate         {rate:.4} per {unit}{rate_band}")?;
    }
    if let Some(smallest) = distribution.smallest_lifetime {
        writeln!(
            text,
            "lifetimes    down to {smallest:.4} {unit}s, the shortest the visits can tell"
        )?;
    }
    if let Some(ageing) = answered.study.ageing {
        writeln!(text, "ageing       {}", in_words(ageing))?;
    }
    let sandwich = &answered.study.sandwich;
    writeln!(
        text,
        "sandwich     {} lies between the tails of lifetimes and ages at {:.0} % of the points",
        sandwich.filling.name(),
        sandwich.between * 100.0
    )?;
    laws(text, &answered.study.parametric)
}

fn between(band: Option<Band>) -> String {
    band.map_or_else(String::new, |band| {
        format!(" ({:.4} to {:.4})", band.low, band.high)
    })
}

const fn in_words(ageing: Ageing) -> &'static str {
    match ageing {
        Ageing::NewBetterThanUsed => {
            "new better than used: the longer unchanged, the sooner the next change"
        }
        Ageing::NewWorseThanUsed => {
            "new worse than used: the longer unchanged, the longer it will stay so"
        }
        Ageing::Memoryless => "cannot be told from memoryless (Poisson) updates",
    }
}

fn laws(text: &mut String, fits: &[Fit]) -> std::fmt::Result {
    for (place, fit) in fits.iter().enumerate() {
        let parameters: Vec<String> = fit
            .law
            .parameters()
            .into_iter()
            .map(|(name, value)| format!("{name} {value:.4}"))
            .collect();
        writeln!(
            text,
            "{}{:<12} AIC {:>9.1}  off by {:.3}  {}",
            if place == 0 {
                "fitted laws  "
            } else {
                "             "
            },
            fit.law.kind().name(),
            fit.aic,
            fit.distance,
            parameters.join(", ")
        )?;
    }
    let exponential = fits
        .iter()
        .find(|fit| fit.law.kind() == LawKind::Exponential);
    let (Some(best), Some(exponential)) = (fits.first(), exponential) else {
        return Ok(());
    };
    let behind = exponential.aic - best.aic;
    if behind <= ALIKE {
        writeln!(text, "poisson      good enough for this page")
    } else {
        writeln!(
            text,
            "poisson      not good enough: {} is better by {behind:.1} of AIC",
            best.law.kind().name()
        )
    }
}

fn stale(
    text: &mut String,
    staleness: &StalenessRecord,
    answered: &Answered<'_>,
) -> std::fmt::Result {
    let unit = answered.unit;
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |v| format!("{v:.4}"));
    let poisson = staleness.exponential.as_ref();
    if let Some(interval) = staleness.visit_interval {
        writeln!(
            text,
            "staleness    visited every {interval:.4} {unit}s: stale {} of the time, mean age {} {unit}s (Poisson would say {} and {})",
            number(staleness.stale_share),
            number(staleness.mean_age),
            number(poisson.and_then(|p| p.stale_share)),
            number(poisson.and_then(|p| p.mean_age)),
        )?;
    }
    if let Some(target) = staleness.target {
        writeln!(
            text,
            "to stay      stale at most {target} of the time: visit every {} {unit}s (Poisson would say {})",
            number(staleness.target_interval),
            number(poisson.and_then(|p| p.target_interval)),
        )?;
    }
    Ok(())
}
