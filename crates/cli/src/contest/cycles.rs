//! Every cycle of every run, one row each.

use recrawl_model::{TimeUnit, days};
use recrawl_simulate::{CycleScores, Score, Settings, Standing};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::{Columns, Output};

/// One cycle of one run of one policy.
#[derive(Debug, Serialize)]
struct CycleRecord {
    policy: String,
    run: usize,
    cycle: u64,
    #[serde(flatten)]
    scores: Map<String, Value>,
}

pub(super) fn write(
    output: Output,
    policies: &[String],
    standings: &[Standing],
    settings: &Settings,
    unit: TimeUnit,
    has_bytes: bool,
) -> anyhow::Result<()> {
    let cycle_in_units = days(settings.cycle) / unit.days();
    let mut columns = Columns::new()
        .text("policy", |record: &CycleRecord| Some(record.policy.clone()))
        .count("run", |record: &CycleRecord| record.run)
        .count("cycle", |record: &CycleRecord| record.cycle as usize);
    for score in Score::ALL {
        columns = columns.real(score.name(), move |record| {
            record.scores.get(score.name())?.as_f64()
        });
    }
    let mut writer = output.records(columns)?;
    for (policy, standing) in policies.iter().zip(standings) {
        for (run, cycles) in standing.summary.runs.iter().enumerate() {
            let records: Vec<CycleRecord> = cycles
                .iter()
                .map(|cycle| CycleRecord {
                    policy: policy.clone(),
                    run: run + 1,
                    cycle: cycle.cycle,
                    scores: scores(cycle, cycle_in_units, has_bytes),
                })
                .collect();
            writer.write(&records)?;
        }
    }
    writer.finish()
}

fn scores(cycle: &CycleScores, cycle_in_units: f64, has_bytes: bool) -> Map<String, Value> {
    let told = Score::ALL.into_iter().map(|score| {
        let scale = if score.is_span() { cycle_in_units } else { 1.0 };
        let known = score != Score::Bytes || has_bytes;
        let value = score.of(cycle).filter(|_| known).map(|value| value * scale);
        (score.name().to_owned(), Value::from(value))
    });
    told.collect()
}
