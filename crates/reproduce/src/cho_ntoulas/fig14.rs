//! Fig. 14: does greedy visit pages that change more more often?

use recrawl_chart::{Axis, Series, Stroke};
use recrawl_policy::Policy;

use super::{CYCLES, USUAL, because, both, note};
use crate::support::arena::Arena;
use crate::support::counting::Counting;
use crate::support::figures::single;
use crate::{Findings, Judge, ReproduceError, Setup};

/// Mean visits, in five cycles, to pages that changed in 0, 1, … 5 of them;
/// groups without pages are left out.
fn visits_by_changes(arena: &Arena) -> Result<Vec<(f64, f64)>, ReproduceError> {
    let greedy =
        recrawl_policy::parse("greedy:samples=10").map_err(|error| ReproduceError::Policy {
            text: "greedy:samples=10".to_owned(),
            reason: error.to_string(),
        })?;
    let counting = Counting::new(greedy, arena.pages);
    let counts = counting.counts();
    let policies: [Box<dyn Policy>; 1] = [Box::new(counting)];
    arena.run_policies(&policies, USUAL)?;
    let visits = counts
        .lock()
        .map(|counts| counts.clone())
        .unwrap_or_default();
    let mut changed = vec![0usize; arena.pages];
    let mut last = vec![0; arena.pages];
    let mut world = arena.world(0);
    for cycle in 1..=CYCLES {
        for change in world.next_cycle().changes {
            let page = change.page.index();
            if last[page] != cycle {
                last[page] = cycle;
                changed[page] += 1;
            }
        }
    }
    let mut groups = vec![(0.0, 0.0); CYCLES as usize + 1];
    for (&changes, &visits) in changed.iter().zip(&visits) {
        groups[changes].0 += 1.0;
        groups[changes].1 += f64::from(visits);
    }
    let told = (0..).zip(groups).filter(|(_, (pages, _))| *pages > 0.0);
    Ok(told
        .map(|(changes, (pages, visits))| (f64::from(changes), visits / pages))
        .collect())
}

/// Mean visits over changes.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let mut arenas = both(setup, 1, 1)?;
    let mut judge = Judge::new();
    let mut series = Vec::new();
    for (number, arena) in arenas.iter_mut().enumerate() {
        arena.runs = 1; // the counts are those of one world
        let points = visits_by_changes(arena)?;
        let rising: Vec<bool> = points
            .windows(2)
            .map(|pair| pair[1].1 > pair[0].1)
            .collect();
        judge.claim(
            format!(
                "{}: pages that change more often are visited more often",
                arena.name
            ),
            &rising,
            because(arena),
        );
        series.push(Series::line(arena.name, Stroke::nth(number), points));
    }
    let figure = single(
        "Visits of greedy over changes",
        "mean visits in five cycles to pages that changed in so many of them",
        Axis::linear("cycles with a change", 0.0, f64::from(CYCLES)),
        Axis::linear("mean visits", 0.0, f64::from(CYCLES)),
        series,
    );
    Ok(Findings::of(
        figure,
        judge,
        vec![
            note(&arenas),
            "The paper prints a curve without numbers.".to_owned(),
        ],
    ))
}
