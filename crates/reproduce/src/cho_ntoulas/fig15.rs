//! Fig. 15: the policies where sites follow a normal law.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_simulate::{Reading, Score, Summary};

use super::{POLICIES, change_ratio};
use crate::support::arena::{Arena, PAPER_PAGES, Terms};
use crate::support::figures::at_places;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// ChangeRatio of greedy, and of frequency in the long run.
const PUBLISHED: f64 = 0.82;

const LEVEL: Grounds<'_> = Grounds {
    tolerance: 0.03,
    basis: "within 0.03, twice the spread between draws of the world",
    because: "another reading of “changed” or of the normal law",
};

/// 100,000 of 300,000 pages; a page has changed if it differs from the copy.
const TERMS: Terms = Terms {
    downloads: PAPER_PAGES / 3.0,
    cycles: 5,
    reading: Reading::SinceLast,
};

/// Five-cycle means, and frequency in the long run.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let mut arena = Arena::named(
        setup,
        "normal",
        "cho-ntoulas-normal",
        setup.scale.pick(24, 1),
    )?;
    let texts = POLICIES.map(|(_, text)| text);
    let ratios: Vec<f64> = arena.run(&texts, TERMS)?.iter().map(change_ratio).collect();
    let mut judge = Judge::new();
    five_cycles(&mut judge, &ratios);
    let long = Terms {
        cycles: setup.scale.pick(40, 15),
        ..TERMS
    };
    arena.runs = setup.scale.pick(3, 1);
    let summaries = arena.run(&["greedy:samples=10", "frequency"], long)?;
    long_run(&mut judge, &summaries);
    let line = |summary: &Summary| {
        (0..summary.cycles())
            .filter_map(|cycle| {
                Some((
                    (cycle + 1) as f64,
                    summary.cycle(cycle, Score::ChangeRatio)?,
                ))
            })
            .collect()
    };
    let labels = POLICIES.map(|(label, _)| label);
    let figure = Figure {
        title: "The policies where rho is normal(0.5, 0.3)".to_owned(),
        subtitle: "300 sites of 1,000 pages, 100,000 downloads a cycle".to_owned(),
        layout: Layout::SideBySide,
        panels: vec![
            Panel {
                title: "five cycles".to_owned(),
                x: Axis::names("policy", &labels),
                y: Axis::linear("ChangeRatio", 0.0, 1.0),
                series: vec![
                    Series::bars("five-cycle mean", Stroke::Solid, at_places(&ratios)),
                    Series::published("published", vec![(3.0, PUBLISHED), (4.0, PUBLISHED)]),
                ],
            },
            Panel {
                title: "in the long run".to_owned(),
                x: Axis::linear("download cycle", 0.0, f64::from(long.cycles)),
                y: Axis::linear("ChangeRatio", 0.0, 1.0),
                series: vec![
                    Series::line("frequency", Stroke::Dashed, line(&summaries[1])),
                    Series::line("greedy", Stroke::DashDot, line(&summaries[0])),
                ],
            },
        ],
    };
    Ok(Findings::of(figure, judge, vec![
            "Read as the paper's sentences fit best: a page has changed if it differs from the copy held, and rho \
             outside 0 to 1 is drawn again."
                .to_owned(),
        ]))
}

/// From the tenth cycle on frequency is like greedy, both about 0.82.
fn long_run(judge: &mut Judge, summaries: &[Summary]) {
    let late = |summary: &Summary| {
        let ratios: Vec<f64> = (10..summary.cycles())
            .filter_map(|cycle| summary.cycle(cycle, Score::ChangeRatio))
            .collect();
        ratios.iter().sum::<f64>() / ratios.len() as f64
    };
    let (greedy, frequency) = (late(&summaries[0]), late(&summaries[1]));
    judge.published(
        "frequency - greedy after ten cycles (“similar”)",
        0.0,
        Some(frequency - greedy),
        LEVEL,
    );
    judge.published(
        "ChangeRatio of frequency after ten cycles (“around 0.82”)",
        PUBLISHED,
        Some(frequency),
        Grounds {
            because: "copies not refreshed for long have all changed, so that every policy rises with time in this reading",
            ..LEVEL
        },
    );
}

/// What the text says of five cycles.
fn five_cycles(judge: &mut Judge, ratios: &[f64]) {
    judge.published("ChangeRatio of greedy", PUBLISHED, Some(ratios[3]), LEVEL);
    judge.published(
        "adaptive - greedy (“similar”)",
        0.0,
        Some(ratios[4] - ratios[3]),
        LEVEL,
    );
    for (place, policy) in [(1, "frequency"), (2, "proportional")] {
        judge.published(
            format!("{policy} - round robin (“similar, slightly worse”)"),
            0.0,
            Some(ratios[place] - ratios[0]),
            LEVEL,
        );
    }
}
