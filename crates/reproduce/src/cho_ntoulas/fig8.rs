//! Fig. 8: oracle, greedy and round robin over the budget.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};

use super::{USUAL, because, both, change_ratio, note};
use crate::support::arena::Terms;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

const POLICIES: [&str; 3] = ["oracle", "greedy:samples=10", "round-robin"];

const BUDGETS: [f64; 9] = [
    3_000.0, 5_000.0, 10_000.0, 20_000.0, 50_000.0, 100_000.0, 150_000.0, 200_000.0, 300_000.0,
];

/// A ratio from which on the oracle counts as perfect.
const PERFECT: f64 = 0.98;

/// Five-cycle means from 3,000 to 300,000 downloads of 353,000 pages.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arenas = both(setup, 8, 6)?;
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for arena in &arenas {
        let mut curves: [Vec<(f64, f64)>; 3] = Default::default();
        for downloads in BUDGETS {
            let terms = Terms { downloads, ..USUAL };
            let summaries = arena.run(&POLICIES, terms)?;
            for (curve, summary) in curves.iter_mut().zip(&summaries) {
                curve.push((downloads / 1_000.0, change_ratio(summary)));
            }
        }
        rows(&mut judge, arena.name, &curves, because(arena));
        let labels = ["oracle", "greedy", "round robin"];
        let series = (0..3)
            .map(|place| Series::line(labels[place], Stroke::nth(place), curves[place].clone()))
            .collect();
        panels.push(Panel {
            title: arena.name.to_owned(),
            x: Axis::logarithmic("thousand downloads a cycle, of 353", 2.5, 353.0),
            y: Axis::linear("ChangeRatio", 0.0, 1.05),
            series,
        });
    }
    let figure = Figure {
        title: "ChangeRatio over the budget".to_owned(),
        subtitle: "five cycles; greedy takes ten samples a site".to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings::of(figure, judge, vec![
            note(&arenas),
            "Where sites are small ten samples of each cost more than a small budget: greedy then only samples."
                .to_owned(),
        ]))
}

fn rows(judge: &mut Judge, name: &str, curves: &[Vec<(f64, f64)>; 3], because: &str) {
    let [oracle, greedy, round_robin] = curves;
    let perfect = oracle
        .iter()
        .filter(|point| point.1 >= PERFECT)
        .map(|point| point.0)
        .next_back();
    judge.published(
        format!("{name}: largest budget the oracle spends on changes alone"),
        100_000.0,
        perfect.map(|thousands| thousands * 1_000.0),
        Grounds {
            tolerance: 50_000.0,
            basis: "to the next budget tried",
            because,
        },
    );
    let ahead: Vec<bool> = greedy
        .iter()
        .zip(round_robin)
        .map(|(a, b)| a.1 > b.1)
        .collect();
    judge.claim(
        format!("{name}: greedy is ahead of round robin at every budget"),
        &ahead,
        because,
    );
    let falls = [greedy[0].1 < greedy[3].1, greedy[1].1 < greedy[3].1];
    judge.claim(
        format!("{name}: greedy falls off below 20,000 downloads"),
        &falls,
        because,
    );
    let last = greedy.len() - 1;
    judge.claim(
        format!("{name}: with 300,000 downloads greedy and round robin are alike (to 0.1)"),
        &[(greedy[last].1 - round_robin[last].1).abs() < 0.1],
        because,
    );
}
