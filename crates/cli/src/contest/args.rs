//! Arguments of commands that compare policies.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, ValueEnum};
use recrawl_model::TimeUnit;
use recrawl_policy::{ENTRIES, Policy};
use recrawl_simulate::{CycleBudget, Reading};

use crate::args::{OutputArgs, OutputFormat, UnitArgs};
use crate::plot::PlotFile;

/// Policies compared where nobody names any: ours, the baseline, the rule that
/// learns rates, and the sampling rules of Cho & Ntoulas.
const USUAL: [&str; 6] = [
    "bayes",
    "round-robin",
    "frequency",
    "proportional",
    "greedy",
    "adaptive",
];

/// What is compared and how it is told.
#[derive(Debug, Args)]
pub(crate) struct ContestArgs {
    /// A policy, NAME[:key=value,…]; may be given several times [default:
    /// bayes, round-robin, frequency, proportional, greedy and adaptive]
    #[arg(long = "policy", value_name = "POLICY")]
    policies: Vec<String>,

    /// Visits a cycle
    #[arg(long, value_name = "N", conflicts_with = "budget_ratio")]
    budget: Option<u64>,

    /// Visits a cycle as a share of the pages alive at its start
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    budget_ratio: Option<f64>,

    /// What counts as changed: `since-last` differs from the copy held,
    /// `per-cycle` changed in the cycle under way
    #[arg(long, value_name = "READING", default_value = "since-last")]
    pub(crate) changed: Reading,

    /// What policies that take an objective are to achieve
    #[arg(long, value_enum)]
    objective: Option<ObjectiveArg>,

    /// Where all chance comes from: the same seed gives the same answer
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,

    /// How to write the answer
    #[arg(long, value_enum, value_name = "FORMAT", default_value = "table")]
    format: OutputFormat,

    /// Also write every cycle of every run to FILE (.csv, .parquet, .json or .ndjson)
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also draw ChangeRatio and freshness by cycle to FILE (.svg or .png)
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    unit: UnitArgs,
}

/// The objectives of `--objective`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum ObjectiveArg {
    Changes,
    Freshness,
    Age,
}

impl ObjectiveArg {
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Changes => "changes",
            Self::Freshness => "freshness",
            Self::Age => "age",
        }
    }
}

impl ContestArgs {
    /// The policies as they were asked for.
    pub(crate) fn policy_texts(&self) -> Vec<String> {
        if self.policies.is_empty() {
            return USUAL.map(str::to_owned).to_vec();
        }
        self.policies.clone()
    }

    /// The policies, those that take an objective with the one of `--objective`
    /// unless they name their own.
    pub(crate) fn policies(&self) -> anyhow::Result<Vec<Box<dyn Policy>>> {
        let texts = self.policy_texts();
        let parse = |text: &String| {
            let full = with_objective(text, self.objective);
            recrawl_policy::parse(&full).with_context(|| format!("--policy {text}"))
        };
        texts.iter().map(parse).collect()
    }

    /// The budget that was asked for, if one was.
    pub(crate) fn budget(&self) -> Option<CycleBudget> {
        let ratio = self.budget_ratio.map(CycleBudget::Ratio);
        self.budget.map(CycleBudget::Downloads).or(ratio)
    }

    pub(crate) fn unit(&self) -> TimeUnit {
        self.unit.unit
    }

    pub(crate) fn format(&self) -> OutputFormat {
        self.format
    }

    /// Where and how the answer goes.
    pub(crate) fn answer(&self) -> OutputArgs {
        OutputArgs {
            format: Some(self.format),
            output: None,
        }
    }

    /// Where and how single cycles go.
    pub(crate) fn cycles_file(&self) -> Option<OutputArgs> {
        let output = self.output.clone()?;
        Some(OutputArgs {
            format: None,
            output: Some(output),
        })
    }

    pub(crate) fn plot_file(&self) -> anyhow::Result<Option<PlotFile>> {
        self.plot.as_deref().map(PlotFile::new).transpose()
    }
}

/// The policy's text with the objective, if it takes one and names none.
pub(crate) fn with_objective(text: &str, objective: Option<ObjectiveArg>) -> String {
    let keys = text.split_once(':').map_or("", |(_, keys)| keys);
    match objective {
        Some(objective) if takes_objective(text) && !keys.contains("objective=") => {
            let separator = if keys.is_empty() { ':' } else { ',' };
            let text = text.trim_end_matches(':');
            format!("{text}{separator}objective={}", objective.name())
        }
        _ => text.to_owned(),
    }
}

/// Whether the policy of this text has an objective to set.
pub(crate) fn takes_objective(text: &str) -> bool {
    let name = text.split(':').next();
    let entry = ENTRIES.iter().find(|entry| Some(entry.name) == name);
    entry.is_some_and(|entry| entry.keys.iter().any(|taken| taken.name == "objective"))
}

/// The policies with their settings, for `--help`.
pub(crate) fn policies_help(before: &str) -> String {
    let mut text = format!("{before}\n\nPolicies, with the settings each takes:");
    for entry in ENTRIES {
        let _ = write!(text, "\n  {:<25} {}", entry.name, entry.summary);
        for key in entry.keys {
            let _ = write!(
                text,
                "\n      {:<21} {} [default: {}]",
                key.name, key.meaning, key.default
            );
        }
    }
    text
}
