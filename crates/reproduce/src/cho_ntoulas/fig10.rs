//! Fig. 10: frequency against greedy over many cycles.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_simulate::{Score, Summary};

use super::{CYCLES, USUAL, because, both, note};
use crate::support::arena::{Arena, Terms};
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

const POLICIES: [&str; 2] = ["greedy:samples=10", "frequency"];

/// Cycles over which the waves of frequency are evened out.
const SMOOTHED: usize = 10;

/// The cycle from which on frequency is ahead, in the text.
const PUBLISHED: f64 = 100.0;

fn by_cycle(summary: &Summary) -> Vec<f64> {
    (0..summary.cycles())
        .map(|cycle| summary.cycle(cycle, Score::ChangeRatio).unwrap_or(f64::NAN))
        .collect()
}

/// The first cycle, counted from 1, from which on the mean over ten cycles of
/// `other` stays above that of `one`.
fn overtakes(one: &[f64], other: &[f64]) -> Option<f64> {
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let blocks = one.windows(SMOOTHED).zip(other.windows(SMOOTHED));
    let ahead: Vec<bool> = blocks.map(|(one, other)| mean(other) > mean(one)).collect();
    let behind = ahead
        .iter()
        .rposition(|ahead| !ahead)
        .map_or(0, |last| last + 1);
    (behind < ahead.len()).then(|| (behind + 1) as f64)
}

/// The five cycles again and again, as in the paper.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arenas: Vec<Arena> = both(setup, 4, 4)?
        .into_iter()
        .map(|arena| arena.repeating(CYCLES))
        .collect();
    let terms = Terms {
        cycles: setup.scale.pick(160, 40),
        ..USUAL
    };
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for arena in &arenas {
        let summaries = arena.run(&POLICIES, terms)?;
        let (greedy, frequency) = (by_cycle(&summaries[0]), by_cycle(&summaries[1]));
        rows(&mut judge, arena, &greedy, &frequency);
        let line = |values: &[f64]| {
            (1..)
                .zip(values)
                .map(|(cycle, &ratio)| (f64::from(cycle), ratio))
                .collect()
        };
        panels.push(Panel {
            title: arena.name.to_owned(),
            x: Axis::linear("download cycle", 0.0, f64::from(terms.cycles)),
            y: Axis::from_zero("ChangeRatio", greedy.iter().chain(&frequency).copied()),
            series: vec![
                Series::line("frequency", Stroke::Solid, line(&frequency)),
                Series::line("greedy", Stroke::Dashed, line(&greedy)),
            ],
        });
    }
    let figure = Figure {
        title: "Frequency and greedy over time".to_owned(),
        subtitle: "five cycles repeated for ever, 100,000 of 353,000 pages a cycle".to_owned(),
        layout: Layout::Stacked,
        panels,
    };
    Ok(Findings::of(figure, judge, vec![
            note(&arenas),
            "The dips are cohorts of pages that never changed coming due together; they widen as the estimate of \
             their rate falls."
                .to_owned(),
        ]))
}

fn rows(judge: &mut Judge, arena: &Arena, greedy: &[f64], frequency: &[f64]) {
    judge.published(
        format!(
            "{}: cycle from which on frequency is ahead of greedy",
            arena.name
        ),
        PUBLISHED,
        overtakes(greedy, frequency),
        Grounds {
            tolerance: 20.0,
            basis: "within 20 cycles of “around the 100th”",
            because: because(arena),
        },
    );
    judge.claim(
        format!(
            "{}: greedy is ahead in the first five cycles, frequency in the last",
            arena.name
        ),
        &[
            greedy[..5].iter().sum::<f64>() > frequency[..5].iter().sum::<f64>(),
            overtakes(greedy, frequency).is_some(),
        ],
        because(arena),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overtaking_is_for_good() {
        let one = [0.5; 40];
        let mut other = [0.4; 40];
        other[20..].fill(0.6);
        let cycle = overtakes(&one, &other).expect("it overtakes");
        assert!((15.0..=21.0).contains(&cycle), "{cycle}");
        other[39] = -9.0;
        assert_eq!(overtakes(&one, &other), None);
    }
}
