//! Visits of a plan as they are written.

use std::fmt::Write;

use recrawl_model::{Explanation, HistorySet, Observation, Outcome, Timestamp, Visit, VisitKind};
use serde::Serialize;

use crate::output::{Columns, four_digits};

/// Observations told of each page: enough to see a habit, few enough to read.
const OBSERVATIONS_TOLD: usize = 10;

/// One visit of `recrawl plan`.
#[derive(Debug, Serialize)]
pub(super) struct PlanRecord<'a> {
    page: &'a str,
    site: &'a str,
    score: f64,
    /// Told only of samples: all other visits are downloads.
    #[serde(skip_serializing_if = "Option::is_none")]
    visit: Option<&'static str>,
    why: Why,
    #[serde(skip)]
    seen: Seen,
}

#[derive(Debug, Serialize)]
struct Why {
    #[serde(flatten)]
    score: Explanation,
    #[serde(skip_serializing_if = "Option::is_none")]
    observations: Option<Vec<ObservationRecord>>,
}

#[derive(Debug, Serialize)]
struct ObservationRecord {
    time: Timestamp,
    outcome: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_modified: Option<Timestamp>,
}

/// What the log says of the page, for the flat formats.
#[derive(Debug)]
struct Seen {
    visits: usize,
    changes: usize,
    last: Option<Timestamp>,
}

impl<'a> PlanRecord<'a> {
    /// The visit of a page for that reason, with observations if they are asked for.
    pub(super) fn new(set: &'a HistorySet, visit: Visit, why: Explanation, explain: bool) -> Self {
        let history = set.history(visit.page);
        let changed = |seen: &Observation| seen.outcome == Outcome::Changed;
        let told = || -> Vec<ObservationRecord> {
            let earlier = history.len().saturating_sub(OBSERVATIONS_TOLD);
            let last = history.observations().skip(earlier);
            last.map(|seen| ObservationRecord {
                time: seen.at,
                outcome: seen.outcome.name(),
                last_modified: seen.last_modified,
            })
            .collect()
        };
        Self {
            page: set.name(visit.page),
            site: set.site(visit.page),
            score: why.value,
            visit: (visit.kind == VisitKind::Sample).then_some("sample"),
            seen: Seen {
                visits: history.len(),
                changes: history.observations().filter(changed).count(),
                last: history.observations().last().map(|seen| seen.at),
            },
            why: Why {
                score: why,
                observations: explain.then(told),
            },
        }
    }

    /// The visit and its reasons, for reading.
    pub(super) fn text(&self, place: usize) -> String {
        let kind = self
            .visit
            .map_or(String::new(), |kind| format!(", a {kind}"));
        let mut text = format!("{place}. {}", self.page);
        if !self.site.is_empty() {
            let _ = write!(text, "  (site {})", self.site);
        }
        let _ = writeln!(text, "{kind}");
        write_tree(&mut text, &self.why.score, 1);
        let told = self.why.observations.as_deref().unwrap_or_default();
        let Seen {
            visits, changes, ..
        } = self.seen;
        let _ = writeln!(
            text,
            "   visits in the log {visits}, changes seen {changes}; the last:"
        );
        for seen in told {
            let _ = writeln!(text, "     {}", seen.text());
        }
        text
    }

    /// The tree of reasons in one line.
    fn reasons(&self) -> String {
        let mut line = String::new();
        write_line(&mut line, &self.why.score);
        line
    }

    /// The observations in one line.
    fn observations(&self) -> String {
        let told = self.why.observations.iter().flatten();
        let texts: Vec<String> = told.map(ObservationRecord::text).collect();
        texts.join("; ")
    }
}

impl ObservationRecord {
    fn text(&self) -> String {
        match self.last_modified {
            Some(modified) => format!("{}  {}, last modified {modified}", self.time, self.outcome),
            None => format!("{}  {}", self.time, self.outcome),
        }
    }
}

/// One line a number, those it was made from below it and further in.
fn write_tree(text: &mut String, why: &Explanation, depth: usize) {
    let (indent, number) = (1 + depth * 2, four_digits(why.value));
    let _ = writeln!(text, "{:indent$}{number}  {}", "", why.meaning);
    for part in &why.parts {
        write_tree(text, part, depth + 1);
    }
}

/// The meaning and the number, and in brackets those it was made from.
fn write_line(line: &mut String, why: &Explanation) {
    let _ = write!(line, "{}: {}", why.meaning, four_digits(why.value));
    for (place, part) in why.parts.iter().enumerate() {
        line.push_str(if place == 0 { " (" } else { "; " });
        write_line(line, part);
    }
    if !why.parts.is_empty() {
        line.push(')');
    }
}

/// What the flat formats show: beside the score, what the log says of the page;
/// what a visit is if some are samples; and the reasons if they are asked for.
pub(super) fn columns<'a>(samples: bool, explain: bool) -> Columns<PlanRecord<'a>> {
    let mut columns = Columns::new()
        .text("page", |r: &PlanRecord<'a>| Some(r.page.to_owned()))
        .text("site", |r| Some(r.site.to_owned()))
        .real("score", |r| Some(r.score))
        .count("visits", |r| r.seen.visits)
        .count("changes", |r| r.seen.changes)
        .text("last_visit", |r| r.seen.last.map(|at| at.to_string()));
    if samples {
        columns = columns.text("visit", |r| Some(r.visit.unwrap_or("download").to_owned()));
    }
    if explain {
        columns = columns
            .text("why", |r| Some(r.reasons()))
            .text("observations", |r| Some(r.observations()));
    }
    columns
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_nest_in_one_line() {
        let why = Explanation::new(1.5, "score")
            .because(Explanation::new(3.0, "importance"))
            .because(Explanation::new(0.5, "rate").because(Explanation::new(2.0, "changes seen")));
        let mut line = String::new();
        write_line(&mut line, &why);
        assert_eq!(
            line,
            "score: 1.5 (importance: 3; rate: 0.5 (changes seen: 2))"
        );
        let mut tree = String::new();
        write_tree(&mut tree, &why, 1);
        assert_eq!(
            tree,
            "   1.5  score\n     3  importance\n     0.5  rate\n       2  changes seen\n"
        );
    }
}
