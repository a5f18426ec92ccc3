//! Fig. 11: adaptive sampling over its granularity.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};

use super::{USUAL, because, both, change_ratio, note};
use crate::support::figures::over;
use crate::{Findings, Judge, ReproduceError, Setup};

const SIZES: [u32; 8] = [1, 2, 5, 10, 20, 30, 50, 100];

/// What counts as little: the text says the decrease until ten is small.
const LITTLE: f64 = 0.02;

/// Five-cycle means for k = 1 to 100 samples a round.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arenas = both(setup, 8, 8)?;
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for arena in &arenas {
        let texts = SIZES.map(|size| format!("adaptive:samples={size},confidence=0.9"));
        let ratios: Vec<f64> = arena.run(&texts, USUAL)?.iter().map(change_ratio).collect();
        let last = ratios.len() - 1;
        judge.claim(
            format!(
                "{}: ChangeRatio falls as k grows, from 10 to 30, 50 and 100",
                arena.name
            ),
            &[
                ratios[3] > ratios[5],
                ratios[5] > ratios[6],
                ratios[6] > ratios[last],
            ],
            because(arena),
        );
        let best = ratios.iter().copied().fold(0.0, f64::max);
        judge.claim(
            format!(
                "{}: up to k = 10 it loses at most 0.02 of the best",
                arena.name
            ),
            &ratios[..4]
                .iter()
                .map(|ratio| best - ratio <= LITTLE)
                .collect::<Vec<_>>(),
            "k = 1 drops and takes sites after a handful of samples, as fig12 shows for low confidences",
        );
        let points = over(&SIZES, &ratios);
        panels.push(Panel {
            title: arena.name.to_owned(),
            x: Axis::linear("k, samples a round", 0.0, 100.0),
            y: Axis::from_zero("ChangeRatio", ratios.iter().copied()),
            series: vec![Series::line(
                "adaptive, confidence 0.9",
                Stroke::Solid,
                points,
            )],
        });
    }
    let figure = Figure {
        title: "Adaptive sampling over the samples a round".to_owned(),
        subtitle: "five cycles, 100,000 of 353,000 pages a cycle".to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings::of(figure, judge, vec![note(&arenas)]))
}
