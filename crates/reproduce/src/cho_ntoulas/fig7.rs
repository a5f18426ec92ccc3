//! Fig. 7: greedy and proportional over the sample size.

use recrawl_chart::{Axis, Figure, Layout, Panel, Series, Stroke};
use recrawl_simulate::{Score, Summary};

use super::{USUAL, because, both, change_ratio, note};
use crate::support::arena::Arena;
use crate::support::figures::over;
use crate::support::numbers::largest;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

const SIZES: [u32; 11] = [1, 2, 5, 10, 15, 20, 30, 50, 100, 200, 400];

/// Published deviation of the ChangeRatio between cycles, one sample a site.
const DEVIATIONS: [f64; 2] = [0.027, 0.023];

/// Where samples use the whole budget both are the same but for chance.
const ALIKE: f64 = 0.003;

/// Five-cycle means from 1 to 400 samples a site.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arenas = both(setup, 8, 8)?;
    let sizes = &SIZES[..setup.scale.pick(SIZES.len(), 6)];
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    for arena in &arenas {
        let name = arena.name;
        let texts: Vec<String> = ["greedy", "proportional"]
            .iter()
            .flat_map(|policy| {
                sizes
                    .iter()
                    .map(move |size| format!("{policy}:samples={size}"))
            })
            .collect();
        let summaries = arena.run(&texts, USUAL)?;
        let (greedy, proportional) = summaries.split_at(sizes.len());
        let ratios =
            |summaries: &[Summary]| -> Vec<f64> { summaries.iter().map(change_ratio).collect() };
        let (greedy_ratios, proportional_ratios) = (ratios(greedy), ratios(proportional));
        claims(
            &mut judge,
            arena,
            sizes,
            [&greedy_ratios, &proportional_ratios],
        );
        deviations(&mut judge, arena, [greedy, proportional]);
        let series = vec![
            Series::line("greedy", Stroke::Solid, over(sizes, &greedy_ratios)),
            Series::line(
                "proportional",
                Stroke::Dashed,
                over(sizes, &proportional_ratios),
            ),
        ];
        panels.push(Panel {
            title: name.to_owned(),
            x: Axis::logarithmic("samples of each site", 1.0, 400.0),
            y: Axis::from_zero(
                "ChangeRatio",
                greedy_ratios.iter().chain(&proportional_ratios).copied(),
            ),
            series,
        });
    }
    let figure = Figure {
        title: "ChangeRatio over the sample size".to_owned(),
        subtitle: "five cycles, 100,000 of 353,000 pages downloaded in each".to_owned(),
        layout: Layout::SideBySide,
        panels,
    };
    Ok(Findings::of(figure, judge, vec![note(&arenas)]))
}

/// What the text says of the curves.
fn claims(judge: &mut Judge, arena: &Arena, sizes: &[u32], [greedy, proportional]: [&[f64]; 2]) {
    let name = arena.name;
    let best = largest(greedy.iter().copied()).map(|place| sizes[place]);
    judge.claim(
        format!(
            "{name}: the best sample size of greedy is 10 to 50 (here {})",
            best.unwrap_or(0)
        ),
        &[best.is_some_and(|best| (10..=50).contains(&best))],
        because(arena),
    );
    let ahead: Vec<bool> = greedy
        .iter()
        .zip(proportional)
        .map(|(greedy, other)| *greedy >= other - ALIKE)
        .collect();
    judge.claim(
        format!("{name}: greedy is at least as good as proportional at every sample size"),
        &ahead,
        because(arena),
    );
}

/// How much one sample a site makes cycles differ.
fn deviations(judge: &mut Judge, arena: &Arena, [greedy, proportional]: [&[Summary]; 2]) {
    let name = arena.name;
    for (place, (policy, summaries)) in [("greedy", greedy), ("proportional", proportional)]
        .into_iter()
        .enumerate()
    {
        judge.published(
            format!("{name}: deviation between cycles of {policy}, one sample"),
            DEVIATIONS[place],
            summaries[0].deviation_between_cycles(Score::ChangeRatio),
            Grounds {
                tolerance: 0.01,
                basis: "within 0.01: small, as the text says",
                because: because(arena),
            },
        );
    }
}
