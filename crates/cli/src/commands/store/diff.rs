//! `recrawl store diff`: the last change of a page.

use std::io::{self, Write};

use anyhow::{anyhow, bail};
use clap::Args;
use recrawl_detect::{Body, Detector, Settings};
use recrawl_store::{DirectoryStore, OpenMode, Store, Version, Versions};
use recrawl_watch::DETECT_SETTING;

use crate::Answer;
use crate::args::StoreArgs;

/// What changed when a page last changed, line by line.
#[derive(Debug, Args)]
pub(crate) struct DiffArgs {
    /// The page: its address as it was given
    #[arg(value_name = "PAGE")]
    page: String,

    /// How many changes back: 1 is the last one (`recrawl watch --keep` says
    /// how many versions there are)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    back: u16,

    #[command(flatten)]
    store: StoreArgs,
}

pub(super) fn run(args: &DiffArgs) -> anyhow::Result<Answer> {
    let store = DirectoryStore::open(&args.store.store, OpenMode::Existing)?;
    let page = store.find(&args.page)?;
    let page = page.ok_or_else(|| anyhow!("page `{}` is not in the store", args.page))?;
    let versions = store.versions(page)?;
    let back = usize::from(args.back);
    let (Some(new), Some(old)) = (versions.get(back - 1), versions.get(back)) else {
        bail!(
            "of page `{}` {} are kept, and a change {back} back needs {}: watch with --keep {}",
            args.page,
            count(versions.len()),
            back + 1,
            back + 1,
        );
    };
    let settings = store.resume().settings.get(DETECT_SETTING);
    let settings = settings.and_then(|text| serde_json::from_str(text).ok());
    let detector = Detector::new(&settings.unwrap_or_else(Settings::default))?;
    let diff = detector.diff(&body(old), &body(new));
    let mut out = io::stdout().lock();
    writeln!(out, "--- {}\n+++ {}", old.at, new.at)?;
    out.write_all(printable(&diff.text).as_bytes())?;
    if diff.truncated {
        writeln!(io::stderr(), "the difference is longer than what is shown")?;
    }
    Ok(Answer::Done)
}

fn count(versions: usize) -> String {
    match versions {
        0 => "no versions".to_owned(),
        1 => "1 version".to_owned(),
        more => format!("{more} versions"),
    }
}

fn body(version: &Version) -> Body<'_> {
    Body::new(&version.body, version.content_type.as_deref())
}

/// Pages may hold what would move a terminal's cursor.
fn printable(text: &str) -> String {
    let harmless = |character: char| !character.is_control() || matches!(character, '\n' | '\t');
    let shown = |character: char| {
        if harmless(character) {
            character
        } else {
            '\u{fffd}'
        }
    };
    text.chars().map(shown).collect()
}
