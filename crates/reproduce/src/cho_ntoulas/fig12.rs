//! Fig. 12: adaptive sampling over its confidence.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};

use super::{USUAL, because, both, change_ratio, note};
use crate::{Findings, Judge, ReproduceError, Setup};

const ROUNDS: [u32; 3] = [1, 5, 10];
const LEVELS: [f64; 6] = [0.5, 0.65, 0.75, 0.85, 0.9, 0.99];

/// What counts as no meaningful difference.
const FLAT: f64 = 0.03;

/// Five-cycle means for confidences 0.5 to 0.99 and three granularities.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arenas = both(setup, 8, 6)?;
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for arena in &arenas {
        let texts: Vec<String> = ROUNDS
            .iter()
            .flat_map(|k| LEVELS.map(|level| format!("adaptive:samples={k},confidence={level}")))
            .collect();
        let ratios: Vec<f64> = arena.run(&texts, USUAL)?.iter().map(change_ratio).collect();
        let of: Vec<&[f64]> = ratios.chunks(LEVELS.len()).collect();
        let spread = |ratios: &[f64]| {
            let (low, high) = ratios.iter().fold((1.0f64, 0.0f64), |(low, high), &ratio| {
                (low.min(ratio), high.max(ratio))
            });
            high - low
        };
        judge.claim(
            format!(
                "{}: for k = 5 and 10 the confidence hardly matters (to 0.03)",
                arena.name
            ),
            &[spread(of[1]) < FLAT, spread(of[2]) < FLAT],
            because(arena),
        );
        let worse =
            (0..3).flat_map(|level| [of[0][level] < of[1][level], of[0][level] < of[2][level]]);
        judge.claim(
            format!("{}: k = 1 is worse than 5 and 10 for confidences up to 0.75", arena.name),
            &worse.collect::<Vec<_>>(),
            "the intervals here are Wilson's, which stay wide after one or two samples, so that no early decision is made",
        );
        let series = ROUNDS
            .iter()
            .zip(&of)
            .enumerate()
            .map(|(number, (k, ratios))| {
                let points = LEVELS.into_iter().zip(ratios.iter().copied()).collect();
                Series::line(&format!("k = {k}"), Stroke::nth(number), points)
            })
            .collect();
        panels.push(Panel {
            title: arena.name.to_owned(),
            x: Axis::linear("confidence", 0.5, 1.0),
            y: Axis::from_zero("ChangeRatio", ratios.iter().copied()),
            series,
        });
    }
    let figure = Figure {
        title: "Adaptive sampling over its confidence".to_owned(),
        subtitle: "five cycles, 100,000 of 353,000 pages a cycle".to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings::of(figure, judge, vec![note(&arenas)]))
}
