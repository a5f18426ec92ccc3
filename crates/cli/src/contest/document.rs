//! The answer: a world and what became of each policy in it.

use std::collections::BTreeMap;
use std::io::{self, Write};

use recrawl_model::{TimeUnit, days};
use recrawl_simulate::{CycleScores, Score, Settings, Standing, Summary};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::output::Columns;

/// The whole answer.
#[derive(Debug, Serialize)]
pub(super) struct Document {
    pub(super) world: WorldRecord,
    pub(super) results: Vec<ResultRecord>,
}

/// What was simulated.
#[derive(Debug, Serialize)]
pub(crate) struct WorldRecord {
    /// The name, the files, or the log.
    pub(crate) name: String,
    pub(crate) pages: usize,
    pub(crate) sites: usize,
    pub(crate) cycle: String,
    pub(crate) cycles: u32,
    /// Downloads a cycle, where fixed.
    pub(crate) budget: Option<u64>,
    pub(crate) budget_ratio: Option<f64>,
    pub(crate) changed: &'static str,
    pub(crate) runs: u32,
    pub(crate) seed: u64,
    /// Start and end of the window, for worlds that happened.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<String>,
    /// Unit of age and delay.
    pub(crate) per: &'static str,
    /// What the reader must know.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) note: Option<String>,
    /// What the visits of a log themselves came to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) logged: Option<LoggedRecord>,
    #[serde(skip)]
    pub(crate) has_bytes: bool,
}

impl WorldRecord {
    /// Says beside a table what the document says within.
    pub(super) fn talk(&self) -> io::Result<()> {
        let mut talk = io::stderr().lock();
        if let Some(note) = &self.note {
            writeln!(talk, "note: {note}")?;
        }
        if let Some(logged) = &self.logged {
            let LoggedRecord {
                visits, changed, ..
            } = logged;
            writeln!(
                talk,
                "note: the log's own {visits} visits saw {changed} changes"
            )?;
        }
        Ok(())
    }
}

/// What the visits of a log came to.
#[derive(Debug, Serialize)]
pub(crate) struct LoggedRecord {
    pub(crate) visits: u64,
    pub(crate) changed: u64,
    pub(crate) change_ratio: Option<f64>,
}

/// What became of one policy.
#[derive(Debug, Serialize)]
pub(super) struct ResultRecord {
    policy: String,
    cycles: Vec<Map<String, Value>>,
    mean: Map<String, Value>,
    seconds: f64,
    /// Whether every cycle was simulated.
    complete: bool,
}

type Count = fn(&CycleScores) -> u64;

/// Counts of a cycle that are told beside its scores.
const COUNTS: [(&str, Count); 6] = [
    ("pages", |cycle| cycle.pages),
    ("budget", |cycle| cycle.budget),
    ("first", |cycle| cycle.first),
    ("samples", |cycle| cycle.samples),
    ("updates", |cycle| cycle.updates),
    ("pages_changed", |cycle| cycle.pages_changed),
];

/// A count; a mean of counts keeps its fraction.
fn whole_if_whole(value: f64) -> Value {
    if value.fract() == 0.0 {
        Value::from(value as u64)
    } else {
        Value::from(value)
    }
}

/// How scores are told: spans in a unit, sizes only where known.
struct Teller {
    cycle_in_units: f64,
    has_bytes: bool,
}

impl Teller {
    fn tell(&self, score: Score, value: Option<f64>) -> Value {
        let Some(value) = value.filter(|_| score != Score::Bytes || self.has_bytes) else {
            return Value::Null;
        };
        let value = self.scale(score, value);
        match score {
            Score::Downloads | Score::Changed | Score::Bytes => whole_if_whole(value),
            _ => Value::from(value),
        }
    }

    fn scale(&self, score: Score, value: f64) -> f64 {
        if score.is_span() {
            value * self.cycle_in_units
        } else {
            value
        }
    }

    fn cycle(&self, summary: &Summary, index: usize) -> Map<String, Value> {
        let mut cycle = Map::new();
        cycle.insert("cycle".to_owned(), Value::from(index + 1));
        for score in Score::ALL {
            let value = self.tell(score, summary.cycle(index, score));
            cycle.insert(score.name().to_owned(), value);
        }
        for (name, count) in COUNTS {
            let value = summary.count(index, count).map(whole_if_whole);
            cycle.insert(name.to_owned(), value.unwrap_or(Value::Null));
        }
        cycle
    }

    fn mean(&self, summary: &Summary) -> Map<String, Value> {
        let mut means = Map::new();
        let (mut low, mut high, mut deviation) = (Map::new(), Map::new(), Map::new());
        for score in Score::ALL {
            let name = score.name().to_owned();
            let mean = summary.mean(score);
            let value = self.tell(score, mean.map(|mean| mean.value));
            let end = |pick: fn((f64, f64)) -> f64| {
                let interval = mean.and_then(|mean| mean.interval).map(pick);
                let known = interval.filter(|_| score != Score::Bytes || self.has_bytes);
                Value::from(known.map(|end| self.scale(score, end)))
            };
            low.insert(name.clone(), end(|ends| ends.0));
            high.insert(name.clone(), end(|ends| ends.1));
            let between = summary.deviation_between_cycles(score);
            let known = between.filter(|_| score != Score::Bytes || self.has_bytes);
            let between = known.map(|deviation| self.scale(score, deviation));
            deviation.insert(name.clone(), Value::from(between));
            means.insert(name, value);
        }
        means.insert("low".to_owned(), Value::Object(low));
        means.insert("high".to_owned(), Value::Object(high));
        let key = "deviation_between_cycles".to_owned();
        means.insert(key, Value::Object(deviation));
        means
    }
}

impl ResultRecord {
    pub(super) fn new(
        policy: &str,
        standing: &Standing,
        settings: &Settings,
        unit: TimeUnit,
        has_bytes: bool,
    ) -> Self {
        let summary = &standing.summary;
        let teller = Teller {
            cycle_in_units: days(settings.cycle) / unit.days(),
            has_bytes,
        };
        let cycles = 0..summary.cycles();
        let whole = |run: &Vec<_>| run.len() == settings.cycles as usize;
        Self {
            policy: policy.to_owned(),
            cycles: cycles.map(|index| teller.cycle(summary, index)).collect(),
            mean: teller.mean(summary),
            seconds: standing.elapsed.as_secs_f64(),
            complete: !summary.runs.is_empty() && summary.runs.iter().all(whole),
        }
    }

    fn mean(&self, name: &str) -> Option<f64> {
        self.mean.get(name)?.as_f64()
    }

    fn end(&self, which: &str, name: &str) -> Option<f64> {
        self.mean.get(which)?.get(name)?.as_f64()
    }
}

/// What the flat formats show: means over cycles, then runs.
pub(super) fn columns() -> Columns<ResultRecord> {
    let mut columns = Columns::new().text("policy", |result: &ResultRecord| {
        Some(result.policy.clone())
    });
    let named: BTreeMap<&str, Score> = Score::ALL.iter().map(|s| (s.name(), *s)).collect();
    for (name, interval) in [
        ("change_ratio", true),
        ("freshness", false),
        ("age", false),
        ("fairness", false),
        ("caught", false),
        ("detection_delay", false),
        ("divergence", false),
        ("premature", false),
        ("downloads", false),
        ("changed", false),
    ] {
        let Some(score) = named.get(name) else {
            continue;
        };
        let key = score.name();
        columns = columns.real(key, move |result| result.mean(key));
        if interval {
            columns = columns
                .real("low", move |result| result.end("low", key))
                .real("high", move |result| result.end("high", key));
        }
    }
    columns.real("seconds", |result| Some(result.seconds))
}
