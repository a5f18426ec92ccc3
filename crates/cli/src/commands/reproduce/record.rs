//! What is told about experiments.

use recrawl_reproduce::{EXPERIMENTS, Finished, LEFT_OUT, Needs, Row};
use serde::Serialize;

use crate::output::Columns;

/// One number beside the published one.
#[derive(Debug, Clone, Serialize)]
pub(super) struct RowRecord {
    experiment: String,
    #[serde(flatten)]
    row: Row,
}

impl RowRecord {
    pub(super) fn of(finished: &Finished) -> impl Iterator<Item = Self> + '_ {
        finished.rows.iter().map(|row| Self {
            experiment: finished.name.clone(),
            row: row.clone(),
        })
    }
}

pub(super) fn columns() -> Columns<RowRecord> {
    Columns::new()
        .text("experiment", |record: &RowRecord| {
            Some(record.experiment.clone())
        })
        .text("quantity", |record| Some(record.row.quantity.clone()))
        .real("published", |record| record.row.published)
        .real("exact", |record| record.row.exact)
        .real("ours", |record| record.row.ours)
        .real("tolerance", |record| Some(record.row.tolerance))
        .text("verdict", |record| {
            Some(record.row.verdict.name().to_owned())
        })
        .text("reason", |record| Some(record.row.reason.clone()))
}

/// One line of the list.
#[derive(Debug, Clone, Serialize)]
pub(super) struct ListedRecord {
    experiment: &'static str,
    /// What it is made from, or that it is left out.
    made_from: &'static str,
    about: &'static str,
}

impl ListedRecord {
    /// Every experiment, then what is left out.
    pub(super) fn all() -> Vec<Self> {
        let made = EXPERIMENTS.iter().map(|experiment| Self {
            experiment: experiment.name,
            made_from: match experiment.needs {
                Needs::Nothing => "formulas and synthetic pages",
                Needs::Histories => "synthetic and real pages",
            },
            about: experiment.about,
        });
        let left_out = LEFT_OUT.iter().map(|one| Self {
            experiment: one.name,
            made_from: "left out",
            about: one.reason,
        });
        made.chain(left_out).collect()
    }
}

pub(super) fn list_columns() -> Columns<ListedRecord> {
    Columns::new()
        .text("experiment", |record: &ListedRecord| {
            Some(record.experiment.to_owned())
        })
        .text("made from", |record| Some(record.made_from.to_owned()))
        .text("about", |record| Some(record.about.to_owned()))
}
