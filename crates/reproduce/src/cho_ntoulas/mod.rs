//! Cho, Ntoulas: Effective Change Detection using Sampling. The 353,000 pages
//! are lost; a synthetic collection with the paper's V-shaped histogram and
//! real pages of today stand in.

pub(crate) mod fig1;
pub(crate) mod fig10;
pub(crate) mod fig11;
pub(crate) mod fig12;
pub(crate) mod fig13;
pub(crate) mod fig14;
pub(crate) mod fig15;
pub(crate) mod fig5;
pub(crate) mod fig6;
pub(crate) mod fig7;
pub(crate) mod fig8;
pub(crate) mod fig9;
pub(crate) mod theorem2;

use recrawl_simulate::{Reading, Score, Summary};

use crate::support::arena::{Arena, Terms};
use crate::{ReproduceError, Setup};

/// The policies of figs. 6 and 15, by their labels there.
const POLICIES: [(&str, &str); 5] = [
    ("RR", "round-robin"),
    ("Frq", "frequency"),
    ("Prp", "proportional:samples=10"),
    ("Grd", "greedy:samples=10"),
    ("Adp", "adaptive:samples=10,confidence=0.9"),
];

/// Downloads a cycle where nothing else is said.
const DOWNLOADS: f64 = 100_000.0;

/// Cycles of the paper's data.
const CYCLES: u32 = 5;

/// Five cycles with the usual budget, a change counted in its cycle: the
/// reading that fits stored histories.
const USUAL: Terms = Terms {
    downloads: DOWNLOADS,
    cycles: CYCLES,
    reading: Reading::PerCycle,
};

/// Why levels differ on the stand-ins.
const OTHER_PAGES: &str = "the paper's pages are lost; the stand-in has its histogram, but how pages of a site differ is unknown";
const REAL_PAGES: &str =
    "these are real pages of today: far fewer change in a month, and many at once";

/// The V-shaped stand-in.
fn stand_in(setup: &Setup<'_>, runs: u32) -> Result<Arena, ReproduceError> {
    let runs = setup.scale.pick(runs, 1);
    Arena::named(setup, "V-shaped stand-in", "cho-ntoulas-v", runs)
}

/// The stand-in and, if any of them live long enough, the real pages of `docs`.
fn both(setup: &Setup<'_>, runs: u32, real_runs: u32) -> Result<Vec<Arena>, ReproduceError> {
    let mut arenas = vec![stand_in(setup, runs)?];
    arenas.extend(real(setup, "docs", real_runs)?);
    Ok(arenas)
}

/// Five months of real pages; `None` if no page lives through them.
fn real(setup: &Setup<'_>, name: &'static str, runs: u32) -> Result<Option<Arena>, ReproduceError> {
    let runs = setup.scale.pick(runs, 1);
    match Arena::recorded(setup, name, CYCLES, runs) {
        // Too short a history, or nobody who stays: nothing to show.
        Err(ReproduceError::Histories(_)) => Ok(None),
        made => made.map(Some),
    }
}

/// Mean ChangeRatio over cycles and runs; NaN without downloads.
fn change_ratio(summary: &Summary) -> f64 {
    summary
        .mean(Score::ChangeRatio)
        .map_or(f64::NAN, |mean| mean.value)
}

/// Why an arena's levels differ from the print.
fn because(arena: &Arena) -> &'static str {
    if crate::COLLECTIONS.contains(&arena.name) {
        REAL_PAGES
    } else {
        OTHER_PAGES
    }
}

/// What is said about the collections.
fn note(arenas: &[Arena]) -> String {
    let told: Vec<String> = arenas
        .iter()
        .map(|arena| {
            format!(
                "{}: {} pages on {} sites, {} runs",
                arena.name, arena.pages, arena.sites, arena.runs
            )
        })
        .collect();
    let missing = if arenas.iter().any(|arena| arena.name == "docs") {
        ""
    } else {
        " No page of docs lives through the five months looked at; they are left out."
    };
    format!(
        "{}. Budgets are in proportion to the paper's of 353,000 pages; a change counts in the cycle it happens in.{missing}",
        told.join("; ")
    )
}
