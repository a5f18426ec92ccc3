//! ChangeRatio and freshness by cycle, one panel above the other.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_simulate::{Score, Standing};

use super::WorldRecord;

/// Both panels.
pub(super) fn figure(policies: &[String], standings: &[Standing], world: &WorldRecord) -> Figure {
    let cycles = standings.iter().map(|s| s.summary.cycles()).max();
    let cycles = cycles.unwrap_or(0).max(1);
    let panels = [
        (
            Score::ChangeRatio,
            "ChangeRatio: share of downloads that found a change",
        ),
        (
            Score::Freshness,
            "Freshness: share of pages up to date, over the cycle",
        ),
    ]
    .map(|(score, title)| {
        let series: Vec<Series> = (0..)
            .zip(policies.iter().zip(standings))
            .map(|(number, (policy, standing))| {
                let points = (0..cycles)
                    .filter_map(|cycle| {
                        let value = standing.summary.cycle(cycle, score)?;
                        Some(((cycle + 1) as f64, value))
                    })
                    .collect();
                Series::line(policy, Stroke::nth(number), points)
            })
            .collect();
        let values = series.iter().flat_map(|series| &series.points);
        let y = Axis::from_zero(score.name(), values.map(|point| point.1));
        Panel {
            title: title.to_owned(),
            // A single cycle stands in the middle.
            x: match cycles {
                1 => Axis::linear(&format!("cycle of {}", world.cycle), 0.0, 2.0),
                _ => Axis::linear(&format!("cycle of {}", world.cycle), 1.0, cycles as f64),
            },
            y,
            series,
        }
    });
    let (title, subtitle) = titles(world);
    Figure {
        title,
        subtitle,
        layout: Layout::Stacked,
        panels: panels.to_vec(),
    }
}

fn titles(world: &WorldRecord) -> (String, String) {
    let budget = match (world.budget, world.budget_ratio) {
        (Some(count), _) => format!("{count} visits a cycle"),
        (None, Some(share)) => format!("{}% of the pages visited a cycle", share * 100.0),
        (None, None) => String::new(),
    };
    let name = world.name.rsplit('/').next().unwrap_or_default();
    (name.to_owned(), format!("{} pages, {budget}", world.pages))
}
