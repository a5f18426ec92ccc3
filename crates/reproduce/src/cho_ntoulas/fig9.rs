//! Fig. 9: sampling a subset of the sites where the budget is small.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};

use super::{USUAL, because, both, change_ratio, note};
use crate::support::arena::{Arena, Terms};
use crate::{Findings, Grounds, Judge, Member, ReproduceError, Setup};

const POLICIES: [&str; 2] = ["greedy:samples=10", "subset:samples=10"];

const BUDGETS: [f64; 4] = [3_000.0, 5_000.0, 10_000.0, 20_000.0];

/// Published ratios with 5,000 downloads.
const PUBLISHED: [f64; 2] = [0.73, 0.89];

/// Greedy and subset, 3,000 to 20,000 downloads of 353,000 pages.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arenas = both(setup, 16, 10)?;
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for arena in &arenas {
        let mut curves: [Vec<(f64, f64)>; 2] = Default::default();
        for downloads in BUDGETS {
            let summaries = arena.run(&POLICIES, Terms { downloads, ..USUAL })?;
            for (curve, summary) in curves.iter_mut().zip(&summaries) {
                curve.push((downloads / 1_000.0, change_ratio(summary)));
            }
        }
        rows(&mut judge, arena, &curves);
        let [greedy, subset] = curves;
        panels.push(Panel {
            title: arena.name.to_owned(),
            x: Axis::logarithmic("thousand downloads a cycle, of 353", 2.5, 25.0),
            y: Axis::linear("ChangeRatio", 0.0, 1.0),
            series: vec![
                Series::line("greedy", Stroke::Solid, greedy),
                Series::line("subset sampling", Stroke::Dashed, subset),
                Series::published("published", PUBLISHED.map(|ratio| (5.0, ratio)).to_vec()),
            ],
        });
    }
    let figure = Figure {
        title: "Greedy and subset sampling with few downloads".to_owned(),
        subtitle:
            "five cycles, ten samples a site; subsets so that 18 % of their pages can be downloaded"
                .to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings::of(figure, judge, vec![note(&arenas)]))
}

fn rows(judge: &mut Judge, arena: &Arena, curves: &[Vec<(f64, f64)>; 2]) {
    let members: Vec<Member> = ["greedy", "subset"]
        .into_iter()
        .enumerate()
        .map(|(place, policy)| Member {
            quantity: format!("{}: ChangeRatio of {policy}, 5,000 downloads", arena.name),
            published: PUBLISHED[place],
            ours: curves[place][1].1,
        })
        .collect();
    let grounds = Grounds {
        tolerance: 0.03,
        basis: "within 0.03",
        because: because(arena),
    };
    judge.family(&members, grounds);
    let better: Vec<bool> = curves[1]
        .iter()
        .zip(&curves[0])
        .map(|(subset, greedy)| subset.1 > greedy.1)
        .collect();
    judge.claim(
        format!(
            "{}: subset is ahead of greedy at every budget below 20,000",
            arena.name
        ),
        &better[..3],
        because(arena),
    );
}
