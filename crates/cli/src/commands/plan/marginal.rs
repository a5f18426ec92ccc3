//! What a tenth more or fewer visits would buy.

use std::io::{self, Write};
use std::time::Duration;

use recrawl_model::{HistorySet, days, format_span};
use recrawl_policy::{Expected, Objective, Outlook};
use serde::Serialize;

use crate::Answer;
use crate::contest::ObjectiveArg;
use crate::output::{Columns, Output, Shape};

/// Tenths of the budget that are compared.
const TENTHS: [f64; 3] = [9.0, 10.0, 11.0];

/// What one budget buys.
#[derive(Debug, Serialize)]
struct MarginalRecord {
    budget: f64,
    objective: &'static str,
    changes: f64,
    freshness: f64,
    /// In days; none where a page that changes is never visited.
    age: Option<f64>,
    /// To the budget itself, in what the objective asks for.
    difference: Option<f64>,
    one_more_visit: f64,
}

pub(super) fn run(
    set: &HistorySet,
    objective: Option<ObjectiveArg>,
    budget: u64,
    cycle: Duration,
    output: Output,
) -> anyhow::Result<Answer> {
    let objective = objective.unwrap_or(ObjectiveArg::Changes);
    let outlook = Outlook::of_log(set, cycle)?;
    let at_budget = outlook.expect(objective.into(), budget as f64)?;
    let mut records = Vec::new();
    for tenths in TENTHS {
        let budget = budget as f64 * tenths / 10.0;
        let bought = outlook.expect(objective.into(), budget)?;
        let gained = value(objective, bought).zip(value(objective, at_budget));
        records.push(MarginalRecord {
            budget,
            objective: objective.name(),
            changes: bought.changes,
            freshness: bought.freshness,
            age: bought.age.map(days),
            difference: gained.map(|(here, there)| here - there),
            one_more_visit: bought.one_more,
        });
    }
    if output.shape() == Shape::Table {
        let cycle = format_span(cycle);
        let mut talk = io::stderr().lock();
        writeln!(
            talk,
            "note: changes by cycles of {cycle}, age in days; rates as the log makes them likely"
        )?;
    }
    let mut writer = output.records(columns())?;
    writer.write(&records)?;
    writer.finish()?;
    Ok(Answer::Done)
}

/// What the objective asks for.
fn value(objective: ObjectiveArg, bought: Expected) -> Option<f64> {
    match objective {
        ObjectiveArg::Changes => Some(bought.changes),
        ObjectiveArg::Freshness => Some(bought.freshness),
        ObjectiveArg::Age => bought.age.map(days),
    }
}

impl From<ObjectiveArg> for Objective {
    fn from(arg: ObjectiveArg) -> Self {
        match arg {
            ObjectiveArg::Changes => Self::Changes,
            ObjectiveArg::Freshness => Self::Freshness,
            ObjectiveArg::Age => Self::Age,
        }
    }
}

fn columns() -> Columns<MarginalRecord> {
    Columns::new()
        .real("budget", |r: &MarginalRecord| Some(r.budget))
        .text("objective", |r| Some(r.objective.to_owned()))
        .real("changes", |r| Some(r.changes))
        .real("freshness", |r| Some(r.freshness))
        .real("age", |r| r.age)
        .real("difference", |r| r.difference)
        .real("one_more_visit", |r| Some(r.one_more_visit))
}
