//! Fig. 4: the share of visits that see a change.

use recrawl_chart::{Axis, Series, Stroke};

use super::figure;
use crate::support::blind::{Dates, Law, UPDATES, visit};
use crate::support::numbers::log_grid;
use crate::{Findings, Grounds, Judge, ReproduceError, Setup};

/// Visits a unit of time.
const RATES: [f64; 5] = [0.5, 1.0, 2.0, 5.0, 10.0];

/// Samples that M5 does without, in the text: visits a unit, share.
const SAVED: [(f64, f64); 2] = [(1.0, 0.2), (10.0, 0.8)];

/// A law of visits by its mean.
type Kind = (&'static str, fn(f64) -> Law);

/// p over the rate of visits, constant and exponential.
pub(crate) fn run(setup: &Setup<'_>) -> Result<Findings, ReproduceError> {
    let visits = setup.scale.pick(200_000.0, 5_000.0);
    let tolerance = setup.scale.pick(0.006, 0.05);
    let mut judge = Judge::new();
    let mut panels = Vec::new();
    let kinds: [Kind; 2] = [
        ("constant", Law::Constant),
        ("exponential", Law::Exponential),
    ];
    for (number, (kind, law)) in kinds.into_iter().enumerate() {
        let exact = |rate: f64| law(1.0 / rate).expectation(|s| UPDATES.age_cdf(s));
        let mut ours = Vec::new();
        for rate in RATES {
            let seed = setup.seed + number as u64;
            let found =
                visit(UPDATES, law(1.0 / rate), visits / rate, seed, Dates::Untold)?.retained();
            judge.exact(
                format!("p, {kind} visits, {rate} a unit"),
                exact(rate),
                found,
                Grounds {
                    tolerance,
                    basis: "within the noise of one simulated path",
                    because: "farther off than the noise of one path",
                },
            );
            if number == 0 {
                savings(&mut judge, rate, found);
            }
            ours.push((rate, found));
        }
        let line = log_grid(0.1, 10.0, 40)
            .into_iter()
            .map(|rate| (rate, exact(rate)))
            .collect();
        panels.push(recrawl_chart::Panel {
            title: format!("{kind} visits"),
            x: Axis::linear("visits a unit of time", 0.0, 10.0),
            y: Axis::linear("p", 0.0, 1.0),
            series: vec![
                super::reference("exact, E[G(S)]", line),
                Series::points("simulated", Stroke::Solid, ours),
            ],
        });
    }
    let figure = figure(
        "Share of visits that see a change",
        "Pareto updates, two a unit of time",
        panels,
    );
    Ok(Findings::of(figure, judge, Vec::new()))
}

/// What the text says M5 saves at this rate, if it says anything.
fn savings(judge: &mut Judge, rate: f64, found: f64) {
    if let Some((_, saved)) = SAVED.iter().find(|saved| saved.0 == rate) {
        judge.published(
            format!("share of samples M5 does without, {rate} visits a unit"),
            *saved,
            Some(1.0 - found),
            Grounds {
                tolerance: 0.06,
                basis: "the text rounds what is 1 - p",
                because: "1 - p is another number",
            },
        );
    }
}
