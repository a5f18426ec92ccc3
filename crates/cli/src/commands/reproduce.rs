//! `recrawl reproduce`: every table and figure of the papers, ours beside the
//! published number.

mod data;
mod folder;
mod record;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use recrawl_reproduce::{EXPERIMENTS, Experiment, Paper, Scale, Setup};

use crate::Answer;
use crate::args::OutputArgs;
use crate::output::Output;
use crate::progress::counting_bar;
use data::Source;
use folder::{Folder, Stamp};
use record::{ListedRecord, RowRecord};

const AFTER_HELP: &str = "\
DIR then holds, for each experiment, the data as CSV, the figure as SVG and the
verdicts as JSON, and report.html with everything on one page. What is finished is
not made again with the same seed and data unless --force says so. The same seed
gives the same bytes.

Verdicts: `matches` (within the stated tolerance of the published number, or of the
exact value where the print is lost), `same ordering, other level` (other data, but
above and below the same others as printed), `does not match`.

--data DIR holds docs, terms and periodic, each with pages, updates and sites
(.parquet or .csv, as `recrawl simulate` reads them). Without it a small sample of
real pages is used, which the program carries.

Examples:
  recrawl reproduce
  recrawl reproduce all --out papers
  recrawl reproduce cho-ntoulas/fig6 singh --out papers --data histories
  recrawl reproduce all --out papers --format json --seed 7";

/// Each table and figure of the papers: ours beside the published number.
///
/// Without a name, lists them.
#[derive(Debug, Args)]
#[command(after_long_help = AFTER_HELP, after_help = "See --help for verdicts, data and examples.")]
pub(crate) struct ReproduceArgs {
    /// Experiments (`cho-gm/fig3`), papers (`singh`) or `all`
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Where tables, figures and the report go
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,

    /// Real update histories [default: a sample the program carries]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,

    /// Make again what is finished
    #[arg(long)]
    force: bool,

    /// Where all chance comes from: the same seed gives the same bytes
    #[arg(long, default_value_t = 1)]
    seed: u64,

    #[command(flatten)]
    output: OutputArgs,
}

pub(crate) fn run(args: &ReproduceArgs) -> anyhow::Result<Answer> {
    let wanted = wanted(&args.names)?;
    if wanted.is_empty() {
        let mut writer = Output::open(&args.output)?.records(record::list_columns())?;
        writer.write(&ListedRecord::all())?;
        writer.finish()?;
        return Ok(Answer::Done);
    }
    let Some(out) = &args.out else {
        bail!("--out DIR is needed: it says where tables, figures and the report go");
    };
    let source = Source::open(args.data.as_deref())?;
    let output = Output::open(&args.output)?;
    let folder = Folder::open(out)?;
    make(args, &wanted, &source, &folder)?;
    let finished = folder.finished(|experiment| stamp(experiment, args.seed, &source));
    folder.write_report(&finished, &provenance(args.seed, &source))?;
    let rows: Vec<RowRecord> = wanted
        .iter()
        .filter_map(|experiment| finished.iter().find(|one| one.name == experiment.name))
        .flat_map(RowRecord::of)
        .collect();
    let mut writer = output.records(record::columns())?;
    writer.write(&rows)?;
    writer.finish()?;
    Ok(Answer::Done)
}

/// Makes what is wanted and not finished, one experiment after the other; each
/// uses all cores.
fn make(
    args: &ReproduceArgs,
    wanted: &[&'static Experiment],
    source: &Source,
    folder: &Folder,
) -> anyhow::Result<()> {
    let missing: Vec<&Experiment> = wanted
        .iter()
        .copied()
        .filter(|experiment| {
            let stamp = stamp(experiment, args.seed, source);
            args.force || folder.read(experiment, &stamp).is_none()
        })
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    let data = source.read(&missing)?;
    let setup = Setup {
        scale: Scale::Full,
        seed: args.seed,
        data: &data,
    };
    let bar = counting_bar("reproducing", missing.len());
    for experiment in missing {
        bar.set_message(experiment.name);
        bar.tick();
        let findings = experiment
            .findings(&setup)
            .with_context(|| format!("cannot make {}", experiment.name))?;
        folder.write(experiment, &findings, stamp(experiment, args.seed, source))?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(())
}

/// What an experiment was made from; another stamp makes it anew.
fn stamp(experiment: &Experiment, seed: u64, source: &Source) -> Stamp {
    Stamp {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        seed,
        data: source.fingerprint_for(experiment),
    }
}

fn provenance(seed: u64, source: &Source) -> String {
    format!(
        "Made by recrawl {} with seed {seed} and {}.",
        env!("CARGO_PKG_VERSION"),
        source.describe()
    )
}

/// The experiments of some names, in the order of the papers, each once.
fn wanted(names: &[String]) -> anyhow::Result<Vec<&'static Experiment>> {
    for name in names {
        let paper = name.trim_end_matches('/');
        let known = name == "all"
            || Paper::ALL.iter().any(|known| known.name() == paper)
            || EXPERIMENTS.iter().any(|known| known.name == name);
        if !known {
            bail!(unknown(name));
        }
    }
    let named = |experiment: &&Experiment| {
        names.iter().any(|name| {
            name == "all"
                || name == experiment.name
                || name.trim_end_matches('/') == experiment.paper().name()
        })
    };
    Ok(EXPERIMENTS.iter().filter(named).collect())
}

/// How many near matches an error names.
const NEAR_MATCHES: usize = 3;

fn unknown(name: &str) -> String {
    if let Some(left_out) = recrawl_reproduce::LEFT_OUT
        .iter()
        .find(|one| one.name == name)
    {
        return format!("{name} is left out: {}", left_out.reason);
    }
    let papers = Paper::ALL.map(Paper::name);
    let names = EXPERIMENTS.iter().map(|known| known.name).chain(papers);
    let mut near: Vec<(f64, &str)> = names
        .map(|known| (strsim::jaro_winkler(known, name), known))
        .collect();
    near.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    let nearest: Vec<String> = near
        .iter()
        .take(NEAR_MATCHES)
        .map(|(_, known)| format!("`{known}`"))
        .collect();
    format!(
        "there is no experiment `{name}`; the nearest are {}; `recrawl reproduce` lists all",
        nearest.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paper_stands_for_its_experiments_and_nothing_comes_twice() {
        let names = ["cho-gm".to_owned(), "cho-gm/fig3".to_owned()];
        let found = wanted(&names).expect("known");
        assert!(found.iter().all(|one| one.name.starts_with("cho-gm/")));
        let all = wanted(&["all".to_owned(), names[1].clone()]).expect("known");
        assert_eq!(all.len(), EXPERIMENTS.len());
        assert!(found.len() < all.len());
    }

    #[test]
    fn a_name_that_is_left_out_says_why() {
        let error = wanted(&["li/fig3".to_owned()]).expect_err("a drawing");
        assert!(error.to_string().contains("left out"), "{error}");
    }
}
