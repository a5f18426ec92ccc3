//! Fig. 5: how many pages of a site change in a month.

use recrawl_chart::{Axis, Series, Stroke};

use super::{CYCLES, because, both, note};
use crate::support::arena::Arena;
use crate::support::figures::{at_places, single};
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Published shares of sites in the lowest and the highest tenth.
const LOWEST: f64 = 0.35;
const HIGHEST: f64 = 0.18;

/// Share of sites in each tenth of rho.
fn histogram(shares: &[f64]) -> [f64; 10] {
    let mut counts = [0.0; 10];
    for share in shares {
        counts[((share * 10.0) as usize).min(9)] += 1.0 / shares.len() as f64;
    }
    counts
}

/// The histogram of the stand-in and of real sites.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let arenas = both(setup, 1, 1)?;
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, arena) in arenas.iter().enumerate() {
        let tenths = histogram(&arena.changed_shares(CYCLES));
        rows(&mut judge, arena, &tenths);
        series.push(Series::bars(
            arena.name,
            Stroke::nth(number),
            at_places(&tenths),
        ));
    }
    series.push(Series::published(
        "published",
        vec![(0.0, LOWEST), (9.0, HIGHEST)],
    ));
    let labels = [
        "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1",
    ];
    let figure = single(
        "Histogram of changed shares of sites",
        "mean over five monthly cycles; label 0.1 means 0 to 0.1",
        Axis::names(
            "rho, share of a site's pages that change in a cycle",
            &labels,
        ),
        Axis::from_zero(
            "share of sites",
            series
                .iter()
                .flat_map(|series| &series.points)
                .map(|point| point.1),
        ),
        series,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec![
            note(&arenas),
            "The stand-in is drawn from the printed histogram; only its noise is judged."
                .to_owned(),
        ],
    ))
}

fn rows(judge: &mut Judge, arena: &Arena, tenths: &[f64; 10]) {
    let grounds = Grounds {
        tolerance: 0.05,
        basis: "within 5 % of the sites",
        because: because(arena),
    };
    let name = arena.name;
    judge.published(
        format!("{name}: share of sites with rho in 0-0.1 (“more than 35 %”)"),
        LOWEST,
        Some(tenths[0]),
        grounds,
    );
    judge.published(
        format!("{name}: share of sites with rho in 0.9-1 (“about 18 %”)"),
        HIGHEST,
        Some(tenths[9]),
        grounds,
    );
    judge.claim(
        format!("{name}: both ends are higher than anything between (a V)"),
        &tenths[2..9]
            .iter()
            .map(|middle| tenths[0].min(tenths[9]) > *middle)
            .collect::<Vec<_>>(),
        "hardly a site changes most of its pages every month",
    );
}
